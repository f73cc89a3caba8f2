// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ambf_msgs/msg/device_sample.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_srvs/srv/trigger.hpp>

namespace ambf_bench
{

/// Answers each sample of a hand with its pose: the bare hop in the place of a teleoperation. With PoseEcho behind it, it
/// is a chain of as many topics, of the same types, as hand, teleoperation and arm.
class SampleEcho : public rclcpp::Node
{
public:
  explicit SampleEcho(const rclcpp::NodeOptions & options);

private:
  using DeviceSample = ambf_msgs::msg::DeviceSample;
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  rclcpp::Publisher<PoseStamped>::SharedPtr out_;
  rclcpp::Subscription<DeviceSample>::SharedPtr in_;
};

/// A hand that moves to and fro by 0.2 mm, each time when the arm's set-point has followed the time before. The service
/// `~/run` makes `count` such moves and answers with the times that they took. The hand is held still between runs, and
/// is never silent for long.
class HandTrips : public rclcpp::Node
{
public:
  explicit HandTrips(const rclcpp::NodeOptions & options);

private:
  using DeviceSample = ambf_msgs::msg::DeviceSample;
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using Trigger = std_srvs::srv::Trigger;

  void hear(const PoseStamped & message);
  void send();

  std::size_t count_;
  DeviceSample sample_;
  double side_ = 0.0;          ///< how far the hand is to its side [m]
  double from_ = 0.0;          ///< x of the set-point before this move [m]
  double start_ = 0.0;         ///< [us]
  std::vector<double> times_;  ///< [us]
  std::shared_ptr<rmw_request_id_t> asked_;
  rclcpp::Publisher<DeviceSample>::SharedPtr out_;
  rclcpp::Subscription<PoseStamped>::SharedPtr in_;
  rclcpp::Service<Trigger>::SharedPtr run_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_bench
