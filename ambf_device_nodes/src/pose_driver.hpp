// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <geometry_msgs/msg/wrench.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/float32_multi_array.hpp>

#include "ambf_devices/driver.hpp"
#include "ambf_teleop/mailbox.hpp"
#include "ambf_devices/pose_tracker.hpp"

namespace ambf_device_nodes
{

enum class PoseType : std::uint8_t
{
  PoseStamped,
  Pose,
  TransformStamped,
  Tf,      ///< one transform among those of tf2_msgs/TFMessage
  Numbers  ///< std_msgs/Float32MultiArray: x y z, then perhaps vx vy vz
};

enum class ForceType : std::uint8_t
{
  None,
  WrenchStamped,
  Wrench,
  Numbers  ///< std_msgs/Float32MultiArray: fx fy fz
};

struct PoseDriverParameters
{
  std::string pose_topic;
  PoseType pose_type = PoseType::PoseStamped;
  std::string tf_parent, tf_child;
  std::string twist_topic;  ///< TwistStamped; empty: differences of poses
  bool twist_is_stamped = true;
  bool orientation = true;
  ambf_devices::TrackerParameters tracker;

  std::string joy_topic;
  int button_position_clutch = -1, button_camera_clutch = -1, button_close_gripper = -1;
  std::vector<int> button_actions;
  int gripper_axis = -1;  ///< of the Joy

  std::string clutch_topic, camera_topic;  ///< Bool
  std::vector<std::string> action_topics;  ///< Bool
  std::string gripper_topic;
  std::string gripper_type = "float64";  ///< float64, float32, joint_state
  double gripper_closed = 1.0, gripper_open = 0.0;

  std::string force_topic;
  ForceType force = ForceType::None;
  bool torque = false;
  double max_force = 0.0, max_torque = 0.0;

  double lost_after = 1.0;  ///< [s]
  double rate = 200.0;
};

/// A tracker that somebody publishes: pose, perhaps velocity, buttons, a gripper, and perhaps somebody
/// who takes forces. Subscriptions belong to one callback group, so that one thread at a time posts.
class PoseDriver : public ambf_devices::Driver
{
public:
  PoseDriver(rclcpp::Node & node, PoseDriverParameters parameters);

  bool open(double time, std::string & why) override;
  void close() noexcept override {}
  ambf_devices::Capabilities capabilities() const override;
  ambf_devices::DriverStatus read(double time, ambf_devices::DriverState & state) noexcept override;
  ambf_devices::DriverStatus write(
    double time, const ambf_teleop::Wrench & wrench) noexcept override;

private:
  /// What the topics said last.
  struct Heard
  {
    ambf_devices::DriverState state;
    std::uint64_t poses = 0;
    bool joy_clutch = false, joy_camera = false;
    bool clutch = false, camera = false;
    std::uint32_t joy_actions = 0, actions = 0;
  };

  /// What the topics have brought. The callbacks share it: one of them may still run when the driver
  /// is destroyed.
  struct Received
  {
    explicit Received(const PoseDriverParameters & p) : parameters(p), tracker(p.tracker) {}
    void take_pose(const ambf_teleop::Pose & pose);
    void take_gripper(double value);
    void take_buttons();
    PoseDriverParameters parameters;
    ambf_devices::PoseTracker tracker;
    Heard heard;
    ambf_teleop::Mailbox<Heard> box;
  };

  template <typename Message, typename Change>
  void listen(rclcpp::Node & node, const std::string & topic, Change change);
  void listen_to_poses(rclcpp::Node & node);
  void listen_to_buttons(rclcpp::Node & node);
  void listen_to_gripper(rclcpp::Node & node);
  std::size_t publishers() const noexcept;

  rclcpp::Node & node_;
  PoseDriverParameters parameters_;
  std::shared_ptr<Received> received_;
  rclcpp::CallbackGroup::SharedPtr group_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<geometry_msgs::msg::WrenchStamped>::SharedPtr wrench_stamped_;
  rclcpp::Publisher<geometry_msgs::msg::Wrench>::SharedPtr wrench_;
  rclcpp::Publisher<std_msgs::msg::Float32MultiArray>::SharedPtr numbers_;
  geometry_msgs::msg::WrenchStamped stamped_;
  std_msgs::msg::Float32MultiArray array_;
  Heard last_;  // of the loop, as is the rest
  std::uint64_t read_ = 0;
  double heard_at_ = 0.0;
};

}  // namespace ambf_device_nodes
