// SPDX-License-Identifier: BSD-3-Clause
#include "arm_place.hpp"

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <ambf_msgs/msg/joint_mode.hpp>

#include "ambf_adf/parse.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_arms::Arm;
using ambf_arms::ArmDescription;
using ambf_msgs::msg::JointMode;
using ambf_msgs::msg::RigidBodyCmd;
using ambf_msgs::msg::WorldSnapshot;

constexpr std::size_t body_stride = 13;
constexpr std::size_t joint_stride = 3;

/// A joint without a body keeps the values that are there.
bool read(
  const PlacedJoint & joint, const WorldSnapshot & snapshot, double & position, double & velocity,
  double & effort)
{
  if (joint.indices.empty()) { return true; }
  position = velocity = effort = 0.0;
  // Virtual work: what all of its joints do together is what the one joint does.
  const double share = 1.0 / (static_cast<double>(joint.indices.size()) * joint.ratio);
  for (const std::uint32_t index : joint.indices) {
    const std::size_t first = index * joint_stride;
    if (first + joint_stride > snapshot.joints.size()) { return false; }
    position += share * snapshot.joints[first];
    velocity += share * snapshot.joints[first + 1];
    effort += joint.ratio * snapshot.joints[first + 2];
  }
  return true;
}

}  // namespace

ArmDescription choose_arm(const Parameters & parameters)
{
  auto described = ambf_arms::parse_arms_file(parameters.arms_file);
  if (!described) { throw std::invalid_argument(ambf_adf::to_string(described.error())); }
  std::string names;
  for (ArmDescription & arm : described->arms) {
    if (arm.name == parameters.arm || (parameters.arm.empty() && described->arms.size() == 1)) {
      if (!parameters.name.empty() && parameters.name != arm.name) {
        arm.name = parameters.name;
        arm.topic.clear();
      }
      return std::move(arm);
    }
    names += (names.empty() ? "" : ", ") + arm.name;
  }
  throw std::invalid_argument(
    "parameter 'arm': found '" + parameters.arm + "', expected one of " + parameters.arms_file +
    ": " + names);
}

std::optional<Arm> arm_without_world(const ArmDescription & description)
{
  if (description.kind != ambf_arms::ArmKind::Generic) {
    const auto arm = Arm::make(description, nullptr);
    return arm ? std::optional<Arm>(*arm) : std::nullopt;
  }
  ambf_adf::ParseOptions options;
  options.check_files = false;
  if (description.model.empty() || !std::filesystem::is_regular_file(description.model)) {
    return {};
  }
  const auto model = ambf_adf::parse_file(description.model, options);
  const auto arm =
    model ? Arm::make(description, &*model)
          : ambf_adf::expected<Arm, ambf_adf::Errors>(ambf_adf::unexpected(model.error()));
  return arm ? std::optional<Arm>(*arm) : std::nullopt;
}

bool measure(
  const ArmPlace & place, const WorldSnapshot & snapshot, const ambf_arms::ArmControl & control,
  ambf_arms::MeasuredArm & out)
{
  if (snapshot.manifest_revision != place.revision) { return false; }
  const auto n = static_cast<Eigen::Index>(place.joints.size());
  out.position = control.setpoint();
  if (out.position.size() != n) { return false; }
  out.velocity.setZero(n);
  out.effort.setZero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const PlacedJoint & joint = place.joints[static_cast<std::size_t>(i)];
    if (!read(joint, snapshot, out.position[i], out.velocity[i], out.effort[i])) { return false; }
  }
  out.jaw_position = control.jaw_setpoint();
  out.jaw_velocity = out.jaw_effort = 0.0;
  return read(place.jaw, snapshot, out.jaw_position, out.jaw_velocity, out.jaw_effort);
}

Eigen::Isometry3d body_in_world(std::uint32_t body, const WorldSnapshot & snapshot)
{
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  const std::size_t first = body * body_stride;
  if (first + body_stride > snapshot.bodies.size()) { return pose; }
  const double * b = snapshot.bodies.data() + first;
  pose.translation() = Eigen::Vector3d(b[0], b[1], b[2]);
  pose.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).normalized().toRotationMatrix();
  return pose;
}

void fill(RigidBodyCmd & out, const ArmPlace & place, const ambf_arms::ArmDrives & drives)
{
  using ambf_arms::Drive;
  const std::size_t all = place.command_names.size();
  out.name = place.base_name;
  out.cartesian_cmd_type = RigidBodyCmd::TYPE_NONE;
  if (out.joint_names != place.command_names) { out.joint_names = place.command_names; }
  out.joint_modes.resize(all);
  out.joint_cmds.resize(all);
  std::size_t k = 0;
  const auto put = [&](const PlacedJoint & joint, Drive drive, double value) {
    // Virtual work: what all of its joints do together is what the one joint does.
    const double share = static_cast<double>(joint.indices.size()) * joint.ratio;
    const std::uint8_t mode = drive == Drive::Position ? JointMode::POSITION
                              : drive == Drive::Effort ? JointMode::EFFORT
                                                       : JointMode::RELEASE;
    for (std::size_t i = 0; i < joint.indices.size() && k < all; ++i, ++k) {
      out.joint_modes[k] = mode;
      out.joint_cmds[k] = drive == Drive::Effort ? value / share : joint.ratio * value;
    }
  };
  for (std::size_t i = 0; i < place.joints.size(); ++i) {
    put(place.joints[i], drives.modes[i], drives.values[static_cast<Eigen::Index>(i)]);
  }
  if (place.drives_jaw) { put(place.jaw, drives.jaw_mode, drives.jaw); }
}

bool was_put_elsewhere(
  const Arm & arm, const ambf_arms::ArmDrives & asked, const ambf_arms::MeasuredArm & before,
  const ambf_arms::MeasuredArm & after, double dt)
{
  if (before.position.size() != after.position.size()) { return false; }
  for (int i = 0; i < arm.joints(); ++i) {
    const double way = after.position[i] - before.position[i];
    if (dt <= 0.0) {
      if (std::abs(way) > 1e-6) { return true; }
      continue;
    }
    // By its speed at either end, or to where it is asked to be: simulated motors are there within a
    // few steps, and stand still again before the next snapshot.
    const bool goes = asked.modes[static_cast<std::size_t>(i)] == ambf_arms::Drive::Position &&
                      i < asked.values.size();
    const auto [back, forth] = std::minmax(
      {0.0, before.velocity[i] * dt, after.velocity[i] * dt,
       goes ? asked.values[i] - before.position[i] : 0.0});
    // What is left may be due to an acceleration, far beyond that of any motor.
    const double slack = arm.slides(i) ? 0.002 + 50.0 * dt * dt : 0.02 + 500.0 * dt * dt;
    if (way > forth + slack || way < back - slack) { return true; }
  }
  return false;
}

}  // namespace ambf_arm_nodes
