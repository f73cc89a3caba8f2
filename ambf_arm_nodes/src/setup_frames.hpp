// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <geometry_msgs/msg/pose_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_arms/arm_control.hpp"
#include "ambf_arms/setup_joints.hpp"
#include "parameters.hpp"

namespace ambf_arm_nodes
{

/// What set-up joints do beside being an arm: they tell the arm that they carry where its base is, in the
/// tip of the reference arm, and their own tip in the same frame. `cart` is the frame in which the set-up
/// joints of all arms know their tips; the reference itself, and all where there is none, are published in it.
class SetupFrames
{
public:
  SetupFrames(
    rclcpp::Node & node, const Parameters & parameters,
    const ambf_arms::ArmDescription & description);

  /// To be called often; `now` is wall time [s]. Frames are published when they change, and at a low rate otherwise.
  void update(ambf_arms::ArmControl & control, double now);

private:
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using String = std_msgs::msg::String;

  void follow(const std::string & reference);
  void choose(const std::string & reference);

  rclcpp::Node & node_;
  std::function<std::string(const std::string &)> topic_;
  std::string carries_, cart_, group_, reference_;
  std::string unheard_;  ///< a reference that was asked for and that nobody publishes
  std::optional<Eigen::Isometry3d> T_cart_reference_, T_reference_tip_;
  std::optional<Eigen::Isometry3d> told_;
  std::string told_in_;
  double told_at_ = -1e300;
  rclcpp::Publisher<PoseStamped>::SharedPtr base_;
  rclcpp::Subscription<PoseStamped>::SharedPtr reference_base_, reference_tip_;
  rclcpp::Subscription<String>::SharedPtr choice_;
};

}  // namespace ambf_arm_nodes
