// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <crtk_msgs/msg/operating_state.hpp>
#include <crtk_msgs/msg/string_stamped.hpp>
#include <crtk_msgs/srv/trigger_operating_state.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/empty.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_arms/dvrk_arms.hpp"
#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "ambf_teleop/trajectory.hpp"
#include "convert.hpp"
#include "mock_arm.hpp"

namespace ambf_device_nodes
{
namespace
{

// As cisst-ros has them.
rclcpp::QoS periodic() { return rclcpp::QoS(100).reliable(); }
rclcpp::QoS latched() { return rclcpp::QoS(100).reliable().transient_local(); }
/// With `latched`: through the middleware, because rclcpp up to 28.1.6 keeps what a component says within
/// its process until a reader elsewhere is known (ros2/rclcpp#2704).
rclcpp::PublisherOptions to_late_joiners()
{
  rclcpp::PublisherOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return options;
}
rclcpp::QoS incoming() { return rclcpp::QoS(1).reliable(); }
rclcpp::QoS ordered() { return rclcpp::QoS(100).reliable(); }

/// A periodic topic that nobody listens to costs nothing.
template <typename Message>
void offer(rclcpp::Publisher<Message> & topic, const Message & message)
{
  if (topic.get_subscription_count() > 0) { topic.publish(message); }
}

}  // namespace

/// A dVRK master that is not there: speaks CRTK as sawIntuitiveResearchKit does, with a hand that
/// moves along the test trajectory, a gripper that opens and closes, and a console's pedals.
/// `body/measured_cf` and `spatial/measured_cf` report the force it is given: the tip does not turn,
/// so both have the same axes. The joints swing along; with `kinematics` the hand is where they put
/// it, otherwise it moves on its own. `measured_js` reports the efforts of `servo_jf`.
/// What moves an arm (servo_cp, servo_jp, move_*) is not there: a master is led by its person.
class MockMtm : public rclcpp::Node
{
public:
  explicit MockMtm(const rclcpp::NodeOptions & options) : rclcpp::Node("mock_mtm", options)
  {
    ambf_node_support::Declared declared(*this);
    const auto below = [](const std::string & name) { return name + "/measured_cp"; };
    const auto arm = declared.topic("arm", "/MTMR", "namespace of the arm's topics", below);
    if (arm.empty()) { throw std::invalid_argument("parameter 'arm' must not be empty"); }
    const auto console = declared.topic(
      "console", "/console", "namespace of the console's topics; empty: none", below);
    const double rate = declared.real("rate", 1000.0, 1.0, 4000.0, "of the periodic topics [Hz]");
    MockArm::Parameters arm_parameters;
    arm_parameters.homing_time =
      declared.real("homing_time", 0.5, 0.0, 60.0, "how long it goes home [s]");
    arm_parameters.servo_timeout = declared.real(
      "servo_timeout", 0.03, 0.001, 10.0, "a force that is not renewed ends after [s]");
    trajectory_.scale =
      declared.real("trajectory_scale", 0.05, 0.0, 1.0, "size of the hand's motion [m]");
    trajectory_.angular_rate =
      declared.real("trajectory_rate", 2.0, 0.0, 100.0, "of the hand [rad/s]");
    kinematics_ = declared.flag(
      "kinematics", false,
      "the hand is where the swinging joints of an MTM put it, instead of on the trajectory");
    gripper_rate_ = declared.real("gripper_rate", 1.0, 0.0, 100.0, "of the gripper [rad/s]");
    arm_ = std::make_unique<MockArm>(arm_parameters);
    const auto slash = arm.find_last_of('/');
    const std::string name = slash == std::string::npos ? arm : arm.substr(slash + 1);
    pose_.header.frame_id = twist_.header.frame_id = force_.header.frame_id = name + "_base";
    gripper_.name = {"gripper"};
    gripper_.position.resize(1);
    joints_.name = {"outer_yaw",   "shoulder_pitch", "elbow_pitch", "wrist_platform",
                    "wrist_pitch", "wrist_yaw",      "wrist_roll"};
    joints_.position.resize(joints_.name.size());
    joints_.velocity.resize(joints_.name.size());
    joints_.effort.resize(joints_.name.size());

    publish_arm(arm);
    listen_to(arm);
    if (!console.empty()) { wire_console(console); }
    timer_ = create_wall_timer(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(1.0 / rate)),
      [this] { tick(); });
    publish_state();
  }

private:
  void publish_arm(const std::string & arm)
  {
    // The base stands in the origin, and the hand is where it is asked to be: four times the same pose.
    for (const char * name :
         {"/measured_cp", "/setpoint_cp", "/local/measured_cp", "/local/setpoint_cp"}) {
      poses_.push_back(create_publisher<geometry_msgs::msg::PoseStamped>(arm + name, periodic()));
    }
    for (const char * name : {"/measured_js", "/setpoint_js"}) {
      joint_states_.push_back(
        create_publisher<sensor_msgs::msg::JointState>(arm + name, periodic()));
    }
    for (const char * name : {"/body/measured_cf", "/spatial/measured_cf"}) {
      forces_.push_back(
        create_publisher<geometry_msgs::msg::WrenchStamped>(arm + name, periodic()));
    }
    measured_cv_ =
      create_publisher<geometry_msgs::msg::TwistStamped>(arm + "/measured_cv", periodic());
    gripper_js_ =
      create_publisher<sensor_msgs::msg::JointState>(arm + "/gripper/measured_js", periodic());
    state_ = create_publisher<crtk_msgs::msg::OperatingState>(
      arm + "/operating_state", latched(), to_late_joiners());
    desired_ =
      create_publisher<std_msgs::msg::String>(arm + "/desired_state", latched(), to_late_joiners());
    closed_ =
      create_publisher<std_msgs::msg::Bool>(arm + "/gripper/closed", latched(), to_late_joiners());
    status_ =
      create_publisher<std_msgs::msg::String>(arm + "/status", latched(), to_late_joiners());
    warning_ =
      create_publisher<std_msgs::msg::String>(arm + "/warning", latched(), to_late_joiners());
    error_ = create_publisher<std_msgs::msg::String>(arm + "/error", latched(), to_late_joiners());
    query_ = create_service<crtk_msgs::srv::TriggerOperatingState>(
      arm + "/operating_state",
      [this](
        crtk_msgs::srv::TriggerOperatingState::Request::ConstSharedPtr,
        crtk_msgs::srv::TriggerOperatingState::Response::SharedPtr response) {
        response->operating_state = operating_state();
      });
  }

  void listen_to(const std::string & arm)
  {
    subscriptions_.push_back(create_subscription<crtk_msgs::msg::StringStamped>(
      arm + "/state_command", ordered(),
      [this](crtk_msgs::msg::StringStamped::ConstSharedPtr message) {
        std::string why;
        if (!arm_->command(message->string, seconds(), why)) {
          say(*warning_, why);
          return;
        }
        say(*desired_, to_crtk(arm_->state()));
        publish_state();
      }));
    for (const char * name : {"/body/servo_cf", "/spatial/servo_cf"}) {
      subscriptions_.push_back(create_subscription<geometry_msgs::msg::WrenchStamped>(
        arm + name, incoming(), [this](geometry_msgs::msg::WrenchStamped::ConstSharedPtr wrench) {
          if (!arm_->servo(from_msg(wrench->wrench), seconds()) && seconds() > next_warning_) {
            next_warning_ = seconds() + 1.0;
            say(
              *warning_,
              "servo_cf refused: the arm is not enabled and homed, or the force is not finite");
          }
        }));
    }
    subscriptions_.push_back(create_subscription<sensor_msgs::msg::JointState>(
      arm + "/servo_jf", incoming(), [this](sensor_msgs::msg::JointState::ConstSharedPtr joints) {
        std::array<double, 7> efforts{};
        const bool fits = joints->effort.size() == efforts.size();
        if (fits) { std::copy(joints->effort.begin(), joints->effort.end(), efforts.begin()); }
        if ((!fits || !arm_->servo_joints(efforts, seconds())) && seconds() > next_warning_) {
          next_warning_ = seconds() + 1.0;
          say(
            *warning_,
            "servo_jf refused: the arm is not enabled and homed, or not 7 finite efforts");
        }
      }));
    for (const char * name : {"/hold", "/free"}) {
      subscriptions_.push_back(create_subscription<std_msgs::msg::Empty>(
        arm + name, ordered(), [this, name](std_msgs::msg::Empty::ConstSharedPtr) {
          arm_->let_go();
          say(*status_, name + 1);
        }));
    }
    // Not of the dVRK, whose hardware fails without being asked: the words go to `error`.
    subscriptions_.push_back(create_subscription<std_msgs::msg::String>(
      arm + "/emulate_fault", ordered(), [this](std_msgs::msg::String::ConstSharedPtr words) {
        arm_->fail();
        say(*error_, words->data);
        publish_state();
      }));
    subscriptions_.push_back(create_subscription<std_msgs::msg::Bool>(
      arm + "/use_gravity_compensation", ordered(), [this](std_msgs::msg::Bool::ConstSharedPtr on) {
        say(*status_, on->data ? "gravity compensation on" : "gravity compensation off");
      }));
    subscriptions_.push_back(create_subscription<std_msgs::msg::Bool>(
      arm + "/body/set_cf_orientation_absolute", ordered(),
      [this](std_msgs::msg::Bool::ConstSharedPtr on) {
        say(
          *status_,
          on->data ? "forces have the axes of the base" : "forces have the axes of the tip");
      }));
  }

  void wire_console(const std::string & console)
  {
    constexpr std::array<const char *, 3> pedals{"operator_present", "clutch", "camera"};
    for (const char * pedal : pedals) {
      auto event = create_publisher<sensor_msgs::msg::Joy>(
        console + "/" + pedal, latched(), to_late_joiners());
      sensor_msgs::msg::Joy released;
      released.header.stamp = clock_.now();
      released.buttons = {0};
      event->publish(released);
      subscriptions_.push_back(create_subscription<sensor_msgs::msg::Joy>(
        console + "/emulate_" + pedal, ordered(),
        [this, event](sensor_msgs::msg::Joy::ConstSharedPtr joy) {
          sensor_msgs::msg::Joy message = *joy;
          message.header.stamp = clock_.now();
          event->publish(message);
        }));
    }
  }

  void tick()
  {
    const double time = seconds();
    if (arm_->update(time)) { publish_state(); }
    // Before homing the encoders mean nothing, and a zero stamp says so.
    const bool valid = arm_->is_homed();
    const builtin_interfaces::msg::Time stamp =
      valid ? builtin_interfaces::msg::Time(clock_.now()) : builtin_interfaces::msg::Time();
    constexpr double widest = 1.05;
    const double angle = 0.5 * widest * (1.0 + std::sin(gripper_rate_ * time));
    gripper_.position[0] = angle;
    for (std::size_t i = 0; i < joints_.name.size(); ++i) {
      constexpr double swing = 0.1;
      const double phase = trajectory_.angular_rate * time + static_cast<double>(i);
      joints_.position[i] = swing * std::sin(phase);
      joints_.velocity[i] = swing * trajectory_.angular_rate * std::cos(phase);
      joints_.effort[i] = arm_->efforts()[i];
    }
    move_hand(time);
    fill(force_.wrench, arm_->applied());
    pose_.header.stamp = twist_.header.stamp = gripper_.header.stamp = force_.header.stamp = stamp;
    joints_.header.stamp = stamp;
    for (const auto & topic : poses_) { offer(*topic, pose_); }
    for (const auto & topic : joint_states_) { offer(*topic, joints_); }
    for (const auto & topic : forces_) { offer(*topic, force_); }
    offer(*measured_cv_, twist_);
    offer(*gripper_js_, gripper_);
    const bool is_closed = angle < 0.1;
    if (is_closed != was_closed_) {
      was_closed_ = is_closed;
      std_msgs::msg::Bool message;
      message.data = is_closed;
      closed_->publish(message);
    }
  }

  void move_hand(double time)
  {
    if (!kinematics_) {
      ambf_teleop::Pose hand;
      hand.position = trajectory_position(trajectory_, time);
      fill(pose_.pose, hand);
      fill(
        twist_.twist,
        ambf_teleop::Twist{trajectory_velocity(trajectory_, time), Eigen::Vector3d::Zero()});
      return;
    }
    ambf_arms::JointVector q = ambf_arms::zeros(static_cast<Eigen::Index>(joints_.name.size()));
    ambf_arms::JointVector velocity = q;
    for (std::size_t i = 0; i < joints_.name.size(); ++i) {
      q[static_cast<Eigen::Index>(i)] = joints_.position[i];
      velocity[static_cast<Eigen::Index>(i)] = joints_.velocity[i];
    }
    tip_motion(chain_, q, motion_);
    fill(
      pose_.pose,
      ambf_teleop::Pose{motion_.tip.translation(), Eigen::Quaterniond(motion_.tip.linear())});
    const Eigen::Matrix<double, 6, 1> twist = motion_.jacobian * velocity;
    fill(twist_.twist, ambf_teleop::Twist{twist.head<3>(), twist.tail<3>()});
  }

  double seconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  crtk_msgs::msg::OperatingState operating_state()
  {
    crtk_msgs::msg::OperatingState state;
    state.header.stamp = clock_.now();
    state.state = to_crtk(arm_->state());
    state.is_homed = arm_->is_homed();
    state.is_busy = arm_->is_busy();
    return state;
  }

  void publish_state() { state_->publish(operating_state()); }

  static void say(rclcpp::Publisher<std_msgs::msg::String> & to, const std::string & words)
  {
    std_msgs::msg::String message;
    message.data = words;
    to.publish(message);
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  rclcpp::Clock clock_{RCL_SYSTEM_TIME};  // an arm does not live on simulated time
  std::unique_ptr<MockArm> arm_;
  ambf_teleop::TestTrajectory trajectory_;
  bool kinematics_ = false;
  ambf_arms::Chain chain_ = ambf_arms::mtm_chain();
  ambf_arms::TipMotion motion_;
  double gripper_rate_ = 1.0;
  double next_warning_ = 0.0;
  bool was_closed_ = false;
  geometry_msgs::msg::PoseStamped pose_;
  geometry_msgs::msg::TwistStamped twist_;
  geometry_msgs::msg::WrenchStamped force_;
  sensor_msgs::msg::JointState gripper_, joints_;
  std::vector<rclcpp::Publisher<geometry_msgs::msg::PoseStamped>::SharedPtr> poses_;
  std::vector<rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr> joint_states_;
  std::vector<rclcpp::Publisher<geometry_msgs::msg::WrenchStamped>::SharedPtr> forces_;
  rclcpp::Publisher<geometry_msgs::msg::TwistStamped>::SharedPtr measured_cv_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr gripper_js_;
  rclcpp::Publisher<crtk_msgs::msg::OperatingState>::SharedPtr state_;
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr desired_, status_, warning_, error_;
  rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr closed_;
  rclcpp::Service<crtk_msgs::srv::TriggerOperatingState>::SharedPtr query_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, MockMtm)
