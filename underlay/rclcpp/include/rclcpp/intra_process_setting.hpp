// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rclcpp {

enum class IntraProcessSetting { Enable, Disable, NodeDefault };

}  // namespace rclcpp
