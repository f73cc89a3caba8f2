// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rclcpp/publisher_options.hpp>
#include <rclcpp/qos.hpp>
#include <rclcpp/subscription_options.hpp>

namespace ambf_arm_nodes::qos
{

/// Data: reliable, because a console asks for it; what a slow reader has not taken is replaced.
inline rclcpp::QoS periodic() { return rclcpp::QoS(10).reliable(); }
/// tf, as its listeners ask for it.
inline rclcpp::QoS frames() { return rclcpp::QoS(100).reliable(); }
/// Events, kept for those who come later and ask for them. Deep enough for a burst.
inline rclcpp::QoS events() { return rclcpp::QoS(20).reliable().transient_local(); }
/// What has one value: only the newest is kept.
inline rclcpp::QoS value() { return rclcpp::QoS(1).reliable().transient_local(); }
/// Commands of which none may be lost.
inline rclcpp::QoS orders() { return rclcpp::QoS(100).reliable(); }
/// Streams: the newest counts.
inline rclcpp::QoS stream() { return rclcpp::QoS(1).reliable(); }
/// Commands that were given before we were found.
inline rclcpp::QoS earlier_orders() { return rclcpp::QoS(100).reliable().transient_local(); }

/// For publishers of what is kept for late comers: all of it goes through the middleware. rclcpp up to
/// 28.1.6 keeps what a component says within its process until a reader elsewhere is known, and who
/// joins later never gets it (ros2/rclcpp#2704).
inline rclcpp::PublisherOptions to_late_joiners()
{
  rclcpp::PublisherOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return options;
}

}  // namespace ambf_arm_nodes::qos
