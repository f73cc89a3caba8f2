#pragma once

namespace rclcpp
{

/// In which form a subscription keeps messages that come from its own process.
enum class IntraProcessBufferType
{
  SharedPtr,
  UniquePtr,
  /// As the callback's signature asks.
  CallbackDefault
};

}  // namespace rclcpp
