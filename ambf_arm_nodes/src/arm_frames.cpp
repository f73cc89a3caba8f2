// SPDX-License-Identifier: BSD-3-Clause
#include "arm_frames.hpp"

#include <algorithm>

#include "crtk_convert.hpp"
#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{

ArmFrames::ArmFrames(
  rclcpp::Node & node, const Parameters & parameters, const ambf_arms::ArmDescription & description)
: prefix_(parameters.below.empty() ? "" : parameters.below.substr(1) + "/"), name_(description.name)
{
  if (parameters.tf_rate <= 0.0) { return; }
  period_ = 1.0 / parameters.tf_rate;
  if (!description.carries.empty() && description.carries == description.reference_arm) {
    cart_ = description.reference.empty() ? "cart" : description.reference;
  }
  rclcpp::PublisherOptions options;
  options.event_callbacks.matched_callback = [this](rclcpp::MatchedInfo & info) {
    newcomer_ |= info.current_count_change > 0;
  };
  topic_ = node.create_publisher<tf2_msgs::msg::TFMessage>("/tf", qos::frames(), options);
}

void ArmFrames::put(
  const std::string & parent, const std::string & child, const Eigen::Isometry3d & pose,
  const Time & stamp)
{
  if (message_.transforms.size() <= count_) { message_.transforms.resize(count_ + 1); }
  auto & to = message_.transforms[count_++];
  to.header.stamp = stamp;
  to.header.frame_id.assign(prefix_).append(parent);
  to.child_frame_id.assign(prefix_).append(child);
  fill(to.transform, pose);
}

void ArmFrames::update(
  const ambf_arms::ArmControl & arm, const Eigen::Isometry3d & T_world_base, const Time & simulated,
  double now)
{
  if (!topic_ || now < next_ || !arm.measured_now()) { return; }
  if (topic_->get_subscription_count() == 0) { return; }
  // tf2 warns about repeated stamps: a world that waits has something to say to newcomers only.
  if (simulated == published_ && !newcomer_) { return; }
  next_ = std::max(next_ + period_, now);
  published_ = simulated;
  newcomer_ = false;
  count_ = 0;
  put("world", name_ + "_base", T_world_base, simulated);
  if (!cart_.empty()) { put("world", cart_, T_world_base, simulated); }
  const std::string & reference = arm.arm().reference();
  const auto tip = arm.arm().forward(arm.measured().position);
  // A frame in itself is nothing that tf could use.
  if (arm.valid() && tip && reference != name_) { put(reference, name_, *tip, simulated); }
  message_.transforms.resize(count_);
  topic_->publish(message_);
}

}  // namespace ambf_arm_nodes
