#pragma once

namespace rclcpp
{

enum class IntraProcessSetting
{
  Enable,
  Disable,
  /// As NodeOptions::use_intra_process_comms says.
  NodeDefault
};

}  // namespace rclcpp
