// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include <ambf_msgs/msg/camera_state.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <rclcpp/rclcpp.hpp>

#include "teleop_parameters.hpp"

namespace ambf_arm_nodes
{

/// How the picture lies that the person sees: by it the hand's motion becomes the arm's.
class TeleopView
{
public:
  /// `R_view_hand`: axes of the hand in those of our view.
  TeleopView(
    rclcpp::Node & node, const TeleopNodeParameters & parameters,
    const Eigen::Quaterniond & R_view_hand);

  /// Axes of the hand in the arm's base; nothing while it is not known where the picture lies.
  std::optional<Eigen::Quaterniond> R_base_hand(const ambf_teleop::Pose & T_reference_base) const;
  /// What is waited for, in words.
  std::string missing() const;

private:
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using Rotation = std::optional<Eigen::Quaterniond>;

  void find_camera(rclcpp::Node & node, const ambf_msgs::msg::WorldManifest & manifest);
  rclcpp::Subscription<PoseStamped>::SharedPtr listen(
    rclcpp::Node & node, const std::string & topic, Rotation & into);

  ViewParameters parameters_;
  std::string arm_;
  Eigen::Quaterniond R_view_hand_;
  Rotation R_world_base_, R_world_camera_, R_world_endoscope_base_, R_base_endoscope_;
  std::string camera_topic_;
  bool camera_found_ = false;
  rclcpp::Subscription<ambf_msgs::msg::WorldManifest>::SharedPtr manifest_;
  rclcpp::Subscription<ambf_msgs::msg::CameraState>::SharedPtr camera_;
  rclcpp::Subscription<PoseStamped>::SharedPtr base_, endoscope_base_, endoscope_;
};

}  // namespace ambf_arm_nodes
