// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/detail/resolve_use_intra_process.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"
#include "rclcpp/get_message_type_support_handle.hpp"
#include "rclcpp/is_ros_compatible_type.hpp"
#include "rclcpp/loaned_message.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/serialized_message.hpp"

namespace rclcpp {

/// Publishes messages of one type on one topic.
template <typename MessageT, typename AllocatorT = std::allocator<void>> class Publisher : public PublisherBase {
  static_assert(rclcpp::is_ros_compatible_type<MessageT>::value,
    "given message type is not compatible with ROS and cannot be used with a Publisher");

public:
  RCLCPP_SMART_PTR_DEFINITIONS(Publisher<MessageT, AllocatorT>)

  using PublishedType = MessageT;
  using ROSMessageType = MessageT;
  using PublishedTypeAllocatorTraits = allocator::AllocRebind<MessageT, AllocatorT>;
  using PublishedTypeAllocator = typename PublishedTypeAllocatorTraits::allocator_type;
  using PublishedTypeDeleter = allocator::Deleter<PublishedTypeAllocator, MessageT>;
  using MessageUniquePtr = std::unique_ptr<MessageT, PublishedTypeDeleter>;
  using MessageSharedPtr = std::shared_ptr<const MessageT>;

  Publisher(node_interfaces::NodeBaseInterface * node_base, const std::string & topic, const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options)
  : PublisherBase(node_base, topic, get_message_type_support_handle<MessageT>(),
      options.template to_rcl_publisher_options<MessageT>(qos), options.event_callbacks, options.use_default_callbacks),
    options_(options),
    published_type_allocator_(*options.get_allocator()) {
    allocator::set_allocator_for_deleter(&published_type_deleter_, &published_type_allocator_);
  }

  /// Second half of construction, which needs a shared_ptr to this.
  virtual void post_init_setup(node_interfaces::NodeBaseInterface * node_base, const std::string & topic,
    const QoS & qos, const PublisherOptionsWithAllocator<AllocatorT> &) {
    if (!detail::resolve_use_intra_process(options_, *node_base)) { return; }
    detail::check_intra_process_qos(qos, topic);
    if (qos.durability() == DurabilityPolicy::TransientLocal) {
      history_ = std::make_shared<detail::IntraProcessHistory<MessageT>>(qos.depth());
    }
    auto ipm = node_base->get_context()->template get_sub_context<experimental::IntraProcessManager>();
    this->setup_intra_process(ipm->add_publisher(this->shared_from_this(), history_), ipm);
  }

  /// A message to be filled and given to publish(); see LoanedMessage.
  LoanedMessage<MessageT, AllocatorT> borrow_loaned_message() {
    return LoanedMessage<MessageT, AllocatorT>(*this, std::allocator<MessageT>());
  }

  /// Publish and give up ownership: within the process the object itself is handed over.
  virtual void publish(std::unique_ptr<MessageT, PublishedTypeDeleter> msg) {
    if (!msg) { throw std::runtime_error("cannot publish msg which is a null pointer"); }
    if (!intra_process_is_enabled_) {
      do_inter_process_publish(*msg);
      return;
    }
    auto ipm = weak_ipm_.lock();
    if (!ipm) { throw std::runtime_error("intra process publish called after destruction of intra process manager"); }
    // A reader elsewhere that joins late gets the history from the middleware, so that must see
    // every message of a transient_local publisher.
    if (history_ || get_subscription_count() > get_intra_process_subscription_count()) {
      MessageSharedPtr shared =
        ipm->template do_intra_process_publish_and_return_shared<MessageT, AllocatorT, PublishedTypeDeleter>(
          intra_process_publisher_id_, std::move(msg), published_type_allocator_);
      if (history_) { history_->enqueue(shared); }
      do_inter_process_publish(*shared);
    } else {
      ipm->template do_intra_process_publish<MessageT, AllocatorT, PublishedTypeDeleter>(
        intra_process_publisher_id_, std::move(msg), published_type_allocator_);
    }
  }

  /// Publish; a copy is made only when a subscription of this process is to get it directly.
  virtual void publish(const MessageT & msg) {
    if (!intra_process_is_enabled_ || (!history_ && get_intra_process_subscription_count() == 0)) {
      do_inter_process_publish(msg);
      return;
    }
    MessageT * copy = PublishedTypeAllocatorTraits::allocate(published_type_allocator_, 1);
    PublishedTypeAllocatorTraits::construct(published_type_allocator_, copy, msg);
    this->publish(MessageUniquePtr(copy, published_type_deleter_));
  }

  void publish(const rcl_serialized_message_t & serialized_msg) {
    if (intra_process_is_enabled_) {
      throw std::runtime_error("storing serialized messages in intra process is not supported yet");
    }
    const rcl_ret_t ret = rcl_publish_serialized_message(publisher_handle_.get(), &serialized_msg, nullptr);
    if (ret != RCL_RET_OK) { throw_unless_shut_down(ret, "failed to publish serialized message"); }
  }

  void publish(const SerializedMessage & serialized_msg) { this->publish(serialized_msg.get_rcl_serialized_message()); }

  void publish(LoanedMessage<MessageT, AllocatorT> && loaned_msg) {
    if (!loaned_msg.is_valid()) { throw std::runtime_error("loaned message is not valid"); }
    this->publish(loaned_msg.get());
  }

  PublishedTypeAllocator get_published_type_allocator() const { return published_type_allocator_; }

protected:
  void do_inter_process_publish(const MessageT & msg) {
    const rcl_ret_t ret = rcl_publish(publisher_handle_.get(), &msg, nullptr);
    if (ret != RCL_RET_OK) { throw_unless_shut_down(ret, "failed to publish message"); }
  }

  const PublisherOptionsWithAllocator<AllocatorT> options_;
  PublishedTypeAllocator published_type_allocator_;
  PublishedTypeDeleter published_type_deleter_;
  std::shared_ptr<detail::IntraProcessHistory<MessageT>> history_;
};

}  // namespace rclcpp
