#pragma once

#include "rcl/allocator.h"
#include "rcl/types.h"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{

/// A message in its wire form; owns the bytes.
class RCLCPP_PUBLIC_TYPE SerializedMessage
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS(SerializedMessage)

  RCLCPP_PUBLIC
  explicit SerializedMessage(
    const rcl_allocator_t & allocator = rcl_get_default_allocator());
  RCLCPP_PUBLIC
  SerializedMessage(
    size_t initial_capacity, const rcl_allocator_t & allocator = rcl_get_default_allocator());
  RCLCPP_PUBLIC
  SerializedMessage(const SerializedMessage & other);
  RCLCPP_PUBLIC
  explicit SerializedMessage(const rcl_serialized_message_t & other);
  RCLCPP_PUBLIC
  SerializedMessage(SerializedMessage && other);
  RCLCPP_PUBLIC
  explicit SerializedMessage(rcl_serialized_message_t && other);
  RCLCPP_PUBLIC
  SerializedMessage & operator=(const SerializedMessage & other);
  RCLCPP_PUBLIC
  SerializedMessage & operator=(const rcl_serialized_message_t & other);
  RCLCPP_PUBLIC
  SerializedMessage & operator=(SerializedMessage && other);
  RCLCPP_PUBLIC
  SerializedMessage & operator=(rcl_serialized_message_t && other);
  RCLCPP_PUBLIC
  virtual ~SerializedMessage();

  RCLCPP_PUBLIC
  rcl_serialized_message_t & get_rcl_serialized_message();
  RCLCPP_PUBLIC
  const rcl_serialized_message_t & get_rcl_serialized_message() const;
  RCLCPP_PUBLIC
  size_t size() const;
  RCLCPP_PUBLIC
  size_t capacity() const;
  RCLCPP_PUBLIC
  void reserve(size_t capacity);
  /// Give the bytes away; this message is then empty.
  RCLCPP_PUBLIC
  rcl_serialized_message_t release_rcl_serialized_message();

private:
  rcl_serialized_message_t serialized_message_;
};

}  // namespace rclcpp
