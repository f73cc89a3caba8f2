#pragma once

#include <memory>
#include <string>

#include "rclcpp/get_message_type_support_handle.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rosidl_runtime_c/message_type_support_struct.h"

namespace rclcpp
{

/// Converts between a message in memory and its wire form.
class RCLCPP_PUBLIC_TYPE SerializationBase
{
public:
  RCLCPP_PUBLIC
  explicit SerializationBase(const rosidl_message_type_support_t * type_support);
  RCLCPP_PUBLIC
  virtual ~SerializationBase() = default;

  RCLCPP_PUBLIC
  void serialize_message(const void * ros_message, SerializedMessage * serialized_message) const;
  RCLCPP_PUBLIC
  void deserialize_message(
    const SerializedMessage * serialized_message, void * ros_message) const;

private:
  const rosidl_message_type_support_t * type_support_;
};

template<typename MessageT>
class Serialization : public SerializationBase
{
public:
  Serialization()
  : SerializationBase(&get_message_type_support_handle<MessageT>())
  {}
};

}  // namespace rclcpp
