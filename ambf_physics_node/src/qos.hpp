// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

#include <rclcpp/publisher_options.hpp>
#include <rclcpp/qos.hpp>

namespace ambf_physics::qos
{

/// State and Command topics, and the snapshot: the newest value, reliably.
inline rclcpp::QoS latest() { return rclcpp::QoS(1).reliable(); }
/// The hands' hot path: what is lost is not asked for again, the next is newer.
inline rclcpp::QoS newest() { return rclcpp::QoS(1).best_effort(); }
/// Late joiners get the last one: manifest, robot descriptions.
inline rclcpp::QoS latched() { return rclcpp::QoS(1).reliable().transient_local(); }
/// Barrier answers and hellos: none may be lost.
inline rclcpp::QoS events() { return rclcpp::QoS(100).reliable(); }
/// Membership: the middleware renews the lease while the publisher lives.
inline rclcpp::QoS lease(std::chrono::nanoseconds duration)
{
  return rclcpp::QoS(10)
    .reliable()
    .liveliness(rclcpp::LivelinessPolicy::Automatic)
    .liveliness_lease_duration(rclcpp::Duration(duration));
}

/// For publishers of what is latched: all of it goes through the middleware. rclcpp up to 28.1.6 keeps
/// what a component says within its process until a reader elsewhere is known, and who joins later
/// never gets it (ros2/rclcpp#2704). Nothing latched is large or frequent enough to miss zero copy.
inline rclcpp::PublisherOptions to_late_joiners()
{
  rclcpp::PublisherOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return options;
}

/// History, depth and reliability may be changed by parameters, `qos_overrides.<topic>.publisher.<policy>`.
/// Object topics are many: theirs is the parameter state_depth.
inline rclcpp::PublisherOptions overridable()
{
  rclcpp::PublisherOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  return options;
}

}  // namespace ambf_physics::qos
