// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_dynamics/allowed_collisions.hpp"

namespace ambf_dynamics
{
namespace
{

AllowedCollisions::Pair in_order(std::string_view a, std::string_view b)
{
  if (b < a) { std::swap(a, b); }
  return {std::string(a), std::string(b)};
}

}  // namespace

const char * to_string(AllowedBecause why)
{
  switch (why) {
    case AllowedBecause::Adjacent:
      return "adjacent";
    case AllowedBecause::Always:
      return "always";
    case AllowedBecause::Never:
      return "never";
    case AllowedBecause::Default:
      return "default";
    case AllowedBecause::Given:
      return "given";
  }
  return "unknown";
}

void AllowedCollisions::allow(std::string_view a, std::string_view b, AllowedBecause why)
{
  pairs_.insert_or_assign(in_order(a, b), why);
}

bool AllowedCollisions::forbid(std::string_view a, std::string_view b)
{
  return pairs_.erase(in_order(a, b)) > 0;
}

void AllowedCollisions::merge(const AllowedCollisions & other)
{
  pairs_.insert(other.pairs_.begin(), other.pairs_.end());
}

std::optional<AllowedBecause> AllowedCollisions::why(std::string_view a, std::string_view b) const
{
  const auto at = pairs_.find(in_order(a, b));
  return at == pairs_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace ambf_dynamics
