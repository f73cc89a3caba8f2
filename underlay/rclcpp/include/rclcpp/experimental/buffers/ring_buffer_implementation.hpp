// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rclcpp::experimental::buffers {

/// KEEP_LAST: when full, the oldest element makes room. Never allocates after construction.
template <typename BufferT> class RingBufferImplementation {
public:
  explicit RingBufferImplementation(size_t capacity) : ring_(capacity) {
    if (capacity == 0) { throw std::invalid_argument("capacity must be a positive, non-zero value"); }
  }

  void enqueue(BufferT request) {
    std::lock_guard<std::mutex> lock(mutex_);
    ring_[(first_ + size_) % ring_.size()] = std::move(request);
    if (size_ == ring_.size()) {
      first_ = (first_ + 1) % ring_.size();
    } else {
      ++size_;
    }
  }

  /// An empty element when there is nothing.
  BufferT dequeue() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (size_ == 0) { return BufferT(); }
    BufferT request = std::exchange(ring_[first_], BufferT());
    first_ = (first_ + 1) % ring_.size();
    --size_;
    return request;
  }

  /// Copies, oldest first.
  std::vector<BufferT> get_all_data() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<BufferT> all;
    for (size_t i = 0; i < size_; ++i) { all.push_back(ring_[(first_ + i) % ring_.size()]); }
    return all;
  }

  bool has_data() const { return available_capacity() != ring_.size(); }
  bool is_full() const { return available_capacity() == 0; }

  size_t available_capacity() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return ring_.size() - size_;
  }

private:
  std::vector<BufferT> ring_;
  size_t first_{0};
  size_t size_{0};
  mutable std::mutex mutex_;
};

}  // namespace rclcpp::experimental::buffers
