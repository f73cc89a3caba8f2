// SPDX-License-Identifier: BSD-3-Clause
#include "playback_clock.hpp"

#include <algorithm>

namespace rosbag2_transport::detail {

std::int64_t PlaybackClock::now_locked() const {
  if (paused_) { return time_; }
  const std::chrono::duration<double, std::nano> passed = Steady::now() - real_;
  return time_ + static_cast<std::int64_t>(passed.count() * rate_);
}

void PlaybackClock::rebase() {
  time_ = now_locked();
  real_ = Steady::now();
}

void PlaybackClock::set(std::int64_t time) {
  const std::lock_guard lock(mutex_);
  time_ = time;
  real_ = Steady::now();
  changed_.notify_all();
}

std::int64_t PlaybackClock::now() const {
  const std::lock_guard lock(mutex_);
  return now_locked();
}

void PlaybackClock::set_rate(double rate) {
  const std::lock_guard lock(mutex_);
  rebase();
  rate_ = rate;
  changed_.notify_all();
}

double PlaybackClock::rate() const {
  const std::lock_guard lock(mutex_);
  return rate_;
}

void PlaybackClock::pause() {
  const std::lock_guard lock(mutex_);
  rebase();
  paused_ = true;
  changed_.notify_all();
}

void PlaybackClock::resume() {
  const std::lock_guard lock(mutex_);
  rebase();
  paused_ = false;
  released_ = 0;
  changed_.notify_all();
}

bool PlaybackClock::is_paused() const {
  const std::lock_guard lock(mutex_);
  return paused_;
}

void PlaybackClock::release_one() {
  const std::lock_guard lock(mutex_);
  if (paused_) { ++released_; }
  changed_.notify_all();
}

void PlaybackClock::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool PlaybackClock::is_stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

bool PlaybackClock::wait_until(std::int64_t time) {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (paused_ && released_ > 0) {
      --released_;
      time_ = std::max(time_, time);
      return true;
    }
    const std::int64_t missing = time - now_locked();
    if (!paused_ && missing <= 0) { return true; }
    if (paused_) {
      changed_.wait(lock);
    } else {
      // Capped, since a span beyond the clock's range would wrap around.
      const double wait = std::min(static_cast<double>(missing) / rate_, 1e17);
      changed_.wait_for(lock, std::chrono::nanoseconds(static_cast<std::int64_t>(wait)));
    }
  }
  return false;
}

bool PlaybackClock::sleep_for(std::chrono::nanoseconds span) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, span, [this] { return stopped_; });
}

}  // namespace rosbag2_transport::detail
