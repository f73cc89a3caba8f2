// SPDX-License-Identifier: BSD-3-Clause
#include "setup_frames.hpp"

#include <utility>

#include "crtk_convert.hpp"
#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{
namespace
{

/// Frames are published at most so often, and at least [s of wall time].
constexpr double shortest_period = 0.02, longest_period = 1.0;
/// What moves less has not moved [m, rad].
constexpr double unmoved = 1e-7;

bool same(const Eigen::Isometry3d & a, const Eigen::Isometry3d & b)
{
  return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff() < unmoved;
}

}  // namespace

SetupFrames::SetupFrames(
  rclcpp::Node & node, const Parameters & parameters, const ambf_arms::ArmDescription & description)
: node_(node),
  topic_([&parameters](const std::string & name) { return topic_of(parameters, name); }),
  carries_(description.carries),
  cart_(description.reference.empty() ? "cart" : description.reference),
  group_(description.topic.substr(0, description.topic.rfind('/')))
{
  if (group_.empty() || group_ == description.topic) { group_ = "SUJ"; }
  base_ = node.create_publisher<PoseStamped>(topic_(carries_) + "/set_base_frame", qos::orders());
  choice_ = node.create_subscription<String>(
    topic_(group_) + "/set_reference_arm", qos::orders(),
    [this](String::ConstSharedPtr message) { choose(message->data); });
  follow(description.reference_arm);
}

void SetupFrames::choose(const std::string & reference)
{
  // Nobody is taken for a reference of whom nothing is heard.
  const bool known =
    reference.empty() || reference == carries_ ||
    node_.count_publishers(topic_(group_ + "/" + reference) + "/local/measured_cp") > 0;
  if (!known) {
    unheard_ = reference.substr(0, 64);
    return;
  }
  if (reference != reference_) { follow(reference); }
}

void SetupFrames::follow(const std::string & reference)
{
  reference_ = reference;
  T_cart_reference_.reset();
  T_reference_tip_.reset();
  reference_base_.reset();
  reference_tip_.reset();
  if (reference.empty() || reference == carries_) { return; }
  const auto listen = [this](const std::string & arm, std::optional<Eigen::Isometry3d> & to) {
    return node_.create_subscription<PoseStamped>(
      topic_(arm) + "/local/measured_cp", qos::stream(),
      [&to](PoseStamped::ConstSharedPtr message) {
        if (const auto pose = to_pose(message->pose)) { to = *pose; }
      });
  };
  reference_base_ = listen(group_ + "/" + reference, T_cart_reference_);
  reference_tip_ = listen(reference, T_reference_tip_);
}

void SetupFrames::update(ambf_arms::ArmControl & control, double now)
{
  if (!unheard_.empty()) {
    control.tell(
      ambf_arms::ControlEvent::Kind::Warning,
      control.arm().name() + ": set_reference_arm, nothing is heard of an arm '" +
        std::exchange(unheard_, "") + "' on set-up joints; the reference stays '" + reference_ +
        "'");
  }
  if (now - told_at_ < shortest_period || !control.measured_now()) { return; }
  const auto T_cart_base = control.arm().forward_local(control.measured().position);
  if (!T_cart_base) { return; }
  const bool in_cart = reference_.empty() || reference_ == carries_;
  if (!in_cart && !(T_cart_reference_ && T_reference_tip_)) { return; }
  const ambf_arms::ReferenceArm reference =
    in_cart ? ambf_arms::ReferenceArm{}
            : ambf_arms::ReferenceArm{*T_cart_reference_, *T_reference_tip_};
  const std::string & in = in_cart ? cart_ : reference_;
  const Eigen::Isometry3d base = ambf_arms::base_in_tip(reference, *T_cart_base);
  const bool news = !told_ || in != told_in_ || !same(base, *told_);
  if (!news && now - told_at_ < longest_period) { return; }
  PoseStamped message;
  message.header.frame_id = in;
  message.header.stamp = rclcpp::Clock(RCL_SYSTEM_TIME).now();
  fill(message.pose, base);
  base_->publish(message);
  control.set_base_frame(ambf_arms::cart_in_tip(reference), in);
  told_ = base;
  told_in_ = in;
  told_at_ = now;
}

}  // namespace ambf_arm_nodes
