// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "parameters.hpp"
#include "roster.hpp"
#include "watch.hpp"

namespace ambf_physics
{

/// What stock tools look for: tf of every body and camera, and for each model joint_states and
/// robot_description. Publishing is for one thread at a time.
class ModelTopics
{
public:
  ModelTopics(rclcpp::Node & node, const Parameters & parameters);

  void rebuild(std::shared_ptr<const Roster> roster);
  void refresh_watched(std::uint64_t step);
  bool anybody_watching() const { return watched_; }
  /// The world changed without a step: tf is told again.
  void owe() { tf_step_ = kNoStep; }
  /// Publishes what is due; returns when the next is [steady ns].
  std::int64_t publish_due(const SharedState & shared, std::int64_t now);
  void publish_all(const SharedState & shared);

private:
  struct Model
  {
    std::vector<ambf_dynamics::JointIndex> joints;
    sensor_msgs::msg::JointState message;
    rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_states;
    rclcpp::Publisher<std_msgs::msg::String>::SharedPtr description;
    bool watched = false;
    std::string urdf;
  };

  void publish_tf(const SharedState & shared);
  void publish_joints(const ambf_dynamics::State & state);
  bool current(const ambf_dynamics::State & state) const
  {
    return roster_ && state.revision == roster_->revision;
  }

  static constexpr std::uint64_t kNoStep = ~std::uint64_t{0};

  rclcpp::Node & node_;
  const Parameters & parameters_;
  std::shared_ptr<const Roster> roster_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_static_;
  tf2_msgs::msg::TFMessage tf_message_;
  std::map<std::string, Model> models_;
  bool tf_watched_ = false;
  bool watched_ = false;
  std::int64_t next_tf_ = 0;
  std::int64_t next_joints_ = 0;
  std::uint64_t tf_step_ = kNoStep;
  Newcomers tf_newcomers_;
};

}  // namespace ambf_physics
