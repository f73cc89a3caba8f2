// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/detail/resolve_use_intra_process.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"
#include "rclcpp/experimental/subscription_intra_process.hpp"
#include "rclcpp/message_memory_strategy.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"

namespace rclcpp {

/// Receives messages of one type on one topic and gives them to a callback.
template <typename MessageT, typename AllocatorT = std::allocator<void>, typename SubscribedT = MessageT,
  typename ROSMessageT = MessageT,
  typename MessageMemoryStrategyT = message_memory_strategy::MessageMemoryStrategy<ROSMessageT, AllocatorT>>
class Subscription : public SubscriptionBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(Subscription)

  using SubscribedType = SubscribedT;
  using ROSMessageType = ROSMessageT;
  using MessageMemoryStrategyType = MessageMemoryStrategyT;
  using SubscribedTypeAllocatorTraits = allocator::AllocRebind<SubscribedT, AllocatorT>;
  using SubscribedTypeAllocator = typename SubscribedTypeAllocatorTraits::allocator_type;
  using SubscribedTypeDeleter = allocator::Deleter<SubscribedTypeAllocator, SubscribedT>;

  Subscription(node_interfaces::NodeBaseInterface * node_base,
    const rosidl_message_type_support_t & type_support_handle, const std::string & topic_name, const QoS & qos,
    AnySubscriptionCallback<MessageT, AllocatorT> callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options,
    typename MessageMemoryStrategyT::SharedPtr message_memory_strategy)
  : SubscriptionBase(node_base, type_support_handle, topic_name, options.to_rcl_subscription_options(qos),
      options.event_callbacks, options.use_default_callbacks,
      callback.is_serialized_message_callback() ? DeliveredMessageKind::SERIALIZED_MESSAGE
                                                : DeliveredMessageKind::ROS_MESSAGE),
    any_callback_(callback),
    message_memory_strategy_(message_memory_strategy) {
    if (detail::resolve_use_intra_process(options, *node_base)) {
      set_up_intra_process(*node_base, topic_name, options);
    }
  }

  /// Take a message without an executor; false: there was none.
  bool take(ROSMessageType & message_out, MessageInfo & message_info_out) {
    return this->take_type_erased(static_cast<void *>(&message_out), message_info_out);
  }

  std::shared_ptr<void> create_message() override { return message_memory_strategy_->borrow_message(); }

  std::shared_ptr<SerializedMessage> create_serialized_message() override {
    return message_memory_strategy_->borrow_serialized_message();
  }

  void handle_message(std::shared_ptr<void> & message, const MessageInfo & info) override {
    if (!came_directly(info)) { any_callback_.dispatch(std::static_pointer_cast<ROSMessageType>(message), info); }
  }

  void handle_serialized_message(
    const std::shared_ptr<SerializedMessage> & message, const MessageInfo & info) override {
    if (!came_directly(info)) { any_callback_.dispatch(message, info); }
  }

  void return_message(std::shared_ptr<void> & message) override {
    auto typed_message = std::static_pointer_cast<ROSMessageType>(message);
    message.reset();
    message_memory_strategy_->return_message(typed_message);
  }

  void return_serialized_message(std::shared_ptr<SerializedMessage> & message) override {
    message_memory_strategy_->return_serialized_message(message);
  }

  /// Whether messages of the same process are shared with other readers.
  bool use_take_shared_method() const { return any_callback_.use_take_shared_method(); }

private:
  void set_up_intra_process(node_interfaces::NodeBaseInterface & node_base, const std::string & topic,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options) {
    const QoS qos = get_actual_qos();
    detail::check_intra_process_qos(qos, topic);
    auto buffer_type = options.intra_process_buffer_type;
    if (buffer_type == IntraProcessBufferType::CallbackDefault) {
      buffer_type = use_take_shared_method() ? IntraProcessBufferType::SharedPtr : IntraProcessBufferType::UniquePtr;
    }
    auto context = node_base.get_context();
    subscription_intra_process_ =
      std::make_shared<experimental::SubscriptionIntraProcess<MessageT, AllocatorT, SubscribedTypeDeleter>>(
        any_callback_, options.get_allocator(), context, get_topic_name(), qos, buffer_type);
    auto ipm = context->template get_sub_context<experimental::IntraProcessManager>();
    this->setup_intra_process(
      ipm->template add_subscription<MessageT, AllocatorT, SubscribedTypeDeleter>(subscription_intra_process_), ipm);
  }

  bool came_directly(const MessageInfo & info) const {
    return use_intra_process_ && matches_any_intra_process_publishers(&info.get_rmw_message_info().publisher_gid);
  }

  AnySubscriptionCallback<MessageT, AllocatorT> any_callback_;
  typename MessageMemoryStrategyT::SharedPtr message_memory_strategy_;
};

}  // namespace rclcpp
