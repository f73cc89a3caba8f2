// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/experimental/buffers/ring_buffer_implementation.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"

namespace rclcpp::experimental::buffers {

/// Messages that wait for a reader of the same process, put in and taken in either form.
template <typename MessageT, typename Alloc = std::allocator<void>,
  typename MessageDeleter = std::default_delete<MessageT>>
class IntraProcessBuffer {
  using MessageAllocTraits = allocator::AllocRebind<MessageT, Alloc>;

public:
  using MessageUniquePtr = std::unique_ptr<MessageT, MessageDeleter>;
  using MessageSharedPtr = std::shared_ptr<const MessageT>;

  IntraProcessBuffer(IntraProcessBufferType type, size_t depth, std::shared_ptr<Alloc> allocator)
  : stores_shared_(type == IntraProcessBufferType::SharedPtr), ring_(depth), allocator_(*allocator) {
    allocator::set_allocator_for_deleter(&deleter_, &allocator_);
  }

  void add_shared(MessageSharedPtr message) {
    // A shared message may have other readers, so the owner to be needs its own copy.
    ring_.enqueue(stores_shared_ ? Element{std::move(message), nullptr} : Element{nullptr, copy(*message)});
  }

  void add_unique(MessageUniquePtr message) {
    ring_.enqueue(stores_shared_ ? Element{std::move(message), nullptr} : Element{nullptr, std::move(message)});
  }

  MessageSharedPtr consume_shared() {
    Element element = ring_.dequeue();
    return element.shared ? std::move(element.shared) : std::move(element.unique);
  }

  MessageUniquePtr consume_unique() {
    Element element = ring_.dequeue();
    return element.shared ? copy(*element.shared) : std::move(element.unique);
  }

  bool has_data() const { return ring_.has_data(); }
  bool use_take_shared_method() const { return stores_shared_; }
  size_t available_capacity() const { return ring_.available_capacity(); }

private:
  struct Element {
    MessageSharedPtr shared;
    MessageUniquePtr unique;
  };

  MessageUniquePtr copy(const MessageT & message) {
    MessageT * pointer = MessageAllocTraits::allocate(allocator_, 1);
    MessageAllocTraits::construct(allocator_, pointer, message);
    return MessageUniquePtr(pointer, deleter_);
  }

  const bool stores_shared_;
  RingBufferImplementation<Element> ring_;
  typename MessageAllocTraits::allocator_type allocator_;
  MessageDeleter deleter_;
};

}  // namespace rclcpp::experimental::buffers
