// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/experimental/buffers/intra_process_buffer.hpp"
#include "rclcpp/experimental/subscription_intra_process_base.hpp"

namespace rclcpp::experimental {

/// Keeps the messages that publishers of this process hand over until they are executed.
template <typename MessageT, typename Alloc = std::allocator<void>, typename Deleter = std::default_delete<MessageT>>
class SubscriptionIntraProcessBuffer : public SubscriptionIntraProcessBase {
public:
  SubscriptionIntraProcessBuffer(std::shared_ptr<Alloc> allocator, Context::SharedPtr context,
    const std::string & topic_name, const QoS & qos_profile, IntraProcessBufferType buffer_type)
  : SubscriptionIntraProcessBase(context, topic_name, qos_profile),
    buffer_(buffer_type, qos_profile.depth(), allocator) {}

  bool is_ready(const rcl_wait_set_t &) override { return buffer_.has_data(); }
  bool use_take_shared_method() const override { return buffer_.use_take_shared_method(); }
  size_t available_capacity() const override { return buffer_.available_capacity(); }

  void provide_intra_process_data(std::shared_ptr<const MessageT> message) {
    buffer_.add_shared(std::move(message));
    notify();
  }

  void provide_intra_process_data(std::unique_ptr<MessageT, Deleter> message) {
    buffer_.add_unique(std::move(message));
    notify();
  }

protected:
  const std::type_info & buffer_type() const final { return typeid(SubscriptionIntraProcessBuffer); }

  buffers::IntraProcessBuffer<MessageT, Alloc, Deleter> buffer_;
};

}  // namespace rclcpp::experimental
