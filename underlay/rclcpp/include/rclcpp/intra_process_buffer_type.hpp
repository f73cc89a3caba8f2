// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rclcpp {

/// In which form messages of the own process are kept; by default as the callback asks.
enum class IntraProcessBufferType { SharedPtr, UniquePtr, CallbackDefault };

}  // namespace rclcpp
