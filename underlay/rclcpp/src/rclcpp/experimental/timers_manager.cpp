#include "rclcpp/experimental/timers_manager.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace rclcpp {
namespace experimental {

using std::chrono::nanoseconds;

TimersManager::TimersManager(std::shared_ptr<Context> context,
  std::function<void(const TimerBase *, const std::shared_ptr<void> &)> on_ready_callback)
: context_(std::move(context)), on_ready_callback_(std::move(on_ready_callback)) {}

TimersManager::~TimersManager() {
  stop();
  clear();
}

void TimersManager::add_timer(TimerBase::SharedPtr timer) {
  if (!timer) { throw std::invalid_argument("TimersManager::add_timer() trying to add nullptr timer"); }
  JumpHandler::SharedPtr jump_handler;
  if (timer->clock_->get_clock_type() == RCL_ROS_TIME) {
    rcl_jump_threshold_t threshold;
    threshold.on_clock_change = true;
    threshold.min_forward.nanoseconds = 1;
    threshold.min_backward.nanoseconds = -1;
    jump_handler = timer->clock_->create_jump_callback(
      nullptr, [this](const rcl_time_jump_t &) { on_change(); }, threshold);
  }
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    const bool known = std::any_of(
      timers_.begin(), timers_.end(), [&timer](const Entry & entry) { return entry.timer.lock() == timer; });
    if (known) { return; }
    timers_.push_back({timer, jump_handler});
  }
  timer->set_on_reset_callback([this](size_t) { on_change(); });
  on_change();
}

void TimersManager::remove_timer(TimerBase::SharedPtr timer) {
  Entry removed;
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    auto found = std::find_if(
      timers_.begin(), timers_.end(), [&timer](const Entry & entry) { return entry.timer.lock() == timer; });
    if (found == timers_.end()) { return; }
    removed = std::move(*found);
    timers_.erase(found);
  }
  timer->clear_on_reset_callback();
  on_change();
}

void TimersManager::clear() {
  std::vector<Entry> removed;
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    removed.swap(timers_);
  }
  for (const auto & entry : removed) {
    if (auto timer = entry.timer.lock()) { timer->clear_on_reset_callback(); }
  }
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
  {
    std::lock_guard<std::mutex> lock(timers_mutex_);
    changed_.store(false);
    alive.reserve(timers_.size());
    auto end = std::remove_if(timers_.begin(), timers_.end(), [&](Entry & entry) {
      if (auto timer = entry.timer.lock()) {
        alive.push_back(std::move(timer));
        return false;
      }
      gone.push_back(std::move(entry));
      return true;
    });
    timers_.erase(end, timers_.end());
  }
  return alive;
}

void TimersManager::update_head() {
  if (!changed_.load()) { return; }
  const auto timers = lock_timers();
  head_ = Head{};
  auto soonest = nanoseconds::max();
  for (const auto & timer : timers) {
    const auto time_left = timer->time_until_trigger();
    if (time_left < soonest) {
      soonest = time_left;
      head_.timer = timer;
    }
  }
  if (soonest != nanoseconds::max()) {
    head_.state = Head::Scheduled;
    // Centuries ahead would overflow the time point.
    head_.due = std::chrono::steady_clock::now() +
                std::min(soonest, std::chrono::duration_cast<nanoseconds>(std::chrono::hours(24 * 365)));
  } else if (!timers.empty()) {
    head_.state = Head::AllCanceled;
  }
}

std::optional<nanoseconds> TimersManager::get_head_timeout() {
  require_no_thread("get_head_timeout");
  update_head();
  switch (head_.state) {
    case Head::NoTimers: return nanoseconds::max();
    case Head::AllCanceled: return std::nullopt;
    case Head::Scheduled: break;
  }
  return std::max<nanoseconds>(head_.due - std::chrono::steady_clock::now(), nanoseconds(0));
}

size_t TimersManager::get_number_of_ready_timers() {
  require_no_thread("get_number_of_ready_timers");
  changed_.store(true);
  size_t ready = 0;
  for (const auto & timer : lock_timers()) { ready += timer->is_ready() ? 1 : 0; }
  changed_.store(true);
  return ready;
}

TimerBase::SharedPtr TimersManager::take_due_timer() {
  update_head();
  if (head_.state != Head::Scheduled || std::chrono::steady_clock::now() < head_.due) { return nullptr; }
  // Whatever happens to this timer, the order has to be looked at again; it may also have been
  // canceled, or its clock may not have advanced as fast as the steady one.
  changed_.store(true);
  auto timer = head_.timer.lock();
  return timer && timer->is_ready() ? timer : nullptr;
}

bool TimersManager::execute_ready_timer() {
  require_no_thread("execute_ready_timer");
  auto timer = take_due_timer();
  if (!timer) { return false; }
  auto data = timer->call();
  if (!data) { return false; }
  timer->execute_callback(data);
  return true;
}

void TimersManager::execute_ready_timer(const TimerBase * timer_id, const std::shared_ptr<void> & data) {
  for (const auto & timer : lock_timers()) {
    if (timer.get() == timer_id) {
      timer->execute_callback(data);
      break;
    }
  }
  changed_.store(true);
}

void TimersManager::watch() {
  while (running_.load() && context_->is_valid()) {
    if (auto timer = take_due_timer()) {
      auto data = timer->call();
      if (data && on_ready_callback_) {
        on_ready_callback_(timer.get(), data);
      } else if (data) {
        timer->execute_callback(data);
      }
      continue;
    }
    update_head();
    std::unique_lock<std::mutex> lock(timers_mutex_);
    const auto woken = [this]() { return changed_.load() || !running_.load() || !context_->is_valid(); };
    if (head_.state == Head::Scheduled) {
      timers_cv_.wait_until(lock, head_.due, woken);
    } else {
      timers_cv_.wait(lock, woken);
    }
  }
  running_.store(false);
}

}  // namespace experimental
}  // namespace rclcpp
