#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

#include "rcl/allocator.h"
#include "rclcpp/allocator/allocator_deleter.hpp"

namespace rclcpp
{
namespace allocator
{

template<typename T, typename Alloc>
using AllocRebind = typename std::allocator_traits<Alloc>::template rebind_traits<T>;

namespace detail
{

template<typename Alloc>
struct ByteAllocator
{
  using Traits = AllocRebind<char, Alloc>;

  static typename Traits::allocator_type of(void * state)
  {
    return typename Traits::allocator_type(*static_cast<Alloc *>(state));
  }

  // C frees without a size while C++ allocators want it back, so a header remembers it.
  static constexpr size_t header = alignof(std::max_align_t);

  static void * allocate(size_t size, void * state)
  {
    auto bytes = of(state);
    char * block = Traits::allocate(bytes, size + header);
    std::memcpy(block, &size, sizeof(size));
    return block + header;
  }

  static void deallocate(void * pointer, void * state)
  {
    if (!pointer) {return;}
    auto bytes = of(state);
    char * block = static_cast<char *>(pointer) - header;
    Traits::deallocate(bytes, block, size_of(pointer) + header);
  }

  static void * reallocate(void * pointer, size_t size, void * state)
  {
    void * fresh = allocate(size, state);
    if (pointer) {
      std::memcpy(fresh, pointer, std::min(size, size_of(pointer)));
      deallocate(pointer, state);
    }
    return fresh;
  }

  static void * zero_allocate(size_t count, size_t size, void * state)
  {
    void * fresh = allocate(count * size, state);
    std::memset(fresh, 0, count * size);
    return fresh;
  }

private:
  static size_t size_of(void * pointer)
  {
    size_t size;
    std::memcpy(&size, static_cast<char *>(pointer) - header, sizeof(size));
    return size;
  }
};

template<typename Alloc>
struct is_std_allocator : std::false_type {};
template<typename U>
struct is_std_allocator<std::allocator<U>>: std::true_type {};

}  // namespace detail

/// An rcl allocator over a C++ one, which must outlive it.
template<typename T, typename Alloc>
rcl_allocator_t get_rcl_allocator(Alloc & allocator)
{
  rcl_allocator_t rcl_allocator = rcl_get_default_allocator();
  if constexpr (!detail::is_std_allocator<Alloc>::value) {
    using Bytes = detail::ByteAllocator<Alloc>;
    rcl_allocator.allocate = &Bytes::allocate;
    rcl_allocator.deallocate = &Bytes::deallocate;
    rcl_allocator.reallocate = &Bytes::reallocate;
    rcl_allocator.zero_allocate = &Bytes::zero_allocate;
    rcl_allocator.state = &allocator;
  }
  return rcl_allocator;
}

}  // namespace allocator
}  // namespace rclcpp
