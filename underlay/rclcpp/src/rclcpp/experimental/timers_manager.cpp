// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/experimental/timers_manager.hpp"

#include <algorithm>

namespace rclcpp::experimental {

using std::chrono::nanoseconds;

TimersManager::~TimersManager() {
  stop();
  clear();
}

std::vector<TimersManager::Entry>::iterator TimersManager::find(const TimerBase::SharedPtr & timer) {
  return std::find_if(timers_.begin(), timers_.end(), [&](const Entry & entry) { return entry.timer.lock() == timer; });
}

void TimersManager::add_timer(TimerBase::SharedPtr timer) {
  if (!timer) { throw std::invalid_argument("TimersManager::add_timer() trying to add nullptr timer"); }
  JumpHandler::SharedPtr jump_handler;
  if (timer->clock_->get_clock_type() == RCL_ROS_TIME) {
    jump_handler = timer->clock_->create_jump_callback(
      nullptr, [this](const rcl_time_jump_t &) { on_change(); }, rcl_jump_threshold_t{true, {1}, {-1}});
  }
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    if (find(timer) != timers_.end()) { return; }
    timers_.push_back({timer, jump_handler});
  }
  timer->set_on_reset_callback([this](size_t) { on_change(); });
  on_change();
}

void TimersManager::remove_timer(TimerBase::SharedPtr timer) {
  Entry removed;
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    auto found = find(timer);
    if (found == timers_.end()) { return; }
    removed = std::move(*found);
    timers_.erase(found);
  }
  timer->clear_on_reset_callback();
  on_change();
}

void TimersManager::clear() {
  for (const auto & timer : lock_timers()) { remove_timer(timer); }
  on_change();
}

void TimersManager::on_change() {
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    changed_.store(true);
  }
  timers_cv_.notify_all();
  if (on_change_callback_) { on_change_callback_(); }
}

void TimersManager::start() {
  if (running_.exchange(true)) {
    throw std::runtime_error("TimersManager::start() can't start timers thread as already running");
  }
  changed_.store(true);
  timers_thread_ = std::thread([this]() { watch(); });
}

void TimersManager::stop() {
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    running_.store(false);
  }
  timers_cv_.notify_all();
  if (timers_thread_.joinable()) { timers_thread_.join(); }
}

void TimersManager::require_no_thread(const char * function) {
  if (running_.load()) {
    throw std::runtime_error(
      std::string("TimersManager::") + function + "() can't be used while timers thread is running");
  }
}

std::vector<TimerBase::SharedPtr> TimersManager::lock_timers() {
  std::vector<TimerBase::SharedPtr> alive;
  std::vector<Entry> gone;
  std::lock_guard<std::mutex> lock(timers_mutex_);
  changed_.store(false);
  auto end = std::remove_if(timers_.begin(), timers_.end(), [&](Entry & entry) {
    if (auto timer = entry.timer.lock()) {
      alive.push_back(std::move(timer));
      return false;
    }
    gone.push_back(std::move(entry));
    return true;
  });
  timers_.erase(end, timers_.end());
  return alive;
}

void TimersManager::update_head() {
  if (!changed_.load()) { return; }
  const auto timers = lock_timers();
  head_ = Head{{}, {}, !timers.empty()};
  auto soonest = nanoseconds::max();
  for (const auto & timer : timers) {
    const auto time_left = timer->time_until_trigger();
    if (time_left < soonest) {
      soonest = time_left;
      head_.timer = timer;
    }
  }
  if (soonest == nanoseconds::max()) { return; }
  // Centuries ahead would overflow the time point.
  head_.due = std::chrono::steady_clock::now() + std::min<nanoseconds>(soonest, std::chrono::hours(24 * 365));
}

std::optional<nanoseconds> TimersManager::get_head_timeout() {
  require_no_thread("get_head_timeout");
  update_head();
  if (!head_.any_timers) { return nanoseconds::max(); }
  if (!head_.due) { return std::nullopt; }
  return std::max<nanoseconds>(*head_.due - std::chrono::steady_clock::now(), nanoseconds(0));
}

size_t TimersManager::get_number_of_ready_timers() {
  require_no_thread("get_number_of_ready_timers");
  const auto timers = lock_timers();
  changed_.store(true);
  return static_cast<size_t>(
    std::count_if(timers.begin(), timers.end(), [](const auto & timer) { return timer->is_ready(); }));
}

bool TimersManager::run_due_timer() {
  update_head();
  if (!head_.due || std::chrono::steady_clock::now() < *head_.due) { return false; }
  // Whatever happens to this timer, the order has to be looked at again; it may also have been
  // canceled, or its clock may not have advanced as fast as the steady one.
  changed_.store(true);
  auto timer = head_.timer.lock();
  auto data = timer && timer->is_ready() ? timer->call() : nullptr;
  if (data) { timer->execute_callback(data); }
  return data != nullptr;
}

bool TimersManager::execute_ready_timer() {
  require_no_thread("execute_ready_timer");
  return run_due_timer();
}

void TimersManager::watch() {
  while (running_.load() && context_->is_valid()) {
    if (run_due_timer()) { continue; }
    update_head();
    std::unique_lock<std::mutex> lock(timers_mutex_);
    const auto woken = [this]() { return changed_.load() || !running_.load() || !context_->is_valid(); };
    if (head_.due) {
      timers_cv_.wait_until(lock, *head_.due, woken);
    } else {
      timers_cv_.wait(lock, woken);
    }
  }
  running_.store(false);
}

}  // namespace rclcpp::experimental
