#pragma once

#include <memory>
#include <stdexcept>

#include "rcl/types.h"
#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/allocator/allocator_deleter.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/serialized_message.h"

namespace rclcpp
{
namespace message_memory_strategy
{

/// Where the memory for incoming messages comes from; here: one allocation per message.
template<typename MessageT, typename Alloc = std::allocator<void>>
class MessageMemoryStrategy
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS(MessageMemoryStrategy)

  using MessageAllocTraits = allocator::AllocRebind<MessageT, Alloc>;
  using MessageAlloc = typename MessageAllocTraits::allocator_type;
  using MessageDeleter = allocator::Deleter<MessageAlloc, MessageT>;
  using BufferAlloc = typename allocator::AllocRebind<char, Alloc>::allocator_type;

  MessageMemoryStrategy()
  : MessageMemoryStrategy(std::make_shared<Alloc>()) {}

  explicit MessageMemoryStrategy(std::shared_ptr<Alloc> allocator)
  : message_allocator_(std::make_shared<MessageAlloc>(*allocator)),
    buffer_allocator_(std::make_shared<BufferAlloc>(*allocator)),
    rcutils_allocator_(allocator::get_rcl_allocator<char, BufferAlloc>(*buffer_allocator_))
  {}

  virtual ~MessageMemoryStrategy() = default;

  static SharedPtr create_default() {return std::make_shared<MessageMemoryStrategy>();}

  virtual std::shared_ptr<MessageT> borrow_message()
  {
    return std::allocate_shared<MessageT, MessageAlloc>(*message_allocator_);
  }

  virtual std::shared_ptr<rclcpp::SerializedMessage> borrow_serialized_message(size_t capacity)
  {
    return std::make_shared<rclcpp::SerializedMessage>(capacity);
  }

  virtual std::shared_ptr<rclcpp::SerializedMessage> borrow_serialized_message()
  {
    return borrow_serialized_message(default_buffer_capacity_);
  }

  virtual void set_default_buffer_capacity(size_t capacity)
  {
    default_buffer_capacity_ = capacity;
  }

  virtual void return_message(std::shared_ptr<MessageT> & msg) {msg.reset();}

  virtual void return_serialized_message(
    std::shared_ptr<rclcpp::SerializedMessage> & serialized_msg)
  {
    serialized_msg.reset();
  }

  std::shared_ptr<MessageAlloc> message_allocator_;
  std::shared_ptr<BufferAlloc> buffer_allocator_;
  size_t default_buffer_capacity_ = 0;
  rcutils_allocator_t rcutils_allocator_;
};

}  // namespace message_memory_strategy
}  // namespace rclcpp
