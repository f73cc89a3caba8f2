// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>

#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/qos.hpp"
#include "rmw/qos_policy_kind.h"

namespace rclcpp {

enum class QosPolicyKind {
  AvoidRosNamespaceConventions = RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS,
  Deadline = RMW_QOS_POLICY_DEADLINE,
  Depth = RMW_QOS_POLICY_DEPTH,
  Durability = RMW_QOS_POLICY_DURABILITY,
  History = RMW_QOS_POLICY_HISTORY,
  Lifespan = RMW_QOS_POLICY_LIFESPAN,
  Liveliness = RMW_QOS_POLICY_LIVELINESS,
  LivelinessLeaseDuration = RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION,
  Reliability = RMW_QOS_POLICY_RELIABILITY,
  Invalid = RMW_QOS_POLICY_INVALID,
};

const char * qos_policy_kind_to_cstr(const QosPolicyKind & qpk);
std::ostream & operator<<(std::ostream & os, const QosPolicyKind & qpk);

using QosCallbackResult = rcl_interfaces::msg::SetParametersResult;
using QosCallback = std::function<QosCallbackResult(const rclcpp::QoS &)>;

namespace exceptions {
/// The validation callback of QosOverridingOptions refused a profile.
class InvalidQosOverridesException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace exceptions

/// Which policies parameters may override: `qos_overrides.<topic>.<entity>[_<id>].<policy>`.
class QosOverridingOptions {
public:
  /// Without policies nothing can be overridden.
  QosOverridingOptions() = default;
  QosOverridingOptions(
    std::initializer_list<QosPolicyKind> policy_kinds, QosCallback validation_callback = nullptr, std::string id = {})
  : id_(std::move(id)), policy_kinds_(policy_kinds), validation_callback_(std::move(validation_callback)) {}

  /// History, depth and reliability.
  static QosOverridingOptions with_default_policies(QosCallback validation_callback = nullptr, std::string id = {}) {
    return QosOverridingOptions({QosPolicyKind::History, QosPolicyKind::Depth, QosPolicyKind::Reliability},
      std::move(validation_callback), std::move(id));
  }

  const std::string & get_id() const { return id_; }
  const std::vector<QosPolicyKind> & get_policy_kinds() const { return policy_kinds_; }
  const QosCallback & get_validation_callback() const { return validation_callback_; }

private:
  std::string id_;
  std::vector<QosPolicyKind> policy_kinds_;
  QosCallback validation_callback_;
};

}  // namespace rclcpp
