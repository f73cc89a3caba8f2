// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ambf_msgs/msg/device_command.hpp>
#include <ambf_msgs/msg/device_sample.hpp>
#include <crtk_msgs/msg/string_stamped.hpp>
#include <crtk_msgs/srv/trigger_operating_state.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/empty.hpp>

#include "ambf_arms/operating_state.hpp"
#include "ambf_teleop/frames.hpp"
#include "crtk_events.hpp"

namespace ambf_arm_nodes
{

/// One of our devices as a master (MTM) of a da Vinci Research Kit: its samples as the topics that a console takes from a
/// master on ROS, and the console's forces as commands of the device, which bounds them. Axes of a master: x to the left
/// of the picture, y up, z away.
class DeviceMaster : public rclcpp::Node
{
public:
  explicit DeviceMaster(const rclcpp::NodeOptions & options);

private:
  using DeviceSample = ambf_msgs::msg::DeviceSample;
  using DeviceCommand = ambf_msgs::msg::DeviceCommand;
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using TwistStamped = geometry_msgs::msg::TwistStamped;
  using WrenchStamped = geometry_msgs::msg::WrenchStamped;
  using JointState = sensor_msgs::msg::JointState;
  using TriggerOperatingState = crtk_msgs::srv::TriggerOperatingState;

  void offer(const std::string & arm);
  void listen_to_device(const std::string & topic);
  void listen_to_console(const std::string & arm);
  template <class Message, class Use>
  void listen(const std::string & topic, const rclcpp::QoS & how, Use use);

  void take(const DeviceSample & sample);
  void look_after();
  void tell_state();
  bool hears_device() const;
  void publish_data();
  void order(const std::string & command);
  void publish(const ambf_arms::ArmEvents & events);
  ambf_arms::ControlEvent state_event() const;
  void push(const WrenchStamped & wrench);
  void lock(const std::optional<Eigen::Quaterniond> & orientation);
  void hold_orientation();
  void send_to_device(DeviceCommand & command);

  std::string arm_, device_;
  double device_timeout_, gripper_max_, lock_stiffness_, lock_damping_;
  ambf_teleop::DeviceOffsets offsets_;
  ambf_arms::OperatingState state_;

  ambf_teleop::Pose T_base_handle_;  ///< axes of a master
  ambf_teleop::Twist twist_;
  double gripper_ = 0.0;  ///< [rad]
  Eigen::Quaterniond R_device_tip_ = Eigen::Quaterniond::Identity();
  double heard_at_ = -1e300;
  double pushed_at_ = -1e300;
  double told_at_ = -1e300;                   ///< the operating state
  std::optional<Eigen::Quaterniond> locked_;  ///< the handle, in the axes of a master

  rclcpp::Clock wall_{RCL_SYSTEM_TIME};  // a console does not live on simulated time
  std::unique_ptr<EventTopics> events_;
  PoseStamped pose_;
  TwistStamped velocity_;
  WrenchStamped force_;
  JointState gripper_state_, joints_;
  std::vector<rclcpp::Publisher<PoseStamped>::SharedPtr> poses_;
  std::vector<rclcpp::Publisher<TwistStamped>::SharedPtr> velocities_;
  std::vector<rclcpp::Publisher<WrenchStamped>::SharedPtr> forces_;
  std::vector<rclcpp::Publisher<JointState>::SharedPtr> joint_states_;
  rclcpp::Publisher<JointState>::SharedPtr gripper_js_;
  rclcpp::Publisher<DeviceCommand>::SharedPtr command_;
  rclcpp::Service<TriggerOperatingState>::SharedPtr query_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_arm_nodes
