#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/node_interfaces/get_node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/publisher_factory.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/qos.hpp"
#include "rmw/qos_profiles.h"

namespace rclcpp
{

namespace detail
{

template<typename MessageT, typename AllocatorT, typename PublisherT>
std::shared_ptr<PublisherT> create_publisher(
  const std::shared_ptr<node_interfaces::NodeParametersInterface> & node_parameters,
  const std::shared_ptr<node_interfaces::NodeTopicsInterface> & node_topics,
  const std::string & topic_name, const rclcpp::QoS & qos,
  const rclcpp::PublisherOptionsWithAllocator<AllocatorT> & options)
{
  const rclcpp::QoS actual_qos = options.qos_overriding_options.get_policy_kinds().empty() ?
    qos : declare_qos_parameters(
    options.qos_overriding_options, node_parameters,
    node_topics->resolve_topic_name(topic_name), qos, PublisherQosParametersTraits{});
  auto publisher = node_topics->create_publisher(
    topic_name, create_publisher_factory<MessageT, AllocatorT, PublisherT>(options), actual_qos);
  node_topics->add_publisher(publisher, options.callback_group);
  return std::static_pointer_cast<PublisherT>(publisher);
}

}  // namespace detail

/// Create a publisher on any node-like object.
template<
  typename MessageT, typename AllocatorT = std::allocator<void>,
  typename PublisherT = rclcpp::Publisher<MessageT, AllocatorT>, typename NodeT>
std::shared_ptr<PublisherT> create_publisher(
  NodeT && node, const std::string & topic_name, const rclcpp::QoS & qos,
  const rclcpp::PublisherOptionsWithAllocator<AllocatorT> & options =
  rclcpp::PublisherOptionsWithAllocator<AllocatorT>())
{
  return detail::create_publisher<MessageT, AllocatorT, PublisherT>(
    node_interfaces::get_node_parameters_interface(node),
    node_interfaces::get_node_topics_interface(node), topic_name, qos, options);
}

template<
  typename MessageT, typename AllocatorT = std::allocator<void>,
  typename PublisherT = rclcpp::Publisher<MessageT, AllocatorT>>
std::shared_ptr<PublisherT> create_publisher(
  rclcpp::node_interfaces::NodeParametersInterface::SharedPtr & node_parameters,
  rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr & node_topics,
  const std::string & topic_name, const rclcpp::QoS & qos,
  const rclcpp::PublisherOptionsWithAllocator<AllocatorT> & options =
  rclcpp::PublisherOptionsWithAllocator<AllocatorT>())
{
  return detail::create_publisher<MessageT, AllocatorT, PublisherT>(
    node_parameters, node_topics, topic_name, qos, options);
}

}  // namespace rclcpp
