// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <geometry_msgs/msg/pose_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_srvs/srv/trigger.hpp>

namespace ambf_bench
{

/// Answers each pose of one topic with the same pose on another: what a topic round trip costs by itself.
/// Quality of service as an arm has it.
class PoseEcho : public rclcpp::Node
{
public:
  explicit PoseEcho(const rclcpp::NodeOptions & options);

private:
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  rclcpp::Publisher<PoseStamped>::SharedPtr out_;
  rclcpp::Subscription<PoseStamped>::SharedPtr in_;
};

/// Sends poses that differ in turn by 0.2 mm and waits for each to come back on another topic, be it from an arm,
/// which tells its set-point all the time, or from an echo. The service `~/run` makes `count` round trips and answers
/// with their times.
class RoundTrips : public rclcpp::Node
{
public:
  explicit RoundTrips(const rclcpp::NodeOptions & options);

private:
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using Trigger = std_srvs::srv::Trigger;

  void hear(const PoseStamped & message);
  void send();

  std::size_t count_;
  PoseStamped pose_;
  double centre_ = 0.0;        ///< x of the pose at which a run begins [m]
  double start_ = 0.0;         ///< [us]
  std::vector<double> times_;  ///< [us]
  std::shared_ptr<rmw_request_id_t> asked_;
  rclcpp::Publisher<PoseStamped>::SharedPtr out_;
  rclcpp::Subscription<PoseStamped>::SharedPtr in_;
  rclcpp::Service<Trigger>::SharedPtr run_;
};

}  // namespace ambf_bench
