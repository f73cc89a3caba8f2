// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/allocator.h"
#include "rcl/types.h"
#include "rclcpp/macros.hpp"

namespace rclcpp {

/// A message in its wire form; owns the bytes.
class SerializedMessage {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(SerializedMessage)

  explicit SerializedMessage(const rcl_allocator_t & allocator = rcl_get_default_allocator())
  : SerializedMessage(0u, allocator) {}
  SerializedMessage(size_t initial_capacity, const rcl_allocator_t & allocator = rcl_get_default_allocator());
  SerializedMessage(const SerializedMessage & other) : SerializedMessage(other.serialized_message_) {}
  explicit SerializedMessage(const rcl_serialized_message_t & other);
  SerializedMessage(SerializedMessage && other) : SerializedMessage(std::move(other.serialized_message_)) {}
  explicit SerializedMessage(rcl_serialized_message_t && other)
  : serialized_message_(std::exchange(other, rmw_get_zero_initialized_serialized_message())) {}
  SerializedMessage & operator=(const SerializedMessage & other) { return *this = SerializedMessage(other); }
  SerializedMessage & operator=(const rcl_serialized_message_t & other) { return *this = SerializedMessage(other); }
  SerializedMessage & operator=(SerializedMessage && other) {
    std::swap(serialized_message_, other.serialized_message_);
    return *this;
  }
  SerializedMessage & operator=(rcl_serialized_message_t && other) {
    return *this = SerializedMessage(std::move(other));
  }
  virtual ~SerializedMessage();

  rcl_serialized_message_t & get_rcl_serialized_message() { return serialized_message_; }
  const rcl_serialized_message_t & get_rcl_serialized_message() const { return serialized_message_; }
  size_t size() const { return serialized_message_.buffer_length; }
  size_t capacity() const { return serialized_message_.buffer_capacity; }
  void reserve(size_t capacity);
  /// Give the bytes away; this message is then empty.
  rcl_serialized_message_t release_rcl_serialized_message() {
    return std::exchange(serialized_message_, rmw_get_zero_initialized_serialized_message());
  }

private:
  rcl_serialized_message_t serialized_message_ = rmw_get_zero_initialized_serialized_message();
};

}  // namespace rclcpp
