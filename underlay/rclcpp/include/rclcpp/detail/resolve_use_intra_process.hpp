#pragma once

#include <stdexcept>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp
{
namespace detail
{

template<typename OptionsT>
bool resolve_use_intra_process(
  const OptionsT & options, const node_interfaces::NodeBaseInterface & node_base)
{
  switch (options.use_intra_process_comm) {
    case IntraProcessSetting::Enable:
      return true;
    case IntraProcessSetting::Disable:
      return false;
    case IntraProcessSetting::NodeDefault:
      return node_base.get_use_intra_process_default();
  }
  throw std::runtime_error("Unrecognized IntraProcessSetting value");
}

template<typename MessageT, typename AllocatorT>
IntraProcessBufferType resolve_intra_process_buffer_type(
  IntraProcessBufferType buffer_type,
  const AnySubscriptionCallback<MessageT, AllocatorT> & any_subscription_callback)
{
  if (buffer_type != IntraProcessBufferType::CallbackDefault) {
    return buffer_type;
  }
  return any_subscription_callback.use_take_shared_method() ?
         IntraProcessBufferType::SharedPtr : IntraProcessBufferType::UniquePtr;
}

}  // namespace detail
}  // namespace rclcpp
