#include "rclcpp/serialized_message.hpp"

#include <cstring>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rmw/types.h"

namespace rclcpp
{

namespace
{

rcl_serialized_message_t make(size_t capacity, const rcl_allocator_t & allocator)
{
  auto message = rmw_get_zero_initialized_serialized_message();
  const rcl_ret_t ret = rmw_serialized_message_init(&message, capacity, &allocator);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to initialize serialized message");
  }
  return message;
}

rcl_serialized_message_t copy(const rcl_serialized_message_t & from)
{
  auto message = make(from.buffer_capacity, from.allocator);
  if (from.buffer_length != 0) {
    std::memcpy(message.buffer, from.buffer, from.buffer_length);
  }
  message.buffer_length = from.buffer_length;
  return message;
}

}  // namespace

SerializedMessage::SerializedMessage(const rcl_allocator_t & allocator)
: SerializedMessage(0u, allocator) {}

SerializedMessage::SerializedMessage(size_t initial_capacity, const rcl_allocator_t & allocator)
: serialized_message_(make(initial_capacity, allocator)) {}

SerializedMessage::SerializedMessage(const SerializedMessage & other)
: SerializedMessage(other.serialized_message_) {}

SerializedMessage::SerializedMessage(const rcl_serialized_message_t & other)
: serialized_message_(copy(other)) {}

SerializedMessage::SerializedMessage(SerializedMessage && other)
: SerializedMessage(std::move(other.serialized_message_)) {}

SerializedMessage::SerializedMessage(rcl_serialized_message_t && other)
: serialized_message_(
    std::exchange(other, rmw_get_zero_initialized_serialized_message())) {}

SerializedMessage & SerializedMessage::operator=(const SerializedMessage & other)
{
  return *this = other.serialized_message_;
}

SerializedMessage & SerializedMessage::operator=(const rcl_serialized_message_t & other)
{
  if (&serialized_message_ != &other) {
    *this = SerializedMessage(other);
  }
  return *this;
}

SerializedMessage & SerializedMessage::operator=(SerializedMessage && other)
{
  return *this = std::move(other.serialized_message_);
}

SerializedMessage & SerializedMessage::operator=(rcl_serialized_message_t && other)
{
  if (&serialized_message_ != &other) {
    // The old bytes end with a temporary.
    SerializedMessage old(std::move(serialized_message_));
    serialized_message_ = std::exchange(other, rmw_get_zero_initialized_serialized_message());
  }
  return *this;
}

SerializedMessage::~SerializedMessage()
{
  if (serialized_message_.buffer &&
    rmw_serialized_message_fini(&serialized_message_) != RMW_RET_OK)
  {
    RCLCPP_ERROR(
      get_logger("rclcpp"), "Failed to destroy serialized message: %s",
      rcl_get_error_string().str);
    rcl_reset_error();
  }
}

rcl_serialized_message_t & SerializedMessage::get_rcl_serialized_message()
{
  return serialized_message_;
}

const rcl_serialized_message_t & SerializedMessage::get_rcl_serialized_message() const
{
  return serialized_message_;
}

size_t SerializedMessage::size() const
{
  return serialized_message_.buffer_length;
}

size_t SerializedMessage::capacity() const
{
  return serialized_message_.buffer_capacity;
}

void SerializedMessage::reserve(size_t capacity)
{
  const rcl_ret_t ret = rmw_serialized_message_resize(&serialized_message_, capacity);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret);
  }
}

rcl_serialized_message_t SerializedMessage::release_rcl_serialized_message()
{
  return std::exchange(serialized_message_, rmw_get_zero_initialized_serialized_message());
}

}  // namespace rclcpp
