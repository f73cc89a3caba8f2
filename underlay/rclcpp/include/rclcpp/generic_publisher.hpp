// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// Publishes serialized messages of a type that is known by name at run time only.
class GenericPublisher : public PublisherBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericPublisher)

  template <typename AllocatorT = std::allocator<void>> GenericPublisher(node_interfaces::NodeBaseInterface * node_base,
    std::shared_ptr<rcpputils::SharedLibrary> ts_lib, const std::string & topic_name, const std::string & topic_type,
    const QoS & qos, const PublisherOptionsWithAllocator<AllocatorT> & options)
  : PublisherBase(node_base, topic_name, *get_message_typesupport_handle(topic_type, "rosidl_typesupport_cpp", *ts_lib),
      options.template to_rcl_publisher_options<SerializedMessage>(qos), options.event_callbacks,
      options.use_default_callbacks),
    ts_lib_(ts_lib) {}

  void publish(const SerializedMessage & message) {
    const rcl_ret_t ret =
      rcl_publish_serialized_message(publisher_handle_.get(), &message.get_rcl_serialized_message(), nullptr);
    if (ret != RCL_RET_OK) { throw_unless_shut_down(ret, "failed to publish serialized message"); }
  }

  /// As publish(); kept for code that prefers a loan where the middleware gives one.
  void publish_as_loaned_msg(const SerializedMessage &) {
    // No middleware of ours lends memory.
    rcl_reset_error();
    RCL_SET_ERROR_MSG("loaned messages are not supported by the middleware");
    exceptions::throw_from_rcl_error(RCL_RET_UNSUPPORTED, "failed to borrow a loaned message");
  }

private:
  std::shared_ptr<rcpputils::SharedLibrary> ts_lib_;
};

}  // namespace rclcpp
