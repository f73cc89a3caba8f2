// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/choice.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace ambf_adf
{

Choice Choice::all()
{
  Choice choice;
  choice.rule = Rule::All;
  return choice;
}

Choice Choice::first(std::size_t count)
{
  Choice choice;
  choice.rule = Rule::Listed;
  choice.indices.resize(count);
  std::iota(choice.indices.begin(), choice.indices.end(), std::size_t{0});
  return choice;
}

std::vector<std::size_t> Choice::of(std::size_t size, std::vector<std::size_t> by_default) const
{
  switch (rule) {
    case Rule::All:
      return first(size).indices;
    case Rule::Listed:
      return indices;
    case Rule::Default:
      break;
  }
  return by_default;
}

expected<Choice, std::string> parse_choice(std::string_view text)
{
  // AMBF takes blanks out before it reads the list.
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == ' ' || c == '\t'; });
  if (plain.empty()) { return Choice{}; }
  if (plain == "all") { return Choice::all(); }
  Choice choice;
  choice.rule = Choice::Rule::Listed;
  if (plain == "none") { return choice; }
  const char * at = plain.data();
  const char * const end = at + plain.size();
  while (true) {
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(at, end, index);
    if (error != std::errc() || (stop != end && *stop != ',')) {
      return unexpected(
        "found '" + std::string(text) + "', expected indices from 0, e.g. 0,3,5, or all, or none");
    }
    choice.indices.push_back(index);
    if (stop == end) { return choice; }
    at = stop + 1;
  }
}

}  // namespace ambf_adf
