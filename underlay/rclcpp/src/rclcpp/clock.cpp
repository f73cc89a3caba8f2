// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/clock.hpp"

#include "rcl_check.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp {

using detail::check;

struct Clock::Impl {
  explicit Impl(rcl_clock_type_t clock_type) {
    check(rcl_clock_init(clock_type, &rcl_clock, &allocator), "failed to initialize rcl clock");
  }
  ~Impl() { detail::log_failure(rcl_clock_fini(&rcl_clock), "failed to finalize rcl clock"); }

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

  rcl_clock_t rcl_clock;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  std::mutex clock_mutex;
  std::shared_ptr<Sleepers> sleepers = std::make_shared<Sleepers>();
};

namespace {

void require_valid(const Context::SharedPtr & context) {
  if (!context || !context->is_valid()) {
    throw std::runtime_error("context cannot be slept with because it's invalid");
  }
}

void on_time_jump(const rcl_time_jump_t * time_jump, bool before_jump, void * user_data) {
  const auto * handler = static_cast<JumpHandler *>(user_data);
  if (before_jump && handler->pre_callback) { handler->pre_callback(); }
  if (!before_jump && handler->post_callback) { handler->post_callback(*time_jump); }
}

}  // namespace

Clock::Clock(rcl_clock_type_t clock_type) : impl_(std::make_shared<Impl>(clock_type)) {}

Time Clock::now() const {
  rcl_time_point_value_t nanoseconds;
  check(rcl_clock_get_now(&impl_->rcl_clock, &nanoseconds), "could not get current time stamp");
  return Time(nanoseconds, get_clock_type());
}

bool Clock::sleep_until(Time until, Context::SharedPtr context) {
  require_valid(context);
  const auto clock_type = get_clock_type();
  if (until.get_clock_type() != clock_type) {
    throw std::runtime_error("until's clock type does not match this clock's type");
  }
  auto sleepers = impl_->sleepers;
  const auto on_shutdown = context->add_on_shutdown_callback([sleepers]() { sleepers->wake_all(); });
  RCPPUTILS_SCOPE_EXIT({ context->remove_on_shutdown_callback(on_shutdown); });

  bool time_source_changed = false;
  JumpHandler::SharedPtr jump_handler;
  if (clock_type == RCL_ROS_TIME) {
    // A threshold of zero would switch the notice off.
    jump_handler = create_jump_callback(
      nullptr,
      [&time_source_changed, sleepers](const rcl_time_jump_t & jump) {
        if (jump.clock_change != RCL_ROS_TIME_NO_CHANGE) {
          std::lock_guard<std::mutex> lock(sleepers->mutex);
          time_source_changed = true;
        }
        sleepers->wake_all();
      },
      rcl_jump_threshold_t{true, {1}, {-1}});
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
        const std::chrono::nanoseconds since_epoch(until.nanoseconds());
        sleepers->woken.wait_until(lock, std::chrono::system_clock::time_point(since_epoch));
      }
    }
    cancelled = std::exchange(sleepers->cancel_one, false);
  }
  // Jump callbacks run under the clock's mutex: drop the handler before the flag it refers to.
  jump_handler.reset();
  return !cancelled && !time_source_changed && context->is_valid() && now() >= until;
}

bool Clock::started() {
  if (!rcl_clock_valid(get_clock_handle())) { throw std::runtime_error("clock is not rcl_clock_valid"); }
  return rcl_clock_time_started(get_clock_handle());
}

bool Clock::wait_until_started(Context::SharedPtr context) {
  require_valid(context);
  // Any positive time ends this sleep.
  return started() || sleep_until(Time(0, 1, get_clock_type()), std::move(context));
}

bool Clock::wait_until_started(const Duration & timeout, Context::SharedPtr context, const Duration & wait_tick_ns) {
  require_valid(context);
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
    std::lock_guard<std::mutex> lock(impl_->sleepers->mutex);
    impl_->sleepers->cancel_one = true;
  }
  impl_->sleepers->woken.notify_one();
}

bool Clock::ros_time_is_active() {
  bool is_enabled = false;
  if (!rcl_clock_valid(&impl_->rcl_clock)) { return false; }
  check(rcl_is_enabled_ros_time_override(&impl_->rcl_clock, &is_enabled), "Failed to check ros_time_override_status");
  return is_enabled;
}

rcl_clock_t * Clock::get_clock_handle() noexcept { return &impl_->rcl_clock; }

rcl_clock_type_t Clock::get_clock_type() const noexcept { return impl_->rcl_clock.type; }

std::mutex & Clock::get_clock_mutex() noexcept { return impl_->clock_mutex; }

JumpHandler::SharedPtr Clock::create_jump_callback(JumpHandler::pre_callback_t pre_callback,
  JumpHandler::post_callback_t post_callback, const rcl_jump_threshold_t & threshold) {
  auto handler = std::make_unique<JumpHandler>(std::move(pre_callback), std::move(post_callback), threshold);
  {
    std::lock_guard<std::mutex> clock_guard(impl_->clock_mutex);
    check(rcl_clock_add_jump_callback(&impl_->rcl_clock, threshold, on_time_jump, handler.get()),
      "Failed to add time jump callback");
  }
  std::weak_ptr<Impl> weak_impl = impl_;
  return JumpHandler::SharedPtr(handler.release(), [weak_impl](JumpHandler * registered) noexcept {
    if (auto impl = weak_impl.lock()) {
      std::lock_guard<std::mutex> clock_guard(impl->clock_mutex);
      detail::log_failure(rcl_clock_remove_jump_callback(&impl->rcl_clock, on_time_jump, registered),
        "failed to remove time jump callback");
    }
    delete registered;
  });
}

}  // namespace rclcpp
