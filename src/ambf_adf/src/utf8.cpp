// SPDX-License-Identifier: BSD-3-Clause
#include "utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace ambf_adf
{
namespace
{

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Length of the character at the start of `bytes`; 0 if there is none.
std::size_t character_length(std::string_view bytes)
{
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) { return 1; }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes.size() < length) { return 0; }
  std::uint32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) { return 0; }
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool no_character = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return overlong || surrogate || no_character || code > 0x10FFFF ? 0 : length;
}

bool is_wide(std::string_view bytes)
{
  const std::string_view start = bytes.substr(0, 4);
  return start.starts_with("\xFE\xFF") || start.starts_with("\xFF\xFE") ||
         start.find('\0') != std::string_view::npos;
}

}  // namespace

Utf8Text to_valid_utf8(std::string_view bytes)
{
  Utf8Text result;
  if (is_wide(bytes)) {
    result.text = bytes;
    return result;
  }
  result.text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = character_length(bytes.substr(at, 4));
    if (length == 0) {
      result.first_bad = result.first_bad.value_or(at);
      result.text += replacement;
    } else {
      result.text += bytes.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string lone_bytes_as_latin1(std::string_view bytes)
{
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = character_length(bytes.substr(at, 4));
    if (length == 0) {
      const auto byte = static_cast<std::uint8_t>(bytes[at]);
      text += static_cast<char>(0xC0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3F));
    } else {
      text += bytes.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return text;
}

}  // namespace ambf_adf
