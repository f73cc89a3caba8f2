// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "ambf_devices/device_loop.hpp"

namespace ambf_device_nodes
{

/// Events from the loop's thread to the person: each kind at most once a second, with the newest
/// words, and how often it happened since it was last reported.
class EventLog
{
public:
  struct Line
  {
    ambf_devices::LoopEvent event;
    std::string words;
    std::uint64_t times = 1;
  };

  /// From the loop.
  void note(ambf_devices::LoopEvent event, const std::string & words)
  {
    const std::lock_guard lock(mutex_);
    Kind & kind = kinds_[static_cast<std::size_t>(event)];
    kind.words = words;
    ++kind.waiting;
    ++total_;
    last_ = words;
  }

  /// The events to report at `time` [s]; they are not returned again.
  std::vector<Line> take(double time)
  {
    const std::lock_guard lock(mutex_);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      Kind & kind = kinds_[i];
      if (kind.waiting == 0 || time < kind.next) { continue; }
      lines.push_back({static_cast<ambf_devices::LoopEvent>(i), kind.words, kind.waiting});
      kind.waiting = 0;
      kind.next = time + 1.0;
    }
    return lines;
  }

  std::uint64_t total() const
  {
    const std::lock_guard lock(mutex_);
    return total_;
  }

  std::string last() const
  {
    const std::lock_guard lock(mutex_);
    return last_;
  }

private:
  struct Kind
  {
    std::string words;
    std::uint64_t waiting = 0;
    double next = 0.0;
  };

  mutable std::mutex mutex_;
  std::array<Kind, ambf_devices::loop_events> kinds_;
  std::uint64_t total_ = 0;
  std::string last_;
};

}  // namespace ambf_device_nodes
