#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/typesupport_helpers.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rcpputils/shared_library.hpp"

namespace rclcpp
{

/// Receives serialized messages of a type that is known by name at run time only.
class GenericSubscription : public rclcpp::SubscriptionBase
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericSubscription)

  template<typename AllocatorT = std::allocator<void>>
  GenericSubscription(
    rclcpp::node_interfaces::NodeBaseInterface * node_base,
    const std::shared_ptr<rcpputils::SharedLibrary> ts_lib, const std::string & topic_name,
    const std::string & topic_type, const rclcpp::QoS & qos,
    AnySubscriptionCallback<rclcpp::SerializedMessage, AllocatorT> callback,
    const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options)
  : SubscriptionBase(
      node_base,
      *rclcpp::get_message_typesupport_handle(topic_type, "rosidl_typesupport_cpp", *ts_lib),
      topic_name, options.to_rcl_subscription_options(qos), options.event_callbacks,
      options.use_default_callbacks, DeliveredMessageKind::SERIALIZED_MESSAGE),
    dispatch_(
      [callback](std::shared_ptr<SerializedMessage> message, const MessageInfo & info) mutable {
        callback.dispatch(std::move(message), info);
      }),
    ts_lib_(ts_lib), allocator_(options.get_allocator())
  {}

  RCLCPP_PUBLIC
  virtual ~GenericSubscription() = default;

  RCLCPP_PUBLIC
  std::shared_ptr<void> create_message() override;
  RCLCPP_PUBLIC
  std::shared_ptr<rclcpp::SerializedMessage> create_serialized_message() override;
  RCLCPP_PUBLIC
  void handle_message(
    std::shared_ptr<void> & message, const rclcpp::MessageInfo & message_info) override;
  RCLCPP_PUBLIC
  void handle_serialized_message(
    const std::shared_ptr<rclcpp::SerializedMessage> & serialized_message,
    const rclcpp::MessageInfo & message_info) override;
  RCLCPP_PUBLIC
  void handle_loaned_message(
    void * loaned_message, const rclcpp::MessageInfo & message_info) override;
  RCLCPP_PUBLIC
  void return_message(std::shared_ptr<void> & message) override;
  RCLCPP_PUBLIC
  void return_serialized_message(
    std::shared_ptr<rclcpp::SerializedMessage> & message) override;

private:
  RCLCPP_DISABLE_COPY(GenericSubscription)

  std::function<void (std::shared_ptr<SerializedMessage>, const MessageInfo &)> dispatch_;
  std::shared_ptr<rcpputils::SharedLibrary> ts_lib_;
  std::shared_ptr<void> allocator_;
};

}  // namespace rclcpp
