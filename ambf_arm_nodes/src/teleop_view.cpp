// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_view.hpp"

#include "crtk_qos.hpp"
#include "teleop_convert.hpp"

namespace ambf_arm_nodes
{
namespace
{

/// An endoscope's tip has x to the left of its picture, y up and z away, as a dVRK's.
Eigen::Quaterniond R_tip_view()
{
  Eigen::Matrix3d axes;
  axes.col(0) = -Eigen::Vector3d::UnitZ();  // towards the person
  axes.col(1) = -Eigen::Vector3d::UnitX();  // right
  axes.col(2) = Eigen::Vector3d::UnitY();   // up
  return Eigen::Quaterniond(axes);
}

}  // namespace

TeleopView::TeleopView(
  rclcpp::Node & node, const TeleopNodeParameters & parameters,
  const Eigen::Quaterniond & R_view_hand)
: parameters_(parameters.view), arm_(parameters.arm), R_view_hand_(R_view_hand)
{
  const bool camera = parameters_.kind == ViewKind::Camera;
  if (!camera && parameters_.kind != ViewKind::Endoscope) { return; }
  base_ = listen(node, parameters.below + "/" + parameters.arm + "/T_b_w", R_world_base_);
  if (camera) {
    manifest_ = node.create_subscription<ambf_msgs::msg::WorldManifest>(
      parameters.world + "/World/Manifest", rclcpp::QoS(1).reliable().transient_local(),
      [this, &node](ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest) {
        find_camera(node, *manifest);
      });
    return;
  }
  const std::string endoscope = parameters.below + "/" + parameters_.of;
  endoscope_base_ = listen(node, endoscope + "/T_b_w", R_world_endoscope_base_);
  endoscope_ = listen(node, endoscope + "/local/setpoint_cp", R_base_endoscope_);
}

rclcpp::Subscription<geometry_msgs::msg::PoseStamped>::SharedPtr TeleopView::listen(
  rclcpp::Node & node, const std::string & topic, Rotation & into)
{
  return node.create_subscription<PoseStamped>(
    topic, qos::stream(), [&into](PoseStamped::ConstSharedPtr pose) {
      const auto read = to_teleop_pose(pose->pose);
      const auto & stamp = pose->header.stamp;
      if (read && (stamp.sec != 0 || stamp.nanosec != 0)) { into = read->orientation; }
    });
}

void TeleopView::find_camera(rclcpp::Node & node, const ambf_msgs::msg::WorldManifest & manifest)
{
  std::string names;
  for (const auto & camera : manifest.cameras) {
    names += (names.empty() ? "" : ", ") + camera.name;
    const std::string & id = camera.identifier;
    const bool meant = camera.name == parameters_.of || id == parameters_.of ||
                       id.substr(id.rfind('/') + 1) == parameters_.of;
    if (!meant) { continue; }
    camera_found_ = true;
    if (camera.topic == camera_topic_) { return; }
    camera_topic_ = camera.topic;
    camera_ = node.create_subscription<ambf_msgs::msg::CameraState>(
      camera.topic + "/State", qos::stream(),
      [this](ambf_msgs::msg::CameraState::ConstSharedPtr state) {
        // One that a body carries tells its pose on that body, which is not followed here.
        const auto read = to_teleop_pose(state->pose);
        if (read && state->parent_name.empty()) { R_world_camera_ = read->orientation; }
      });
    return;
  }
  RCLCPP_ERROR(
    node.get_logger(), "view_of: found '%s', expected a camera of the world: %s",
    parameters_.of.c_str(), names.empty() ? "it has none" : names.c_str());
}

std::string TeleopView::missing() const
{
  if (!R_world_base_) { return "/" + arm_ + "/T_b_w"; }
  if (parameters_.kind == ViewKind::Endoscope) {
    return "/" + parameters_.of + "/T_b_w and /" + parameters_.of + "/local/setpoint_cp";
  }
  return camera_found_ ? camera_topic_ + "/State, of a camera that no body carries"
                       : "the camera '" + parameters_.of + "' of the world";
}

std::optional<Eigen::Quaterniond> TeleopView::R_base_hand(
  const ambf_teleop::Pose & T_reference_base) const
{
  const Eigen::Quaterniond R_base_reference = T_reference_base.orientation.conjugate();
  switch (parameters_.kind) {
    case ViewKind::None:
      return R_base_reference;
    case ViewKind::Fixed:
      return R_base_reference * parameters_.R_reference_view * R_view_hand_;
    case ViewKind::Camera:
      if (!R_world_base_ || !R_world_camera_) { return {}; }
      return R_world_base_->conjugate() * *R_world_camera_ * R_view_hand_;
    case ViewKind::Endoscope:
      if (!R_world_base_ || !R_world_endoscope_base_ || !R_base_endoscope_) { return {}; }
      return R_world_base_->conjugate() * *R_world_endoscope_base_ * *R_base_endoscope_ *
             R_tip_view() * R_view_hand_;
  }
  return {};
}

}  // namespace ambf_arm_nodes
