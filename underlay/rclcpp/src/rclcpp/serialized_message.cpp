// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/serialization.hpp"

#include <cstring>

#include "rcl_check.hpp"
#include "rcpputils/asserts.hpp"
#include "rmw/rmw.h"

namespace rclcpp {

SerializedMessage::SerializedMessage(size_t initial_capacity, const rcl_allocator_t & allocator) {
  detail::check(rmw_serialized_message_init(&serialized_message_, initial_capacity, &allocator),
    "failed to initialize serialized message");
}

SerializedMessage::SerializedMessage(const rcl_serialized_message_t & other)
: SerializedMessage(other.buffer_capacity, other.allocator) {
  if (other.buffer_length != 0) { std::memcpy(serialized_message_.buffer, other.buffer, other.buffer_length); }
  serialized_message_.buffer_length = other.buffer_length;
}

SerializedMessage::~SerializedMessage() {
  if (serialized_message_.buffer) {
    detail::log_failure(rmw_serialized_message_fini(&serialized_message_), "Failed to destroy serialized message");
  }
}

void SerializedMessage::reserve(size_t capacity) {
  detail::check(rmw_serialized_message_resize(&serialized_message_, capacity), "failed to reserve");
}

SerializationBase::SerializationBase(const rosidl_message_type_support_t * type_support) : type_support_(type_support) {
  rcpputils::check_true(type_support != nullptr, "Typesupport is nullpointer.");
}

void SerializationBase::serialize_message(const void * ros_message, SerializedMessage * serialized_message) const {
  rcpputils::check_true(ros_message != nullptr, "ROS message is nullpointer.");
  rcpputils::check_true(serialized_message != nullptr, "Serialized message is nullpointer.");
  detail::check(rmw_serialize(ros_message, type_support_, &serialized_message->get_rcl_serialized_message()),
    "Failed to serialize ROS message.");
}

void SerializationBase::deserialize_message(const SerializedMessage * serialized_message, void * ros_message) const {
  rcpputils::check_true(serialized_message != nullptr, "Serialized message is nullpointer.");
  rcpputils::check_true(serialized_message->capacity() != 0 && serialized_message->size() != 0,
    "Wrongly initialized. Serialized message has a capacity of zero.");
  rcpputils::check_true(ros_message != nullptr, "ROS message is a nullpointer.");
  detail::check(rmw_deserialize(&serialized_message->get_rcl_serialized_message(), type_support_, ros_message),
    "Failed to deserialize serialized message.");
}

}  // namespace rclcpp
