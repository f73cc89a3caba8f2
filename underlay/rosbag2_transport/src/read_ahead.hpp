// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "bag_reader.hpp"

namespace rosbag2_transport::detail {

/// Reads a bag in a thread of its own, some messages ahead of the player.
class ReadAhead {
public:
  /// \param from time of the first message [ns]; the bag belongs to this object while it lives
  ReadAhead(BagReader & bag, std::int64_t from, std::size_t capacity)
  : bag_(bag), capacity_(capacity), thread_([this, from] { run(from); }) {}

  ~ReadAhead() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// The next message; none at the end of the bag.
  std::optional<StoredMessage> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !messages_.empty() || ended_; });
    if (messages_.empty()) { return std::nullopt; }
    StoredMessage message = std::move(messages_.front());
    messages_.pop_front();
    // The reader goes on when half of its room is free again, not at each message.
    const bool wake = messages_.size() == capacity_ / 2;
    lock.unlock();
    if (wake) { changed_.notify_all(); }
    return message;
  }

private:
  void run(std::int64_t from) {
    bag_.seek(from);
    bool more = true;
    while (more) {
      auto message = bag_.next();
      std::unique_lock lock(mutex_);
      more = message.has_value() && !stopping_;
      if (more) {
        messages_.push_back(std::move(*message));
        if (messages_.size() >= capacity_) {
          changed_.wait(lock, [this] { return messages_.size() <= capacity_ / 2 || stopping_; });
        }
      } else {
        ended_ = true;
      }
      changed_.notify_all();
    }
  }

  BagReader & bag_;
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<StoredMessage> messages_;
  bool stopping_ = false, ended_ = false;
  std::thread thread_;
};

}  // namespace rosbag2_transport::detail
