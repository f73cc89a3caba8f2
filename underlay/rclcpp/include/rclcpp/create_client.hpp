#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/client.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rmw/rmw.h"

namespace rclcpp {

template <typename ServiceT>
typename rclcpp::Client<ServiceT>::SharedPtr create_client(
  std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeGraphInterface> node_graph,
  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string & service_name,
  const rmw_qos_profile_t & qos_profile, rclcpp::CallbackGroup::SharedPtr group) {
  rcl_client_options_t options = rcl_client_get_default_options();
  options.qos = qos_profile;

  auto client = std::make_shared<rclcpp::Client<ServiceT>>(node_base.get(), node_graph, service_name, options);
  node_services->add_client(std::static_pointer_cast<rclcpp::ClientBase>(client), std::move(group));
  return client;
}

template <typename ServiceT>
typename rclcpp::Client<ServiceT>::SharedPtr create_client(
  std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeGraphInterface> node_graph,
  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string & service_name,
  const rclcpp::QoS & qos = rclcpp::ServicesQoS(), rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  return create_client<ServiceT>(std::move(node_base), std::move(node_graph), std::move(node_services), service_name,
    qos.get_rmw_qos_profile(), std::move(group));
}

}  // namespace rclcpp
