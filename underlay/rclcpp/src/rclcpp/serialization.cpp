#include "rclcpp/serialization.hpp"

#include "rclcpp/exceptions.hpp"
#include "rcpputils/asserts.hpp"
#include "rmw/rmw.h"

namespace rclcpp
{

SerializationBase::SerializationBase(const rosidl_message_type_support_t * type_support)
: type_support_(type_support)
{
  rcpputils::check_true(type_support != nullptr, "Typesupport is nullpointer.");
}

void SerializationBase::serialize_message(
  const void * ros_message, SerializedMessage * serialized_message) const
{
  rcpputils::check_true(ros_message != nullptr, "ROS message is nullpointer.");
  rcpputils::check_true(serialized_message != nullptr, "Serialized message is nullpointer.");
  const rmw_ret_t ret = rmw_serialize(
    ros_message, type_support_, &serialized_message->get_rcl_serialized_message());
  if (ret != RMW_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "Failed to serialize ROS message.");
  }
}

void SerializationBase::deserialize_message(
  const SerializedMessage * serialized_message, void * ros_message) const
{
  rcpputils::check_true(serialized_message != nullptr, "Serialized message is nullpointer.");
  rcpputils::check_true(
    serialized_message->capacity() != 0 && serialized_message->size() != 0,
    "Wrongly initialized. Serialized message has a capacity or size of zero.");
  rcpputils::check_true(ros_message != nullptr, "ROS message is a nullpointer.");
  const rmw_ret_t ret = rmw_deserialize(
    &serialized_message->get_rcl_serialized_message(), type_support_, ros_message);
  if (ret != RMW_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "Failed to deserialize serialized message.");
  }
}

}  // namespace rclcpp
