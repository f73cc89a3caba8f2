#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "rcl/event.h"
#include "rcl/subscription.h"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/experimental/subscription_intra_process_base.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/network_flow_endpoint.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/type_support_decl.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/rmw.h"

namespace rclcpp
{

namespace node_interfaces
{
class NodeBaseInterface;
}  // namespace node_interfaces

namespace experimental
{
class IntraProcessManager;
}  // namespace experimental

/// In which form an executor takes a subscription's messages.
enum class DeliveredMessageKind : uint8_t
{
  INVALID = 0,
  ROS_MESSAGE = 1,
  SERIALIZED_MESSAGE = 2,
};

/// Everything of a subscription that does not depend on its message type.
class SubscriptionBase : public std::enable_shared_from_this<SubscriptionBase>
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(SubscriptionBase)

  RCLCPP_PUBLIC
  SubscriptionBase(
    rclcpp::node_interfaces::NodeBaseInterface * node_base,
    const rosidl_message_type_support_t & type_support_handle, const std::string & topic_name,
    const rcl_subscription_options_t & subscription_options,
    const SubscriptionEventCallbacks & event_callbacks, bool use_default_callbacks,
    DeliveredMessageKind delivered_message_kind = DeliveredMessageKind::ROS_MESSAGE);
  RCLCPP_PUBLIC
  virtual ~SubscriptionBase();

  RCLCPP_PUBLIC
  void bind_event_callbacks(
    const SubscriptionEventCallbacks & event_callbacks, bool use_default_callbacks);

  RCLCPP_PUBLIC
  const char * get_topic_name() const;
  RCLCPP_PUBLIC
  std::shared_ptr<rcl_subscription_t> get_subscription_handle();
  RCLCPP_PUBLIC
  std::shared_ptr<const rcl_subscription_t> get_subscription_handle() const;
  RCLCPP_PUBLIC
  const std::unordered_map<
    rcl_subscription_event_type_t, std::shared_ptr<rclcpp::EventHandlerBase>> &
  get_event_handlers() const;
  /// The QoS after the middleware has filled in its defaults.
  RCLCPP_PUBLIC
  rclcpp::QoS get_actual_qos() const;

  /// Take the next message from the middleware; false: there was none.
  RCLCPP_PUBLIC
  bool take_type_erased(void * message_out, rclcpp::MessageInfo & message_info_out);
  RCLCPP_PUBLIC
  bool take_serialized(
    rclcpp::SerializedMessage & message_out, rclcpp::MessageInfo & message_info_out);

  virtual std::shared_ptr<void> create_message() = 0;
  virtual std::shared_ptr<rclcpp::SerializedMessage> create_serialized_message() = 0;
  virtual void handle_message(
    std::shared_ptr<void> & message, const rclcpp::MessageInfo & message_info) = 0;
  virtual void handle_serialized_message(
    const std::shared_ptr<rclcpp::SerializedMessage> & serialized_message,
    const rclcpp::MessageInfo & message_info) = 0;
  virtual void handle_loaned_message(
    void * loaned_message, const rclcpp::MessageInfo & message_info) = 0;
  virtual void return_message(std::shared_ptr<void> & message) = 0;
  virtual void return_serialized_message(
    std::shared_ptr<rclcpp::SerializedMessage> & message) = 0;

  RCLCPP_PUBLIC
  const rosidl_message_type_support_t & get_message_type_support_handle() const;
  RCLCPP_PUBLIC
  bool is_serialized() const;
  RCLCPP_PUBLIC
  DeliveredMessageKind get_delivered_message_kind() const;
  RCLCPP_PUBLIC
  size_t get_publisher_count() const;
  /// Always false: loaned messages are not supported.
  RCLCPP_PUBLIC
  bool can_loan_messages() const;

  using IntraProcessManagerWeakPtr = std::weak_ptr<rclcpp::experimental::IntraProcessManager>;

  RCLCPP_PUBLIC
  void setup_intra_process(
    uint64_t intra_process_subscription_id, IntraProcessManagerWeakPtr weak_ipm);
  /// What an executor waits on for messages of this process; null without intra-process.
  RCLCPP_PUBLIC
  rclcpp::Waitable::SharedPtr get_intra_process_waitable() const;

  /// \param pointer_to_subscription_part this, the intra-process waitable or an event handler
  RCLCPP_PUBLIC
  bool exchange_in_use_by_wait_set_state(void * pointer_to_subscription_part, bool in_use_state);

  RCLCPP_PUBLIC
  std::vector<rclcpp::NetworkFlowEndpoint> get_network_flow_endpoints() const;

  /// The callback gets the number of new messages; it runs in a thread of the middleware.
  RCLCPP_PUBLIC
  void set_on_new_message_callback(std::function<void(size_t)> callback);
  RCLCPP_PUBLIC
  void clear_on_new_message_callback();
  RCLCPP_PUBLIC
  void set_on_new_intra_process_message_callback(std::function<void(size_t)> callback);
  RCLCPP_PUBLIC
  void clear_on_new_intra_process_message_callback();
  RCLCPP_PUBLIC
  void set_on_new_qos_event_callback(
    std::function<void(size_t)> callback, rcl_subscription_event_type_t event_type);
  RCLCPP_PUBLIC
  void clear_on_new_qos_event_callback(rcl_subscription_event_type_t event_type);

protected:
  template<typename EventCallbackT>
  void add_event_handler(
    const EventCallbackT & callback, const rcl_subscription_event_type_t event_type,
    rclcpp::GuardCondition::SharedPtr listen_with = nullptr)
  {
    event_handlers_[event_type] =
      std::make_shared<EventHandler<EventCallbackT, std::shared_ptr<rcl_subscription_t>>>(
      callback, rcl_subscription_event_init, subscription_handle_, event_type, listen_with);
  }

  RCLCPP_PUBLIC
  bool matches_any_intra_process_publishers(const rmw_gid_t * sender_gid) const;

  rclcpp::node_interfaces::NodeBaseInterface * const node_base_;
  std::shared_ptr<rcl_node_t> node_handle_;
  std::recursive_mutex callback_mutex_;
  // It must outlive the handle, whose middleware thread may be about to call it.
  std::function<void(size_t)> on_new_message_callback_{nullptr};
  std::shared_ptr<rcl_subscription_t> subscription_handle_;
  std::unordered_map<rcl_subscription_event_type_t, std::shared_ptr<rclcpp::EventHandlerBase>>
  event_handlers_;

  bool use_intra_process_{false};
  IntraProcessManagerWeakPtr weak_ipm_;
  uint64_t intra_process_subscription_id_{0};
  std::shared_ptr<rclcpp::experimental::SubscriptionIntraProcessBase>
  subscription_intra_process_;

private:
  RCLCPP_DISABLE_COPY(SubscriptionBase)

  rosidl_message_type_support_t type_support_;
  DeliveredMessageKind delivered_message_kind_;
  std::atomic<bool> subscription_in_use_by_wait_set_{false};
  std::atomic<bool> intra_process_subscription_waitable_in_use_by_wait_set_{false};
};

}  // namespace rclcpp
