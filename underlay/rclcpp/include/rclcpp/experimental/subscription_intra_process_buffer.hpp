#pragma once

#include <memory>
#include <string>
#include <typeinfo>
#include <utility>

#include "rclcpp/context.hpp"
#include "rclcpp/experimental/buffers/intra_process_buffer.hpp"
#include "rclcpp/experimental/create_intra_process_buffer.hpp"
#include "rclcpp/experimental/subscription_intra_process_base.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp
{
namespace experimental
{

/// Keeps the messages that publishers of this process hand over until they are executed.
template<
  typename MessageT, typename Alloc = std::allocator<void>,
  typename Deleter = std::default_delete<MessageT>>
class SubscriptionIntraProcessBuffer : public SubscriptionIntraProcessBase
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(SubscriptionIntraProcessBuffer)

  using ConstMessageSharedPtr = std::shared_ptr<const MessageT>;
  using MessageUniquePtr = std::unique_ptr<MessageT, Deleter>;

  SubscriptionIntraProcessBuffer(
    std::shared_ptr<Alloc> allocator, rclcpp::Context::SharedPtr context,
    const std::string & topic_name, const rclcpp::QoS & qos_profile,
    rclcpp::IntraProcessBufferType buffer_type)
  : SubscriptionIntraProcessBase(context, topic_name, qos_profile),
    buffer_(create_intra_process_buffer<MessageT, Alloc, Deleter>(
        buffer_type, qos_profile, allocator))
  {}

  bool is_ready(const rcl_wait_set_t &) override {return buffer_->has_data();}
  bool use_take_shared_method() const override {return buffer_->use_take_shared_method();}
  size_t available_capacity() const override {return buffer_->available_capacity();}

  void provide_intra_process_data(ConstMessageSharedPtr message)
  {
    buffer_->add_shared(std::move(message));
    notify();
  }

  void provide_intra_process_data(MessageUniquePtr message)
  {
    buffer_->add_unique(std::move(message));
    notify();
  }

protected:
  const std::type_info & buffer_type() const final
  {
    return typeid(SubscriptionIntraProcessBuffer);
  }

  bool has_data() const override {return buffer_->has_data();}

  std::unique_ptr<buffers::IntraProcessBuffer<MessageT, Alloc, Deleter>> buffer_;
};

}  // namespace experimental
}  // namespace rclcpp
