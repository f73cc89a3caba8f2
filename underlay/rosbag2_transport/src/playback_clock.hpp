// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace rosbag2_transport::detail {

/// The time of a bag that is being played: it runs at a rate, can be paused and set.
class PlaybackClock {
public:
  using Steady = std::chrono::steady_clock;

  /// \param time the bag's time [ns] from which the clock starts
  void set(std::int64_t time);
  std::int64_t now() const;
  void set_rate(double rate);
  double rate() const;
  void pause();
  void resume();
  bool is_paused() const;
  /// Lets a paused clock's waiter go once.
  void release_one();
  void stop();
  bool is_stopped() const;

  /// Waits until the clock shows `time` [ns]; false: it was stopped before that.
  bool wait_until(std::int64_t time);
  /// Waits for a span of real time; false: the clock was stopped before that.
  bool sleep_for(std::chrono::nanoseconds span);

private:
  std::int64_t now_locked() const;
  void rebase();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Steady::time_point real_ = Steady::now();  // at which the clock showed time_
  std::int64_t time_ = 0;
  double rate_ = 1.0;
  bool paused_ = false, stopped_ = false;
  int released_ = 0;
};

}  // namespace rosbag2_transport::detail
