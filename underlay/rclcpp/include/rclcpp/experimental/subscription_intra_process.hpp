#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/experimental/subscription_intra_process_buffer.hpp"

namespace rclcpp
{
namespace experimental
{

/// Takes messages of the own process out of the buffer and gives them to the callback.
template<
  typename MessageT, typename Alloc = std::allocator<void>,
  typename Deleter = std::default_delete<MessageT>>
class SubscriptionIntraProcess : public SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter>
{
  using Buffer = SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter>;

  struct Data
  {
    typename Buffer::ConstMessageSharedPtr shared;
    typename Buffer::MessageUniquePtr unique;
  };

public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(SubscriptionIntraProcess)

  SubscriptionIntraProcess(
    AnySubscriptionCallback<MessageT, Alloc> callback, std::shared_ptr<Alloc> allocator,
    rclcpp::Context::SharedPtr context, const std::string & topic_name,
    const rclcpp::QoS & qos_profile, rclcpp::IntraProcessBufferType buffer_type)
  : Buffer(allocator, context, topic_name, qos_profile, buffer_type),
    any_callback_(std::move(callback))
  {}

  std::shared_ptr<void> take_data() override
  {
    auto data = std::make_shared<Data>();
    if (any_callback_.use_take_shared_method()) {
      data->shared = this->buffer_->consume_shared();
    } else {
      data->unique = this->buffer_->consume_unique();
    }
    if (!data->shared && !data->unique) {
      return nullptr;
    }
    return data;
  }

  std::shared_ptr<void> take_data_by_entity_id(size_t) override {return take_data();}

  void execute(const std::shared_ptr<void> & data) override
  {
    if (!data) {
      return;
    }
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

}  // namespace experimental
}  // namespace rclcpp
