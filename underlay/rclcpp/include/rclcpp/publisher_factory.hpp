// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/publisher.hpp"

namespace rclcpp {

/// Makes a publisher of a type that NodeTopics need not know.
struct PublisherFactory {
  using PublisherFactoryFunction = std::function<PublisherBase::SharedPtr(
    node_interfaces::NodeBaseInterface * node_base, const std::string & topic_name, const QoS & qos)>;

  const PublisherFactoryFunction create_typed_publisher;
};

template <typename MessageT, typename AllocatorT, typename PublisherT>
PublisherFactory create_publisher_factory(const PublisherOptionsWithAllocator<AllocatorT> & options) {
  return {[options](auto * node_base, const std::string & topic_name, const QoS & qos) {
    auto publisher = std::make_shared<PublisherT>(node_base, topic_name, qos, options);
    publisher->post_init_setup(node_base, topic_name, qos, options);
    return publisher;
  }};
}

}  // namespace rclcpp
