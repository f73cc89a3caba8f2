// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/qos.hpp"

#include <ostream>

#include "rclcpp/logging.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rmw/error_handling.h"
#include "rmw/qos_string_conversions.h"

namespace rclcpp {

std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind) {
  switch (policy_kind) {
    case RMW_QOS_POLICY_DURABILITY: return "DURABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_DEADLINE: return "DEADLINE_QOS_POLICY";
    case RMW_QOS_POLICY_LIVELINESS: return "LIVELINESS_QOS_POLICY";
    case RMW_QOS_POLICY_RELIABILITY: return "RELIABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_HISTORY: return "HISTORY_QOS_POLICY";
    case RMW_QOS_POLICY_LIFESPAN: return "LIFESPAN_QOS_POLICY";
    default: return "INVALID_QOS_POLICY";
  }
}

QoSInitialization::QoSInitialization(
  rmw_qos_history_policy_t history_policy_arg, size_t depth_arg, bool print_depth_warning)
: history_policy(history_policy_arg), depth(depth_arg) {
  if (history_policy == RMW_QOS_POLICY_HISTORY_KEEP_LAST && depth == 0 && print_depth_warning) {
    RCLCPP_WARN_ONCE(rclcpp::get_logger("rclcpp"),
      "A zero depth with KEEP_LAST doesn't make sense; no data could be stored. "
      "This will be interpreted as SYSTEM_DEFAULT");
  }
}

QoSInitialization QoSInitialization::from_rmw(const rmw_qos_profile_t & rmw_qos) {
  if (rmw_qos.history == RMW_QOS_POLICY_HISTORY_KEEP_ALL) { return KeepAll(); }
  return KeepLast(rmw_qos.depth, false);
}

QoS & QoS::keep_last(size_t depth) {
  const KeepLast init(depth);
  return set(&Profile::depth, init.depth).history(init.history_policy);
}

bool operator==(const QoS & left, const QoS & right) {
  const auto & l = left.get_rmw_qos_profile();
  const auto & r = right.get_rmw_qos_profile();
  const auto equal = [](const rmw_time_t & a, const rmw_time_t & b) { return a.sec == b.sec && a.nsec == b.nsec; };
  return l.history == r.history && l.depth == r.depth && l.reliability == r.reliability &&
         l.durability == r.durability && equal(l.deadline, r.deadline) && equal(l.lifespan, r.lifespan) &&
         l.liveliness == r.liveliness && equal(l.liveliness_lease_duration, r.liveliness_lease_duration) &&
         l.avoid_ros_namespace_conventions == r.avoid_ros_namespace_conventions;
}

QoSCheckCompatibleResult qos_check_compatible(const QoS & publisher_qos, const QoS & subscription_qos) {
  rmw_qos_compatibility_type_t compatible;
  char reason[2048] = "";
  const rmw_ret_t ret = rmw_qos_profile_check_compatible(
    publisher_qos.get_rmw_qos_profile(), subscription_qos.get_rmw_qos_profile(), &compatible, reason, sizeof(reason));
  if (ret != RMW_RET_OK) {
    const std::string error = rmw_get_error_string().str;
    rmw_reset_error();
    throw exceptions::QoSCheckCompatibleException(error);
  }
  return {static_cast<QoSCompatibility>(compatible), reason};
}

const char * qos_policy_kind_to_cstr(const QosPolicyKind & qpk) {
  const char * name = rmw_qos_policy_kind_to_str(static_cast<rmw_qos_policy_kind_t>(qpk));
  if (!name) { throw std::invalid_argument("unknown QoS policy kind"); }
  return name;
}

std::ostream & operator<<(std::ostream & os, const QosPolicyKind & qpk) { return os << qos_policy_kind_to_cstr(qpk); }

}  // namespace rclcpp
