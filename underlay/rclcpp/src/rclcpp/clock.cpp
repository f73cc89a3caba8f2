#include "rclcpp/clock.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {

class Clock::Impl {
public:
  explicit Impl(rcl_clock_type_t clock_type) : allocator_{rcl_get_default_allocator()} {
    const rcl_ret_t ret = rcl_clock_init(clock_type, &rcl_clock_, &allocator_);
    if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to initialize rcl clock"); }
  }

  ~Impl() {
    if (rcl_clock_fini(&rcl_clock_) != RCL_RET_OK) { rcl_reset_error(); }
  }

  Impl(const Impl &) = delete;
  Impl & operator=(const Impl &) = delete;

  /// What sleepers wait on; apart, because a shutdown callback may outlive the clock.
  struct Sleepers {
    std::mutex mutex;
    std::condition_variable woken;
    bool cancel_one{false};

    void wake_all() {
      // Locked and released, so that no sleeper is between its check and its wait.
      { std::lock_guard<std::mutex> lock(mutex); }
      woken.notify_all();
    }
  };

  rcl_clock_t rcl_clock_;
  rcl_allocator_t allocator_;
  std::mutex clock_mutex_;
  std::shared_ptr<Sleepers> sleepers_ = std::make_shared<Sleepers>();
};

JumpHandler::JumpHandler(
  pre_callback_t pre_callback, post_callback_t post_callback, const rcl_jump_threshold_t & threshold)
: pre_callback(std::move(pre_callback)), post_callback(std::move(post_callback)), notice_threshold(threshold) {}

Clock::Clock(rcl_clock_type_t clock_type) : impl_(std::make_shared<Impl>(clock_type)) {}

Clock::~Clock() = default;

Time Clock::now() const {
  Time result(0, 0, impl_->rcl_clock_.type);
  const rcl_ret_t ret = rcl_clock_get_now(&impl_->rcl_clock_, &result.rcl_time_.nanoseconds);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "could not get current time stamp"); }
  return result;
}

namespace {

/// Runs a callback on the shutdown of a context, as long as the object lives.
class OnShutdown {
public:
  OnShutdown(Context::SharedPtr context, std::function<void()> callback)
  : context_(std::move(context)), handle_(context_->add_on_shutdown_callback(std::move(callback))) {}
  ~OnShutdown() { context_->remove_on_shutdown_callback(handle_); }
  OnShutdown(const OnShutdown &) = delete;
  OnShutdown & operator=(const OnShutdown &) = delete;

private:
  Context::SharedPtr context_;
  OnShutdownCallbackHandle handle_;
};

}  // namespace

bool Clock::sleep_until(Time until, Context::SharedPtr context) {
  if (!context || !context->is_valid()) {
    throw std::runtime_error("context cannot be slept with because it's invalid");
  }
  const auto clock_type = get_clock_type();
  if (until.get_clock_type() != clock_type) {
    throw std::runtime_error("until's clock type does not match this clock's type");
  }
  auto sleepers = impl_->sleepers_;
  OnShutdown wake_on_shutdown(context, [sleepers]() { sleepers->wake_all(); });

  bool time_source_changed = false;
  JumpHandler::SharedPtr jump_handler;
  if (clock_type == RCL_ROS_TIME) {
    rcl_jump_threshold_t threshold;
    threshold.on_clock_change = true;
    // A threshold of zero would switch the notice off.
    threshold.min_backward.nanoseconds = -1;
    threshold.min_forward.nanoseconds = 1;
    jump_handler = create_jump_callback(
      nullptr,
      [&time_source_changed, sleepers](const rcl_time_jump_t & jump) {
        if (jump.clock_change != RCL_ROS_TIME_NO_CHANGE) {
          std::lock_guard<std::mutex> lock(sleepers->mutex);
          time_source_changed = true;
        }
        sleepers->wake_all();
      },
      threshold);
  }
  const bool simulated = clock_type == RCL_ROS_TIME && ros_time_is_active();

  bool cancelled = false;
  {
    std::unique_lock<std::mutex> lock(sleepers->mutex);
    const auto interrupted = [&]() { return sleepers->cancel_one || time_source_changed || !context->is_valid(); };
    for (auto present = now(); present < until && !interrupted(); present = now()) {
      if (simulated) {
        sleepers->woken.wait(lock);
      } else if (clock_type == RCL_STEADY_TIME) {
        // Relative, because the epoch of rcl's steady clock need not be that of the library's.
        const auto left = (until - present).to_chrono<std::chrono::nanoseconds>();
        sleepers->woken.wait_until(lock, std::chrono::steady_clock::now() + left);
      } else {
        sleepers->woken.wait_until(
          lock, std::chrono::system_clock::time_point(std::chrono::duration_cast<std::chrono::system_clock::duration>(
                  std::chrono::nanoseconds(until.nanoseconds()))));
      }
    }
    cancelled = std::exchange(sleepers->cancel_one, false);
  }
  // Jump callbacks run under the clock's mutex: drop the handler before the flag it refers to.
  jump_handler.reset();
  if (cancelled || time_source_changed || !context->is_valid()) { return false; }
  return now() >= until;
}

bool Clock::sleep_for(Duration rel_time, Context::SharedPtr context) {
  return sleep_until(now() + rel_time, std::move(context));
}

bool Clock::started() {
  if (!rcl_clock_valid(get_clock_handle())) { throw std::runtime_error("clock is not rcl_clock_valid"); }
  return rcl_clock_time_started(get_clock_handle());
}

bool Clock::wait_until_started(Context::SharedPtr context) {
  if (!context || !context->is_valid()) {
    throw std::runtime_error("context cannot be slept with because it's invalid");
  }
  if (started()) { return true; }
  // Any positive time ends this sleep.
  return sleep_until(Time(0, 1, get_clock_type()), std::move(context));
}

bool Clock::wait_until_started(const Duration & timeout, Context::SharedPtr context, const Duration & wait_tick_ns) {
  if (!context || !context->is_valid()) {
    throw std::runtime_error("context cannot be slept with because it's invalid");
  }
  Clock steady(RCL_STEADY_TIME);
  const auto start = steady.now();
  while (!started()) {
    if (steady.now() - start >= timeout) { return false; }
    if (!steady.sleep_for(wait_tick_ns, context)) { return started(); }
  }
  return true;
}

void Clock::cancel_sleep_or_wait() {
  {
    std::lock_guard<std::mutex> lock(impl_->sleepers_->mutex);
    impl_->sleepers_->cancel_one = true;
  }
  impl_->sleepers_->woken.notify_one();
}

bool Clock::ros_time_is_active() {
  if (!rcl_clock_valid(&impl_->rcl_clock_)) { return false; }
  bool is_enabled = false;
  const rcl_ret_t ret = rcl_is_enabled_ros_time_override(&impl_->rcl_clock_, &is_enabled);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "Failed to check ros_time_override_status"); }
  return is_enabled;
}

rcl_clock_t * Clock::get_clock_handle() noexcept { return &impl_->rcl_clock_; }

rcl_clock_type_t Clock::get_clock_type() const noexcept { return impl_->rcl_clock_.type; }

std::mutex & Clock::get_clock_mutex() noexcept { return impl_->clock_mutex_; }

void Clock::on_time_jump(const rcl_time_jump_t * time_jump, bool before_jump, void * user_data) {
  const auto * handler = static_cast<JumpHandler *>(user_data);
  if (handler == nullptr) { return; }
  if (before_jump && handler->pre_callback) {
    handler->pre_callback();
  } else if (!before_jump && handler->post_callback) {
    handler->post_callback(*time_jump);
  }
}

JumpHandler::SharedPtr Clock::create_jump_callback(JumpHandler::pre_callback_t pre_callback,
  JumpHandler::post_callback_t post_callback, const rcl_jump_threshold_t & threshold) {
  auto handler = std::make_unique<JumpHandler>(std::move(pre_callback), std::move(post_callback), threshold);
  {
    std::lock_guard<std::mutex> clock_guard(impl_->clock_mutex_);
    const rcl_ret_t ret =
      rcl_clock_add_jump_callback(&impl_->rcl_clock_, threshold, Clock::on_time_jump, handler.get());
    if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "Failed to add time jump callback"); }
  }
  std::weak_ptr<Impl> weak_impl = impl_;
  return JumpHandler::SharedPtr(handler.release(), [weak_impl](JumpHandler * registered) noexcept {
    if (auto impl = weak_impl.lock()) {
      std::lock_guard<std::mutex> clock_guard(impl->clock_mutex_);
      if (rcl_clock_remove_jump_callback(&impl->rcl_clock_, Clock::on_time_jump, registered) != RCL_RET_OK) {
        rcl_reset_error();
      }
    }
    delete registered;
  });
}

}  // namespace rclcpp
