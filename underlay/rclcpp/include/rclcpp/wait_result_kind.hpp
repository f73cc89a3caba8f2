#pragma once

namespace rclcpp {

enum WaitResultKind { Ready, Timeout, Empty, Invalid };

}  // namespace rclcpp
