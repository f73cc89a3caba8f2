// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace ambf_adf
{

/// What a key is for. The reader knows the rest: type, range, default.
struct KeyMeaning
{
  const char * block;  ///< name of a KeyBlock, or "*" where every block means the same by it
  const char * path;   ///< as KeyInfo::path
  const char * unit;
  const char * text;
};

std::span<const KeyMeaning> common_key_meanings();
std::span<const KeyMeaning> body_key_meanings();
std::span<const KeyMeaning> scene_key_meanings();

}  // namespace ambf_adf
