// SPDX-License-Identifier: BSD-3-Clause
#include "convert.hpp"

#include <chrono>
#include <cmath>
#include <initializer_list>

namespace ambf_physics
{

using ambf_adf::expected;
using ambf_dynamics::BodyMode;
using ambf_dynamics::JointMode;
using ambf_msgs::msg::RigidBodyCmd;

builtin_interfaces::msg::Time to_stamp(double seconds)
{
  builtin_interfaces::msg::Time stamp;
  const auto nanoseconds = static_cast<std::int64_t>(std::llround(seconds * 1e9));
  stamp.sec = static_cast<std::int32_t>(nanoseconds / 1'000'000'000);
  stamp.nanosec = static_cast<std::uint32_t>(nanoseconds % 1'000'000'000);
  return stamp;
}

builtin_interfaces::msg::Time wall_stamp()
{
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<std::int32_t>(now / 1'000'000'000);
  stamp.nanosec = static_cast<std::uint32_t>(now % 1'000'000'000);
  return stamp;
}

namespace
{

bool finite(std::initializer_list<double> values)
{
  for (const double value : values) {
    if (!std::isfinite(value)) { return false; }
  }
  return true;
}

template <typename Vector>
bool finite(const Vector & v)
{
  return finite({v.x, v.y, v.z});
}

template <typename Vector>
Eigen::Vector3d to_eigen(const Vector & v)
{
  return {v.x, v.y, v.z};
}

tl::unexpected<std::string> wrong(const std::string & text) { return tl::unexpected(text); }

/// One joint value with its mode; `what` names the joint in the message.
expected<JointOrder, std::string> to_joint_order(
  const Roster & roster, ambf_dynamics::JointIndex joint, std::uint8_t mode, double value,
  const std::string & what)
{
  if (mode > static_cast<std::uint8_t>(ambf_dynamics::last_joint_mode)) {
    return wrong(
      what + ": found mode " + std::to_string(mode) +
      ", expected a JointMode (0 none, 1 effort, 2 position, 3 velocity, 4 release, 5 "
      "acceleration)");
  }
  const auto joint_mode = static_cast<JointMode>(mode);
  const bool carries_value = joint_mode != JointMode::None && joint_mode != JointMode::Release;
  if (!std::isfinite(value)) {
    return wrong(
      what + ": found a value that is not finite, expected a number (mode 0 means no command)");
  }
  if (carries_value && !roster.joints[joint].commandable) {
    return wrong(
      what + ": joint '" + roster.joints[joint].name +
      "' cannot be commanded: it has no single free axis, or its motor is disabled");
  }
  return JointOrder{joint, joint_mode, value};
}

/// A pose whose numbers are known to be finite.
expected<Eigen::Isometry3d, std::string> finite_to_isometry(const geometry_msgs::msg::Pose & pose)
{
  const auto & q = pose.orientation;
  const Eigen::Quaterniond rotation(q.w, q.x, q.y, q.z);
  if (std::abs(rotation.norm() - 1.0) > 1e-3) {
    return wrong(
      "found a quaternion of length " + std::to_string(rotation.norm()) +
      ", expected length 1 within 0.001");
  }
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = rotation.normalized().toRotationMatrix();
  result.translation() = to_eigen(pose.position);
  return result;
}

expected<void, std::string> to_body_command(
  const RigidBodyCmd & command, ambf_dynamics::BodyCommand & out)
{
  out = {};
  // Also in what the type does not use: a sender that makes such values is not to be trusted.
  const auto & p = command.pose;
  const auto & q = p.orientation;
  if (!finite(command.wrench.force) || !finite(command.wrench.torque)) {
    return wrong("wrench: found a value that is not finite, expected numbers");
  }
  if (!finite(command.twist.linear) || !finite(command.twist.angular)) {
    return wrong("twist: found a value that is not finite, expected numbers");
  }
  if (!finite(p.position) || !finite({q.x, q.y, q.z, q.w})) {
    return wrong("pose: found a value that is not finite, expected numbers");
  }
  if (!std::isfinite(command.max_force) || !std::isfinite(command.max_torque)) {
    return wrong("max_force, max_torque: found a value that is not finite, expected numbers");
  }
  switch (command.cartesian_cmd_type) {
    case RigidBodyCmd::TYPE_NONE:
      out.mode = BodyMode::None;
      return {};
    case RigidBodyCmd::TYPE_RELEASE:
      out.mode = BodyMode::Release;
      return {};
    case RigidBodyCmd::TYPE_FORCE:
      out.mode = BodyMode::Wrench;
      out.force = to_eigen(command.wrench.force);
      out.torque = to_eigen(command.wrench.torque);
      return {};
    case RigidBodyCmd::TYPE_POSITION:
    case RigidBodyCmd::TYPE_HOLD: {
      const auto pose = finite_to_isometry(command.pose);
      if (!pose) { return wrong("pose: " + pose.error()); }
      const bool holds = command.cartesian_cmd_type == RigidBodyCmd::TYPE_HOLD;
      out.mode = holds ? BodyMode::Hold : BodyMode::Pose;
      out.position = pose->translation();
      out.orientation = Eigen::Quaterniond(pose->rotation());
      if (!holds) { return {}; }
      if (command.max_force < 0.0 || command.max_torque < 0.0) {
        return wrong(
          "max_force, max_torque: found a limit below 0, expected N and N m, or 0 for the default");
      }
      out.max_force = command.max_force;
      out.max_torque = command.max_torque;
      return {};
    }
    case RigidBodyCmd::TYPE_VELOCITY:
      out.mode = BodyMode::Twist;
      out.linear_velocity = to_eigen(command.twist.linear);
      out.angular_velocity = to_eigen(command.twist.angular);
      return {};
    default:
      return wrong(
        "cartesian_cmd_type: found " + std::to_string(command.cartesian_cmd_type) +
        ", expected 0 force, 1 position, 2 velocity, 3 none, 4 release or 5 hold");
  }
}

}  // namespace

expected<Eigen::Isometry3d, std::string> to_isometry(const geometry_msgs::msg::Pose & pose)
{
  const auto & q = pose.orientation;
  if (!finite(pose.position) || !finite({q.x, q.y, q.z, q.w})) {
    return wrong("found a value that is not finite, expected numbers");
  }
  return finite_to_isometry(pose);
}

expected<void, std::string> to_order(
  const RigidBodyCmd & command, const Roster & roster, ambf_dynamics::BodyIndex index,
  BodyOrder & out)
{
  const Roster::Body & body = roster.bodies[index];
  out.revision = roster.revision;
  out.joints.clear();
  if (auto done = to_body_command(command, out.body); !done) { return done; }

  const std::size_t count = command.joint_cmds.size();
  if (!command.joint_modes.empty() && command.joint_modes.size() != count) {
    return wrong(
      "joint_modes: found " + std::to_string(command.joint_modes.size()) + " modes, expected " +
      std::to_string(count) + " as in joint_cmds, or none");
  }
  if (!command.joint_names.empty() && command.joint_names.size() != count) {
    return wrong(
      "joint_names: found " + std::to_string(command.joint_names.size()) + " names, expected " +
      std::to_string(count) + " as in joint_cmds, or none");
  }
  if (command.joint_names.empty() && count > body.client_joints.size()) {
    return wrong(
      "joint_cmds: found " + std::to_string(count) + " values, expected at most " +
      std::to_string(body.client_joints.size()) + ", the joints below '" + body.info.name + "'");
  }
  for (std::size_t i = 0; i < count; ++i) {
    ambf_dynamics::JointIndex joint = 0;
    std::string what = "joint_cmds[" + std::to_string(i) + "]";
    if (command.joint_names.empty()) {
      joint = body.client_joints[i];
    } else {
      // Names below this body come first: several copies of a robot share them.
      const std::string & name = command.joint_names[i];
      bool found = false;
      for (std::size_t k = 0; k < body.client_joints.size() && !found; ++k) {
        found = body.joint_names[k] == name;
        if (found) { joint = body.client_joints[k]; }
      }
      if (!found) {
        joint = find_joint(roster, name);
        if (joint == ambf_dynamics::no_index) {
          return wrong(
            "joint_names[" + std::to_string(i) + "]: found '" + name +
            "', expected a joint; nearest: " + nearest_names(name, joint_names(roster)));
        }
      }
      what += " (" + name + ")";
    }
    const std::uint8_t mode = command.joint_modes.empty()
                                ? static_cast<std::uint8_t>(JointMode::Effort)
                                : command.joint_modes[i];
    auto order = to_joint_order(roster, joint, mode, command.joint_cmds[i], what);
    if (!order) { return wrong(order.error()); }
    out.joints.push_back(*order);
  }
  return {};
}

expected<void, std::string> to_orders(
  const ambf_msgs::srv::StepWorld::Request & request, const Roster & roster,
  std::vector<JointOrder> & out)
{
  out.clear();
  const std::size_t count = request.joints.size();
  if (request.joint_modes.size() != count || request.joint_values.size() != count) {
    return wrong(
      "joints, joint_modes, joint_values: found lengths " + std::to_string(count) + ", " +
      std::to_string(request.joint_modes.size()) + ", " +
      std::to_string(request.joint_values.size()) + ", expected equal lengths");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string what = "joints[" + std::to_string(i) + "]";
    if (request.joints[i] >= roster.joints.size()) {
      return wrong(
        what + ": found index " + std::to_string(request.joints[i]) + ", expected less than " +
        std::to_string(roster.joints.size()) + ", the joints of manifest revision " +
        std::to_string(roster.revision));
    }
    auto order = to_joint_order(
      roster, request.joints[i], request.joint_modes[i], request.joint_values[i], what);
    if (!order) { return wrong(order.error()); }
    out.push_back(*order);
  }
  return {};
}

geometry_msgs::msg::Pose to_pose(const double * body)
{
  geometry_msgs::msg::Pose pose;
  pose.position.x = body[0];
  pose.position.y = body[1];
  pose.position.z = body[2];
  pose.orientation.x = body[3];
  pose.orientation.y = body[4];
  pose.orientation.z = body[5];
  pose.orientation.w = body[6];
  return pose;
}

Eigen::Isometry3d body_pose(const double * body)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Eigen::Vector3d(body[0], body[1], body[2]);
  t.linear() = Eigen::Quaterniond(body[6], body[3], body[4], body[5]).toRotationMatrix();
  return t;
}

geometry_msgs::msg::Pose to_pose(const Eigen::Isometry3d & t)
{
  const Eigen::Quaterniond q(t.linear());
  const double numbers[] = {
    t.translation().x(), t.translation().y(), t.translation().z(), q.x(), q.y(), q.z(), q.w()};
  return to_pose(numbers);
}

void describe(ambf_msgs::msg::RigidBodyState & message, const Roster::Body & body)
{
  message.identifier = body.info.qualified;
  message.name = body.info.name;
  message.mass = body.info.mass;
  message.pinertia.x = body.info.inertia.x();
  message.pinertia.y = body.info.inertia.y();
  message.pinertia.z = body.info.inertia.z();
  message.children_names = body.children_names;
  message.joint_names = body.joint_names;
  message.joint_positions.resize(body.client_joints.size());
  message.joint_velocities.resize(body.client_joints.size());
  message.joint_efforts.resize(body.client_joints.size());
}

void fill(
  ambf_msgs::msg::RigidBodyState & message, const Roster::Body & body,
  const ambf_dynamics::State & state, ambf_dynamics::BodyIndex index)
{
  const double * b = state.bodies.data() + index * ambf_dynamics::body_stride;
  message.pose = to_pose(b);
  message.twist.linear.x = b[7];
  message.twist.linear.y = b[8];
  message.twist.linear.z = b[9];
  message.twist.angular.x = b[10];
  message.twist.angular.y = b[11];
  message.twist.angular.z = b[12];
  for (std::size_t i = 0; i < body.client_joints.size(); ++i) {
    const double * j = state.joints.data() + body.client_joints[i] * ambf_dynamics::joint_stride;
    message.joint_positions[i] = j[0];
    message.joint_velocities[i] = j[1];
    message.joint_efforts[i] = j[2];
  }
}

void fill(
  ambf_msgs::msg::WorldSnapshot & message, const SharedState & shared, bool contacts, bool rays)
{
  const ambf_dynamics::State & state = shared.state;
  message.header.stamp = to_stamp(state.time);
  message.manifest_revision = state.revision;
  message.step = state.step;
  message.state_hash = state.hash;
  message.wall_time = wall_stamp();
  message.bodies = state.bodies;
  message.joints = state.joints;
  message.weightless = state.weightless;
  message.soft_offsets = state.soft_offsets;
  message.soft_nodes = state.soft_nodes;
  message.cameras = shared.cameras;
  message.lights = shared.lights;
  if (contacts) {
    message.contacts.resize(state.contacts.size());
    for (std::size_t i = 0; i < state.contacts.size(); ++i) {
      const auto & from = state.contacts[i];
      auto & to = message.contacts[i];
      to.body_a = from.body_a;
      to.body_b = from.body_b;
      to.position.x = from.position.x();
      to.position.y = from.position.y();
      to.position.z = from.position.z();
      to.normal.x = from.normal.x();
      to.normal.y = from.normal.y();
      to.normal.z = from.normal.z();
      to.distance = from.distance;
      to.normal_force = from.force.dot(from.normal);
      const Eigen::Vector3d friction = from.force - to.normal_force * from.normal;
      to.friction_force.x = friction.x();
      to.friction_force.y = friction.y();
      to.friction_force.z = friction.z();
    }
  }
  if (rays) {
    message.ray_flags = state.ray_flags;
    message.ray_hits = state.ray_hits;
  }
}

}  // namespace ambf_physics
