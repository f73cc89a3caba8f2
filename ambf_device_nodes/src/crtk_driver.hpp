// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <crtk_msgs/msg/operating_state.hpp>
#include <crtk_msgs/msg/string_stamped.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <std_msgs/msg/bool.hpp>

#include "ambf_teleop/mailbox.hpp"
#include "crtk_reading.hpp"
#include "master_laws.hpp"

namespace ambf_device_nodes
{

enum class AutoHome : std::uint8_t
{
  Never,
  Once,  ///< an arm that was lost, or that somebody stopped, is left to the person
  Always,
};

struct CrtkParameters
{
  std::string arm = "/MTMR";
  std::string clutch_topic = "/console/clutch";
  std::string camera_topic = "/console/camera";
  std::string operator_topic = "/console/operator_present";
  std::vector<std::string> action_topics;
  std::string force_topic = "body/servo_cf";  ///< below the arm
  bool force = true;
  bool absolute_force = true;        ///< the wrench has the axes of the base, not of the tip
  bool gravity_compensation = true;  ///< the arm's own
  AutoHome auto_home = AutoHome::Once;
  double rate = 1000.0;
  double max_force = 10.0;
  double max_torque = 0.5;
  double joints_timeout = 0.030;  ///< no efforts on older joints [s]
  CrtkRules rules;
};

/// An arm that speaks CRTK over topics: dVRK masters, and what cisst and SAW bring: Touch, Falcon,
/// Omega. Subscriptions belong to one callback group, so that one thread at a time posts.
class CrtkDriver : public ambf_devices::Driver
{
public:
  /// `laws`: of a master's joints, or none. With a null space the driver sends efforts of the joints
  /// (servo_jf) instead of wrenches.
  CrtkDriver(
    rclcpp::Node & node, CrtkParameters parameters, std::shared_ptr<MasterLaws> laws = nullptr);

  bool open(double time, std::string & why) override;
  void close() noexcept override;
  ambf_devices::Capabilities capabilities() const override;
  ambf_devices::DriverStatus read(double time, ambf_devices::DriverState & state) noexcept override;
  ambf_devices::DriverStatus write(
    double time, const ambf_teleop::Wrench & wrench) noexcept override;

private:
  void subscribe(rclcpp::Node & node);
  template <typename Message, typename Change>
  void listen(
    rclcpp::Node & node, const std::string & topic, const rclcpp::QoS & qos, Change change);
  void listen_to_pedal(rclcpp::Node & node, const std::string & topic, bool CrtkReading::*pedal);
  /// False where the arm does not subscribe to what would be sent to it; `why` says to which topic.
  bool arm_listens(std::string & why) const;
  /// Gravity compensation and the axes of the forces, when the arm begins to take forces.
  void prepare_arm();
  void command(const std::string & word);
  void send(const ambf_teleop::Wrench & wrench);
  void send_efforts(const std::array<double, master_joints> & efforts);
  bool knows_joints() const;

  CrtkParameters parameters_;
  rclcpp::Clock clock_{RCL_SYSTEM_TIME};  // arms stamp by wall time
  rclcpp::CallbackGroup::SharedPtr group_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<crtk_msgs::msg::StringStamped>::SharedPtr state_command_;
  rclcpp::Publisher<geometry_msgs::msg::WrenchStamped>::SharedPtr servo_cf_;
  rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr gravity_, absolute_;
  std::shared_ptr<MasterLaws> laws_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr servo_jf_;  ///< with a null space
  sensor_msgs::msg::JointState efforts_;

  /// What the topics have brought. The callbacks share it: one of them may still run when the driver
  /// is destroyed.
  struct Received
  {
    CrtkReading newest;
    ambf_teleop::Mailbox<CrtkReading> readings;
  };
  std::shared_ptr<Received> received_ = std::make_shared<Received>();
  CrtkReading reading_;  // of the loop, as is the rest
  std::uint64_t poses_read_ = 0;
  bool opened_once_ = false;
  bool forcing_ = false;
  bool ready_ = false;
  geometry_msgs::msg::WrenchStamped wrench_;
};

}  // namespace ambf_device_nodes
