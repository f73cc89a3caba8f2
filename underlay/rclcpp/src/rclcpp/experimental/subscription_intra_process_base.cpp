#include "rclcpp/experimental/subscription_intra_process_base.hpp"

#include "../endpoint_events.hpp"

namespace rclcpp::experimental {

void SubscriptionIntraProcessBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  // One message is executed per wake-up, so what is left must wake again.
  if (available_capacity() != qos_profile_.depth()) { gc_.trigger(); }
  detail::check(rcl_wait_set_add_guard_condition(&wait_set, &gc_.get_rcl_guard_condition(), nullptr),
    "failed to add guard condition to wait set");
}

void SubscriptionIntraProcessBase::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  on_new_message_callback_ =
    detail::without_exceptions("set_on_ready_callback", callback, static_cast<int>(EntityType::Subscription));
  if (const size_t waiting = qos_profile_.depth() - available_capacity()) { on_new_message_callback_(waiting); }
}

void SubscriptionIntraProcessBase::clear_on_ready_callback() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  on_new_message_callback_ = nullptr;
}

void SubscriptionIntraProcessBase::notify() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // Who has set a callback does not wait on the guard condition.
  if (on_new_message_callback_) {
    on_new_message_callback_(1);
  } else {
    gc_.trigger();
  }
}

}  // namespace rclcpp::experimental
