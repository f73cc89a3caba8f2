#pragma once

#include <string>

#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace detail
{

struct PublisherQosParametersTraits
{
  static constexpr const char * entity_type() {return "publisher";}
  static constexpr bool has_lifespan = true;
};

struct SubscriptionQosParametersTraits
{
  static constexpr const char * entity_type() {return "subscription";}
  static constexpr bool has_lifespan = false;
};

/// Declare one read-only parameter per policy that may be overridden and apply their values.
/// \throws InvalidQosOverridesException when the validation callback refuses the result
RCLCPP_PUBLIC
rclcpp::QoS declare_qos_parameters(
  const QosOverridingOptions & options,
  node_interfaces::NodeParametersInterface & parameters_interface,
  const std::string & topic_name, const rclcpp::QoS & default_qos, const char * entity_type,
  bool has_lifespan);

template<typename NodeT, typename EntityQosParametersTraits>
rclcpp::QoS declare_qos_parameters(
  const QosOverridingOptions & options, NodeT & node, const std::string & topic_name,
  const rclcpp::QoS & default_qos, EntityQosParametersTraits)
{
  if (options.get_policy_kinds().empty()) {
    return default_qos;
  }
  return declare_qos_parameters(
    options, *node, topic_name, default_qos, EntityQosParametersTraits::entity_type(),
    EntityQosParametersTraits::has_lifespan);
}

}  // namespace detail
}  // namespace rclcpp
