// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/get_message_type_support_handle.hpp"
#include "rclcpp/serialized_message.hpp"

namespace rclcpp {

/// Converts between a message in memory and its wire form.
class SerializationBase {
public:
  explicit SerializationBase(const rosidl_message_type_support_t * type_support);
  virtual ~SerializationBase() = default;

  void serialize_message(const void * ros_message, SerializedMessage * serialized_message) const;
  void deserialize_message(const SerializedMessage * serialized_message, void * message) const;

private:
  const rosidl_message_type_support_t * type_support_;
};

template <typename MessageT> class Serialization : public SerializationBase {
public:
  Serialization() : SerializationBase(&get_message_type_support_handle<MessageT>()) {}
};

}  // namespace rclcpp
