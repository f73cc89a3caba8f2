// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/serialized_message.hpp"

namespace rclcpp::message_memory_strategy {

/// Where the memory for incoming messages comes from; here: one allocation per message.
template <typename MessageT, typename Alloc = std::allocator<void>> class MessageMemoryStrategy {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(MessageMemoryStrategy)

  using MessageAllocTraits = allocator::AllocRebind<MessageT, Alloc>;
  using MessageAlloc = typename MessageAllocTraits::allocator_type;
  using MessageDeleter = allocator::Deleter<MessageAlloc, MessageT>;

  MessageMemoryStrategy() : MessageMemoryStrategy(std::make_shared<Alloc>()) {}
  explicit MessageMemoryStrategy(std::shared_ptr<Alloc> allocator)
  : message_allocator_(std::make_shared<MessageAlloc>(*allocator)) {}
  virtual ~MessageMemoryStrategy() = default;

  static SharedPtr create_default() { return std::make_shared<MessageMemoryStrategy>(); }

  virtual std::shared_ptr<MessageT> borrow_message() {
    return std::allocate_shared<MessageT, MessageAlloc>(*message_allocator_);
  }
  virtual std::shared_ptr<SerializedMessage> borrow_serialized_message(size_t capacity) {
    return std::make_shared<SerializedMessage>(capacity);
  }
  virtual std::shared_ptr<SerializedMessage> borrow_serialized_message() {
    return borrow_serialized_message(default_buffer_capacity_);
  }
  virtual void set_default_buffer_capacity(size_t capacity) { default_buffer_capacity_ = capacity; }
  virtual void return_message(std::shared_ptr<MessageT> & msg) { msg.reset(); }
  virtual void return_serialized_message(std::shared_ptr<SerializedMessage> & msg) { msg.reset(); }

  std::shared_ptr<MessageAlloc> message_allocator_;
  size_t default_buffer_capacity_ = 0;
};

}  // namespace rclcpp::message_memory_strategy
