// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rclcpp {

enum WaitResultKind { Ready, Timeout, Empty, Invalid };

}  // namespace rclcpp
