// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/detail/qos_parameters.hpp"

#include "rmw/qos_string_conversions.h"

namespace rclcpp::detail {

namespace {

ParameterValue nanoseconds(const rmw_time_t & time) {
  return ParameterValue(Duration::from_rmw_time(time).nanoseconds());
}

rmw_time_t to_time(const ParameterValue & value) {
  return Duration::from_nanoseconds(value.get<int64_t>()).to_rmw_time();
}

template <typename PolicyT> PolicyT parse(
  const ParameterValue & value, PolicyT (*from_string)(const char *), PolicyT unknown, const std::string & kind) {
  const std::string & text = value.get<std::string>();
  const PolicyT policy = from_string(text.c_str());
  if (policy == unknown) { throw std::invalid_argument("unknown QoS policy " + kind + " value: " + text); }
  return policy;
}

ParameterValue get_policy(QosPolicyKind kind, const rmw_qos_profile_t & profile) {
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions: return ParameterValue(profile.avoid_ros_namespace_conventions);
    case QosPolicyKind::Depth: return ParameterValue(static_cast<int64_t>(profile.depth));
    case QosPolicyKind::Deadline: return nanoseconds(profile.deadline);
    case QosPolicyKind::Lifespan: return nanoseconds(profile.lifespan);
    case QosPolicyKind::LivelinessLeaseDuration: return nanoseconds(profile.liveliness_lease_duration);
    case QosPolicyKind::Durability: return ParameterValue(rmw_qos_durability_policy_to_str(profile.durability));
    case QosPolicyKind::History: return ParameterValue(rmw_qos_history_policy_to_str(profile.history));
    case QosPolicyKind::Liveliness: return ParameterValue(rmw_qos_liveliness_policy_to_str(profile.liveliness));
    case QosPolicyKind::Reliability: return ParameterValue(rmw_qos_reliability_policy_to_str(profile.reliability));
    default: throw std::invalid_argument("unknown QoS policy kind");
  }
}

void set_policy(QosPolicyKind kind, const ParameterValue & value, QoS & qos) {
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions: qos.avoid_ros_namespace_conventions(value.get<bool>()); break;
    case QosPolicyKind::Depth: qos.get_rmw_qos_profile().depth = static_cast<size_t>(value.get<int64_t>()); break;
    case QosPolicyKind::Deadline: qos.deadline(to_time(value)); break;
    case QosPolicyKind::Lifespan: qos.lifespan(to_time(value)); break;
    case QosPolicyKind::LivelinessLeaseDuration: qos.liveliness_lease_duration(to_time(value)); break;
    case QosPolicyKind::Durability:
      qos.durability(parse(value, rmw_qos_durability_policy_from_str, RMW_QOS_POLICY_DURABILITY_UNKNOWN, "durability"));
      break;
    case QosPolicyKind::History:
      qos.history(parse(value, rmw_qos_history_policy_from_str, RMW_QOS_POLICY_HISTORY_UNKNOWN, "history"));
      break;
    case QosPolicyKind::Liveliness:
      qos.liveliness(parse(value, rmw_qos_liveliness_policy_from_str, RMW_QOS_POLICY_LIVELINESS_UNKNOWN, "liveliness"));
      break;
    default:
      qos.reliability(
        parse(value, rmw_qos_reliability_policy_from_str, RMW_QOS_POLICY_RELIABILITY_UNKNOWN, "reliability"));
  }
}

}  // namespace

QosOverridingOptions parameter_events_overriding() {
  return QosOverridingOptions{
    QosPolicyKind::Depth, QosPolicyKind::Durability, QosPolicyKind::History, QosPolicyKind::Reliability};
}

QoS parameter_events_qos(const std::map<std::string, ParameterValue> & overrides, const std::string & topic, QoS qos) {
  const QosOverridingOptions overriding = parameter_events_overriding();
  for (const QosPolicyKind kind : overriding.get_policy_kinds()) {
    const auto found = overrides.find("qos_overrides." + topic + ".publisher." + qos_policy_kind_to_cstr(kind));
    if (found != overrides.end()) { set_policy(kind, found->second, qos); }
  }
  return qos;
}

QoS declare_qos_parameters(const QosOverridingOptions & options, node_interfaces::NodeParametersInterface & parameters,
  const std::string & topic_name, const QoS & default_qos, const std::string & entity_type) {
  if (options.get_policy_kinds().empty()) { return default_qos; }
  const std::string & id = options.get_id();
  const std::string prefix = "qos_overrides." + topic_name + "." + entity_type + (id.empty() ? "" : "_" + id) + ".";
  QoS qos = default_qos;
  for (const QosPolicyKind kind : options.get_policy_kinds()) {
    // Lifespan is a matter of the sender.
    if (kind == QosPolicyKind::Lifespan && entity_type == "subscription") { continue; }
    const std::string policy_name = qos_policy_kind_to_cstr(kind);
    // A second endpoint with the same topic and id finds the parameter declared.
    if (!parameters.has_parameter(prefix + policy_name)) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = "qos policy {" + policy_name + "} for " + entity_type + " {" + topic_name + "}" +
                               (id.empty() ? "" : " with id {" + id + "}");
      descriptor.read_only = true;
      parameters.declare_parameter(
        prefix + policy_name, get_policy(kind, default_qos.get_rmw_qos_profile()), descriptor);
    }
    set_policy(kind, parameters.get_parameter(prefix + policy_name).get_parameter_value(), qos);
  }
  if (const auto & validate = options.get_validation_callback()) {
    const auto result = validate(qos);
    if (!result.successful) {
      throw exceptions::InvalidQosOverridesException("validation callback failed: " + result.reason);
    }
  }
  return qos;
}

}  // namespace rclcpp::detail
