// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <chrono>
#include <map>

#include "rcl/graph.h"
#include "rclcpp/event.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

enum class EndpointType {
  Invalid = RMW_ENDPOINT_INVALID,
  Publisher = RMW_ENDPOINT_PUBLISHER,
  Subscription = RMW_ENDPOINT_SUBSCRIPTION
};

/// What the graph knows of one publisher or subscription.
class TopicEndpointInfo {
public:
  explicit TopicEndpointInfo(const rcl_topic_endpoint_info_t & info);

  std::string & node_name() { return node_name_; }
  const std::string & node_name() const { return node_name_; }
  std::string & node_namespace() { return node_namespace_; }
  const std::string & node_namespace() const { return node_namespace_; }
  std::string & topic_type() { return topic_type_; }
  const std::string & topic_type() const { return topic_type_; }
  EndpointType & endpoint_type() { return endpoint_type_; }
  const EndpointType & endpoint_type() const { return endpoint_type_; }
  std::array<uint8_t, RMW_GID_STORAGE_SIZE> & endpoint_gid() { return endpoint_gid_; }
  const std::array<uint8_t, RMW_GID_STORAGE_SIZE> & endpoint_gid() const { return endpoint_gid_; }
  QoS & qos_profile() { return qos_profile_; }
  const QoS & qos_profile() const { return qos_profile_; }
  rosidl_type_hash_t & topic_type_hash() { return topic_type_hash_; }
  const rosidl_type_hash_t & topic_type_hash() const { return topic_type_hash_; }

private:
  std::string node_name_;
  std::string node_namespace_;
  std::string topic_type_;
  EndpointType endpoint_type_;
  std::array<uint8_t, RMW_GID_STORAGE_SIZE> endpoint_gid_;
  QoS qos_profile_;
  rosidl_type_hash_t topic_type_hash_;
};

namespace node_interfaces {

/// Questions about the nodes and endpoints that are known on the network.
class NodeGraphInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeGraphInterface)

  using NamesAndTypes = std::map<std::string, std::vector<std::string>>;

  virtual ~NodeGraphInterface() = default;

  virtual NamesAndTypes get_topic_names_and_types(bool no_demangle = false) const = 0;
  virtual NamesAndTypes get_service_names_and_types() const = 0;
  virtual NamesAndTypes get_service_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_) const = 0;
  virtual NamesAndTypes get_client_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_) const = 0;
  virtual NamesAndTypes get_publisher_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_, bool no_demangle = false) const = 0;
  virtual NamesAndTypes get_subscriber_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_, bool no_demangle = false) const = 0;

  virtual std::vector<std::string> get_node_names() const = 0;
  virtual std::vector<std::pair<std::string, std::string>> get_node_names_and_namespaces() const = 0;

  virtual size_t count_publishers(const std::string & topic_name) const = 0;
  virtual size_t count_subscribers(const std::string & topic_name) const = 0;
  virtual size_t count_clients(const std::string & service_name) const = 0;
  virtual size_t count_services(const std::string & service_name) const = 0;

  virtual const rcl_guard_condition_t * get_graph_guard_condition() const = 0;

  virtual void notify_graph_change() = 0;
  virtual void notify_shutdown() = 0;
  /// An event that is set at the next change of the graph. Drop it when no longer needed.
  virtual Event::SharedPtr get_graph_event() = 0;
  virtual void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) = 0;
  virtual size_t count_graph_users() const = 0;

  virtual std::vector<rclcpp::TopicEndpointInfo> get_publishers_info_by_topic(
    const std::string & topic_name, bool no_mangle = false) const = 0;
  virtual std::vector<rclcpp::TopicEndpointInfo> get_subscriptions_info_by_topic(
    const std::string & topic_name, bool no_mangle = false) const = 0;
};

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeGraphInterface, graph)
