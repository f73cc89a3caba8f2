// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

namespace ambf_simulation
{

/// AMBF's toggle clock: a change of `step_clock` while throttling grants `n_skip_steps` steps, or
/// `default_skip_steps` where the message leaves that field at 0. A repeated message grants nothing.
class ToggleClock
{
public:
  struct Answer
  {
    std::optional<bool> throttle;  ///< throttling was switched on or off
    std::uint32_t steps = 0;
  };

  static constexpr std::uint32_t default_skip_steps = 5;

  Answer take(bool enable, bool clock, std::uint32_t n_skip_steps);
  /// The switch that `take` told was not followed.
  void undo_throttle() { enabled_ = !enabled_; }

private:
  bool enabled_ = false;
  bool clock_ = false;  ///< AMBF's level before the first message
};

}  // namespace ambf_simulation
