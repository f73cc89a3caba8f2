// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "ambf_devices/mock_driver.hpp"

namespace ambf_devices
{

/// Lines like "t=2.5 gripper=0 position_clutch=1 camera_clutch=0 actions=3", times not falling;
/// what a line leaves out stays as it was. The error names the line and the word.
tl::expected<std::vector<ScriptEntry>, std::string> parse_script(
  const std::vector<std::string> & lines);

/// Lines like "jump 1.5 2.0": what is wrong from when until when [s]; one of not_finite, not_unit,
/// jump, nothing_new, lost, blocked.
tl::expected<std::vector<FaultEntry>, std::string> parse_faults(
  const std::vector<std::string> & lines);

}  // namespace ambf_devices
