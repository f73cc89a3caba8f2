// SPDX-License-Identifier: BSD-3-Clause
#include "object_kinds.hpp"

#include <algorithm>
#include <cmath>

#include "convert.hpp"

namespace ambf_physics::kinds
{

using ambf_dynamics::no_index;

namespace
{

tl::unexpected<std::string> wrong(const std::string & text) { return tl::unexpected(text); }

bool finite(const geometry_msgs::msg::Vector3 & v)
{
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

const Commander * at(const std::vector<Commander> & commanders, std::uint32_t i)
{
  return i < commanders.size() ? &commanders[i] : nullptr;
}

template <typename State>
void describe_object(State & message, const Roster & roster, const Roster::Object & object)
{
  message.header.frame_id = roster.manifest.root_frame;
  message.identifier = object.names.qualified;
  message.name = object.names.name;
  if constexpr (requires { message.parent_name; }) {
    message.header.frame_id = object.parent_frame;
    message.parent_name = object.parent_name;
    message.pose = to_pose(object.location);
  }
  if constexpr (requires { message.type; }) { message.type = object.kind; }
  if constexpr (requires { message.mass; }) { message.mass = object.mass; }
}

/// A camera's or light's place in its parent's frame.
template <typename Command>
Checked to_view_order(
  const Command & command, const Roster & roster, Order<Eigen::Isometry3d> & out)
{
  if (!command.enable_position_controller) { return false; }
  const auto pose = to_isometry(command.pose);
  if (!pose) { return wrong("pose: " + pose.error()); }
  out.revision = roster.revision;
  out.command = *pose;
  return true;
}

std::string body_name(const Roster & roster, ambf_dynamics::BodyIndex body)
{
  return body < roster.bodies.size() ? roster.bodies[body].info.name : std::string{};
}

}  // namespace

void RigidBodies::describe(State & message, const Roster & roster, std::uint32_t i)
{
  message.header.frame_id = roster.manifest.root_frame;
  ambf_physics::describe(message, roster.bodies[i]);
}

void RigidBodies::fill(
  State & message, const Roster & roster, const SharedState & shared, std::uint32_t i)
{
  ambf_physics::fill(message, roster.bodies[i], shared.state, i);
  if (i < shared.readings.wrenches.size()) {
    const auto & wrench = shared.readings.wrenches[i];
    message.wrench.force.x = wrench.force.x();
    message.wrench.force.y = wrench.force.y();
    message.wrench.force.z = wrench.force.z();
    message.wrench.torque.x = wrench.torque.x();
    message.wrench.torque.y = wrench.torque.y();
    message.wrench.torque.z = wrench.torque.z();
  }
}

const Commander * RigidBodies::commander(const SharedState & shared, std::uint32_t i)
{
  return at(shared.commanders, i);
}

std::shared_ptr<BodyInbox> RigidBodies::inbox(Simulation & simulation, std::uint32_t i)
{
  return simulation.commands().bodies.inbox(i);
}

Checked RigidBodies::to_order(
  const Command & command, const Roster & roster, std::uint32_t i, Order & out)
{
  if (auto done = ambf_physics::to_order(command, roster, i, out); !done) {
    return wrong(done.error());
  }
  return true;
}

void SoftBodies::describe(State & message, const Roster & roster, std::uint32_t i)
{
  describe_object(message, roster, roster.soft_bodies[i]);
}

void SoftBodies::fill(State & message, const Roster &, const SharedState & shared, std::uint32_t i)
{
  const auto & offsets = shared.state.soft_offsets;
  if (i + 1 >= offsets.size()) { return; }
  const auto first = shared.state.soft_nodes.begin() + 3 * static_cast<std::ptrdiff_t>(offsets[i]);
  const auto last =
    shared.state.soft_nodes.begin() + 3 * static_cast<std::ptrdiff_t>(offsets[i + 1]);
  message.nodes.assign(first, last);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (auto it = first; it != last; it += 3) { sum += Eigen::Vector3d(it[0], it[1], it[2]); }
  Eigen::Isometry3d centre = Eigen::Isometry3d::Identity();
  if (first != last) { centre.translation() = sum * 3.0 / static_cast<double>(last - first); }
  message.pose = to_pose(centre);
}

const Commander * SoftBodies::commander(const SharedState & shared, std::uint32_t i)
{
  return at(shared.soft_body_commanders, i);
}

std::shared_ptr<SoftBodies::Inbox> SoftBodies::inbox(Simulation & simulation, std::uint32_t i)
{
  return simulation.commands().objects.soft_bodies.box(i);
}

Checked SoftBodies::to_order(
  const Command & command, const Roster & roster, std::uint32_t i, Order & out)
{
  const std::uint32_t count = roster.soft_bodies[i].node_count;
  if (!finite(command.wrench.force)) {
    return wrong("wrench.force: found a value that is not finite");
  }
  const auto & torque = command.wrench.torque;
  if (torque.x != 0.0 || torque.y != 0.0 || torque.z != 0.0) {
    return wrong("wrench.torque: found a torque, expected zero: a soft body is pushed, not turned");
  }
  if (command.node_indices.size() != command.node_forces.size()) {
    return wrong(
      "node_forces: found " + std::to_string(command.node_forces.size()) + " forces, expected " +
      std::to_string(command.node_indices.size()) + " as in node_indices");
  }
  out.revision = roster.revision;
  out.command.force = {command.wrench.force.x, command.wrench.force.y, command.wrench.force.z};
  out.command.nodes.clear();
  out.command.node_forces.clear();
  for (std::size_t k = 0; k < command.node_indices.size(); ++k) {
    const auto & force = command.node_forces[k];
    if (command.node_indices[k] >= count) {
      return wrong(
        "node_indices[" + std::to_string(k) + "]: found " +
        std::to_string(command.node_indices[k]) + ", expected less than " + std::to_string(count));
    }
    if (!finite(force)) {
      return wrong("node_forces[" + std::to_string(k) + "]: found a value that is not finite");
    }
    out.command.nodes.push_back(command.node_indices[k]);
    out.command.node_forces.emplace_back(force.x, force.y, force.z);
  }
  return true;
}

void Cameras::describe(State & message, const Roster & roster, std::uint32_t i)
{
  describe_object(message, roster, roster.cameras[i]);
}

void Cameras::fill(State & message, const Roster &, const SharedState & shared, std::uint32_t i)
{
  if (7 * (i + 1) <= shared.camera_offsets.size()) {
    message.pose = to_pose(&shared.camera_offsets[7 * i]);
  }
}

const Commander * Cameras::commander(const SharedState & shared, std::uint32_t i)
{
  return at(shared.camera_commanders, i);
}

std::shared_ptr<Cameras::Inbox> Cameras::inbox(Simulation & simulation, std::uint32_t i)
{
  return simulation.commands().objects.cameras.box(i);
}

Checked Cameras::to_order(
  const Command & command, const Roster & roster, std::uint32_t, Order & out)
{
  return to_view_order(command, roster, out);
}

void Lights::describe(State & message, const Roster & roster, std::uint32_t i)
{
  describe_object(message, roster, roster.lights[i]);
}

void Lights::fill(State & message, const Roster &, const SharedState & shared, std::uint32_t i)
{
  if (7 * (i + 1) <= shared.light_offsets.size()) {
    message.pose = to_pose(&shared.light_offsets[7 * i]);
  }
}

const Commander * Lights::commander(const SharedState & shared, std::uint32_t i)
{
  return at(shared.light_commanders, i);
}

std::shared_ptr<Lights::Inbox> Lights::inbox(Simulation & simulation, std::uint32_t i)
{
  return simulation.commands().objects.lights.box(i);
}

Checked Lights::to_order(const Command & command, const Roster & roster, std::uint32_t, Order & out)
{
  return to_view_order(command, roster, out);
}

void Actuators::describe(State & message, const Roster & roster, std::uint32_t i)
{
  describe_object(message, roster, roster.actuators[i]);
}

void Actuators::fill(
  State & message, const Roster & roster, const SharedState & shared, std::uint32_t i)
{
  if (i >= shared.readings.actuators.size()) { return; }
  message.actuated = shared.readings.actuators[i].actuated;
  message.body_name = body_name(roster, shared.readings.actuators[i].body);
}

const Commander * Actuators::commander(const SharedState & shared, std::uint32_t i)
{
  return at(shared.actuator_commanders, i);
}

std::shared_ptr<Actuators::Inbox> Actuators::inbox(Simulation & simulation, std::uint32_t i)
{
  return simulation.commands().objects.actuators.box(i);
}

Checked Actuators::to_order(
  const Command & command, const Roster & roster, std::uint32_t i, Order & out)
{
  out.revision = roster.revision;
  out.command = {};
  out.command.actuate = command.actuate;
  if (!command.actuate) { return true; }
  if (command.use_sensor_data) {
    out.command.sensor = find_object(roster.sensors, command.sensor_identifier);
    if (out.command.sensor == no_index) {
      return wrong(
        "sensor_identifier: found '" + command.sensor_identifier +
        "', expected a sensor; nearest: " +
        nearest_names(command.sensor_identifier, object_names(roster.sensors)));
    }
  } else {
    const auto body = find_body(roster, command.body_name);
    if (body == no_index) {
      return wrong(
        "body_name: found '" + command.body_name +
        "', expected a body; nearest: " + nearest_names(command.body_name, body_names(roster)));
    }
    if (roster.bodies[body].info.qualified == roster.manifest.actuators[i].parent) {
      return wrong(
        "body_name: found '" + command.body_name +
        "', the body that carries the actuator, expected another");
    }
    out.command.body = body;
  }
  if (command.use_offset) {
    const auto offset = to_isometry(command.body_offset);
    if (!offset) { return wrong("body_offset: " + offset.error()); }
    out.command.offset = *offset;
  }
  return true;
}

void Sensors::describe(State & message, const Roster & roster, std::uint32_t i)
{
  describe_object(message, roster, roster.sensors[i]);
}

void Sensors::fill(
  State & message, const Roster & roster, const SharedState & shared, std::uint32_t i)
{
  const Readings & readings = shared.readings;
  if (i + 1 >= readings.sensor_offsets.size()) { return; }
  const std::size_t first = readings.sensor_offsets[i], last = readings.sensor_offsets[i + 1];
  const auto copy = [&](const auto & from, auto & to) {
    to.assign(
      from.begin() + static_cast<std::ptrdiff_t>(first),
      from.begin() + static_cast<std::ptrdiff_t>(last));
  };
  message.count = static_cast<std::uint32_t>(last - first);
  copy(readings.triggered, message.triggered);
  copy(readings.range, message.range);
  copy(readings.measurement, message.measurement);
  message.sensed_objects.clear();
  message.sensed_objects_map.clear();
  std::vector<ambf_dynamics::BodyIndex> seen;
  for (std::size_t k = first; k < last; ++k) {
    const auto body = readings.sensed[k];
    auto it = std::find(seen.begin(), seen.end(), body);
    if (it == seen.end() && body != no_index) {
      message.sensed_objects.push_back(body_name(roster, body));
      it = seen.insert(seen.end(), body);
    }
    message.sensed_objects_map.push_back(
      body == no_index ? no_index : static_cast<std::uint32_t>(it - seen.begin()));
  }
  for (auto & place : message.sensed_objects_map) {
    if (place == no_index) { place = static_cast<std::uint32_t>(seen.size()); }
  }
}

void Ghosts::describe(State & message, const Roster & roster, std::uint32_t i)
{
  describe_object(message, roster, roster.ghosts[i]);
}

void Ghosts::fill(
  State & message, const Roster & roster, const SharedState & shared, std::uint32_t i)
{
  const auto parent = roster.body_by_name.find(roster.manifest.ghost_objects[i].parent);
  Eigen::Isometry3d pose = roster.ghosts[i].location;
  if (parent != roster.body_by_name.end()) {
    pose = body_pose(&shared.state.bodies[parent->second * ambf_dynamics::body_stride]) * pose;
  }
  message.pose = to_pose(pose);
  const Readings & readings = shared.readings;
  if (i + 1 >= readings.ghost_offsets.size()) { return; }
  message.sensed_objects.clear();
  for (std::size_t k = readings.ghost_offsets[i]; k < readings.ghost_offsets[i + 1]; ++k) {
    message.sensed_objects.push_back(body_name(roster, readings.ghost_bodies[k]));
  }
}

}  // namespace ambf_physics::kinds
