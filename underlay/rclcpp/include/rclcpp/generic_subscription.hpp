// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// Receives serialized messages of a type that is known by name at run time only.
class GenericSubscription : public SubscriptionBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericSubscription)

  template <typename AllocatorT = std::allocator<void>>
  GenericSubscription(node_interfaces::NodeBaseInterface * node_base,
    const std::shared_ptr<rcpputils::SharedLibrary> ts_lib, const std::string & topic_name,
    const std::string & topic_type, const QoS & qos, AnySubscriptionCallback<SerializedMessage, AllocatorT> callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options)
  : SubscriptionBase(node_base, *get_message_typesupport_handle(topic_type, "rosidl_typesupport_cpp", *ts_lib),
      topic_name, options.to_rcl_subscription_options(qos), options.event_callbacks, options.use_default_callbacks,
      DeliveredMessageKind::SERIALIZED_MESSAGE),
    dispatch_([callback](std::shared_ptr<SerializedMessage> message, const MessageInfo & info) mutable {
      callback.dispatch(std::move(message), info);
    }),
    ts_lib_(ts_lib) {}

  std::shared_ptr<void> create_message() override { return create_serialized_message(); }
  std::shared_ptr<SerializedMessage> create_serialized_message() override {
    return std::make_shared<SerializedMessage>(0);
  }
  void handle_message(std::shared_ptr<void> &, const MessageInfo &) override {
    throw exceptions::UnimplementedError("a GenericSubscription takes serialized messages only");
  }
  void handle_serialized_message(
    const std::shared_ptr<SerializedMessage> & message, const MessageInfo & info) override {
    dispatch_(message, info);
  }
  void return_message(std::shared_ptr<void> & message) override { message.reset(); }
  void return_serialized_message(std::shared_ptr<SerializedMessage> & message) override { message.reset(); }

private:
  std::function<void(std::shared_ptr<SerializedMessage>, const MessageInfo &)> dispatch_;
  std::shared_ptr<rcpputils::SharedLibrary> ts_lib_;
};

}  // namespace rclcpp
