#pragma once

#include <string>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace node_interfaces
{

class NodeServices : public NodeServicesInterface
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeServices)

  RCLCPP_PUBLIC
  explicit NodeServices(rclcpp::node_interfaces::NodeBaseInterface * node_base);
  RCLCPP_PUBLIC
  virtual ~NodeServices();

  RCLCPP_PUBLIC
  void add_client(
    rclcpp::ClientBase::SharedPtr client_base_ptr,
    rclcpp::CallbackGroup::SharedPtr group) override;
  RCLCPP_PUBLIC
  void add_service(
    rclcpp::ServiceBase::SharedPtr service_base_ptr,
    rclcpp::CallbackGroup::SharedPtr group) override;
  RCLCPP_PUBLIC
  std::string resolve_service_name(
    const std::string & name, bool only_expand = false) const override;

private:
  RCLCPP_DISABLE_COPY(NodeServices)

  rclcpp::node_interfaces::NodeBaseInterface * node_base_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
