// SPDX-License-Identifier: BSD-3-Clause
#include "device_master.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "arm_watch.hpp"
#include "crtk_convert.hpp"
#include "crtk_qos.hpp"
#include "teleop_convert.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_arms::ArmEvent;
using ambf_arms::ArmEvents;
using ambf_arms::ControlEvent;
using ambf_teleop::Pose;

/// A force that the console gave rules over the lock for so long: the device takes one command at a time [s].
constexpr double push_lasts = 0.05;
/// The operating state is published again after this time, for a console that was started later [s].
constexpr double heartbeat = 1.0;

/// From the axes of a device (those of our view: x towards the person, y right, z up) to those of a master.
Eigen::Quaterniond R_master_device()
{
  Eigen::Matrix3d axes;
  axes.row(0) = -Eigen::Vector3d::UnitY();
  axes.row(1) = Eigen::Vector3d::UnitZ();
  axes.row(2) = -Eigen::Vector3d::UnitX();
  return Eigen::Quaterniond(axes);
}

Pose pose_of(ambf_node_support::Declared & declare, const char * name, const char * meaning)
{
  const auto [position, orientation] = declare.pose(name, meaning);
  return {position, orientation};
}

/// A periodic topic that nobody listens to costs nothing.
template <class Message>
void offer_to_all(
  const std::vector<typename rclcpp::Publisher<Message>::SharedPtr> & topics,
  const Message & message)
{
  for (const auto & topic : topics) {
    if (topic->get_subscription_count() > 0) { topic->publish(message); }
  }
}

}  // namespace

DeviceMaster::DeviceMaster(const rclcpp::NodeOptions & options)
: rclcpp::Node("device_master", options), state_("master")
{
  ambf_node_support::Declared declare(*this);
  const std::string ns = get_namespace();
  const std::string below = ns == "/" ? "" : ns;
  device_ = declare.token("device", "name of the device that becomes a master");
  arm_ = declare.token("arm", "name of the master, such as MTMR");
  const std::string world = declare.word(
    "world_namespace", "/ambf/env", "namespace of the device's topics below the node's namespace");
  const double rate = declare.real("rate", 200.0, 10.0, 2000.0, "of looking after the device [Hz]");
  device_timeout_ = declare.real(
    "device_timeout", 0.5, 1e-3, 60.0, "a device that is silent for so long is not there [s]");
  gripper_max_ =
    declare.real("gripper_max", 1.0471975512, 1e-3, 7.0, "angle of the open gripper [rad]");
  lock_stiffness_ = declare.real(
    "lock_stiffness", 0.0, 0.0, 100.0,
    "what holds the orientation that the console locks, where the device has torques [N m/rad]");
  lock_damping_ = declare.real("lock_damping", 0.0, 0.0, 100.0, "likewise [N m s/rad]");
  offsets_.base = pose_of(declare, "base_offset", "of the device's base in the view");
  offsets_.tip = pose_of(declare, "tip_offset", "of the handle at the device's tip");
  state_ = ambf_arms::OperatingState(arm_);
  offer(below + "/" + arm_);
  listen_to_device(below + world + "/" + device_);
  listen_to_console(below + "/" + arm_);
  timer_ = create_wall_timer(
    std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / rate)),
    [this] { look_after(); });
  tell_state();
}

void DeviceMaster::offer(const std::string & arm)
{
  events_ = std::make_unique<EventTopics>(*this, arm, ambf_arms::ArmKind::Mtm, [this] {
    publish_data();
    tell_state();
  });
  pose_.header.frame_id = velocity_.header.frame_id = force_.header.frame_id = arm_ + "_base";
  gripper_state_.name = {"gripper"};
  gripper_state_.position.resize(1);
  // The base stands in the origin, and nothing but the person moves the hand: four times the same pose.
  for (const char * name :
       {"/measured_cp", "/setpoint_cp", "/local/measured_cp", "/local/setpoint_cp"}) {
    poses_.push_back(create_publisher<PoseStamped>(arm + name, qos::periodic()));
  }
  velocities_.push_back(create_publisher<TwistStamped>(arm + "/measured_cv", qos::periodic()));
  // A device has no joints that anybody knows of.
  for (const char * name : {"/measured_js", "/setpoint_js"}) {
    joint_states_.push_back(create_publisher<JointState>(arm + name, qos::periodic()));
  }
  for (const char * name : {"/body/measured_cf", "/spatial/measured_cf"}) {
    forces_.push_back(create_publisher<WrenchStamped>(arm + name, qos::periodic()));
  }
  gripper_js_ = create_publisher<JointState>(arm + "/gripper/measured_js", qos::periodic());
  query_ = create_service<TriggerOperatingState>(
    arm + "/operating_state", [this](
                                TriggerOperatingState::Request::ConstSharedPtr,
                                TriggerOperatingState::Response::SharedPtr response) {
      response->operating_state = events_->operating_state(state_event());
    });
}

void DeviceMaster::listen_to_device(const std::string & topic)
{
  command_ = create_publisher<DeviceCommand>(topic + "/Command", rclcpp::QoS(1).best_effort());
  listen<DeviceSample>(
    topic + "/Sample", rclcpp::QoS(1).best_effort(),
    [this](const DeviceSample & sample) { take(sample); });
}

template <class Message, class Use>
void DeviceMaster::listen(const std::string & topic, const rclcpp::QoS & how, Use use)
{
  subscriptions_.push_back(create_subscription<Message>(
    topic, how, [use](typename Message::ConstSharedPtr message) { use(*message); }));
}

void DeviceMaster::listen_to_console(const std::string & arm)
{
  using std_msgs::msg::Empty;
  listen<crtk_msgs::msg::StringStamped>(
    arm + "/state_command", qos::orders(),
    [this](const crtk_msgs::msg::StringStamped & command) { order(command.string); });
  listen<WrenchStamped>(
    arm + "/body/servo_cf", qos::stream(), [this](const WrenchStamped & wrench) { push(wrench); });
  // Gravity is the device's own affair; it has no brakes, so that holding it means to let it rest.
  listen<std_msgs::msg::Bool>(
    arm + "/use_gravity_compensation", qos::orders(), [](const std_msgs::msg::Bool &) {});
  listen<geometry_msgs::msg::Quaternion>(
    arm + "/lock_orientation", qos::orders(), [this](const geometry_msgs::msg::Quaternion & q) {
      const Eigen::Quaterniond wanted(q.w, q.x, q.y, q.z);
      if (!wanted.coeffs().allFinite() || wanted.norm() < 0.5) { return; }
      lock(wanted.normalized());
    });
  listen<Empty>(
    arm + "/unlock_orientation", qos::orders(), [this](const Empty &) { lock(std::nullopt); });
  listen<Empty>(arm + "/hold", qos::orders(), [this](const Empty &) { push(WrenchStamped()); });
  listen<Empty>(arm + "/free", qos::orders(), [this](const Empty &) { push(WrenchStamped()); });
}

void DeviceMaster::take(const DeviceSample & sample)
{
  const auto read = to_teleop_pose(sample.pose);
  if (!read) { return; }
  const Eigen::Quaterniond turn = R_master_device();
  const Pose in_user = ambf_teleop::handle_in_user(offsets_, *read);
  R_device_tip_ = read->orientation;
  T_base_handle_ = {turn * in_user.position, (turn * in_user.orientation).normalized()};
  const ambf_teleop::Twist moved = ambf_teleop::handle_twist_in_user(
    offsets_, *read, {to_eigen(sample.twist.linear), to_eigen(sample.twist.angular)});
  twist_ = {turn * moved.linear, turn * moved.angular};
  if (std::isfinite(sample.gripper)) {
    gripper_ = std::clamp(sample.gripper, 0.0, 1.0) * gripper_max_;
  }
  heard_at_ = steady_seconds();
  publish_data();
  hold_orientation();
}

bool DeviceMaster::hears_device() const { return steady_seconds() - heard_at_ <= device_timeout_; }

void DeviceMaster::tell_state()
{
  told_at_ = steady_seconds();
  events_->publish(state_event());
}

void DeviceMaster::look_after()
{
  if (steady_seconds() - told_at_ >= heartbeat) { tell_state(); }
  if (hears_device()) { return; }
  if (state_.mode() == ambf_arms::OperatingMode::Enabled) {
    publish(state_.fault("the device " + device_ + " is silent"));
  }
  // Alive, and without a place: a console that waits for data does not take the master for dead.
  publish_data();
}

void DeviceMaster::publish_data()
{
  builtin_interfaces::msg::Time stamp;
  if (state_.is_homed() && hears_device()) { stamp = wall_.now(); }
  pose_.header.stamp = velocity_.header.stamp = force_.header.stamp = stamp;
  gripper_state_.header.stamp = joints_.header.stamp = stamp;
  fill(pose_.pose, T_base_handle_);
  fill(velocity_.twist.linear, twist_.linear);
  fill(velocity_.twist.angular, twist_.angular);
  gripper_state_.position[0] = gripper_;
  offer_to_all(poses_, pose_);
  offer_to_all(velocities_, velocity_);
  offer_to_all(forces_, force_);
  offer_to_all(joint_states_, joints_);
  if (gripper_js_->get_subscription_count() > 0) { gripper_js_->publish(gripper_state_); }
}

void DeviceMaster::order(const std::string & command) { publish(state_.command(command)); }

ControlEvent DeviceMaster::state_event() const
{
  ControlEvent event;
  event.mode = state_.mode();
  event.homed = state_.is_homed();
  event.busy = state_.is_busy();
  return event;
}

void DeviceMaster::publish(const ArmEvents & events)
{
  // What follows from an event is published after all events.
  bool powered = false, homes = false;
  for (const ArmEvent & event : events) {
    ControlEvent event_out = state_event();
    event_out.text = event.text;
    switch (event.kind) {
      case ArmEvent::Kind::Action:
        powered = powered || event.action == ambf_arms::ArmAction::PowerOn;
        homes = homes || event.action == ambf_arms::ArmAction::StartHoming;
        if (event.action == ambf_arms::ArmAction::PowerOff) { lock(std::nullopt); }
        continue;
      case ArmEvent::Kind::StateChanged:
        event_out.kind = ControlEvent::Kind::OperatingState;
        break;
      case ArmEvent::Kind::DesiredState:
        event_out.kind = ControlEvent::Kind::DesiredState;
        break;
      case ArmEvent::Kind::Status:
        event_out.kind = ControlEvent::Kind::Status;
        break;
      case ArmEvent::Kind::Warning:
        event_out.kind = ControlEvent::Kind::Warning;
        break;
      case ArmEvent::Kind::Error:
        event_out.kind = ControlEvent::Kind::Error;
        break;
    }
    events_->publish(event_out);
  }
  if (powered && !hears_device()) {
    publish(
      state_.power_failed("the device " + device_ + " is silent; start it, then enable again"));
  }
  // It has absolute encoders.
  if (homes) { publish(state_.homing_done()); }
}

void DeviceMaster::push(const WrenchStamped & wrench)
{
  if (!state_.ready()) {
    publish(state_.not_ready("body/servo_cf", steady_seconds()));
    return;
  }
  // In the axes of the handle, which are turned against the tip by the offset.
  const Eigen::Quaterniond R_base_handle = R_device_tip_ * offsets_.tip.orientation;
  const Eigen::Vector3d force = R_base_handle * to_eigen(wrench.wrench.force);
  const Eigen::Vector3d torque = R_base_handle * to_eigen(wrench.wrench.torque);
  if (!force.allFinite() || !torque.allFinite()) { return; }
  force_.wrench = wrench.wrench;
  DeviceCommand command;
  const bool any = force.norm() > 0.0 || torque.norm() > 0.0;
  command.mode = any ? DeviceCommand::MODE_WRENCH : DeviceCommand::MODE_NONE;
  command.axes = DeviceCommand::AXES_BASE;
  fill(command.wrench.force, force);
  fill(command.wrench.torque, torque);
  pushed_at_ = any ? steady_seconds() : -1e300;
  send_to_device(command);
}

void DeviceMaster::lock(const std::optional<Eigen::Quaterniond> & orientation)
{
  locked_ = orientation;
  ControlEvent event_out = state_event();
  event_out.kind = ControlEvent::Kind::OrientationLocked;
  event_out.flag = locked_.has_value();
  events_->publish(event_out);
}

void DeviceMaster::hold_orientation()
{
  if (!locked_ || lock_stiffness_ <= 0.0 || !state_.ready()) { return; }
  if (steady_seconds() - pushed_at_ < push_lasts) { return; }
  DeviceCommand command;
  command.mode = DeviceCommand::MODE_SET_POINT;
  command.axes = DeviceCommand::AXES_BASE;
  const Eigen::Quaterniond R_base_tip = offsets_.base.orientation.conjugate() *
                                        R_master_device().conjugate() * *locked_ *
                                        offsets_.tip.orientation.conjugate();
  fill(command.pose, Pose{Eigen::Vector3d::Zero(), R_base_tip.normalized()});
  command.angular_stiffness = lock_stiffness_;
  command.angular_damping = lock_damping_;
  send_to_device(command);
}

void DeviceMaster::send_to_device(DeviceCommand & command)
{
  command.header.stamp = wall_.now();
  // The hand is the console's, not that of the simulated world.
  command.replaces = true;
  command_->publish(command);
}

}  // namespace ambf_arm_nodes

AMBF_NODE_COMPONENT(ambf_arm_nodes, DeviceMaster)
