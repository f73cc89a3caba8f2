#pragma once

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace rclcpp
{
namespace allocator
{

/// Deletes an object through the allocator that made it, which must outlive the object.
template<typename Allocator>
class AllocatorDeleter
{
  template<typename T>
  using AllocRebind = typename std::allocator_traits<Allocator>::template rebind_alloc<T>;

public:
  AllocatorDeleter() = default;

  explicit AllocatorDeleter(Allocator * a)
  : allocator_(a) {}

  template<typename T>
  AllocatorDeleter(const AllocatorDeleter<T> & a)  // NOLINT(runtime/explicit)
  : allocator_(a.get_allocator()) {}

  template<typename T>
  void operator()(T * ptr)
  {
    AllocRebind<T> rebound(*allocator_);
    std::allocator_traits<AllocRebind<T>>::destroy(rebound, ptr);
    std::allocator_traits<AllocRebind<T>>::deallocate(rebound, const_cast<std::remove_const_t<T> *>(
        ptr), 1);
  }

  Allocator * get_allocator() const {return allocator_;}
  void set_allocator(Allocator * alloc) {allocator_ = alloc;}

private:
  Allocator * allocator_{nullptr};
};

template<typename Alloc, typename T, typename D>
void set_allocator_for_deleter(D * deleter, Alloc * alloc)
{
  (void) deleter;
  (void) alloc;
  throw std::runtime_error("Reached unexpected template specialization");
}

template<typename T, typename U>
void set_allocator_for_deleter(std::default_delete<T> * deleter, std::allocator<U> * alloc)
{
  (void) deleter;
  (void) alloc;
}

template<typename Alloc, typename T>
void set_allocator_for_deleter(AllocatorDeleter<T> * deleter, Alloc * alloc)
{
  if (!deleter || !alloc) {
    throw std::invalid_argument("Argument was NULL to set_allocator_for_deleter");
  }
  deleter->set_allocator(alloc);
}

template<typename Alloc, typename T>
using Deleter = std::conditional_t<
  std::is_same_v<typename std::allocator_traits<Alloc>::template rebind_alloc<T>,
  std::allocator<T>>,
  std::default_delete<T>, AllocatorDeleter<Alloc>>;

}  // namespace allocator
}  // namespace rclcpp
