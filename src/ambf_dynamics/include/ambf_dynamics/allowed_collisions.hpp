// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ambf_dynamics
{

/// Why a pair of bodies is not looked at, or is in spite of the others.
enum class AllowedBecause : std::uint8_t
{
  Adjacent,  ///< a joint ties them
  Always,    ///< they touched at every posture that was sampled
  Never,     ///< they touched at none
  Default,   ///< they touch at the posture in which the model is loaded
  Given,     ///< by a file or a call
};
const char * to_string(AllowedBecause why);

/// Which pairs of bodies may touch: the allowed-collision matrix. Bodies by their qualified names, so that
/// it outlives what comes and goes. A pair has no order.
class AllowedCollisions
{
public:
  void allow(std::string_view a, std::string_view b, AllowedBecause why = AllowedBecause::Given);
  /// Looked at again, whatever allowed it. False: it was not allowed.
  bool forbid(std::string_view a, std::string_view b);
  /// Takes over what the other allows; reasons of this one stay.
  void merge(const AllowedCollisions & other);

  bool contains(std::string_view a, std::string_view b) const { return why(a, b).has_value(); }
  std::optional<AllowedBecause> why(std::string_view a, std::string_view b) const;
  std::size_t size() const { return pairs_.size(); }
  bool empty() const { return pairs_.empty(); }

  using Pair = std::pair<std::string, std::string>;  ///< in alphabetical order
  const std::map<Pair, AllowedBecause> & pairs() const { return pairs_; }

private:
  std::map<Pair, AllowedBecause> pairs_;
};

}  // namespace ambf_dynamics
