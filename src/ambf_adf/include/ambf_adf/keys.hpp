// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ambf_adf
{

/// One key of the format, as the reader asks for it.
struct KeyInfo
{
  /// Keys of the maps above it and its own, with '/' between them; `[]` stands for each item of a
  /// list: "friction/static", "wheels[]/radius".
  std::string path;
  std::string type;      ///< what the reader accepts, in words
  std::string unit;      ///< SI; "" for words, switches and pure numbers
  std::string fallback;  ///< taken when the key is absent; "": see the meaning
  bool required = false;
  bool effective = true;  ///< false: accepted, with a warning, and without effect
  std::string meaning;    ///< "" only where the table of meanings lacks the key, which a test finds
};

/// A sort of file or of block and all keys that may stand in it.
struct KeyBlock
{
  std::string name;       ///< "world file", "rigid body"
  std::string listed_by;  ///< key of the model or world file that lists such blocks; "" for files
  std::string about;
  std::vector<std::string> includes;  ///< blocks whose keys are allowed here, too
  std::vector<KeyInfo> keys;
};

/// Every key of the format. The keys, types and defaults are recorded while the reader itself reads
/// empty samples of every sort of block, so that this list cannot differ from what it reads.
std::vector<KeyBlock> key_reference();

/// Entries of the table of meanings that no key of the reader uses (for the test).
std::vector<std::string> unused_meanings();

}  // namespace ambf_adf
