#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "rclcpp/experimental/buffers/buffer_implementation_base.hpp"

namespace rclcpp
{
namespace experimental
{
namespace buffers
{

/// KEEP_LAST: when full, the oldest element makes room. Never allocates after construction.
template<typename BufferT>
class RingBufferImplementation : public BufferImplementationBase<BufferT>
{
public:
  explicit RingBufferImplementation(size_t capacity)
  : ring_(capacity)
  {
    if (capacity == 0) {
      throw std::invalid_argument("capacity must be a positive, non-zero value");
    }
  }

  void enqueue(BufferT request) override
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ring_[(first_ + size_) % ring_.size()] = std::move(request);
    if (size_ == ring_.size()) {
      first_ = (first_ + 1) % ring_.size();
    } else {
      ++size_;
    }
  }

  /// An empty element when there is nothing.
  BufferT dequeue() override
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (size_ == 0) {
      return BufferT();
    }
    BufferT request = std::move(ring_[first_]);
    ring_[first_] = BufferT();
    first_ = (first_ + 1) % ring_.size();
    --size_;
    return request;
  }

  /// Copies, oldest first; what only can be moved is copied through its pointer.
  std::vector<BufferT> get_all_data() override
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<BufferT> all;
    all.reserve(size_);
    for (size_t i = 0; i < size_; ++i) {
      const BufferT & element = ring_[(first_ + i) % ring_.size()];
      if constexpr (std::is_copy_constructible_v<BufferT>) {
        all.push_back(element);
      } else {
        using ElementT = typename BufferT::element_type;
        all.push_back(BufferT(new ElementT(*element), element.get_deleter()));
      }
    }
    return all;
  }

  void clear() override
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto & element : ring_) {
      element = BufferT();
    }
    first_ = size_ = 0;
  }

  bool has_data() const override
  {
    std::lock_guard<std::mutex> lock(mutex_);
    return size_ != 0;
  }

  bool is_full() const
  {
    std::lock_guard<std::mutex> lock(mutex_);
    return size_ == ring_.size();
  }

  size_t available_capacity() const override
  {
    std::lock_guard<std::mutex> lock(mutex_);
    return ring_.size() - size_;
  }

private:
  std::vector<BufferT> ring_;
  size_t first_{0};
  size_t size_{0};
  mutable std::mutex mutex_;
};

}  // namespace buffers
}  // namespace experimental
}  // namespace rclcpp
