#include "rclcpp/detail/qos_parameters.hpp"

#include "rmw/qos_string_conversions.h"

namespace rclcpp::detail {

namespace {

/// How one policy is written as a parameter.
struct PolicyParameter {
  std::function<ParameterValue(const QoS &)> value;
  std::function<void(const ParameterValue &, QoS &)> apply;
};

template <typename PolicyT>
PolicyParameter by_name(const char * kind, PolicyT rmw_qos_profile_t::*member, const char * (*to_string)(PolicyT),
  PolicyT (*from_string)(const char *), PolicyT unknown) {
  return {[=](const QoS & qos) { return ParameterValue(to_string(qos.get_rmw_qos_profile().*member)); },
    [=](const ParameterValue & value, QoS & qos) {
      const auto text = value.get<std::string>();
      const PolicyT policy = from_string(text.c_str());
      if (policy == unknown) {
        throw std::invalid_argument(std::string("unknown QoS policy ") + kind + " value: " + text);
      }
      qos.get_rmw_qos_profile().*member = policy;
    }};
}

PolicyParameter in_nanoseconds(rmw_time_t rmw_qos_profile_t::*member) {
  return {[=](const QoS & qos) {
            return ParameterValue(Duration::from_rmw_time(qos.get_rmw_qos_profile().*member).nanoseconds());
          },
    [=](const ParameterValue & value, QoS & qos) {
      qos.get_rmw_qos_profile().*member = Duration::from_nanoseconds(value.get<int64_t>()).to_rmw_time();
    }};
}

PolicyParameter policy_parameter(QosPolicyKind kind) {
  using Profile = rmw_qos_profile_t;
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions:
      return {[](const QoS & qos) { return ParameterValue(qos.avoid_ros_namespace_conventions()); },
        [](const ParameterValue & value, QoS & qos) { qos.avoid_ros_namespace_conventions(value.get<bool>()); }};
    case QosPolicyKind::Depth:
      return {[](const QoS & qos) { return ParameterValue(static_cast<int64_t>(qos.depth())); },
        [](const ParameterValue & value, QoS & qos) {
          qos.get_rmw_qos_profile().depth = static_cast<size_t>(value.get<int64_t>());
        }};
    case QosPolicyKind::Deadline: return in_nanoseconds(&Profile::deadline);
    case QosPolicyKind::Lifespan: return in_nanoseconds(&Profile::lifespan);
    case QosPolicyKind::LivelinessLeaseDuration: return in_nanoseconds(&Profile::liveliness_lease_duration);
    case QosPolicyKind::Durability:
      return by_name("durability", &Profile::durability, rmw_qos_durability_policy_to_str,
        rmw_qos_durability_policy_from_str, RMW_QOS_POLICY_DURABILITY_UNKNOWN);
    case QosPolicyKind::History:
      return by_name("history", &Profile::history, rmw_qos_history_policy_to_str, rmw_qos_history_policy_from_str,
        RMW_QOS_POLICY_HISTORY_UNKNOWN);
    case QosPolicyKind::Liveliness:
      return by_name("liveliness", &Profile::liveliness, rmw_qos_liveliness_policy_to_str,
        rmw_qos_liveliness_policy_from_str, RMW_QOS_POLICY_LIVELINESS_UNKNOWN);
    case QosPolicyKind::Reliability:
      return by_name("reliability", &Profile::reliability, rmw_qos_reliability_policy_to_str,
        rmw_qos_reliability_policy_from_str, RMW_QOS_POLICY_RELIABILITY_UNKNOWN);
    default: throw std::invalid_argument("unknown QoS policy kind");
  }
}

}  // namespace

QoS apply_publisher_qos_overrides(const std::map<std::string, ParameterValue> & overrides,
  const std::string & topic_name, const std::vector<QosPolicyKind> & policy_kinds, QoS qos) {
  const std::string prefix = "qos_overrides." + topic_name + ".publisher.";
  for (const QosPolicyKind kind : policy_kinds) {
    const auto found = overrides.find(prefix + qos_policy_kind_to_cstr(kind));
    if (found != overrides.end()) { policy_parameter(kind).apply(found->second, qos); }
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
    const auto policy = policy_parameter(kind);
    const std::string policy_name = qos_policy_kind_to_cstr(kind);
    // A second endpoint with the same topic and id finds the parameter declared.
    if (!parameters.has_parameter(prefix + policy_name)) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = "qos policy {" + policy_name + "} for " + entity_type + " {" + topic_name + "}" +
                               (id.empty() ? "" : " with id {" + id + "}");
      descriptor.read_only = true;
      parameters.declare_parameter(prefix + policy_name, policy.value(default_qos), descriptor);
    }
    policy.apply(parameters.get_parameter(prefix + policy_name).get_parameter_value(), qos);
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
