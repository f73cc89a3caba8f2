// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/logging_rosout.h"
#include "rclcpp/duration.hpp"
#include "rclcpp/exceptions.hpp"
#include "rmw/incompatible_qos_events_statuses.h"
#include "rmw/qos_profiles.h"

namespace rclcpp {

std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind);

enum class HistoryPolicy {
  KeepLast = RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  KeepAll = RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  SystemDefault = RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  Unknown = RMW_QOS_POLICY_HISTORY_UNKNOWN,
};

enum class ReliabilityPolicy {
  BestEffort = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  Reliable = RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  SystemDefault = RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  BestAvailable = RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE,
  Unknown = RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
};

enum class DurabilityPolicy {
  Volatile = RMW_QOS_POLICY_DURABILITY_VOLATILE,
  TransientLocal = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  SystemDefault = RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  BestAvailable = RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE,
  Unknown = RMW_QOS_POLICY_DURABILITY_UNKNOWN,
};

enum class LivelinessPolicy {
  Automatic = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC,
  ManualByTopic = RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC,
  SystemDefault = RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT,
  BestAvailable = RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE,
  Unknown = RMW_QOS_POLICY_LIVELINESS_UNKNOWN,
};

enum class QoSCompatibility {
  Ok = RMW_QOS_COMPATIBILITY_OK,
  Warning = RMW_QOS_COMPATIBILITY_WARNING,
  Error = RMW_QOS_COMPATIBILITY_ERROR,
};

/// The history part, which every profile must state.
struct QoSInitialization {
  rmw_qos_history_policy_t history_policy;
  size_t depth;

  QoSInitialization(rmw_qos_history_policy_t history_policy_arg, size_t depth_arg, bool print_depth_warning = true);
  static QoSInitialization from_rmw(const rmw_qos_profile_t & rmw_qos);
};

struct KeepAll : public QoSInitialization {
  KeepAll() : QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_ALL, 0) {}
};

struct KeepLast : public QoSInitialization {
  explicit KeepLast(size_t depth, bool print_depth_warning = true)
  : QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_LAST, depth, print_depth_warning) {}
};

/// Quality of service; setters return *this for chaining.
class QoS {
public:
  explicit QoS(
    const QoSInitialization & qos_initialization, const rmw_qos_profile_t & initial_profile = rmw_qos_profile_default)
  : profile_(initial_profile) {
    profile_.history = qos_initialization.history_policy;
    profile_.depth = qos_initialization.depth;
  }
  // Implicit so that a plain number means KeepLast(number).
  QoS(size_t history_depth) : QoS(KeepLast(history_depth)) {}  // NOLINT(runtime/explicit)

  rmw_qos_profile_t & get_rmw_qos_profile() { return profile_; }
  const rmw_qos_profile_t & get_rmw_qos_profile() const { return profile_; }

  QoS & history(rmw_qos_history_policy_t policy) { return set(&Profile::history, policy); }
  QoS & history(HistoryPolicy policy) { return set(&Profile::history, policy); }
  QoS & keep_last(size_t depth);
  QoS & keep_all() { return set(&Profile::depth, 0u).history(HistoryPolicy::KeepAll); }
  QoS & reliability(rmw_qos_reliability_policy_t policy) { return set(&Profile::reliability, policy); }
  QoS & reliability(ReliabilityPolicy policy) { return set(&Profile::reliability, policy); }
  QoS & reliable() { return reliability(ReliabilityPolicy::Reliable); }
  QoS & best_effort() { return reliability(ReliabilityPolicy::BestEffort); }
  QoS & reliability_best_available() { return reliability(ReliabilityPolicy::BestAvailable); }
  QoS & durability(rmw_qos_durability_policy_t policy) { return set(&Profile::durability, policy); }
  QoS & durability(DurabilityPolicy policy) { return set(&Profile::durability, policy); }
  QoS & durability_volatile() { return durability(DurabilityPolicy::Volatile); }
  QoS & transient_local() { return durability(DurabilityPolicy::TransientLocal); }
  QoS & durability_best_available() { return durability(DurabilityPolicy::BestAvailable); }
  QoS & deadline(rmw_time_t time) { return set(&Profile::deadline, time); }
  QoS & deadline(const Duration & time) { return deadline(time.to_rmw_time()); }
  QoS & lifespan(rmw_time_t time) { return set(&Profile::lifespan, time); }
  QoS & lifespan(const Duration & time) { return lifespan(time.to_rmw_time()); }
  QoS & liveliness(rmw_qos_liveliness_policy_t policy) { return set(&Profile::liveliness, policy); }
  QoS & liveliness(LivelinessPolicy policy) { return set(&Profile::liveliness, policy); }
  QoS & liveliness_lease_duration(rmw_time_t time) { return set(&Profile::liveliness_lease_duration, time); }
  QoS & liveliness_lease_duration(const Duration & time) { return liveliness_lease_duration(time.to_rmw_time()); }
  QoS & avoid_ros_namespace_conventions(bool avoid) { return set(&Profile::avoid_ros_namespace_conventions, avoid); }

  HistoryPolicy history() const { return static_cast<HistoryPolicy>(profile_.history); }
  size_t depth() const { return profile_.depth; }
  ReliabilityPolicy reliability() const { return static_cast<ReliabilityPolicy>(profile_.reliability); }
  DurabilityPolicy durability() const { return static_cast<DurabilityPolicy>(profile_.durability); }
  Duration deadline() const { return Duration::from_rmw_time(profile_.deadline); }
  Duration lifespan() const { return Duration::from_rmw_time(profile_.lifespan); }
  LivelinessPolicy liveliness() const { return static_cast<LivelinessPolicy>(profile_.liveliness); }
  Duration liveliness_lease_duration() const { return Duration::from_rmw_time(profile_.liveliness_lease_duration); }
  bool avoid_ros_namespace_conventions() const { return profile_.avoid_ros_namespace_conventions; }

private:
  using Profile = rmw_qos_profile_t;

  template <typename MemberT, typename ValueT> QoS & set(MemberT Profile::*member, ValueT value) {
    profile_.*member = static_cast<MemberT>(value);
    return *this;
  }

  rmw_qos_profile_t profile_;
};

bool operator==(const QoS & left, const QoS & right);
inline bool operator!=(const QoS & left, const QoS & right) { return !(left == right); }

struct QoSCheckCompatibleResult {
  QoSCompatibility compatibility;
  /// Why not, or what is not certain; empty when compatible.
  std::string reason;
};

QoSCheckCompatibleResult qos_check_compatible(const QoS & publisher_qos, const QoS & subscription_qos);

struct ClockQoS : public QoS {
  explicit ClockQoS(const QoSInitialization & init = KeepLast(1)) : QoS(init) { best_effort(); }
};

struct SensorDataQoS : public QoS {
  explicit SensorDataQoS(const QoSInitialization & init = QoSInitialization::from_rmw(rmw_qos_profile_sensor_data))
  : QoS(init, rmw_qos_profile_sensor_data) {}
};

struct ParametersQoS : public QoS {
  explicit ParametersQoS(const QoSInitialization & init = QoSInitialization::from_rmw(rmw_qos_profile_parameters))
  : QoS(init, rmw_qos_profile_parameters) {}
};

struct ServicesQoS : public QoS {
  explicit ServicesQoS(const QoSInitialization & init = QoSInitialization::from_rmw(rmw_qos_profile_services_default))
  : QoS(init, rmw_qos_profile_services_default) {}
};

struct ParameterEventsQoS : public QoS {
  explicit ParameterEventsQoS(
    const QoSInitialization & init = QoSInitialization::from_rmw(rmw_qos_profile_parameter_events))
  : QoS(init, rmw_qos_profile_parameter_events) {}
};

struct RosoutQoS : public QoS {
  explicit RosoutQoS(const QoSInitialization & init = QoSInitialization::from_rmw(rcl_qos_profile_rosout_default))
  : QoS(init, rcl_qos_profile_rosout_default) {}
};

struct SystemDefaultsQoS : public QoS {
  explicit SystemDefaultsQoS(
    const QoSInitialization & init = QoSInitialization::from_rmw(rmw_qos_profile_system_default))
  : QoS(init, rmw_qos_profile_system_default) {}
};

struct BestAvailableQoS : public QoS {
  explicit BestAvailableQoS(
    const QoSInitialization & init = QoSInitialization::from_rmw(rmw_qos_profile_best_available))
  : QoS(init, rmw_qos_profile_best_available) {}
};

}  // namespace rclcpp
