// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_driver.hpp"

#include <algorithm>
#include <utility>

#include "ambf_node_support/time.hpp"
#include "convert.hpp"

namespace ambf_device_nodes
{

using ambf_node_support::steady_seconds;

namespace
{

// As cisst-ros offers them: periodic topics reliable and volatile, events reliable and latched.
rclcpp::QoS periodic() { return rclcpp::QoS(1).reliable(); }
rclcpp::QoS events() { return rclcpp::QoS(10).reliable().transient_local(); }
rclcpp::QoS commands() { return rclcpp::QoS(10).reliable(); }

}  // namespace

CrtkDriver::CrtkDriver(
  rclcpp::Node & node, CrtkParameters parameters, std::shared_ptr<MasterLaws> laws)
: parameters_(std::move(parameters)), laws_(std::move(laws))
{
  const std::string & arm = parameters_.arm;
  state_command_ =
    node.create_publisher<crtk_msgs::msg::StringStamped>(arm + "/state_command", commands());
  gravity_ =
    node.create_publisher<std_msgs::msg::Bool>(arm + "/use_gravity_compensation", commands());
  absolute_ = node.create_publisher<std_msgs::msg::Bool>(
    arm + "/body/set_cf_orientation_absolute", commands());
  if (laws_ && laws_->parameters().has_null_space() && parameters_.force) {
    servo_jf_ = node.create_publisher<sensor_msgs::msg::JointState>(
      arm + "/servo_jf", rclcpp::QoS(1).reliable());
    efforts_.effort.resize(master_joints);
  }
  servo_cf_ = node.create_publisher<geometry_msgs::msg::WrenchStamped>(
    arm + "/" + parameters_.force_topic, rclcpp::QoS(1).reliable());
  subscribe(node);
}

template <typename Message, typename Change>
void CrtkDriver::listen(
  rclcpp::Node & node, const std::string & topic, const rclcpp::QoS & qos, Change change)
{
  rclcpp::SubscriptionOptions options;
  options.callback_group = group_;
  subscriptions_.push_back(node.create_subscription<Message>(
    topic, qos,
    [received = received_, change](typename Message::ConstSharedPtr message) {
      change(*message, received->newest);
      received->readings.post(received->newest);
    },
    options));
}

void CrtkDriver::listen_to_pedal(
  rclcpp::Node & node, const std::string & topic, bool CrtkReading::*pedal)
{
  if (topic.empty()) { return; }
  listen<sensor_msgs::msg::Joy>(
    node, topic, events(), [pedal](const sensor_msgs::msg::Joy & joy, CrtkReading & heard) {
      // 0 released, 1 pressed; 2 is a quick tap, which comes after its release.
      if (!joy.buttons.empty()) { heard.*pedal = joy.buttons[0] == 1; }
    });
}

void CrtkDriver::subscribe(rclcpp::Node & node)
{
  group_ = node.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  const std::string & arm = parameters_.arm;
  listen<crtk_msgs::msg::OperatingState>(
    node, arm + "/operating_state", events(),
    [](const crtk_msgs::msg::OperatingState & state, CrtkReading & heard) {
      note_state(heard, arm_state_from(state.state), state.is_homed, state.is_busy);
    });
  listen<geometry_msgs::msg::PoseStamped>(
    node, arm + "/measured_cp", periodic(),
    [](const geometry_msgs::msg::PoseStamped & pose, CrtkReading & heard) {
      heard.heard = steady_seconds();
      if (pose.header.stamp.sec == 0 && pose.header.stamp.nanosec == 0) {
        return;
      }  // says: not valid
      heard.T_base_tip = from_msg(pose.pose);
      heard.pose_time = heard.heard;
      ++heard.poses;
    });
  listen<geometry_msgs::msg::TwistStamped>(
    node, arm + "/measured_cv", periodic(),
    [](const geometry_msgs::msg::TwistStamped & twist, CrtkReading & heard) {
      heard.twist = from_msg(twist.twist);
    });
  if (laws_) {
    listen<sensor_msgs::msg::JointState>(
      node, arm + "/measured_js", periodic(),
      [](const sensor_msgs::msg::JointState & joints, CrtkReading & heard) {
        if (joints.position.size() != heard.joints.size()) { return; }
        std::copy(joints.position.begin(), joints.position.end(), heard.joints.begin());
        heard.joint_velocities = {};
        if (joints.velocity.size() == heard.joint_velocities.size()) {
          std::copy(joints.velocity.begin(), joints.velocity.end(), heard.joint_velocities.begin());
        }
        heard.joints_time = steady_seconds();
      });
  }
  if (parameters_.rules.gripper) {
    listen<sensor_msgs::msg::JointState>(
      node, arm + "/gripper/measured_js", periodic(),
      [](const sensor_msgs::msg::JointState & joint, CrtkReading & heard) {
        if (!joint.position.empty()) { heard.gripper_angle = joint.position[0]; }
      });
  }
  listen_to_pedal(node, parameters_.clutch_topic, &CrtkReading::clutch);
  listen_to_pedal(node, parameters_.camera_topic, &CrtkReading::camera);
  listen_to_pedal(node, parameters_.operator_topic, &CrtkReading::operator_present);
  for (std::size_t i = 0; i < parameters_.action_topics.size() && i < 32; ++i) {
    listen<sensor_msgs::msg::Joy>(
      node, parameters_.action_topics[i], events(),
      [bit = 1u << i](const sensor_msgs::msg::Joy & joy, CrtkReading & heard) {
        if (joy.buttons.empty()) { return; }
        heard.actions = joy.buttons[0] == 1 ? heard.actions | bit : heard.actions & ~bit;
      });
  }
}

bool CrtkDriver::open(double, std::string & why)
{
  received_->readings.take(reading_);
  const bool may_home =
    parameters_.auto_home == AutoHome::Always ||
    (parameters_.auto_home == AutoHome::Once && !opened_once_ && !reading_.stopped);
  switch (next_homing_step(
    reading_, parameters_.rules, steady_seconds(), may_home, parameters_.arm, why)) {
    case HomingStep::Wait:
      return false;
    case HomingStep::Enable:
      command("enable");
      return false;
    case HomingStep::Home:
      command("home");
      return false;
    case HomingStep::Ready:
      break;
  }
  if (!arm_listens(why)) { return false; }
  opened_once_ = true;
  forcing_ = ready_ = false;
  return true;
}

bool CrtkDriver::arm_listens(std::string & why) const
{
  const auto has_no_reader = [&why](
                               const rclcpp::PublisherBase & topic, const std::string & otherwise) {
    if (topic.get_subscription_count() > 0) { return false; }
    why = "nobody listens on " + std::string(topic.get_topic_name()) +
          "; if the arm has no such topic, set " + otherwise;
    return true;
  };
  if (laws_ && !knows_joints()) {
    why =
      parameters_.arm +
      "/measured_js brings no 7 joints, which the null space and the weight of a master need; set "
      "their parameters to 0 for an arm without them";
    return false;
  }
  if (servo_jf_) {
    return !(parameters_.gravity_compensation &&
             has_no_reader(*gravity_, "gravity_compensation:=false")) &&
           !has_no_reader(*servo_jf_, "null_space_stiffness:=0.0 and null_space_damping:=0.0");
  }
  return !(parameters_.gravity_compensation &&
           has_no_reader(*gravity_, "gravity_compensation:=false")) &&
         !(parameters_.force && parameters_.absolute_force &&
           has_no_reader(*absolute_, "absolute_force:=false")) &&
         !(parameters_.force &&
           has_no_reader(*servo_cf_, "force_topic to the one it has, or gives_force:=false"));
}

void CrtkDriver::prepare_arm()
{
  std_msgs::msg::Bool yes;
  yes.data = true;
  if (parameters_.gravity_compensation) { gravity_->publish(yes); }
  if (parameters_.force && parameters_.absolute_force) { absolute_->publish(yes); }
}

void CrtkDriver::close() noexcept
{
  // The null space acts on the master also without a force: the last efforts that it gets are zero.
  if (servo_jf_ && forcing_) { send_efforts({}); }
  forcing_ = false;
}

bool CrtkDriver::knows_joints() const
{
  return reading_.joints_time >= 0.0 &&
         steady_seconds() - reading_.joints_time < parameters_.joints_timeout;
}

ambf_devices::Capabilities CrtkDriver::capabilities() const
{
  ambf_devices::Capabilities can;
  can.model = "CRTK arm " + parameters_.arm;
  can.rate = parameters_.rate;
  can.force = parameters_.force;
  can.torque = parameters_.force && parameters_.rules.orientation;
  can.orientation = parameters_.rules.orientation;
  can.gripper = parameters_.rules.gripper;
  can.max_force = parameters_.max_force;
  can.max_torque = parameters_.max_torque;
  return can;
}

ambf_devices::DriverStatus CrtkDriver::read(double, ambf_devices::DriverState & state) noexcept
{
  received_->readings.take(reading_);
  if (steady_seconds() - reading_.heard > parameters_.rules.lost_after) {
    return ambf_devices::DriverStatus::Lost;
  }
  const bool ready = takes_force(reading_, parameters_.rules);
  if (ready && !ready_) { prepare_arm(); }  // also after somebody stopped and started it
  ready_ = ready;
  if (reading_.poses == poses_read_ || !reading_.homed) {
    return ambf_devices::DriverStatus::NothingNew;
  }
  poses_read_ = reading_.poses;
  if (laws_) {
    laws_->measure(reading_.joints, reading_.joint_velocities, reading_.T_base_tip.orientation);
  }
  state = driver_state(reading_, parameters_.rules);
  return ambf_devices::DriverStatus::Ok;
}

ambf_devices::DriverStatus CrtkDriver::write(double, const ambf_teleop::Wrench & wrench) noexcept
{
  const bool forcing = takes_force(reading_, parameters_.rules);
  if (servo_jf_) {
    if (forcing && knows_joints()) {
      send_efforts(laws_->efforts(wrench));
    } else if (forcing_) {
      send_efforts({});
    }
  } else if (forcing) {
    send(wrench);
  } else if (forcing_) {
    send({});  // an arm that takes forces no longer gets zero once
  }
  forcing_ = forcing;
  return ambf_devices::DriverStatus::Ok;
}

void CrtkDriver::command(const std::string & word)
{
  crtk_msgs::msg::StringStamped message;
  message.header.stamp = clock_.now();
  message.string = word;
  state_command_->publish(message);
}

void CrtkDriver::send_efforts(const std::array<double, master_joints> & efforts)
{
  efforts_.header.stamp = clock_.now();
  std::copy(efforts.begin(), efforts.end(), efforts_.effort.begin());
  servo_jf_->publish(efforts_);
}

void CrtkDriver::send(const ambf_teleop::Wrench & wrench)
{
  wrench_.header.stamp = clock_.now();
  fill(wrench_.wrench, wrench);
  servo_cf_->publish(wrench_);
}

}  // namespace ambf_device_nodes
