// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <geometry_msgs/msg/quaternion_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joy.hpp>

#include "ambf_teleop/psm_teleop.hpp"
#include "captions.hpp"
#include "teleop_follower.hpp"
#include "teleop_hand.hpp"
#include "teleop_parameters.hpp"
#include "teleop_topics.hpp"
#include "teleop_view.hpp"

namespace ambf_arm_nodes
{

/// One hand on one arm, or two hands on an endoscope, on the topics of a dVRK. Each pose of the hand leads to one command of the arm,
/// in the callback that brings it; a timer looks after silences and states.
class TeleopPsm : public rclcpp::Node
{
public:
  explicit TeleopPsm(const rclcpp::NodeOptions & options);

private:
  void tick(bool moved);
  void send(const ambf_teleop::TeleopInput & input, const ambf_teleop::TeleopOutput & out);
  void feel(const ambf_teleop::TeleopInput & input);
  void publish_events();
  /// To topics, the log, and the picture.
  void warn(const std::string & text);
  void tell_what_is_missing(bool view);
  void tell_what_is_beyond_reach();

  TeleopNodeParameters parameters_;
  ambf_teleop::PsmTeleop teleop_;
  std::unique_ptr<TeleopTopics> topics_;
  std::unique_ptr<TeleopCaptions> captions_;
  std::vector<ambf_teleop::TeleopEvent> told_;  ///< of one tick
  std::unique_ptr<TeleopHandTopics> hand_;
  std::unique_ptr<TeleopFollower> follower_;
  std::unique_ptr<TeleopView> view_;
  ambf_teleop::TeleopInput input_;
  ambf_teleop::TeleopOutput out_;
  bool pedal_ = false;
  double ticked_at_;
  double missing_since_ = -1.0;
  double beyond_since_ = -1.0;
  bool beyond_told_ = false;
  rclcpp::Publisher<geometry_msgs::msg::QuaternionStamped>::SharedPtr offset_;
  rclcpp::Subscription<sensor_msgs::msg::Joy>::SharedPtr clutch_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_arm_nodes
