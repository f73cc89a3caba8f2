#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rcl/error_handling.h"
#include "rcl/subscription.h"
#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/detail/resolve_use_intra_process.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"
#include "rclcpp/experimental/subscription_intra_process.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/message_memory_strategy.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/type_support_decl.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{

/// Receives messages of one type on one topic and gives them to a callback.
template<
  typename MessageT, typename AllocatorT = std::allocator<void>,
  typename SubscribedT = MessageT, typename ROSMessageT = MessageT,
  typename MessageMemoryStrategyT =
  message_memory_strategy::MessageMemoryStrategy<ROSMessageT, AllocatorT>>
class Subscription : public SubscriptionBase
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS(Subscription)

  using SubscribedType = SubscribedT;
  using ROSMessageType = ROSMessageT;
  using MessageMemoryStrategyType = MessageMemoryStrategyT;
  using SubscribedTypeAllocatorTraits = allocator::AllocRebind<SubscribedT, AllocatorT>;
  using SubscribedTypeAllocator = typename SubscribedTypeAllocatorTraits::allocator_type;
  using SubscribedTypeDeleter = allocator::Deleter<SubscribedTypeAllocator, SubscribedT>;

  Subscription(
    rclcpp::node_interfaces::NodeBaseInterface * node_base,
    const rosidl_message_type_support_t & type_support_handle, const std::string & topic_name,
    const rclcpp::QoS & qos, AnySubscriptionCallback<MessageT, AllocatorT> callback,
    const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options,
    typename MessageMemoryStrategyT::SharedPtr message_memory_strategy)
  : SubscriptionBase(
      node_base, type_support_handle, topic_name, options.to_rcl_subscription_options(qos),
      options.event_callbacks, options.use_default_callbacks,
      callback.is_serialized_message_callback() ?
      DeliveredMessageKind::SERIALIZED_MESSAGE : DeliveredMessageKind::ROS_MESSAGE),
    any_callback_(callback),
    options_(options),
    message_memory_strategy_(message_memory_strategy)
  {
    if (detail::resolve_use_intra_process(options_, *node_base)) {
      set_up_intra_process(*node_base, callback);
    }
  }

  /// Take a message without an executor; false: there was none.
  bool take(ROSMessageType & message_out, rclcpp::MessageInfo & message_info_out)
  {
    return this->take_type_erased(static_cast<void *>(&message_out), message_info_out);
  }

  std::shared_ptr<void> create_message() override
  {
    return message_memory_strategy_->borrow_message();
  }

  std::shared_ptr<rclcpp::SerializedMessage> create_serialized_message() override
  {
    return message_memory_strategy_->borrow_serialized_message();
  }

  void handle_message(
    std::shared_ptr<void> & message, const rclcpp::MessageInfo & message_info) override
  {
    if (!came_directly(message_info)) {
      any_callback_.dispatch(std::static_pointer_cast<ROSMessageType>(message), message_info);
    }
  }

  void handle_serialized_message(
    const std::shared_ptr<rclcpp::SerializedMessage> & serialized_message,
    const rclcpp::MessageInfo & message_info) override
  {
    if (!came_directly(message_info)) {
      any_callback_.dispatch(serialized_message, message_info);
    }
  }

  void handle_loaned_message(void * loaned_message, const rclcpp::MessageInfo & info) override
  {
    if (!came_directly(info)) {
      auto borrowed = std::shared_ptr<ROSMessageType>(
        static_cast<ROSMessageType *>(loaned_message), [](ROSMessageType *) {});
      any_callback_.dispatch(borrowed, info);
    }
  }

  void return_message(std::shared_ptr<void> & message) override
  {
    auto typed_message = std::static_pointer_cast<ROSMessageType>(message);
    message.reset();
    message_memory_strategy_->return_message(typed_message);
  }

  void return_serialized_message(std::shared_ptr<rclcpp::SerializedMessage> & message) override
  {
    message_memory_strategy_->return_serialized_message(message);
  }

  /// Whether messages of the same process are shared with other readers.
  bool use_take_shared_method() const {return any_callback_.use_take_shared_method();}

private:
  RCLCPP_DISABLE_COPY(Subscription)

  void set_up_intra_process(
    node_interfaces::NodeBaseInterface & node_base,
    const AnySubscriptionCallback<MessageT, AllocatorT> & callback)
  {
    using SubscriptionIntraProcessT = experimental::SubscriptionIntraProcess<
      MessageT, AllocatorT, SubscribedTypeDeleter>;

    const rclcpp::QoS qos = get_actual_qos();
    if (qos.history() != rclcpp::HistoryPolicy::KeepLast) {
      throw std::invalid_argument(
              "intraprocess communication on topic '" + std::string(get_topic_name()) +
              "' allowed only with keep last history qos policy");
    }
    if (qos.depth() == 0) {
      throw std::invalid_argument(
              "intraprocess communication on topic '" + std::string(get_topic_name()) +
              "' is not allowed with 0 depth qos policy");
    }
    auto context = node_base.get_context();
    auto intra_process = std::make_shared<SubscriptionIntraProcessT>(
      callback, options_.get_allocator(), context, this->get_topic_name(), qos,
      detail::resolve_intra_process_buffer_type(options_.intra_process_buffer_type, callback));
    subscription_intra_process_ = intra_process;
    auto ipm = context->template get_sub_context<experimental::IntraProcessManager>();
    this->setup_intra_process(
      ipm->template add_subscription<MessageT, AllocatorT, SubscribedTypeDeleter>(intra_process),
      ipm);
  }

  bool came_directly(const rclcpp::MessageInfo & message_info) const
  {
    return use_intra_process_ && matches_any_intra_process_publishers(
      &message_info.get_rmw_message_info().publisher_gid);
  }

  AnySubscriptionCallback<MessageT, AllocatorT> any_callback_;
  // Kept because the allocator lives in the options.
  const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> options_;
  typename MessageMemoryStrategyT::SharedPtr message_memory_strategy_;
};

}  // namespace rclcpp
