// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/toggle_clock.hpp"

namespace ambf_simulation
{

ToggleClock::Answer ToggleClock::take(bool enable, bool clock, std::uint32_t n_skip_steps)
{
  Answer answer;
  if (enable != enabled_) {
    answer.throttle = enable;
    enabled_ = enable;
  }
  const bool toggled = clock != clock_;
  clock_ = clock;
  if (enable && toggled) { answer.steps = n_skip_steps == 0 ? default_skip_steps : n_skip_steps; }
  return answer;
}

}  // namespace ambf_simulation
