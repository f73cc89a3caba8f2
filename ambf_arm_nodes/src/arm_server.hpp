// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/msg/world_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_arms/arm_control.hpp"
#include "ambf_node_support/time.hpp"
#include "arm_frames.hpp"
#include "arm_place.hpp"
#include "crtk_commands.hpp"
#include "crtk_events.hpp"
#include "crtk_periodic.hpp"
#include "crtk_services.hpp"
#include "follow_action.hpp"
#include "joint_gains.hpp"
#include "parameters.hpp"
#include "setup_frames.hpp"
#include "tool_exchange.hpp"

namespace ambf_arm_nodes
{

/// One arm of a simulated world on CRTK topics, as the dVRK's software has its arms. A client of the
/// world: it reads manifest and snapshots, and commands joints.
///
/// Time of the arm is that of the snapshots; data and events have the stamps of the wall, as those of
/// a real arm. All callbacks are in one group: nothing here runs at the same time.
class ArmServer : public rclcpp::Node
{
public:
  explicit ArmServer(const rclcpp::NodeOptions & options);

private:
  using WorldManifest = ambf_msgs::msg::WorldManifest;
  using WorldSnapshot = ambf_msgs::msg::WorldSnapshot;
  using WorldState = ambf_msgs::msg::WorldState;
  using RigidBodyCmd = ambf_msgs::msg::RigidBodyCmd;

  void connect_world();
  void offer_topics();

  // The world.
  void on_manifest(WorldManifest::ConstSharedPtr manifest);
  void on_state(const WorldState & state);
  void on_snapshot(WorldSnapshot::ConstSharedPtr snapshot);
  void look_for_arm();
  void use(FoundArm found);
  void lose_bodies(const std::string & why);
  bool measure_newest();
  /// Joints that have no body, or another one than before, are no sign that the arm was put elsewhere.
  void compare_without_tool(const ambf_arms::MeasuredArm & now);
  void advance();
  void heard_of_world();
  void watch_world();
  void step_done(bool commands);

  // Its tool.
  void read_rack();
  void take_over(const ToolSituation & tool);
  void go_on_with_tool();
  void tool_refused(const std::string & why);

  // The arm.
  ambf_arms::ArmControl * commanded_arm();
  void after_command();
  void on_timer();
  void watch_force_clients();
  bool make_command();
  void send_command();
  void publish_data();
  void publish_events();
  builtin_interfaces::msg::Time data_stamp();

  Parameters parameters_;
  ambf_arms::ArmDescription description_;
  std::unique_ptr<ambf_arms::ArmControl> control_;
  std::unique_ptr<PeriodicTopics> data_;
  std::unique_ptr<EventTopics> events_;
  std::unique_ptr<CommandTopics> commands_;
  std::unique_ptr<ArmServices> services_;
  std::unique_ptr<FollowAction> follow_;
  std::optional<JointGains> gains_;
  rclcpp::Clock wall_{RCL_SYSTEM_TIME};

  WorldManifest::ConstSharedPtr manifest_message_;
  std::optional<ArmPlace> place_;
  ambf_arms::ToolRack rack_;
  std::optional<ToolExchange> exchange_;
  std::optional<SetupFrames> setup_;  ///< of set-up joints
  std::optional<ArmFrames> frames_;
  std::optional<ToolSituation> tool_;
  std::string used_tool_;       ///< by whose kinematics it was found
  std::string looked_for_;      ///< the tool that was wanted when the arm was looked for
  bool tool_is_new_ = false;    ///< joints may have other values, by no motion
  bool tool_given_up_ = false;  ///< refused twice: not before something changes
  std::uint32_t revision_ = 0;  ///< of the newest manifest
  bool manifest_heard_ = false;
  std::string told_;  ///< why the arm is not in the world
  WorldSnapshot::ConstSharedPtr snapshot_;
  bool snapshot_old_ = false;  ///< from before the world was silent
  ambf_arms::MeasuredArm measured_;
  Eigen::Isometry3d T_world_base_ = Eigen::Isometry3d::Identity();
  double time_ = 0.0;  ///< of the newest snapshot that was measured [s]
  std::uint64_t step_ = 0;
  double since_tick_ = 0.0;  ///< simulated time that the arm has not lived yet [s]
  bool lockstep_ = false;
  std::optional<std::uint64_t> answered_;  ///< newest step that was said to be done
  bool world_there_ = false;
  double heard_at_ = 0.0;    ///< wall [s]
  double watched_at_ = 0.0;  ///< wall [s]
  double silence_ = 0.0;     ///< since the world was heard, in ticks of this node's own timer [s]

  RigidBodyCmd command_, sent_;
  bool commanding_ = false;
  bool unsent_ = false;        ///< there is a newer command than the world has
  bool told_in_step_ = false;  ///< since the newest snapshot
  double sent_at_ = -1e300;
  double force_gone_since_ = -1.0, jaw_gone_since_ = -1.0;
  double next_heartbeat_ = 0.0;

  rclcpp::Publisher<RigidBodyCmd>::SharedPtr command_topic_;
  rclcpp::Publisher<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
  rclcpp::Publisher<ambf_msgs::msg::StepDone>::SharedPtr done_;
  rclcpp::Subscription<WorldManifest>::SharedPtr manifest_;
  rclcpp::Subscription<WorldSnapshot>::SharedPtr snapshots_;
  rclcpp::Subscription<WorldState>::SharedPtr state_;
  rclcpp::TimerBase::SharedPtr timer_, hello_timer_;
};

}  // namespace ambf_arm_nodes
