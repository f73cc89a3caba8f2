#pragma once

#include <memory>
#include <string>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/typesupport_helpers.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rcpputils/shared_library.hpp"

namespace rclcpp
{

/// Publishes serialized messages of a type that is known by name at run time only.
class GenericPublisher : public rclcpp::PublisherBase
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericPublisher)

  template<typename AllocatorT = std::allocator<void>>
  GenericPublisher(
    rclcpp::node_interfaces::NodeBaseInterface * node_base,
    std::shared_ptr<rcpputils::SharedLibrary> ts_lib, const std::string & topic_name,
    const std::string & topic_type, const rclcpp::QoS & qos,
    const rclcpp::PublisherOptionsWithAllocator<AllocatorT> & options)
  : rclcpp::PublisherBase(
      node_base, topic_name,
      *rclcpp::get_message_typesupport_handle(topic_type, "rosidl_typesupport_cpp", *ts_lib),
      options.template to_rcl_publisher_options<rclcpp::SerializedMessage>(qos),
      options.event_callbacks, options.use_default_callbacks),
    ts_lib_(ts_lib), allocator_(options.get_allocator())
  {}

  RCLCPP_PUBLIC
  virtual ~GenericPublisher() = default;

  RCLCPP_PUBLIC
  void publish(const rclcpp::SerializedMessage & message);

  /// As publish(); kept for code that prefers a loan where the middleware gives one.
  RCLCPP_PUBLIC
  void publish_as_loaned_msg(const rclcpp::SerializedMessage & message);

private:
  std::shared_ptr<rcpputils::SharedLibrary> ts_lib_;
  std::shared_ptr<void> allocator_;
};

}  // namespace rclcpp
