#pragma once

#include <memory>
#include <vector>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// The six services through which other nodes reach the parameters of a node.
class ParameterService {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterService)

  /// \param node_params must outlive the services.
  explicit ParameterService(const std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
    const std::shared_ptr<node_interfaces::NodeServicesInterface> node_services,
    rclcpp::node_interfaces::NodeParametersInterface * node_params,
    const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS());

private:
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
};

}  // namespace rclcpp
