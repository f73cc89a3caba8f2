#include "rclcpp/experimental/subscription_intra_process_base.hpp"

#include <string>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp
{
namespace experimental
{

SubscriptionIntraProcessBase::SubscriptionIntraProcessBase(
  rclcpp::Context::SharedPtr context, const std::string & topic_name,
  const rclcpp::QoS & qos_profile)
: topic_name_(topic_name), qos_profile_(qos_profile), gc_(context)
{}

SubscriptionIntraProcessBase::~SubscriptionIntraProcessBase() = default;

void SubscriptionIntraProcessBase::add_to_wait_set(rcl_wait_set_t & wait_set)
{
  // One message is executed per wake-up, so what is left must wake again.
  if (has_data()) {
    gc_.trigger();
  }
  const rcl_ret_t ret = rcl_wait_set_add_guard_condition(
    &wait_set, &gc_.get_rcl_guard_condition(), nullptr);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to add guard condition to wait set");
  }
}

bool SubscriptionIntraProcessBase::is_durability_transient_local() const
{
  return qos_profile_.durability() == rclcpp::DurabilityPolicy::TransientLocal;
}

const char * SubscriptionIntraProcessBase::get_topic_name() const
{
  return topic_name_.c_str();
}

rclcpp::QoS SubscriptionIntraProcessBase::get_actual_qos() const
{
  return qos_profile_;
}

void SubscriptionIntraProcessBase::set_on_ready_callback(
  std::function<void(size_t, int)> callback)
{
  if (!callback) {
    throw std::invalid_argument(
            "The callback passed to set_on_ready_callback is not callable.");
  }
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  on_new_message_callback_ = [callback](size_t number_of_events) {
      try {
        callback(number_of_events, static_cast<int>(EntityType::Subscription));
      } catch (const std::exception & exception) {
        RCLCPP_ERROR_STREAM(
          rclcpp::get_logger("rclcpp"),
          "rclcpp::SubscriptionIntraProcessBase caught an exception in a user-provided callback "
          "for the 'on ready' callback: " << exception.what());
      } catch (...) {
        RCLCPP_ERROR(
          rclcpp::get_logger("rclcpp"),
          "rclcpp::SubscriptionIntraProcessBase caught an unhandled exception in a user-provided "
          "callback for the 'on ready' callback");
      }
    };
  if (const size_t waiting = qos_profile_.depth() - available_capacity()) {
    on_new_message_callback_(waiting);
  }
}

void SubscriptionIntraProcessBase::clear_on_ready_callback()
{
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  on_new_message_callback_ = nullptr;
}

void SubscriptionIntraProcessBase::notify()
{
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // Who has set a callback does not wait on the guard condition.
  if (on_new_message_callback_) {
    on_new_message_callback_(1);
  } else {
    gc_.trigger();
  }
}

}  // namespace experimental
}  // namespace rclcpp
