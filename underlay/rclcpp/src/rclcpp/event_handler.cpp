#include "rclcpp/event_handler.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "rclcpp/logging.hpp"

namespace rclcpp
{

UnsupportedEventTypeException::UnsupportedEventTypeException(
  rcl_ret_t ret, const rcl_error_state_t * error_state, const std::string & prefix)
: UnsupportedEventTypeException(exceptions::RCLErrorBase(ret, error_state), prefix)
{}

UnsupportedEventTypeException::UnsupportedEventTypeException(
  const exceptions::RCLErrorBase & base_exc, const std::string & prefix)
: exceptions::RCLErrorBase(base_exc),
  std::runtime_error(prefix + (prefix.empty() ? "" : ": ") + base_exc.formatted_message)
{}

EventHandlerBase::~EventHandlerBase()
{
  // The middleware holds a pointer to the callback.
  if (listens_ || on_new_event_callback_) {
    try {
      set_rcl_callback(nullptr);
    } catch (const std::exception & exc) {
      RCLCPP_ERROR(rclcpp::get_logger("rclcpp"), "%s", exc.what());
    }
  }
  if (rcl_event_fini(&event_handle_) != RCL_RET_OK) {
    RCLCPP_ERROR(
      rclcpp::get_logger("rclcpp"), "Error in destruction of rcl event handle: %s",
      rcl_get_error_string().str);
    rcl_reset_error();
  }
}

size_t EventHandlerBase::get_number_of_ready_events()
{
  return listens_ ? 0 : 1;
}

void EventHandlerBase::add_to_wait_set(rcl_wait_set_t & wait_set)
{
  if (listens_) {
    return;
  }
  const rcl_ret_t ret = rcl_wait_set_add_event(&wait_set, &event_handle_, &wait_set_event_index_);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "Couldn't add event to wait set");
  }
}

bool EventHandlerBase::is_ready(const rcl_wait_set_t & wait_set)
{
  if (listens_) {
    return unhandled_.exchange(0) != 0;
  }
  return wait_set.events[wait_set_event_index_] == &event_handle_;
}

bool EventHandlerBase::take_event(void * event_info)
{
  const rcl_ret_t ret = rcl_take_event(&event_handle_, event_info);
  if (ret == RCL_RET_OK) {
    return true;
  }
  if (ret != RCL_RET_EVENT_TAKE_FAILED) {
    RCUTILS_LOG_ERROR_NAMED(
      "rclcpp", "Couldn't take event info: %s", rcl_get_error_string().str);
  }
  rcl_reset_error();
  return false;
}

void EventHandlerBase::listen_instead_of_waiting(rclcpp::GuardCondition::SharedPtr wake_up)
{
  wake_up_ = wake_up;
  listener_ = [this](size_t count) {
      unhandled_.fetch_add(count);
      wake_up_->trigger();
    };
  set_rcl_callback(&listener_);
  listens_ = true;
}

void EventHandlerBase::set_on_ready_callback(std::function<void(size_t, int)> callback)
{
  if (!callback) {
    throw std::invalid_argument(
            "The callback passed to set_on_ready_callback is not callable.");
  }
  // An exception in a thread of the middleware would end the process.
  auto new_callback = [callback](size_t number_of_events) {
      try {
        callback(number_of_events, static_cast<int>(EntityType::Event));
      } catch (const std::exception & exception) {
        RCLCPP_ERROR_STREAM(
          rclcpp::get_logger("rclcpp"),
          "rclcpp::EventHandlerBase caught an exception in a user-provided callback for the "
          "'on ready' callback: " << exception.what());
      } catch (...) {
        RCLCPP_ERROR(
          rclcpp::get_logger("rclcpp"),
          "rclcpp::EventHandlerBase caught an unhandled exception in a user-provided callback "
          "for the 'on ready' callback");
      }
    };

  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // Both must exist during the change: first the copy is installed, then the member, then freed.
  std::function<void(size_t)> copy = new_callback;
  set_rcl_callback(&copy);
  on_new_event_callback_ = new_callback;
  set_rcl_callback(&on_new_event_callback_);
}

void EventHandlerBase::clear_on_ready_callback()
{
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (on_new_event_callback_) {
    set_rcl_callback(listens_ ? &listener_ : nullptr);
    on_new_event_callback_ = nullptr;
  }
}

void EventHandlerBase::set_rcl_callback(const std::function<void(size_t)> * callback)
{
  const rcl_ret_t ret = rcl_event_set_callback(
    &event_handle_,
    callback ? &detail::cpp_callback_trampoline<std::function<void(size_t)>> : nullptr, callback);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to set the on new message callback for Event");
  }
}

}  // namespace rclcpp
