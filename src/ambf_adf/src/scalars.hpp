// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ambf_adf
{

/// The value of a YAML scalar, or nothing. Numbers are finite; "0x10", "1e3" and "2.0" are whole
/// numbers, too; booleans are true/false, yes/no, on/off, y/n and 1/0 in any capitals.
std::optional<double> to_number(std::string_view text);
std::optional<long long> to_integer(std::string_view text);
std::optional<bool> to_boolean(std::string_view text);

/// Small letters for A to Z.
std::string lower(std::string_view text);

/// Text of the nearest choice for a typing error: "did you mean 'x'?", "" if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string> & choices);

}  // namespace ambf_adf
