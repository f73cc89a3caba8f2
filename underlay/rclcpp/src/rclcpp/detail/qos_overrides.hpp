#pragma once

#include <map>
#include <string>
#include <vector>

#include "rclcpp/parameter_value.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp
{
namespace detail
{

/// Apply `qos_overrides.<topic>.publisher.<policy>` for a publisher that exists before parameters.
rclcpp::QoS apply_publisher_qos_overrides(
  const std::map<std::string, ParameterValue> & overrides, const std::string & topic_name,
  const std::vector<QosPolicyKind> & policy_kinds, rclcpp::QoS qos);

}  // namespace detail
}  // namespace rclcpp
