// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_periodic.hpp"

#include <utility>

#include "crtk_convert.hpp"
#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{
namespace
{

template <class Publisher>
bool heard(const Publisher & publisher)
{
  return publisher && publisher->get_subscription_count() > 0;
}

}  // namespace

template <class Message>
PeriodicTopics::Publisher<Message> PeriodicTopics::make(
  rclcpp::Node & node, const std::string & topic)
{
  rclcpp::PublisherOptions options;
  options.event_callbacks.matched_callback = [this](rclcpp::MatchedInfo & info) {
    if (info.current_count_change > 0) { newcomer_(); }
  };
  return node.create_publisher<Message>(topic, qos::periodic(), options);
}

PeriodicTopics::PeriodicTopics(
  rclcpp::Node & node, const std::string & arm, const std::string & name, ambf_arms::ArmKind kind,
  bool has_jaw, std::function<void()> newcomer)
: name_(name), newcomer_(std::move(newcomer))
{
  measured_cp_ = make<PoseStamped>(node, arm + "/measured_cp");
  setpoint_cp_ = make<PoseStamped>(node, arm + "/setpoint_cp");
  local_measured_cp_ = make<PoseStamped>(node, arm + "/local/measured_cp");
  local_setpoint_cp_ = make<PoseStamped>(node, arm + "/local/setpoint_cp");
  measured_cv_ = make<TwistStamped>(node, arm + "/measured_cv");
  local_measured_cv_ = make<TwistStamped>(node, arm + "/local/measured_cv");
  body_measured_cf_ = make<WrenchStamped>(node, arm + "/body/measured_cf");
  spatial_measured_cf_ = make<WrenchStamped>(node, arm + "/spatial/measured_cf");
  measured_js_ = make<JointState>(node, arm + "/measured_js");
  setpoint_js_ = make<JointState>(node, arm + "/setpoint_js");
  gravity_js_ = make<JointState>(node, arm + "/gravity_compensation/setpoint_js");
  body_jacobian_ = make<Matrix>(node, arm + "/body/jacobian");
  spatial_jacobian_ = make<Matrix>(node, arm + "/spatial/jacobian");
  sim_time_ = make<Time>(node, arm + "/sim_time");
  T_b_w_ = make<PoseStamped>(node, arm + "/T_b_w");
  const bool master = kind == ambf_arms::ArmKind::Mtm;
  if (has_jaw && !master) {
    jaw_measured_js_ = make<JointState>(node, arm + "/jaw/measured_js");
    jaw_setpoint_js_ = make<JointState>(node, arm + "/jaw/setpoint_js");
  }
  if (master) { gripper_measured_js_ = make<JointState>(node, arm + "/gripper/measured_js"); }
  jaw_.name = {master ? "gripper" : "jaw"};
  jaw_.position.resize(1);
  jaw_.velocity.resize(1);
  jaw_.effort.resize(1);
}

void PeriodicTopics::pose(
  const Publisher<PoseStamped> & to, const Eigen::Isometry3d & value, const std::string & in)
{
  if (!heard(to)) { return; }
  pose_.header.stamp = stamp_;
  pose_.header.frame_id = in;
  fill(pose_.pose, value);
  to->publish(pose_);
}

void PeriodicTopics::wrench(
  const Publisher<WrenchStamped> & to, const Vector6 & value, const std::string & in)
{
  if (!heard(to)) { return; }
  wrench_.header.stamp = stamp_;
  wrench_.header.frame_id = in;
  fill(wrench_.wrench, value);
  to->publish(wrench_);
}

void PeriodicTopics::joints(const ambf_arms::ArmControl & arm)
{
  joints_.name = arm.arm().joint_names();
  joints_.header.stamp = stamp_;
  if (heard(measured_js_)) {
    fill(joints_.position, arm.measured().position);
    fill(joints_.velocity, arm.measured().velocity);
    fill(joints_.effort, arm.measured().effort);
    measured_js_->publish(joints_);
  }
  if (heard(gravity_js_)) {
    joints_.position.clear();
    joints_.velocity.clear();
    fill(joints_.effort, arm.gravity_efforts());
    gravity_js_->publish(joints_);
  }
  setpoint_joints(arm);
}

void PeriodicTopics::setpoint_joints(const ambf_arms::ArmControl & arm)
{
  if (heard(setpoint_js_)) {
    joints_.name = arm.arm().joint_names();
    joints_.header.stamp = stamp_;
    fill(joints_.position, arm.setpoint());
    fill(joints_.velocity, arm.setpoint_velocity());
    fill(joints_.effort, arm.setpoint_effort());
    setpoint_js_->publish(joints_);
  }
  if (heard(jaw_setpoint_js_)) {
    jaw_.header.stamp = stamp_;
    jaw_.position[0] = arm.jaw_setpoint();
    jaw_.velocity[0] = arm.jaw_setpoint_velocity();
    jaw_.effort[0] = arm.drives().jaw_mode == ambf_arms::Drive::Effort ? arm.drives().jaw : 0.0;
    jaw_setpoint_js_->publish(jaw_);
  }
}

void PeriodicTopics::jaw(const ambf_arms::ArmControl & arm)
{
  const auto & to = gripper_measured_js_ ? gripper_measured_js_ : jaw_measured_js_;
  if (!heard(to)) { return; }
  jaw_.header.stamp = stamp_;
  jaw_.position[0] = arm.measured().jaw_position;
  jaw_.velocity[0] = arm.measured().jaw_velocity;
  jaw_.effort[0] = arm.measured().jaw_effort;
  to->publish(jaw_);
}

void PeriodicTopics::publish(
  const ambf_arms::ArmControl & arm, const Time & stamp, const Time & simulated)
{
  stamp_ = stamp;
  if (heard(sim_time_)) { sim_time_->publish(simulated); }
  read(arm, readings_);
  const std::string & reference = arm.arm().reference();
  const std::string own = name_ + "_base";
  joints(arm);
  jaw(arm);
  pose(measured_cp_, readings_.measured_cp, reference);
  pose(setpoint_cp_, readings_.setpoint_cp, reference);
  pose(local_measured_cp_, readings_.local_measured_cp, own);
  pose(local_setpoint_cp_, readings_.local_setpoint_cp, own);
  pose(T_b_w_, T_world_base_, "world");
  for (const bool local : {false, true}) {
    const auto & to = local ? local_measured_cv_ : measured_cv_;
    if (!heard(to)) { continue; }
    twist_.header.stamp = stamp_;
    twist_.header.frame_id = local ? name_ : reference;
    fill(twist_.twist, local ? readings_.local_measured_cv : readings_.measured_cv);
    to->publish(twist_);
  }
  wrench(body_measured_cf_, readings_.body_measured_cf, arm.force_absolute() ? reference : name_);
  wrench(spatial_measured_cf_, readings_.spatial_measured_cf, own);
  for (const bool body : {true, false}) {
    const auto & to = body ? body_jacobian_ : spatial_jacobian_;
    if (!heard(to)) { continue; }
    fill(matrix_, body ? readings_.body_jacobian : readings_.spatial_jacobian);
    to->publish(matrix_);
  }
}

void PeriodicTopics::publish_setpoint(const ambf_arms::ArmControl & arm, const Time & stamp)
{
  stamp_ = stamp;
  read_setpoint(arm, readings_);
  pose(setpoint_cp_, readings_.setpoint_cp, arm.arm().reference());
  pose(local_setpoint_cp_, readings_.local_setpoint_cp, name_ + "_base");
  setpoint_joints(arm);
}

}  // namespace ambf_arm_nodes
