#include "rclcpp/qos.hpp"

#include <string>

#include "rclcpp/logging.hpp"
#include "rmw/error_handling.h"
#include "rmw/types.h"

namespace rclcpp
{

std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind)
{
  switch (policy_kind) {
    case RMW_QOS_POLICY_DURABILITY:
      return "DURABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_DEADLINE:
      return "DEADLINE_QOS_POLICY";
    case RMW_QOS_POLICY_LIVELINESS:
      return "LIVELINESS_QOS_POLICY";
    case RMW_QOS_POLICY_RELIABILITY:
      return "RELIABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_HISTORY:
      return "HISTORY_QOS_POLICY";
    case RMW_QOS_POLICY_LIFESPAN:
      return "LIFESPAN_QOS_POLICY";
    default:
      return "INVALID_QOS_POLICY";
  }
}

QoSInitialization::QoSInitialization(
  rmw_qos_history_policy_t history_policy_arg, size_t depth_arg, bool print_depth_warning)
: history_policy(history_policy_arg), depth(depth_arg)
{
  if (history_policy == RMW_QOS_POLICY_HISTORY_KEEP_LAST && depth == 0 && print_depth_warning) {
    RCLCPP_WARN_ONCE(
      rclcpp::get_logger("rclcpp"),
      "A zero depth with KEEP_LAST doesn't make sense; no data could be stored. "
      "This will be interpreted as SYSTEM_DEFAULT");
  }
}

QoSInitialization QoSInitialization::from_rmw(const rmw_qos_profile_t & rmw_qos)
{
  switch (rmw_qos.history) {
    case RMW_QOS_POLICY_HISTORY_KEEP_ALL:
      return KeepAll();
    case RMW_QOS_POLICY_HISTORY_KEEP_LAST:
    case RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT:
    case RMW_QOS_POLICY_HISTORY_UNKNOWN:
    default:
      return KeepLast(rmw_qos.depth, false);
  }
}

KeepAll::KeepAll()
: QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_ALL, 0) {}

KeepLast::KeepLast(size_t depth, bool print_depth_warning)
: QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_LAST, depth, print_depth_warning) {}

QoS::QoS(const QoSInitialization & qos_initialization, const rmw_qos_profile_t & initial_profile)
: rmw_qos_profile_(initial_profile)
{
  rmw_qos_profile_.history = qos_initialization.history_policy;
  rmw_qos_profile_.depth = qos_initialization.depth;
}

QoS::QoS(size_t history_depth)
: QoS(KeepLast(history_depth)) {}

rmw_qos_profile_t & QoS::get_rmw_qos_profile()
{
  return rmw_qos_profile_;
}

const rmw_qos_profile_t & QoS::get_rmw_qos_profile() const
{
  return rmw_qos_profile_;
}

QoS & QoS::history(rmw_qos_history_policy_t history)
{
  rmw_qos_profile_.history = history;
  return *this;
}

QoS & QoS::history(HistoryPolicy history)
{
  return this->history(static_cast<rmw_qos_history_policy_t>(history));
}

QoS & QoS::keep_last(size_t depth)
{
  if (depth == 0) {
    RCLCPP_WARN_ONCE(
      rclcpp::get_logger("rclcpp"),
      "A zero depth with KEEP_LAST doesn't make sense; no data could be stored. "
      "This will be interpreted as SYSTEM_DEFAULT");
  }
  rmw_qos_profile_.depth = depth;
  return this->history(HistoryPolicy::KeepLast);
}

QoS & QoS::keep_all()
{
  rmw_qos_profile_.depth = 0;
  return this->history(HistoryPolicy::KeepAll);
}

QoS & QoS::reliability(rmw_qos_reliability_policy_t reliability)
{
  rmw_qos_profile_.reliability = reliability;
  return *this;
}

QoS & QoS::reliability(ReliabilityPolicy reliability)
{
  return this->reliability(static_cast<rmw_qos_reliability_policy_t>(reliability));
}

QoS & QoS::reliable()
{
  return this->reliability(ReliabilityPolicy::Reliable);
}

QoS & QoS::best_effort()
{
  return this->reliability(ReliabilityPolicy::BestEffort);
}

QoS & QoS::reliability_best_available()
{
  return this->reliability(ReliabilityPolicy::BestAvailable);
}

QoS & QoS::durability(rmw_qos_durability_policy_t durability)
{
  rmw_qos_profile_.durability = durability;
  return *this;
}

QoS & QoS::durability(DurabilityPolicy durability)
{
  return this->durability(static_cast<rmw_qos_durability_policy_t>(durability));
}

QoS & QoS::durability_volatile()
{
  return this->durability(DurabilityPolicy::Volatile);
}

QoS & QoS::transient_local()
{
  return this->durability(DurabilityPolicy::TransientLocal);
}

QoS & QoS::durability_best_available()
{
  return this->durability(DurabilityPolicy::BestAvailable);
}

QoS & QoS::deadline(rmw_time_t deadline)
{
  rmw_qos_profile_.deadline = deadline;
  return *this;
}

QoS & QoS::deadline(const rclcpp::Duration & deadline)
{
  return this->deadline(deadline.to_rmw_time());
}

QoS & QoS::lifespan(rmw_time_t lifespan)
{
  rmw_qos_profile_.lifespan = lifespan;
  return *this;
}

QoS & QoS::lifespan(const rclcpp::Duration & lifespan)
{
  return this->lifespan(lifespan.to_rmw_time());
}

QoS & QoS::liveliness(rmw_qos_liveliness_policy_t liveliness)
{
  rmw_qos_profile_.liveliness = liveliness;
  return *this;
}

QoS & QoS::liveliness(LivelinessPolicy liveliness)
{
  return this->liveliness(static_cast<rmw_qos_liveliness_policy_t>(liveliness));
}

QoS & QoS::liveliness_lease_duration(rmw_time_t liveliness_lease_duration)
{
  rmw_qos_profile_.liveliness_lease_duration = liveliness_lease_duration;
  return *this;
}

QoS & QoS::liveliness_lease_duration(const rclcpp::Duration & liveliness_lease_duration)
{
  return this->liveliness_lease_duration(liveliness_lease_duration.to_rmw_time());
}

QoS & QoS::avoid_ros_namespace_conventions(bool avoid_ros_namespace_conventions)
{
  rmw_qos_profile_.avoid_ros_namespace_conventions = avoid_ros_namespace_conventions;
  return *this;
}

HistoryPolicy QoS::history() const
{
  return static_cast<HistoryPolicy>(rmw_qos_profile_.history);
}

size_t QoS::depth() const
{
  return rmw_qos_profile_.depth;
}

ReliabilityPolicy QoS::reliability() const
{
  return static_cast<ReliabilityPolicy>(rmw_qos_profile_.reliability);
}

DurabilityPolicy QoS::durability() const
{
  return static_cast<DurabilityPolicy>(rmw_qos_profile_.durability);
}

rclcpp::Duration QoS::deadline() const
{
  return Duration::from_rmw_time(rmw_qos_profile_.deadline);
}

rclcpp::Duration QoS::lifespan() const
{
  return Duration::from_rmw_time(rmw_qos_profile_.lifespan);
}

LivelinessPolicy QoS::liveliness() const
{
  return static_cast<LivelinessPolicy>(rmw_qos_profile_.liveliness);
}

rclcpp::Duration QoS::liveliness_lease_duration() const
{
  return Duration::from_rmw_time(rmw_qos_profile_.liveliness_lease_duration);
}

bool QoS::avoid_ros_namespace_conventions() const
{
  return rmw_qos_profile_.avoid_ros_namespace_conventions;
}

namespace
{

bool equal(const rmw_time_t & left, const rmw_time_t & right)
{
  return left.sec == right.sec && left.nsec == right.nsec;
}

}  // namespace

bool operator==(const QoS & left, const QoS & right)
{
  const auto & l = left.get_rmw_qos_profile();
  const auto & r = right.get_rmw_qos_profile();
  return l.history == r.history && l.depth == r.depth && l.reliability == r.reliability &&
         l.durability == r.durability && equal(l.deadline, r.deadline) &&
         equal(l.lifespan, r.lifespan) && l.liveliness == r.liveliness &&
         equal(l.liveliness_lease_duration, r.liveliness_lease_duration) &&
         l.avoid_ros_namespace_conventions == r.avoid_ros_namespace_conventions;
}

bool operator!=(const QoS & left, const QoS & right)
{
  return !(left == right);
}

QoSCheckCompatibleResult qos_check_compatible(
  const QoS & publisher_qos, const QoS & subscription_qos)
{
  rmw_qos_compatibility_type_t compatible;
  constexpr size_t reason_size = 2048;
  char reason[reason_size] = "";
  const rmw_ret_t ret = rmw_qos_profile_check_compatible(
    publisher_qos.get_rmw_qos_profile(), subscription_qos.get_rmw_qos_profile(), &compatible,
    reason, reason_size);
  if (ret != RMW_RET_OK) {
    const std::string error = rmw_get_error_string().str;
    rmw_reset_error();
    throw exceptions::QoSCheckCompatibleException(error);
  }
  QoSCheckCompatibleResult result;
  result.reason = reason;
  result.compatibility = static_cast<QoSCompatibility>(compatible);
  return result;
}

ClockQoS::ClockQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization)
{
  best_effort();
}

SensorDataQoS::SensorDataQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization, rmw_qos_profile_sensor_data) {}

ParametersQoS::ParametersQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization, rmw_qos_profile_parameters) {}

ServicesQoS::ServicesQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization, rmw_qos_profile_services_default) {}

ParameterEventsQoS::ParameterEventsQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization, rmw_qos_profile_parameter_events) {}

RosoutQoS::RosoutQoS(const QoSInitialization & rosout_qos_profile)
: QoS(rosout_qos_profile, rcl_qos_profile_rosout_default) {}

SystemDefaultsQoS::SystemDefaultsQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization, rmw_qos_profile_system_default) {}

BestAvailableQoS::BestAvailableQoS(const QoSInitialization & qos_initialization)
: QoS(qos_initialization, rmw_qos_profile_best_available) {}

}  // namespace rclcpp
