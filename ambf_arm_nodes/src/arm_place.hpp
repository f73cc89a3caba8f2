// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>

#include "ambf_arms/arm_control.hpp"
#include "parameters.hpp"

namespace ambf_arm_nodes
{

/// The arm that the parameters choose. Throws what is wrong, in words.
ambf_arms::ArmDescription choose_arm(const Parameters & parameters);

/// The arm as far as it is known before there is a world; empty for a generic one without its model.
std::optional<ambf_arms::Arm> arm_without_world(const ambf_arms::ArmDescription & description);

/// Which bodies and joints of a manifest are the arm's.
struct ArmPlace
{
  std::uint32_t revision = 0;
  std::string model;
  std::string adf;                         ///< resolved description of that model
  std::vector<std::uint32_t> joints;       ///< indices, in the arm's order
  std::vector<std::uint32_t> fingers;      ///< of the jaw or gripper
  std::vector<std::string> command_names;  ///< of the joints, then of the driven fingers
  double jaw_ratio = 0.5;
  std::uint32_t base = 0;
  std::string base_name;
  std::string command_topic;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< of the arm's bodies, world axes [m/s^2]
};

/// An arm in a world, or why it is not there.
struct FoundArm
{
  ArmPlace place;
  ambf_arms::Arm arm;
};
ambf_adf::expected<FoundArm, std::string> find_arm(
  const ambf_msgs::msg::WorldManifest & manifest, const ambf_arms::ArmDescription & description,
  const std::string & model);

/// False where the snapshot is not of the manifest that the place is of.
bool measure(
  const ArmPlace & place, const ambf_msgs::msg::WorldSnapshot & snapshot,
  ambf_arms::MeasuredArm & out);
Eigen::Isometry3d base_in_world(
  const ArmPlace & place, const ambf_msgs::msg::WorldSnapshot & snapshot);

/// The command for the joints; drives that are all off let go of them.
void fill(
  ambf_msgs::msg::RigidBodyCmd & out, const ArmPlace & place, const ambf_arms::ArmDrives & drives);

/// Did the arm get there by no motion? Then it was put there: by a reset, or a restored state.
/// `asked`: by which it was driven meanwhile.
bool was_put_elsewhere(
  const ambf_arms::Arm & arm, const ambf_arms::ArmDrives & asked,
  const ambf_arms::MeasuredArm & before, const ambf_arms::MeasuredArm & after, double dt);

}  // namespace ambf_arm_nodes
