// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/experimental/subscription_intra_process_buffer.hpp"

namespace rclcpp::experimental {

/// Takes messages of the own process out of the buffer and gives them to the callback.
template <typename MessageT, typename Alloc = std::allocator<void>, typename Deleter = std::default_delete<MessageT>>
class SubscriptionIntraProcess : public SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter> {
  using Buffer = SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter>;

  struct Data {
    std::shared_ptr<const MessageT> shared;
    std::unique_ptr<MessageT, Deleter> unique;
  };

public:
  template <typename... ArgsT>
  explicit SubscriptionIntraProcess(AnySubscriptionCallback<MessageT, Alloc> callback, ArgsT &&... args)
  : Buffer(std::forward<ArgsT>(args)...), any_callback_(std::move(callback)) {}

  std::shared_ptr<void> take_data() override {
    auto data = std::make_shared<Data>();
    if (any_callback_.use_take_shared_method()) {
      data->shared = this->buffer_.consume_shared();
    } else {
      data->unique = this->buffer_.consume_unique();
    }
    return data->shared || data->unique ? data : nullptr;
  }

  std::shared_ptr<void> take_data_by_entity_id(size_t) override { return take_data(); }

  void execute(const std::shared_ptr<void> & data) override {
    if (!data) { return; }
    rmw_message_info_t message_info = rmw_get_zero_initialized_message_info();
    message_info.from_intra_process = true;
    auto & taken = *std::static_pointer_cast<Data>(data);
    if (taken.shared) {
      any_callback_.dispatch_intra_process(std::move(taken.shared), message_info);
    } else {
      any_callback_.dispatch_intra_process(std::move(taken.unique), message_info);
    }
  }

private:
  AnySubscriptionCallback<MessageT, Alloc> any_callback_;
};

}  // namespace rclcpp::experimental
