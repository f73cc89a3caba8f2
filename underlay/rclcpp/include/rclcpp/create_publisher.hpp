// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/node_interfaces/get_node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"

namespace rclcpp {

template <typename MessageT, typename AllocatorT = std::allocator<void>,
  typename PublisherT = Publisher<MessageT, AllocatorT>>
std::shared_ptr<PublisherT> create_publisher(
  const node_interfaces::NodeParametersInterface::SharedPtr & node_parameters,
  const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics, const std::string & topic_name, const QoS & qos,
  const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  const auto & overriding = options.qos_overriding_options;
  const QoS actual_qos = overriding.get_policy_kinds().empty()
                           ? qos
                           : detail::declare_qos_parameters(overriding, *node_parameters,
                               node_topics->resolve_topic_name(topic_name), qos, "publisher");
  auto publisher = node_topics->create_publisher(
    topic_name, create_publisher_factory<MessageT, AllocatorT, PublisherT>(options), actual_qos);
  node_topics->add_publisher(publisher, options.callback_group);
  return std::static_pointer_cast<PublisherT>(publisher);
}

/// Create a publisher on any node-like object.
template <typename MessageT, typename AllocatorT = std::allocator<void>,
  typename PublisherT = Publisher<MessageT, AllocatorT>, typename NodeT>
std::shared_ptr<PublisherT> create_publisher(NodeT && node, const std::string & topic_name, const QoS & qos,
  const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return create_publisher<MessageT, AllocatorT, PublisherT>(node_interfaces::get_node_parameters_interface(node),
    node_interfaces::get_node_topics_interface(node), topic_name, qos, options);
}

}  // namespace rclcpp
