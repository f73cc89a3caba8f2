#pragma once

namespace rclcpp {

enum class IntraProcessSetting { Enable, Disable, NodeDefault };

}  // namespace rclcpp
