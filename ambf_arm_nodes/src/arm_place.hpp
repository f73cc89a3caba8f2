// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>

#include "ambf_arms/arm_control.hpp"
#include "ambf_arms/tool_rack.hpp"
#include "parameters.hpp"

namespace ambf_arm_nodes
{

/// The arm that the parameters choose. Throws what is wrong, in words.
ambf_arms::ArmDescription choose_arm(const Parameters & parameters);

/// The arm as far as it is known before there is a world; empty for a generic one without its model.
std::optional<ambf_arms::Arm> arm_without_world(const ambf_arms::ArmDescription & description);

/// The joints of a world that one joint of the arm, or its jaw, moves: each by `ratio` times its value.
struct PlacedJoint
{
  std::vector<std::uint32_t>
    indices;  ///< none: it has no body now, as the wrist while there is no tool
  double ratio = 1.0;
};

/// Which bodies and joints of a manifest are the arm's.
struct ArmPlace
{
  std::uint32_t revision = 0;
  std::string model;
  std::size_t model_index = 0;      ///< in the manifest
  std::string adf;                  ///< resolved descriptions of the arm and of what hangs on it
  std::vector<PlacedJoint> joints;  ///< in the arm's order
  PlacedJoint jaw;                  ///< or gripper
  bool drives_jaw = true;           ///< fingers of a master are moved by people
  std::vector<std::string> command_names;  ///< of the joints' joints, then of the driven fingers
  std::uint32_t base = 0;
  std::string base_name;
  std::string command_topic;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< of the arm's bodies, world axes [m/s^2]
};

/// What is to be taken off an arm, or put on it.
struct ToolSituation
{
  bool exchangeable = false;                        ///< its tools have bodies that can come and go
  bool settled = true;                              ///< it carries what is wanted
  const ambf_arms::ToolBodies * carried = nullptr;  ///< of the rack
  bool beside = false;                              ///< what it carries is a model of its own
  ambf_arms::ToolChoice wanted;                     ///< no bodies: it is to have none
  std::vector<std::string> to_remove;               ///< models or bodies, in this order
  std::string place;                                ///< of the arm below the world
  std::string carriage_name;                        ///< the body that tools hang on
  std::optional<std::uint32_t> carriage;            ///< the same in the manifest
};

/// An arm in a world, or why it is not there.
struct FoundArm
{
  ArmPlace place;
  ambf_arms::Arm arm;
  ToolSituation tool;
};

/// What is looked for: `wanted` is the tool that the arm is to carry ("": none), `now` the one by whose
/// kinematics it is commanded until then.
struct WantedArm
{
  const ambf_arms::ArmDescription & description;
  const std::string & model;
  const std::string & world;  ///< namespace
  const ambf_arms::ToolRack & rack;
  std::string wanted;
  std::string now;
};
ambf_adf::expected<FoundArm, std::string> find_arm(
  const ambf_msgs::msg::WorldManifest & manifest, const WantedArm & wanted);

/// False where the snapshot is not of the manifest that the place is of. A joint without a body is where
/// it is asked to be.
bool measure(
  const ArmPlace & place, const ambf_msgs::msg::WorldSnapshot & snapshot,
  const ambf_arms::ArmControl & control, ambf_arms::MeasuredArm & out);
Eigen::Isometry3d body_in_world(std::uint32_t body, const ambf_msgs::msg::WorldSnapshot & snapshot);

/// The command for the joints; drives that are all off let go of them.
void fill(
  ambf_msgs::msg::RigidBodyCmd & out, const ArmPlace & place, const ambf_arms::ArmDrives & drives);

/// Did the arm get there by no motion? Then it was put there: by a reset, or a restored state.
/// `asked`: by which it was driven meanwhile.
bool was_put_elsewhere(
  const ambf_arms::Arm & arm, const ambf_arms::ArmDrives & asked,
  const ambf_arms::MeasuredArm & before, const ambf_arms::MeasuredArm & after, double dt);

}  // namespace ambf_arm_nodes
