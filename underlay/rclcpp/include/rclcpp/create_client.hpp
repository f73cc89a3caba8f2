// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp {

template <typename ServiceT>
typename Client<ServiceT>::SharedPtr create_client(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeGraphInterface> node_graph,
  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string & service_name,
  const rmw_qos_profile_t & qos_profile, CallbackGroup::SharedPtr group) {
  rcl_client_options_t options = rcl_client_get_default_options();
  options.qos = qos_profile;
  auto client = std::make_shared<Client<ServiceT>>(node_base.get(), node_graph, service_name, options);
  node_services->add_client(client, std::move(group));
  return client;
}

template <typename ServiceT>
typename Client<ServiceT>::SharedPtr create_client(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeGraphInterface> node_graph,
  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string & service_name,
  const QoS & qos = ServicesQoS(), CallbackGroup::SharedPtr group = nullptr) {
  return create_client<ServiceT>(node_base, node_graph, node_services, service_name, qos.get_rmw_qos_profile(), group);
}

}  // namespace rclcpp
