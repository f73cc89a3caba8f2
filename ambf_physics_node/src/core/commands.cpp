#include "core/commands.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ambf_physics
{

using ambf_dynamics::BodyCommand;
using ambf_dynamics::BodyIndex;
using ambf_dynamics::BodyMode;
using ambf_dynamics::CommandResult;
using ambf_dynamics::JointMode;
using ambf_dynamics::World;

namespace
{
/// Two sources within so many steps of each other count as fighting for a joint.
constexpr std::uint64_t kConflictSteps = 100;
}  // namespace

void CommandTable::rebuild(const World & world)
{
  std::map<std::string, std::unique_ptr<Body>> before;
  for (auto & body : bodies_) {
    std::string name = body->qualified;
    before.emplace(std::move(name), std::move(body));
  }
  bodies_.clear();
  live_.clear();
  for (const auto & info : world.bodies()) {
    auto it = before.find(info.qualified);
    auto body = it != before.end() ? std::move(it->second) : std::make_unique<Body>();
    body->qualified = info.qualified;
    // Joint indices have moved; the commands themselves stand in the world.
    body->joints.clear();
    const auto client = world.client_joints(static_cast<BodyIndex>(bodies_.size()));
    body->joints.reserve(client.size());
    if (body->commander.live) {body->joints.assign(client.begin(), client.end());}
    bodies_.push_back(std::move(body));
  }
  live_.reserve(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i]->commander.live && bodies_[i]->watched) {live_.push_back(static_cast<BodyIndex>(i));}
  }
  joints_.assign(world.joints().size(), {});
  ++version_;
}

void CommandTable::apply_posted(World & world, std::int64_t now)
{
  if (pending_.load(std::memory_order_acquire) == 0) {return;}
  pending_.store(0, std::memory_order_release);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body & body = *bodies_[i];
    if (!body.box->take()) {continue;}
    const BodyOrder & order = body.box->front();
    if (order.revision != world.revision()) {
      ++counters_.refused;
      continue;
    }
    apply(world, static_cast<BodyIndex>(i), order, now, true);
  }
}

CommandResult CommandTable::apply(
  World & world, BodyIndex index, const BodyOrder & order, std::int64_t now, bool watched)
{
  Body & body = *bodies_[index];
  CommandResult result = CommandResult::Ok;
  if (order.body.mode != BodyMode::None) {
    result = world.set_body_command(index, order.body);
    body.itself = order.body.mode != BodyMode::Release;
  }
  for (const JointOrder & joint : order.joints) {
    const CommandResult one = apply_joint(world, joint, order.source, now);
    if (one != CommandResult::Ok) {
      result = one;
    } else if (joint.mode != JointMode::None &&
      std::find(body.joints.begin(), body.joints.end(), joint.joint) == body.joints.end())
    {
      body.joints.push_back(joint.joint);
    }
  }
  if (result != CommandResult::Ok) {++counters_.refused;}
  Commander & commander = body.commander;
  commander.applied_step = world.state().step + 1;
  ++version_;
  commander.source = order.source;
  commander.last = now;
  if (watched && !(commander.live && body.watched)) {live_.push_back(index);}
  commander.live = true;
  body.watched = watched;
  ++counters_.applied;
  return result;
}

CommandResult CommandTable::apply_joint(
  World & world, const JointOrder & order, std::uint32_t source, std::int64_t)
{
  if (order.mode == JointMode::None) {return CommandResult::Ok;}
  const CommandResult result = world.set_joint_command(order.joint, order.mode, order.value);
  if (result == CommandResult::Ok) {own_joint(world, order, source);}
  return result;
}

void CommandTable::own_joint(const World & world, const JointOrder & order, std::uint32_t source)
{
  JointOwner & owner = joints_[order.joint];
  const std::uint64_t step = world.state().step;
  if (owner.source != 0 && owner.source != source && step - owner.step < kConflictSteps) {
    ++counters_.conflicts;
    last_conflict_ = {order.joint, owner.source, source};
  }
  owner = {source, step};
}

void CommandTable::forget(BodyIndex index, std::uint32_t source)
{
  Body & body = *bodies_[index];
  if (body.commander.source != source) {return;}
  for (const auto joint : body.joints) {joints_[joint] = {};}
  body.joints.clear();
  body.commander = {};
  body.watched = body.itself = false;
  ++version_;
}

void CommandTable::supervise(
  World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action)
{
  if (timeout <= 0) {return;}
  for (std::size_t i = 0; i < live_.size(); ) {
    const BodyIndex index = live_[i];
    Body & body = *bodies_[index];
    const bool over = body.commander.live && body.watched && now - body.commander.last > timeout;
    if (over) {
      expire(world, index, action);
      ++counters_.watchdog_trips;
    }
    if (over || !body.commander.live || !body.watched) {
      live_[i] = live_.back();
      live_.pop_back();
    } else {
      ++i;
    }
  }
}

void CommandTable::expire(World & world, BodyIndex index, WatchdogAction action)
{
  Body & body = *bodies_[index];
  const double * state = world.state().bodies.data() + index * ambf_dynamics::body_stride;
  BodyCommand command;
  switch (action) {
    case WatchdogAction::Release:
      command.mode = BodyMode::Release;
      break;
    case WatchdogAction::Hold:
      command.mode = BodyMode::Pose;
      command.position = Eigen::Vector3d(state[0], state[1], state[2]);
      command.orientation = Eigen::Quaterniond(state[6], state[3], state[4], state[5]).normalized();
      break;
    case WatchdogAction::Brake:
      command.mode = BodyMode::Twist;
      break;
  }
  // A body that was only a handle for its joints stays free itself.
  world.set_body_command(index, body.itself ? command : BodyCommand{BodyMode::Release});
  for (const auto joint : body.joints) {
    switch (action) {
      case WatchdogAction::Release:
        world.set_joint_command(joint, JointMode::Release, 0.0);
        break;
      case WatchdogAction::Hold:
        world.set_joint_command(
          joint, JointMode::Position, world.state().joints[joint * ambf_dynamics::joint_stride]);
        break;
      case WatchdogAction::Brake:
        world.set_joint_command(joint, JointMode::Velocity, 0.0);
        break;
    }
    joints_[joint] = {};
  }
  body.joints.clear();
  body.commander = {};
  body.itself = false;
  ++version_;
}

void CommandTable::restart_watchdogs(std::int64_t now)
{
  for (const auto index : live_) {bodies_[index]->commander.last = now;}
}

void CommandTable::clear()
{
  for (auto & body : bodies_) {
    body->commander = {};
    body->joints.clear();
    body->watched = body->itself = false;
  }
  std::fill(joints_.begin(), joints_.end(), JointOwner{});
  live_.clear();
  ++version_;
}

}  // namespace ambf_physics
