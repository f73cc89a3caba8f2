// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/command_table.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ambf_simulation
{

using ambf_dynamics::BodyCommand;
using ambf_dynamics::BodyIndex;
using ambf_dynamics::BodyMode;
using ambf_dynamics::CommandResult;
using ambf_dynamics::JointMode;
using ambf_dynamics::no_index;
using ambf_dynamics::World;

namespace
{
/// Two sources within so many steps of each other count as fighting for a joint.
constexpr std::uint64_t kConflictSteps = 100;
/// Orders of so many earlier revisions are understood.
constexpr std::size_t kEarlier = 16;
}  // namespace

void BodyInbox::post(const BodyOrder & order, std::uint64_t number)
{
  if (!box_.fresh()) {  // the owner has taken everything
    gathered_.joints.clear();
    gathered_.body_number = 0;
  }
  gathered_.source = order.source;
  gathered_.number = number;
  ++gathered_.messages;
  if (order.body.mode != BodyMode::None) {
    gathered_.body = order.body;
    gathered_.body_number = number;
  }
  for (const JointOrder & joint : order.joints) {
    if (joint.mode == JointMode::None) { continue; }
    std::uint32_t rival = 0;
    std::erase_if(gathered_.joints, [&](const Posted::Joint & one) {
      if (one.order.joint != joint.joint || one.revision != order.revision) { return false; }
      rival = one.source != order.source ? one.source : one.rival;
      return true;
    });
    gathered_.joints.push_back({joint, order.revision, order.source, number, rival});
  }
  box_.back() = gathered_;
  box_.publish();
}

const BodyInbox::Posted * BodyInbox::take()
{
  if (!box_.take()) { return nullptr; }
  seen_ = std::exchange(taken_, box_.front().number);
  messages_ = box_.front().messages - std::exchange(counted_, box_.front().messages);
  return &box_.front();
}

void CommandTable::rebuild(const World & world)
{
  std::map<std::string, std::unique_ptr<Body>> before;
  std::map<std::string, std::pair<Owner, std::string>> owners;  // with the name of the handle
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const BodyIndex handle = joints_[i].handle;
    owners[joint_names_[i]] = {
      joints_[i], handle < bodies_.size() ? bodies_[handle]->qualified : std::string{}};
  }
  for (auto & body : bodies_) {
    std::string name = body->qualified;
    before.emplace(std::move(name), std::move(body));
  }
  bodies_.clear();
  live_.clear();
  live_.reserve(world.bodies().size());
  handles_.assign(world.joints().size(), {});
  for (const auto & info : world.bodies()) {
    const auto index = static_cast<BodyIndex>(bodies_.size());
    auto it = before.find(info.qualified);
    bodies_.push_back(it != before.end() ? std::move(it->second) : std::make_unique<Body>());
    Body & body = *bodies_.back();
    body.qualified = info.qualified;
    if (body.watched) { live_.push_back(index); }
    for (const auto joint : world.client_joints(index)) { handles_[joint].push_back(index); }
  }
  remember_places(world);
  // Indices have moved; the commands themselves stand in the world.
  joints_.assign(world.joints().size(), {});
  joint_names_.clear();
  for (const auto & info : world.joints()) {
    const std::size_t joint = joint_names_.size();
    joint_names_.push_back(info.qualified);
    const auto it = owners.find(info.qualified);
    if (it == owners.end()) { continue; }
    Owner & owner = joints_[joint] = it->second.first;
    if (owner.handle == no_index) { continue; }
    const std::string & handle = it->second.second;
    owner.handle = world.find_body(handle).value_or(no_index);
    if (owner.handle != no_index) { continue; }
    // The body that it was told through is gone: the joint's own parent answers for it.
    owner.handle = info.parent;
    if (owner.watched) { watch(info.parent, before.at(handle)->heard); }
    note(info.parent, owner.source, owner.step);
  }
  ++version_;
}

void CommandTable::remember_places(const World & world)
{
  std::vector<ambf_dynamics::JointIndex> moved;
  for (const auto & name : joint_names_) {
    moved.push_back(world.find_joint(name).value_or(no_index));
  }
  for (Earlier & one : earlier_) {
    for (auto & joint : one.now_at) { joint = joint != no_index ? moved[joint] : no_index; }
  }
  if (revision_ != world.revision()) { earlier_.push_back({revision_, std::move(moved)}); }
  if (earlier_.size() > kEarlier) { earlier_.erase(earlier_.begin()); }
  revision_ = world.revision();
}

void CommandTable::apply_posted(World & world, std::int64_t now)
{
  if (pending_.load(std::memory_order_acquire) == 0) { return; }
  pending_.store(0, std::memory_order_release);
  const std::uint64_t step = world.state().step;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyInbox & inbox = *bodies_[i]->inbox;
    const auto index = static_cast<BodyIndex>(i);
    const BodyInbox::Posted * posted = inbox.take();
    if (posted == nullptr) { continue; }
    CommandResult result = CommandResult::Ok;
    if (posted->body_number > inbox.seen()) {
      result = command_body(
        world, index, posted->body, {posted->source, step, no_index, posted->body_number, true});
    }
    for (const auto & joint : posted->joints) {
      if (joint.number <= inbox.seen()) { continue; }
      JointOrder order = joint.order;
      order.joint = joint_now(order.joint, joint.revision);
      if (order.joint == no_index) {
        ++counters_.refused;  // it went with its model
        continue;
      }
      if (joint.rival != 0) { count_conflict(order.joint, joint.rival, joint.source); }
      const CommandResult one =
        command_joint(world, order, {joint.source, step, index, joint.number, true});
      if (one != CommandResult::Ok) { result = one; }
    }
    if (result != CommandResult::Ok) { ++counters_.refused; }
    counters_.applied += inbox.messages();
    note(index, posted->source, step);
    watch(index, now);
  }
}

ambf_dynamics::JointIndex CommandTable::joint_now(
  ambf_dynamics::JointIndex joint, std::uint32_t revision) const
{
  if (revision == revision_) { return joint; }
  for (const Earlier & one : earlier_) {
    if (one.revision == revision && joint < one.now_at.size()) { return one.now_at[joint]; }
  }
  return no_index;
}

CommandResult CommandTable::apply(
  World & world, BodyIndex index, const BodyOrder & order, std::int64_t now, bool watched)
{
  CommandResult result = CommandResult::Ok;
  const std::uint64_t step = world.state().step;
  const std::uint64_t number = next_number_.fetch_add(1, std::memory_order_relaxed);
  if (order.body.mode != BodyMode::None) {
    result =
      command_body(world, index, order.body, {order.source, step, no_index, number, watched});
  }
  for (const JointOrder & joint : order.joints) {
    const CommandResult one =
      command_joint(world, joint, {order.source, step, index, number, watched});
    if (one != CommandResult::Ok) { result = one; }
  }
  if (result != CommandResult::Ok) { ++counters_.refused; }
  note(index, order.source, step);
  if (watched) { watch(index, now); }
  ++counters_.applied;
  return result;
}

CommandResult CommandTable::apply_joint(
  World & world, const JointOrder & order, std::uint32_t source)
{
  const std::uint64_t step = world.state().step;
  const std::uint64_t number = next_number_.fetch_add(1, std::memory_order_relaxed);
  const CommandResult result = command_joint(world, order, {source, step, no_index, number, false});
  if (result != CommandResult::Ok) {
    ++counters_.refused;
  } else if (order.mode != JointMode::None) {
    for (const BodyIndex body : handles_[order.joint]) { note(body, source, step); }
    ++counters_.applied;
  }
  return result;
}

void CommandTable::note(BodyIndex index, std::uint32_t source, std::uint64_t step)
{
  bodies_[index]->commander = {source, step + 1, true};
  ++version_;
}

void CommandTable::watch(BodyIndex index, std::int64_t now)
{
  Body & body = *bodies_[index];
  body.heard = now;
  if (!std::exchange(body.watched, true)) { live_.push_back(index); }
}

void CommandTable::count_conflict(
  ambf_dynamics::JointIndex joint, std::uint32_t before, std::uint32_t after)
{
  ++counters_.conflicts;
  last_conflict_ = {joint, before, after};
}

CommandResult CommandTable::command_body(
  World & world, BodyIndex index, const BodyCommand & command, const Owner & by)
{
  bodies_[index]->own = command.mode != BodyMode::Release ? by : Owner{};
  return world.set_body_command(index, command);
}

CommandResult CommandTable::command_joint(World & world, const JointOrder & order, const Owner & by)
{
  Owner & owner = joints_[order.joint];
  if (order.mode == JointMode::None || by.number < owner.number) { return CommandResult::Ok; }
  const CommandResult result = world.set_joint_command(order.joint, order.mode, order.value);
  if (result != CommandResult::Ok) { return result; }
  if (owner.source != 0 && owner.source != by.source && by.step - owner.step < kConflictSteps) {
    count_conflict(order.joint, owner.source, by.source);
  }
  owner = by;
  return result;
}

void CommandTable::forget(const World & world, BodyIndex index, std::uint32_t source)
{
  for (auto & owner : joints_) {
    if (owner.handle == index && owner.source == source) { owner = {}; }
  }
  if (bodies_[index]->commander.source == source) { find_commander(world, index); }
}

void CommandTable::find_commander(const World & world, BodyIndex index)
{
  Body & body = *bodies_[index];
  body.commander = {};
  const auto consider = [&](const Owner & owner) {
    if (owner.source == 0 || owner.step + 1 < body.commander.applied_step) { return; }
    body.commander = {owner.source, owner.step + 1, true};
  };
  consider(body.own);
  for (const auto joint : world.client_joints(index)) {
    if (joints_[joint].handle == no_index || joints_[joint].handle == index) {
      consider(joints_[joint]);
    }
  }
  ++version_;
}

void CommandTable::supervise(
  World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action)
{
  if (timeout <= 0) { return; }
  for (std::size_t i = 0; i < live_.size();) {
    const BodyIndex index = live_[i];
    Body & body = *bodies_[index];
    if (now - body.heard <= timeout) {
      ++i;
      continue;
    }
    expire(world, index, action);
    ++counters_.watchdog_trips;
    body.watched = false;
    live_[i] = live_.back();
    live_.pop_back();
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
      // As stiff as the command that expires, and with its limits.
      command.mode = BodyMode::Pose;
      if (world.body_command(index).mode == BodyMode::Hold) { command = world.body_command(index); }
      command.position = Eigen::Vector3d(state[0], state[1], state[2]);
      command.orientation = Eigen::Quaterniond(state[6], state[3], state[4], state[5]).normalized();
      break;
    case WatchdogAction::Brake:
      command.mode = BodyMode::Twist;
      break;
  }
  // A body that was only a handle for its joints stays free itself.
  if (body.own.watched) {
    world.set_body_command(index, command);
    body.own = {};
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    // Others have been taken over by somebody else, or hold until replaced.
    if (joints_[i].handle != index || !joints_[i].watched) { continue; }
    const auto joint = static_cast<ambf_dynamics::JointIndex>(i);
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
    joints_[i] = {};
  }
  find_commander(world, index);
}

void CommandTable::restart_watchdogs(std::int64_t now)
{
  for (const auto index : live_) { bodies_[index]->heard = now; }
}

void CommandTable::clear()
{
  for (auto & body : bodies_) {
    body->commander = {};
    body->own = {};
    body->watched = false;
    body->inbox->take();
  }
  std::fill(joints_.begin(), joints_.end(), Owner{});
  live_.clear();
  ++version_;
}

void CommandTable::adopt(const World & world, std::uint32_t source, std::int64_t now)
{
  clear();
  const std::uint64_t step = world.state().step;
  const auto stands = [](auto mode) {
    return mode != decltype(mode)::None && mode != decltype(mode)::Release;
  };
  const auto take = [&](BodyIndex index) {
    note(index, source, step);
    watch(index, now);
  };
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto index = static_cast<BodyIndex>(i);
    if (!stands(world.body_command(index).mode)) { continue; }
    bodies_[i]->own = {source, step, no_index, 0, true};
    take(index);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!stands(world.joint_command(static_cast<ambf_dynamics::JointIndex>(j)))) { continue; }
    const BodyIndex handle = world.joints()[j].parent;
    joints_[j] = {source, step, handle, 0, true};
    take(handle);
  }
}

}  // namespace ambf_simulation
