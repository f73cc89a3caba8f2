// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <rclcpp/node.hpp>

#include "ambf_teleop/psm_teleop.hpp"
#include "teleop_parameters.hpp"

namespace ambf_arm_nodes
{

/// What a device is shown of the arm: its own loop makes a bounded, passive force of it.
struct FeltArm
{
  ambf_teleop::Pose proxy;      ///< what the hand is held to
  ambf_teleop::Pose reference;  ///< where the hand wants the tip
  Eigen::Quaterniond R_view = Eigen::Quaterniond::Identity();
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< on the tip [N]
};

/// A hand that leads: one of our devices, or a master on CRTK topics.
class TeleopHandTopics
{
public:
  virtual ~TeleopHandTopics() = default;
  /// `moved`: the newest pose has not been read before.
  virtual ambf_teleop::TeleopHand read(bool moved) = 0;
  virtual void obey(const ambf_teleop::TeleopOutput & out) = 0;
  virtual void feel(const FeltArm & arm) = 0;
  /// A force on the handle of a master, axes of its view [N]; until the next one.
  virtual void push(const Eigen::Vector3d & force) = 0;
  /// From the axes of this hand's view to those of our view (x towards the person, y right, z up).
  virtual Eigen::Quaterniond R_view_hand() const = 0;
};

/// `moved` is called with every new pose, `on_error` with what a master tells as an error.
std::unique_ptr<TeleopHandTopics> make_hand(
  rclcpp::Node & node, const TeleopNodeParameters & parameters, std::function<void()> moved,
  std::function<void(const std::string &)> on_error);

}  // namespace ambf_arm_nodes
