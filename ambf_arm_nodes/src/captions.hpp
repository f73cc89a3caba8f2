// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ambf_msgs/msg/caption.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_teleop/psm_teleop.hpp"

namespace ambf_arm_nodes
{

/// A source of lines for the people at the world.
class Captions
{
public:
  /// `world`: namespace of its topics.
  Captions(rclcpp::Node & node, const std::string & world, const std::string & source);

  /// Replaces the line that is there. `duration` [s]; 0: it stays.
  void say(std::uint8_t level, const std::string & text, float duration);

private:
  ambf_msgs::msg::Caption message_;
  rclcpp::Publisher<ambf_msgs::msg::Caption>::SharedPtr publisher_;
};

/// What a teleoperation tells the person whose hand it is: who leads, and what is wrong as long as it is.
class TeleopCaptions
{
public:
  /// `topic` of the teleoperation; `leads`: what is said when the hand leads the arm.
  TeleopCaptions(
    rclcpp::Node & node, const std::string & world, const std::string & topic,
    const std::string & leads);

  /// The events of one tick, in their order.
  void tell(const std::vector<ambf_teleop::TeleopEvent> & events);

private:
  Captions captions_;
  std::string leads_;
  bool problem_ = false;  ///< the line that is there says why the hand does not lead
};

}  // namespace ambf_arm_nodes
