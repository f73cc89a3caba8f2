// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include <builtin_interfaces/msg/time.hpp>
#include <rclcpp/rclcpp.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "ambf_arms/arm_control.hpp"
#include "parameters.hpp"

namespace ambf_arm_nodes
{

/// What an arm tells to tf: its tip in the frame of its poses, `PSM1_base` -> `PSM1` as the dVRK
/// does, and its base in the world, `world` -> `PSM1_base`. Set-up joints that carry the reference arm
/// tell where the cart is, too. Stamps are of simulated time, as those of the bodies.
class ArmFrames
{
public:
  using Time = builtin_interfaces::msg::Time;

  ArmFrames(
    rclcpp::Node & node, const Parameters & parameters,
    const ambf_arms::ArmDescription & description);

  /// To be called often; `simulated` is the time of what was measured, `now` that of the wall [s].
  void update(
    const ambf_arms::ArmControl & arm, const Eigen::Isometry3d & T_world_base,
    const Time & simulated, double now);

private:
  void put(
    const std::string & parent, const std::string & child, const Eigen::Isometry3d & pose,
    const Time & stamp);

  std::string prefix_;  ///< the node's namespace, which frames of bodies have before them, too
  std::string name_, cart_;
  double period_ = 0.0;  ///< [s]; 0: nothing is published
  double next_ = 0.0;
  Time published_;
  bool newcomer_ = true;  ///< a reader has come since the last publication
  std::size_t count_ = 0;
  tf2_msgs::msg::TFMessage message_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr topic_;
};

}  // namespace ambf_arm_nodes
