// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ambf_adf
{

/// Text in which every byte that is not valid UTF-8, and every code point that is no character, is
/// replaced by U+FFFD.
struct Utf8Text
{
  std::string text;
  std::optional<std::size_t> first_bad;  ///< offset of the first replaced byte in the original
};

/// YAML in UTF-16 or UTF-32 (byte order mark or zero bytes at the start) is left as it is: the YAML
/// parser converts it.
Utf8Text to_valid_utf8(std::string_view bytes);

/// Bytes that belong to no character become the characters of Latin-1 with their numbers.
std::string lone_bytes_as_latin1(std::string_view bytes);

}  // namespace ambf_adf
