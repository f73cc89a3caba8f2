// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_hand.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/empty.hpp>

#include "arm_watch.hpp"
#include "crtk_convert.hpp"
#include "crtk_qos.hpp"
#include "teleop_convert.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_teleop::Pose;
using ambf_teleop::TeleopHand;
using ambf_teleop::TeleopOutput;

/// What both sorts of hands remember of the newest pose.
struct NewestPose
{
  std::optional<Pose> T_base_tip;
  double heard_at = -1e300;
  double stamp = 0.0;  ///< by the hand's own clock [s]
  double dt = 0.0;     ///< since the pose before [s]

  /// False where the pose means nothing: it is as if it had not come.
  bool take(const geometry_msgs::msg::Pose & pose, const builtin_interfaces::msg::Time & time)
  {
    const auto read = to_teleop_pose(pose);
    if (!read) { return false; }
    const double now = steady_seconds();
    const double told = seconds(time);
    dt = std::max(0.0, told > 0.0 && stamp > 0.0 ? told - stamp : now - heard_at);
    stamp = told;
    heard_at = now;
    T_base_tip = read;
    return true;
  }

  TeleopHand read(const TeleopNodeParameters & parameters, bool moved) const
  {
    TeleopHand hand;
    hand.fresh = T_base_tip && steady_seconds() - heard_at <= parameters.hand_timeout;
    hand.moved = moved && hand.fresh;
    hand.dt = dt;
    if (T_base_tip) { hand.T_user_handle = handle_in_user(parameters.offsets, *T_base_tip); }
    return hand;
  }
};

class DeviceHand : public TeleopHandTopics
{
public:
  DeviceHand(
    rclcpp::Node & node, const TeleopNodeParameters & parameters, std::function<void()> moved)
  : parameters_(parameters)
  {
    const std::string topic = parameters.world + "/" + parameters.hand;
    samples_ = node.create_subscription<ambf_msgs::msg::DeviceSample>(
      topic + "/Sample", rclcpp::QoS(1).best_effort(),
      [this, moved](ambf_msgs::msg::DeviceSample::ConstSharedPtr sample) {
        if (!pose_.take(sample->pose, sample->wall_time)) { return; }
        sample_ = *sample;
        moved();
      });
    if (parameters.force == ForceKind::None) { return; }
    proxy_ = node.create_publisher<ambf_msgs::msg::ProxyState>(
      topic + "/Proxy", rclcpp::QoS(1).best_effort());
  }

  TeleopHand read(bool moved) override
  {
    TeleopHand hand = pose_.read(parameters_, moved);
    hand.arm = {true, true, true, false, false};
    hand.relocated = moved && sample_.relocated;
    hand.clutch = sample_.position_clutch || sample_.camera_clutch != parameters_.camera;
    const auto & jaw = parameters_.teleop.jaw;
    if (std::isfinite(sample_.gripper)) {
      const double open = std::clamp(sample_.gripper, 0.0, 1.0);
      hand.gripper = gripper_of(jaw, jaw.jaw_min + open * (jaw.jaw_max - jaw.jaw_min));
    }
    return hand;
  }

  void obey(const TeleopOutput &) override {}

  void feel(const FeltArm & arm) override
  {
    if (!proxy_) { return; }
    ambf_msgs::msg::ProxyState state;
    state.header.stamp = sample_.header.stamp;
    state.wall_time = wall_.now();
    fill(state.pose, arm.proxy);
    fill(state.reference_pose, arm.reference);
    fill(state.active_camera_pose, Pose{Eigen::Vector3d::Zero(), arm.R_view});
    state.contact_wrench.force.x = arm.force.x();
    state.contact_wrench.force.y = arm.force.y();
    state.contact_wrench.force.z = arm.force.z();
    state.sequence = sample_.sequence;
    proxy_->publish(state);
  }

  void push(const Eigen::Vector3d &) override {}

  Eigen::Quaterniond R_view_hand() const override { return Eigen::Quaterniond::Identity(); }

private:
  TeleopNodeParameters parameters_;
  NewestPose pose_;
  ambf_msgs::msg::DeviceSample sample_;
  rclcpp::Clock wall_{RCL_SYSTEM_TIME};
  rclcpp::Subscription<ambf_msgs::msg::DeviceSample>::SharedPtr samples_;
  rclcpp::Publisher<ambf_msgs::msg::ProxyState>::SharedPtr proxy_;
};

class MasterHand : public TeleopHandTopics
{
public:
  MasterHand(
    rclcpp::Node & node, const TeleopNodeParameters & parameters, std::function<void()> moved,
    std::function<void(const std::string &)> on_error)
  : parameters_(parameters),
    watch_(
      node, parameters.below + "/" + parameters.hand, parameters.arm_timeout, std::move(on_error))
  {
    const std::string arm = parameters.below + "/" + parameters.hand;
    measured_cp_ = node.create_subscription<PoseStamped>(
      arm + "/measured_cp", qos::stream(), [this, moved](PoseStamped::ConstSharedPtr pose) {
        watch_.heard();
        const auto & stamp = pose->header.stamp;
        // 0: the arm does not know where it is.
        if (stamp.sec == 0 && stamp.nanosec == 0) { return; }
        if (pose_.take(pose->pose, stamp)) { moved(); }
      });
    gripper_ = node.create_subscription<JointState>(
      arm + "/gripper/measured_js", qos::stream(), [this](JointState::ConstSharedPtr gripper) {
        if (gripper->position.size() == 1 && std::isfinite(gripper->position[0])) {
          angle_ = gripper->position[0];
        }
      });
    force_ = node.create_publisher<WrenchStamped>(arm + "/body/servo_cf", qos::stream());
    gravity_ =
      node.create_publisher<std_msgs::msg::Bool>(arm + "/use_gravity_compensation", qos::orders());
    lock_ = node.create_publisher<Quaternion>(arm + "/lock_orientation", qos::orders());
    unlock_ =
      node.create_publisher<std_msgs::msg::Empty>(arm + "/unlock_orientation", qos::orders());
    hold_ = node.create_publisher<std_msgs::msg::Empty>(arm + "/hold", qos::orders());
    move_cp_ = node.create_publisher<PoseStamped>(arm + "/move_cp", qos::orders());
  }

  TeleopHand read(bool moved) override
  {
    TeleopHand hand = pose_.read(parameters_, moved);
    hand.arm = watch_.state();
    hand.gripper = angle_;
    return hand;
  }

  void obey(const TeleopOutput & out) override
  {
    if (out.enable_hand) { watch_.command("enable"); }
    if (out.home_hand) { watch_.command("home"); }
    if (out.hold_hand) { hold_->publish(std_msgs::msg::Empty()); }
    if (out.move_hand) {
      PoseStamped goal;
      fill(goal.pose, in_base(*out.move_hand));
      move_cp_->publish(goal);
    }
    if (out.free_hand) {
      std_msgs::msg::Bool on;
      on.data = true;
      gravity_->publish(on);
      force_->publish(WrenchStamped());
    }
    if (out.unlock_hand) { unlock_->publish(std_msgs::msg::Empty()); }
    if (out.lock_hand) {
      geometry_msgs::msg::Pose turned;
      fill(turned, in_base({Eigen::Vector3d::Zero(), *out.lock_hand}));
      lock_->publish(turned.orientation);
    }
  }

  void feel(const FeltArm &) override {}

  void push(const Eigen::Vector3d & force) override
  {
    if (!pose_.T_base_tip) { return; }
    // servo_cf takes it in the axes of the tip.
    const Eigen::Quaterniond R_user_tip =
      parameters_.offsets.base.orientation * pose_.T_base_tip->orientation;
    const Eigen::Vector3d at_tip = R_user_tip.conjugate() * force;
    WrenchStamped wrench;
    wrench.wrench.force.x = at_tip.x();
    wrench.wrench.force.y = at_tip.y();
    wrench.wrench.force.z = at_tip.z();
    force_->publish(wrench);
  }

  /// x to the left of the picture, y up, z away from the person: so the console's masters are told.
  Eigen::Quaterniond R_view_hand() const override
  {
    Eigen::Matrix3d axes;
    axes.col(0) = -Eigen::Vector3d::UnitY();
    axes.col(1) = Eigen::Vector3d::UnitZ();
    axes.col(2) = -Eigen::Vector3d::UnitX();
    return Eigen::Quaterniond(axes);
  }

private:
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using JointState = sensor_msgs::msg::JointState;
  using WrenchStamped = geometry_msgs::msg::WrenchStamped;
  using Quaternion = geometry_msgs::msg::Quaternion;

  Pose in_base(const Pose & T_user_handle) const
  {
    return ambf_teleop::inverse(parameters_.offsets.base) * T_user_handle *
           ambf_teleop::inverse(parameters_.offsets.tip);
  }

  TeleopNodeParameters parameters_;
  ArmWatch watch_;
  NewestPose pose_;
  std::optional<double> angle_;
  rclcpp::Subscription<PoseStamped>::SharedPtr measured_cp_;
  rclcpp::Subscription<JointState>::SharedPtr gripper_;
  rclcpp::Publisher<WrenchStamped>::SharedPtr force_;
  rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr gravity_;
  rclcpp::Publisher<Quaternion>::SharedPtr lock_;
  rclcpp::Publisher<std_msgs::msg::Empty>::SharedPtr unlock_, hold_;
  rclcpp::Publisher<PoseStamped>::SharedPtr move_cp_;
};

}  // namespace

std::unique_ptr<TeleopHandTopics> make_hand(
  rclcpp::Node & node, const TeleopNodeParameters & parameters, std::function<void()> moved,
  std::function<void(const std::string &)> on_error)
{
  if (parameters.device) {
    return std::make_unique<DeviceHand>(node, parameters, std::move(moved));
  }
  return std::make_unique<MasterHand>(node, parameters, std::move(moved), std::move(on_error));
}

}  // namespace ambf_arm_nodes
