// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"

namespace rclcpp::graph_listener {
class GraphListener;
}

namespace rclcpp::node_interfaces {

class NodeGraph : public NodeGraphInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeGraph)

  explicit NodeGraph(NodeBaseInterface * node_base);
  ~NodeGraph();

  NamesAndTypes get_topic_names_and_types(bool no_demangle = false) const override;
  NamesAndTypes get_service_names_and_types() const override;
  NamesAndTypes get_service_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_) const override;
  NamesAndTypes get_client_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_) const override;
  NamesAndTypes get_publisher_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_, bool no_demangle = false) const override;
  NamesAndTypes get_subscriber_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_, bool no_demangle = false) const override;
  std::vector<std::string> get_node_names() const override;
  std::vector<std::pair<std::string, std::string>> get_node_names_and_namespaces() const override;
  size_t count_publishers(const std::string & topic_name) const override;
  size_t count_subscribers(const std::string & topic_name) const override;
  size_t count_clients(const std::string & service_name) const override;
  size_t count_services(const std::string & service_name) const override;
  const rcl_guard_condition_t * get_graph_guard_condition() const override;
  void notify_graph_change() override;
  void notify_shutdown() override;
  Event::SharedPtr get_graph_event() override;
  void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) override;
  size_t count_graph_users() const override;
  std::vector<rclcpp::TopicEndpointInfo> get_publishers_info_by_topic(
    const std::string & topic_name, bool no_mangle = false) const override;
  std::vector<rclcpp::TopicEndpointInfo> get_subscriptions_info_by_topic(
    const std::string & topic_name, bool no_mangle = false) const override;

private:
  NodeBaseInterface * node_base_;
  std::shared_ptr<graph_listener::GraphListener> graph_listener_;
  bool listening_{false};
  mutable std::mutex graph_mutex_;
  std::condition_variable graph_cv_;
  std::vector<rclcpp::Event::WeakPtr> graph_events_;
};

}  // namespace rclcpp::node_interfaces
