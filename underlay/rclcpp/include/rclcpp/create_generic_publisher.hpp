// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/generic_publisher.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

template <typename AllocatorT = std::allocator<void>> std::shared_ptr<GenericPublisher> create_generic_publisher(
  node_interfaces::NodeTopicsInterface::SharedPtr topics_interface, const std::string & topic_name,
  const std::string & topic_type, const QoS & qos,
  const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  auto ts_lib = get_typesupport_library(topic_type, "rosidl_typesupport_cpp");
  const PublisherFactory factory{[&](auto * node_base, const std::string & name, const QoS & actual_qos) {
    return std::make_shared<GenericPublisher>(node_base, ts_lib, name, topic_type, actual_qos, options);
  }};
  auto publisher = topics_interface->create_publisher(topic_name, factory, qos);
  topics_interface->add_publisher(publisher, options.callback_group);
  return std::static_pointer_cast<GenericPublisher>(publisher);
}

}  // namespace rclcpp
