// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace rclcpp::allocator {

/// Deletes an object through the allocator that made it, which must outlive the object.
template <typename Allocator> class AllocatorDeleter {
public:
  AllocatorDeleter() = default;
  explicit AllocatorDeleter(Allocator * a) : allocator_(a) {}
  template <typename T> AllocatorDeleter(const AllocatorDeleter<T> & a)  // NOLINT(runtime/explicit)
  : allocator_(a.get_allocator()) {}

  template <typename T> void operator()(T * ptr) {
    using Traits = typename std::allocator_traits<Allocator>::template rebind_traits<T>;
    typename Traits::allocator_type rebound(*allocator_);
    Traits::destroy(rebound, ptr);
    Traits::deallocate(rebound, ptr, 1);
  }

  Allocator * get_allocator() const { return allocator_; }
  void set_allocator(Allocator * alloc) { allocator_ = alloc; }

private:
  Allocator * allocator_{nullptr};
};

template <typename T, typename U> void set_allocator_for_deleter(std::default_delete<T> *, std::allocator<U> *) {}

template <typename Alloc, typename T> void set_allocator_for_deleter(AllocatorDeleter<T> * deleter, Alloc * alloc) {
  if (!deleter || !alloc) { throw std::invalid_argument("Argument was NULL to set_allocator_for_deleter"); }
  deleter->set_allocator(alloc);
}

template <typename Alloc, typename T> using Deleter =
  std::conditional_t<std::is_same_v<typename std::allocator_traits<Alloc>::template rebind_alloc<T>, std::allocator<T>>,
    std::default_delete<T>, AllocatorDeleter<Alloc>>;

}  // namespace rclcpp::allocator
