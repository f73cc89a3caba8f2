// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ambf_physics
{

/// Where the middleware is Fast DDS: this process sends and receives by UDP, not by shared memory, and tells of
/// itself every 0.2 s. So a client that is killed cannot keep the next one from the world; docs/physics_node.md says
/// why. To be called before rclcpp::init, as it sets environment variables.
///
/// Who has chosen a profile or transports in the environment keeps them.
void choose_transport();

}  // namespace ambf_physics
