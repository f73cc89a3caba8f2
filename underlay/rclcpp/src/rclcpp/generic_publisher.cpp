#include "rclcpp/generic_publisher.hpp"

#include "rclcpp/exceptions.hpp"

namespace rclcpp
{

void GenericPublisher::publish(const rclcpp::SerializedMessage & message)
{
  const rcl_ret_t ret = rcl_publish_serialized_message(
    get_publisher_handle().get(), &message.get_rcl_serialized_message(), nullptr);
  if (ret != RCL_RET_OK) {
    throw_unless_shut_down(ret, "failed to publish serialized message");
  }
}

void GenericPublisher::publish_as_loaned_msg(const rclcpp::SerializedMessage & message)
{
  publish(message);
}

}  // namespace rclcpp
