// SPDX-License-Identifier: BSD-3-Clause
#include "step_request.hpp"

#include "convert.hpp"
#include "object_kinds.hpp"

namespace ambf_physics
{

using Request = ambf_msgs::srv::StepWorld::Request;
using Response = ambf_msgs::srv::StepWorld::Response;

namespace
{

constexpr double kLongestBarrier = 3600.0;  // s, as the node's parameter

/// Commands to objects that are named in `commands[i].name`; returns what is wrong, empty: nothing.
template <typename Kind, typename Commands, typename Out>
std::string check_objects(
  const Commands & commands, const char * field, const Roster & roster, Out & out)
{
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string what = std::string(field) + "[" + std::to_string(i) + "]";
    const auto index = find_object(Kind::objects(roster), commands[i].name);
    if (index == ambf_dynamics::no_index) {
      return what + ".name: found '" + commands[i].name + "', expected one of: " +
             nearest_names(commands[i].name, object_names(Kind::objects(roster)));
    }
    typename Kind::Order order;
    const auto checked = Kind::to_order(commands[i], roster, index, order);
    if (!checked) { return what + ": " + checked.error(); }
    if (*checked) { out.emplace_back(index, order.command); }
  }
  return {};
}

std::string check_bodies(const Request & request, const Roster & roster, StepOrders & orders)
{
  for (std::size_t i = 0; i < request.body_cmds.size(); ++i) {
    const auto & command = request.body_cmds[i];
    const std::string what = "body_cmds[" + std::to_string(i) + "]";
    const auto body = find_body(roster, command.name);
    if (body == ambf_dynamics::no_index) {
      return what + ".name: found '" + command.name +
             "', expected a body; nearest: " + nearest_names(command.name, body_names(roster));
    }
    BodyOrder order;
    if (auto done = to_order(command, roster, body, order); !done) {
      return what + ": " + done.error();
    }
    orders.bodies.emplace_back(body, std::move(order));
  }
  return {};
}

std::string check_indices(
  const std::vector<std::uint32_t> & indices, const char * field, std::size_t count)
{
  for (const auto index : indices) {
    if (index >= count) {
      return std::string(field) + ": found index " + std::to_string(index) +
             ", expected less than " + std::to_string(count);
    }
  }
  return {};
}

std::string check_commands(const Request & request, const Roster & roster, StepOrders & orders)
{
  // Written so that NaN fails, too.
  if (!(request.barrier_timeout >= 0.0 && request.barrier_timeout <= kLongestBarrier)) {
    return "barrier_timeout: found " + std::to_string(request.barrier_timeout) +
           ", expected seconds up to 3600, 0 for the default";
  }
  if (auto done = to_orders(request, roster, orders.joints); !done) { return done.error(); }
  if (auto problem = check_bodies(request, roster, orders); !problem.empty()) { return problem; }
  if (auto problem = check_objects<kinds::Actuators>(
        request.actuator_cmds, "actuator_cmds", roster, orders.actuators);
      !problem.empty()) {
    return problem;
  }
  if (auto problem =
        check_objects<kinds::Cameras>(request.camera_cmds, "camera_cmds", roster, orders.cameras);
      !problem.empty()) {
    return problem;
  }
  if (auto problem = check_indices(request.observe_bodies, "observe_bodies", roster.bodies.size());
      !problem.empty()) {
    return problem;
  }
  return check_indices(request.observe_joints, "observe_joints", roster.joints.size());
}

}  // namespace

ambf_adf::expected<StepOrders, StepRefusal> check_step(
  const Request & request, const Roster & roster, Mode mode)
{
  if (mode != Mode::Lockstep) {
    return tl::unexpected(StepRefusal{
      StepCode::WrongMode, std::string("the world is in ") + to_string(mode) +
                             " mode and keeps its own time; set_mode to lockstep first"});
  }
  if (request.manifest_revision != 0 && request.manifest_revision != roster.revision) {
    return tl::unexpected(StepRefusal{
      StepCode::StaleRevision, "manifest_revision: found " +
                                 std::to_string(request.manifest_revision) + ", expected " +
                                 std::to_string(roster.revision) + "; read the manifest again"});
  }
  StepOrders orders;
  orders.revision = roster.revision;
  if (auto problem = check_commands(request, roster, orders); !problem.empty()) {
    return tl::unexpected(StepRefusal{StepCode::BadRequest, std::move(problem)});
  }
  return orders;
}

void apply(
  const StepOrders & orders, Simulation & simulation, std::uint32_t source, std::int64_t now)
{
  auto & world = simulation.world();
  auto & commands = simulation.commands().bodies;
  auto & objects = simulation.commands().objects;
  const std::uint64_t step = world.state().step;
  for (auto [body, order] : orders.bodies) {
    order.source = source;
    commands.apply(world, body, order, now, false);
  }
  for (const JointOrder & order : orders.joints) { commands.apply_joint(world, order, source); }
  for (const auto & [actuator, command] : orders.actuators) {
    if (world.set_actuator_command(actuator, command) == ambf_dynamics::CommandResult::Ok) {
      objects.actuators.note(actuator, source, step, now, false);
    } else {
      ++commands.counters().refused;
    }
  }
  for (const auto & [camera, pose] : orders.cameras) {
    simulation.cameras()[camera].t_parent_view = pose;
    objects.cameras.note(camera, source, step, now, false);
  }
}

void observe(const Request & request, const ambf_dynamics::State & state, Response & response)
{
  if (request.observe_all) {
    response.bodies = state.bodies;
    response.joints = state.joints;
    return;
  }
  const auto copy = [](const auto & indices, const auto & from, std::size_t stride, auto & to) {
    to.reserve(indices.size() * stride);
    for (const auto index : indices) {
      if ((index + 1) * stride > from.size()) { continue; }
      to.insert(
        to.end(), from.begin() + static_cast<std::ptrdiff_t>(index * stride),
        from.begin() + static_cast<std::ptrdiff_t>((index + 1) * stride));
    }
  };
  copy(request.observe_bodies, state.bodies, ambf_dynamics::body_stride, response.bodies);
  copy(request.observe_joints, state.joints, ambf_dynamics::joint_stride, response.joints);
}

}  // namespace ambf_physics
