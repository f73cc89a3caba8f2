#include "rclcpp/detail/qos_parameters.hpp"

#include <functional>
#include <string>

#include "qos_overrides.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/duration.hpp"
#include "rmw/qos_string_conversions.h"

namespace rclcpp
{
namespace detail
{

namespace
{

ParameterValue value_of(QosPolicyKind kind, const QoS & qos)
{
  const auto & profile = qos.get_rmw_qos_profile();
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions:
      return ParameterValue(profile.avoid_ros_namespace_conventions);
    case QosPolicyKind::Deadline:
      return ParameterValue(qos.deadline().nanoseconds());
    case QosPolicyKind::Depth:
      return ParameterValue(static_cast<int64_t>(profile.depth));
    case QosPolicyKind::Durability:
      return ParameterValue(rmw_qos_durability_policy_to_str(profile.durability));
    case QosPolicyKind::History:
      return ParameterValue(rmw_qos_history_policy_to_str(profile.history));
    case QosPolicyKind::Lifespan:
      return ParameterValue(qos.lifespan().nanoseconds());
    case QosPolicyKind::Liveliness:
      return ParameterValue(rmw_qos_liveliness_policy_to_str(profile.liveliness));
    case QosPolicyKind::LivelinessLeaseDuration:
      return ParameterValue(qos.liveliness_lease_duration().nanoseconds());
    case QosPolicyKind::Reliability:
      return ParameterValue(rmw_qos_reliability_policy_to_str(profile.reliability));
    default:
      throw std::invalid_argument("unknown QoS policy kind");
  }
}

template<typename PolicyT>
PolicyT from_string(
  const std::string & name, const std::string & value, PolicyT (* convert)(const char *),
  PolicyT unknown)
{
  const PolicyT policy = convert(value.c_str());
  if (policy == unknown) {
    throw std::invalid_argument("unknown value '" + value + "' of QoS policy " + name);
  }
  return policy;
}

void apply(QosPolicyKind kind, const ParameterValue & value, QoS & qos)
{
  const auto string = [&]() {return value.get<std::string>();};
  const auto nanoseconds = [&]() {return Duration::from_nanoseconds(value.get<int64_t>());};
  const std::string name = qos_policy_kind_to_cstr(kind);
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions:
      qos.avoid_ros_namespace_conventions(value.get<bool>());
      break;
    case QosPolicyKind::Deadline:
      qos.deadline(nanoseconds());
      break;
    case QosPolicyKind::Depth:
      qos.get_rmw_qos_profile().depth = static_cast<size_t>(value.get<int64_t>());
      break;
    case QosPolicyKind::Durability:
      qos.durability(
        from_string(
          name, string(), rmw_qos_durability_policy_from_str, RMW_QOS_POLICY_DURABILITY_UNKNOWN));
      break;
    case QosPolicyKind::History:
      qos.history(
        from_string(
          name, string(), rmw_qos_history_policy_from_str, RMW_QOS_POLICY_HISTORY_UNKNOWN));
      break;
    case QosPolicyKind::Lifespan:
      qos.lifespan(nanoseconds());
      break;
    case QosPolicyKind::Liveliness:
      qos.liveliness(
        from_string(
          name, string(), rmw_qos_liveliness_policy_from_str, RMW_QOS_POLICY_LIVELINESS_UNKNOWN));
      break;
    case QosPolicyKind::LivelinessLeaseDuration:
      qos.liveliness_lease_duration(nanoseconds());
      break;
    case QosPolicyKind::Reliability:
      qos.reliability(
        from_string(
          name, string(), rmw_qos_reliability_policy_from_str,
          RMW_QOS_POLICY_RELIABILITY_UNKNOWN));
      break;
    default:
      throw std::invalid_argument("unknown QoS policy kind");
  }
}

}  // namespace

rclcpp::QoS apply_publisher_qos_overrides(
  const std::map<std::string, ParameterValue> & overrides, const std::string & topic_name,
  const std::vector<QosPolicyKind> & policy_kinds, rclcpp::QoS qos)
{
  const std::string prefix = "qos_overrides." + topic_name + ".publisher.";
  for (const QosPolicyKind kind : policy_kinds) {
    const auto found = overrides.find(prefix + qos_policy_kind_to_cstr(kind));
    if (found != overrides.end()) {
      apply(kind, found->second, qos);
    }
  }
  return qos;
}

rclcpp::QoS declare_qos_parameters(
  const QosOverridingOptions & options,
  node_interfaces::NodeParametersInterface & parameters_interface,
  const std::string & topic_name, const rclcpp::QoS & default_qos, const char * entity_type,
  bool has_lifespan)
{
  const std::string id = options.get_id().empty() ? "" : "_" + options.get_id();
  const std::string prefix = "qos_overrides." + topic_name + "." + entity_type + id + ".";

  rclcpp::QoS qos = default_qos;
  for (const QosPolicyKind kind : options.get_policy_kinds()) {
    if (kind == QosPolicyKind::Lifespan && !has_lifespan) {
      continue;
    }
    const std::string name = prefix + qos_policy_kind_to_cstr(kind);
    // A second endpoint with the same topic and id finds the parameter declared.
    if (parameters_interface.has_parameter(name)) {
      apply(kind, parameters_interface.get_parameter(name).get_parameter_value(), qos);
      continue;
    }
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = std::string("qos policy {") + qos_policy_kind_to_cstr(kind) +
      "} for " + entity_type + " {" + topic_name + "}" +
      (options.get_id().empty() ? "" : " with id {" + options.get_id() + "}");
    descriptor.read_only = true;
    apply(
      kind, parameters_interface.declare_parameter(name, value_of(kind, default_qos), descriptor),
      qos);
  }
  if (const auto & validate = options.get_validation_callback()) {
    const auto result = validate(qos);
    if (!result.successful) {
      throw exceptions::InvalidQosOverridesException(
              "validation callback failed: " + result.reason);
    }
  }
  return qos;
}

}  // namespace detail
}  // namespace rclcpp
