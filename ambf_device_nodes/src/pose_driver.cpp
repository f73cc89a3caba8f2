// SPDX-License-Identifier: BSD-3-Clause
#include "pose_driver.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/transform_stamped.hpp>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/float32.hpp>
#include <std_msgs/msg/float64.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "ambf_node_support/eigen.hpp"
#include "ambf_node_support/time.hpp"
#include "convert.hpp"

namespace ambf_device_nodes
{
namespace
{

ambf_teleop::Pose pose_of(const geometry_msgs::msg::Transform & t)
{
  using ambf_node_support::to_eigen;
  return {to_eigen(t.translation), to_eigen(t.rotation)};
}

bool is_pressed(const sensor_msgs::msg::Joy & joy, int button)
{
  const auto i = static_cast<std::size_t>(button);
  return button >= 0 && i < joy.buttons.size() && joy.buttons[i] != 0;
}

}  // namespace

void PoseDriver::Received::take_pose(const ambf_teleop::Pose & pose)
{
  ambf_teleop::Pose taken = pose;
  if (!parameters.orientation) { taken.orientation.setIdentity(); }
  // The time of arrival: trackers stamp by clocks of their own, or not at all.
  tracker.take_pose(taken, ambf_node_support::steady_seconds());
  heard.state.T_base_tip = tracker.pose();
  heard.state.twist = tracker.twist();
  ++heard.poses;
}

void PoseDriver::Received::take_gripper(double value)
{
  const double closed = parameters.gripper_closed;
  const double share = (value - closed) / (parameters.gripper_open - closed);
  heard.state.gripper = std::clamp(share, 0.0, 1.0);  // NaN stays NaN and is refused as a reading
}

void PoseDriver::Received::take_buttons()
{
  heard.state.position_clutch = heard.clutch || heard.joy_clutch;
  heard.state.camera_clutch = heard.camera || heard.joy_camera;
  heard.state.actions = heard.actions | heard.joy_actions;
}

PoseDriver::PoseDriver(rclcpp::Node & node, PoseDriverParameters parameters)
: node_(node),
  parameters_(std::move(parameters)),
  received_(std::make_shared<Received>(parameters_))
{
  group_ = node.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  listen_to_poses(node);
  listen_to_buttons(node);
  listen_to_gripper(node);
  const rclcpp::QoS newest = rclcpp::QoS(1).reliable();
  const std::string & force = parameters_.force_topic;
  if (parameters_.force == ForceType::WrenchStamped) {
    wrench_stamped_ = node.create_publisher<geometry_msgs::msg::WrenchStamped>(force, newest);
  } else if (parameters_.force == ForceType::Wrench) {
    wrench_ = node.create_publisher<geometry_msgs::msg::Wrench>(force, newest);
  } else if (parameters_.force == ForceType::Numbers) {
    numbers_ = node.create_publisher<std_msgs::msg::Float32MultiArray>(force, newest);
    array_.data.resize(3);
  }
}

template <typename Message, typename Change>
void PoseDriver::listen(rclcpp::Node & node, const std::string & topic, Change change)
{
  if (topic.empty()) { return; }
  rclcpp::SubscriptionOptions options;
  options.callback_group = group_;
  subscriptions_.push_back(node.create_subscription<Message>(
    topic, rclcpp::QoS(10).best_effort(),
    [received = received_, change](typename Message::ConstSharedPtr message) {
      change(*message, *received);
      received->box.post(received->heard);
    },
    options));
}

void PoseDriver::listen_to_poses(rclcpp::Node & node)
{
  using namespace geometry_msgs::msg;  // NOLINT
  const std::string & topic = parameters_.pose_topic;
  switch (parameters_.pose_type) {
    case PoseType::PoseStamped:
      listen<PoseStamped>(node, topic, [](const PoseStamped & m, Received & received) {
        received.take_pose(from_msg(m.pose));
      });
      break;
    case PoseType::Pose:
      listen<geometry_msgs::msg::Pose>(
        node, topic, [](const geometry_msgs::msg::Pose & m, Received & received) {
          received.take_pose(from_msg(m));
        });
      break;
    case PoseType::TransformStamped:
      listen<TransformStamped>(node, topic, [](const TransformStamped & m, Received & received) {
        received.take_pose(pose_of(m.transform));
      });
      break;
    case PoseType::Tf:
      listen<tf2_msgs::msg::TFMessage>(
        node, topic, [](const tf2_msgs::msg::TFMessage & m, Received & received) {
          for (const auto & one : m.transforms) {
            if (
              one.header.frame_id == received.parameters.tf_parent &&
              one.child_frame_id == received.parameters.tf_child) {
              received.take_pose(pose_of(one.transform));
            }
          }
        });
      break;
    case PoseType::Numbers:
      listen<std_msgs::msg::Float32MultiArray>(
        node, topic, [](const std_msgs::msg::Float32MultiArray & m, Received & received) {
          if (m.data.size() < 3) { return; }
          const auto three = [&m](std::size_t first) {
            return Eigen::Vector3d(m.data[first], m.data[first + 1], m.data[first + 2]);
          };
          if (m.data.size() >= 6) {
            received.tracker.take_twist({three(3), Eigen::Vector3d::Zero()});
          }
          received.take_pose({three(0), Eigen::Quaterniond::Identity()});
        });
      break;
  }
  if (parameters_.twist_is_stamped) {
    listen<TwistStamped>(
      node, parameters_.twist_topic, [](const TwistStamped & m, Received & received) {
        received.tracker.take_twist(from_msg(m.twist));
      });
  } else {
    listen<geometry_msgs::msg::Twist>(
      node, parameters_.twist_topic, [](const geometry_msgs::msg::Twist & m, Received & received) {
        received.tracker.take_twist(from_msg(m));
      });
  }
}

void PoseDriver::listen_to_buttons(rclcpp::Node & node)
{
  listen<sensor_msgs::msg::Joy>(
    node, parameters_.joy_topic, [](const sensor_msgs::msg::Joy & joy, Received & received) {
      const PoseDriverParameters & p = received.parameters;
      received.heard.joy_clutch = is_pressed(joy, p.button_position_clutch);
      received.heard.joy_camera = is_pressed(joy, p.button_camera_clutch);
      received.heard.joy_actions = 0;
      for (std::size_t i = 0; i < std::min<std::size_t>(p.button_actions.size(), 32); ++i) {
        received.heard.joy_actions |= is_pressed(joy, p.button_actions[i]) ? 1u << i : 0u;
      }
      const auto axis = static_cast<std::size_t>(p.gripper_axis);
      if (p.gripper_axis >= 0 && axis < joy.axes.size()) { received.take_gripper(joy.axes[axis]); }
      if (p.button_close_gripper >= 0) {
        received.heard.state.gripper = is_pressed(joy, p.button_close_gripper) ? 0.0 : 1.0;
      }
      received.take_buttons();
    });
  const auto button = [&](const std::string & topic, auto set) {
    listen<std_msgs::msg::Bool>(
      node, topic, [set](const std_msgs::msg::Bool & m, Received & received) {
        set(received.heard, m.data);
        received.take_buttons();
      });
  };
  button(parameters_.clutch_topic, [](Heard & heard, bool on) { heard.clutch = on; });
  button(parameters_.camera_topic, [](Heard & heard, bool on) { heard.camera = on; });
  for (std::size_t i = 0; i < parameters_.action_topics.size() && i < 32; ++i) {
    button(parameters_.action_topics[i], [bit = 1u << i](Heard & heard, bool on) {
      heard.actions = on ? heard.actions | bit : heard.actions & ~bit;
    });
  }
}

void PoseDriver::listen_to_gripper(rclcpp::Node & node)
{
  const std::string & topic = parameters_.gripper_topic;
  if (parameters_.gripper_type == "float32") {
    listen<std_msgs::msg::Float32>(
      node, topic,
      [](const std_msgs::msg::Float32 & m, Received & received) { received.take_gripper(m.data); });
  } else if (parameters_.gripper_type == "joint_state") {
    listen<sensor_msgs::msg::JointState>(
      node, topic, [](const sensor_msgs::msg::JointState & m, Received & received) {
        if (!m.position.empty()) { received.take_gripper(m.position[0]); }
      });
  } else {
    listen<std_msgs::msg::Float64>(
      node, topic,
      [](const std_msgs::msg::Float64 & m, Received & received) { received.take_gripper(m.data); });
  }
}

std::size_t PoseDriver::publishers() const noexcept
{
  try {
    return node_.count_publishers(parameters_.pose_topic);
  } catch (const std::exception &) {
    return 0;  // the middleware is being shut down
  }
}

bool PoseDriver::open(double time, std::string & why)
{
  received_->box.take(last_);
  if (publishers() == 0) {
    why = "nobody publishes " + parameters_.pose_topic +
          "; start the tracker's own node, or set the parameter 'pose_topic'";
    return false;
  }
  if (last_.poses == read_) {
    const std::string of = parameters_.pose_type == PoseType::Tf
                             ? ": no transform from '" + parameters_.tf_parent + "' to '" +
                                 parameters_.tf_child + "' in it"
                             : "; is 'pose_type' its type?";
    why = parameters_.pose_topic + " brings no pose" + of;
    return false;
  }
  if (
    parameters_.force != ForceType::None && node_.count_subscribers(parameters_.force_topic) == 0) {
    why = "nobody listens on " + parameters_.force_topic +
          "; set 'force_topic' to the one that the device has, or to nothing";
    return false;
  }
  heard_at_ = time;
  return true;
}

ambf_devices::Capabilities PoseDriver::capabilities() const
{
  ambf_devices::Capabilities can;
  can.model = "tracker on " + parameters_.pose_topic;
  can.rate = parameters_.rate;
  can.force = parameters_.force != ForceType::None;
  can.torque = can.force && parameters_.torque;
  can.orientation = parameters_.orientation;
  can.gripper = !parameters_.gripper_topic.empty() || parameters_.gripper_axis >= 0 ||
                parameters_.button_close_gripper >= 0;
  can.max_force = parameters_.max_force;
  can.max_torque = parameters_.max_torque;
  return can;
}

ambf_devices::DriverStatus PoseDriver::read(double time, ambf_devices::DriverState & state) noexcept
{
  received_->box.take(last_);
  if (last_.poses != read_) {
    read_ = last_.poses;
    heard_at_ = time;
    state = last_.state;
    return ambf_devices::DriverStatus::Ok;
  }
  return time - heard_at_ > parameters_.lost_after ? ambf_devices::DriverStatus::Lost
                                                   : ambf_devices::DriverStatus::NothingNew;
}

ambf_devices::DriverStatus PoseDriver::write(double, const ambf_teleop::Wrench & wrench) noexcept
{
  const Eigen::Quaterniond back = parameters_.tracker.R_base_tracker.conjugate();
  fill(stamped_.wrench, {back * wrench.force, back * wrench.torque});
  if (wrench_stamped_) {
    stamped_.header.stamp = node_.now();
    wrench_stamped_->publish(stamped_);
  } else if (wrench_) {
    wrench_->publish(stamped_.wrench);
  } else if (numbers_) {
    array_.data[0] = static_cast<float>(stamped_.wrench.force.x);
    array_.data[1] = static_cast<float>(stamped_.wrench.force.y);
    array_.data[2] = static_cast<float>(stamped_.wrench.force.z);
    numbers_->publish(array_);
  }
  return ambf_devices::DriverStatus::Ok;
}

}  // namespace ambf_device_nodes
