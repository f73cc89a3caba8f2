// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_adf/expected.hpp"

namespace ambf_adf
{

/// Which entries of a list are meant: `multibody configs` of a launch file, `input devices` of an
/// input-device file.
struct Choice
{
  enum class Rule
  {
    Default,  ///< nobody said anything
    All,
    Listed,
  };
  Rule rule = Rule::Default;
  std::vector<std::size_t> indices;  ///< with Listed: from 0, in this order

  Choice() = default;
  Choice(std::initializer_list<std::size_t> listed) : rule(Rule::Listed), indices(listed) {}
  static Choice all();
  static Choice first(std::size_t count);

  /// The entries of a list of `size`, with `by_default` for Rule::Default. May name entries that
  /// are not there.
  std::vector<std::size_t> of(std::size_t size, std::vector<std::size_t> by_default) const;

  friend bool operator==(const Choice &, const Choice &) = default;
};

/// "" for the default, "all", "none", or indices from 0 as AMBF's `-l` and `-i` have them: "0,3,5". The
/// error says what was found and what is expected.
expected<Choice, std::string> parse_choice(std::string_view text);

}  // namespace ambf_adf
