// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeServices : public NodeServicesInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeServices)

  explicit NodeServices(NodeBaseInterface * node_base) : node_base_(node_base) {}

  void add_client(ClientBase::SharedPtr client, CallbackGroup::SharedPtr group) override;
  void add_service(ServiceBase::SharedPtr service, CallbackGroup::SharedPtr group) override;
  std::string resolve_service_name(const std::string & name, bool only_expand = false) const override {
    return node_base_->resolve_topic_or_service_name(name, true, only_expand);
  }

private:
  NodeBaseInterface * node_base_;
};

}  // namespace rclcpp::node_interfaces
