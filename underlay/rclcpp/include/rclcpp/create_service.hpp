// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp {

template <typename ServiceT, typename CallbackT>
typename Service<ServiceT>::SharedPtr create_service(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string & service_name,
  CallbackT && callback, const rmw_qos_profile_t & qos_profile, CallbackGroup::SharedPtr group) {
  AnyServiceCallback<ServiceT> any_service_callback;
  any_service_callback.set(std::forward<CallbackT>(callback));
  rcl_service_options_t options = rcl_service_get_default_options();
  options.qos = qos_profile;
  auto service = std::make_shared<Service<ServiceT>>(
    node_base->get_shared_rcl_node_handle(), service_name, any_service_callback, options);
  node_services->add_service(service, std::move(group));
  return service;
}

template <typename ServiceT, typename CallbackT>
typename Service<ServiceT>::SharedPtr create_service(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string & service_name,
  CallbackT && callback, const QoS & qos, CallbackGroup::SharedPtr group) {
  return create_service<ServiceT, CallbackT>(
    node_base, node_services, service_name, std::forward<CallbackT>(callback), qos.get_rmw_qos_profile(), group);
}

}  // namespace rclcpp
