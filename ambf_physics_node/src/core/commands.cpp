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
  // Not fresh: the owner has taken everything. Indices of another revision mean nothing together.
  if (!box_.fresh() || gathered_.revision != order.revision) {
    gathered_.joints.clear();
    gathered_.body_number = 0;
  }
  gathered_.revision = order.revision;
  gathered_.source = order.source;
  gathered_.number = number;
  ++gathered_.messages;
  if (order.body.mode != BodyMode::None) {
    gathered_.body = order.body;
    gathered_.body_number = number;
  }
  for (const JointOrder & joint : order.joints) {
    if (joint.mode == JointMode::None) {continue;}
    std::uint32_t rival = 0;
    std::erase_if(gathered_.joints, [&](const Posted::Joint & one) {
        if (one.order.joint != joint.joint) {return false;}
        rival = one.source != order.source ? one.source : one.rival;
        return true;
      });
    gathered_.joints.push_back({joint, order.source, number, rival});
  }
  box_.back() = gathered_;
  box_.publish();
}

const BodyInbox::Posted * BodyInbox::take()
{
  if (!box_.take()) {return nullptr;}
  seen_ = std::exchange(taken_, box_.front().number);
  messages_ = box_.front().messages - std::exchange(counted_, box_.front().messages);
  return &box_.front();
}

void CommandTable::rebuild(const World & world)
{
  std::map<std::string, std::unique_ptr<Body>> before;
  std::map<std::string, std::pair<JointOwner, std::string>> owners;  // with the name of the handle
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const BodyIndex handle = joints_[i].handle;
    owners[joint_names_[i]] = {joints_[i], handle < bodies_.size() ? bodies_[handle]->qualified : std::string{}};
  }
  for (auto & body : bodies_) {
    std::string name = body->qualified;
    before.emplace(std::move(name), std::move(body));
  }
  bodies_.clear();
  live_.clear();
  handles_.assign(world.joints().size(), {});
  for (const auto & info : world.bodies()) {
    const auto index = static_cast<BodyIndex>(bodies_.size());
    auto it = before.find(info.qualified);
    bodies_.push_back(it != before.end() ? std::move(it->second) : std::make_unique<Body>());
    bodies_.back()->qualified = info.qualified;
    for (const auto joint : world.client_joints(index)) {handles_[joint].push_back(index);}
  }
  live_.reserve(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i]->listed = bodies_[i]->commander.live && bodies_[i]->watched;
    if (bodies_[i]->listed) {live_.push_back(static_cast<BodyIndex>(i));}
  }
  // Indices have moved; the commands themselves stand in the world.
  std::map<std::string, ambf_dynamics::JointIndex> places;
  for (const auto & info : world.joints()) {
    places.emplace(info.qualified, static_cast<ambf_dynamics::JointIndex>(places.size()));
  }
  std::vector<ambf_dynamics::JointIndex> moved;
  for (const auto & name : joint_names_) {
    const auto it = places.find(name);
    moved.push_back(it != places.end() ? it->second : no_index);
  }
  for (Earlier & one : earlier_) {
    for (auto & joint : one.now_at) {joint = joint != no_index ? moved[joint] : no_index;}
  }
  if (revision_ != world.revision()) {earlier_.push_back({revision_, std::move(moved)});}
  if (earlier_.size() > kEarlier) {earlier_.erase(earlier_.begin());}
  revision_ = world.revision();
  joints_.assign(world.joints().size(), {});
  joint_names_.clear();
  for (const auto & info : world.joints()) {
    if (const auto it = owners.find(info.qualified); it != owners.end()) {
      JointOwner & owner = joints_[joint_names_.size()] = it->second.first;
      owner.handle = world.find_body(it->second.second).value_or(no_index);
      if (owner.handle == no_index && !it->second.second.empty()) {owner = {};}  // its handle is gone
    }
    joint_names_.push_back(info.qualified);
  }
  ++version_;
}

void CommandTable::apply_posted(World & world, std::int64_t now)
{
  if (pending_.load(std::memory_order_acquire) == 0) {return;}
  pending_.store(0, std::memory_order_release);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body & body = *bodies_[i];
    const auto index = static_cast<BodyIndex>(i);
    const BodyInbox::Posted * posted = body.inbox->take();
    if (posted == nullptr) {continue;}
    const std::uint64_t seen = body.inbox->seen();
    CommandResult result = CommandResult::Ok;
    if (posted->body_number > seen) {
      result = world.set_body_command(index, posted->body);
      body.itself = posted->body.mode != BodyMode::Release;
    }
    for (const auto & joint : posted->joints) {
      if (joint.number <= seen) {continue;}
      JointOrder order = joint.order;
      order.joint = joint_now(order.joint, posted->revision);
      if (order.joint == no_index) {
        ++counters_.refused;  // it went with its model
        continue;
      }
      if (joint.rival != 0) {count_conflict(order.joint, joint.rival, joint.source);}
      const CommandResult one = command_joint(world, order, joint.source, index, joint.number);
      if (one != CommandResult::Ok) {result = one;}
    }
    if (result != CommandResult::Ok) {++counters_.refused;}
    counters_.applied += body.inbox->messages();
    note(index, posted->source, world.state().step, now, true);
  }
}

ambf_dynamics::JointIndex CommandTable::joint_now(ambf_dynamics::JointIndex joint, std::uint32_t revision) const
{
  if (revision == revision_) {return joint;}
  for (const Earlier & one : earlier_) {
    if (one.revision == revision && joint < one.now_at.size()) {return one.now_at[joint];}
  }
  return no_index;
}

CommandResult CommandTable::apply(
  World & world, BodyIndex index, const BodyOrder & order, std::int64_t now, bool watched)
{
  CommandResult result = CommandResult::Ok;
  const std::uint64_t number = next_number_.fetch_add(1, std::memory_order_relaxed);
  if (order.body.mode != BodyMode::None) {
    result = world.set_body_command(index, order.body);
    bodies_[index]->itself = order.body.mode != BodyMode::Release;
  }
  for (const JointOrder & joint : order.joints) {
    const CommandResult one = command_joint(world, joint, order.source, index, number);
    if (one != CommandResult::Ok) {result = one;}
  }
  if (result != CommandResult::Ok) {++counters_.refused;}
  note(index, order.source, world.state().step, now, watched);
  ++counters_.applied;
  return result;
}

CommandResult CommandTable::apply_joint(
  World & world, const JointOrder & order, std::uint32_t source, std::int64_t now)
{
  const std::uint64_t number = next_number_.fetch_add(1, std::memory_order_relaxed);
  const CommandResult result = command_joint(world, order, source, no_index, number);
  if (result != CommandResult::Ok) {
    ++counters_.refused;
  } else if (order.mode != JointMode::None) {
    for (const BodyIndex body : handles_[order.joint]) {
      // What a topic told the body is watched as before.
      const Body & handle = *bodies_[body];
      const bool watched = handle.commander.live && handle.watched;
      note(body, source, world.state().step, watched ? handle.commander.last : now, watched);
    }
    ++counters_.applied;
  }
  return result;
}

void CommandTable::note(
  BodyIndex index, std::uint32_t source, std::uint64_t step, std::int64_t now, bool watched)
{
  Body & body = *bodies_[index];
  if (watched && !std::exchange(body.listed, true)) {live_.push_back(index);}
  body.commander = {source, step + 1, now, true};
  body.watched = watched;
  ++version_;
}

void CommandTable::count_conflict(
  ambf_dynamics::JointIndex joint, std::uint32_t before, std::uint32_t after)
{
  ++counters_.conflicts;
  last_conflict_ = {joint, before, after};
}

CommandResult CommandTable::command_joint(
  World & world, const JointOrder & order, std::uint32_t source, BodyIndex handle, std::uint64_t number)
{
  JointOwner & owner = joints_[order.joint];
  if (order.mode == JointMode::None || number < owner.number) {return CommandResult::Ok;}
  const CommandResult result = world.set_joint_command(order.joint, order.mode, order.value);
  if (result != CommandResult::Ok) {return result;}
  const std::uint64_t step = world.state().step;
  if (owner.source != 0 && owner.source != source && step - owner.step < kConflictSteps) {
    count_conflict(order.joint, owner.source, source);
  }
  owner = {source, step, handle, number};
  return result;
}

void CommandTable::forget(const World & world, BodyIndex index, std::uint32_t source)
{
  if (bodies_[index]->commander.source != source) {return;}
  for (auto & owner : joints_) {
    if (owner.handle == index) {owner = {};}
  }
  abandon(world, index);
}

void CommandTable::abandon(const World & world, BodyIndex index)
{
  Body & body = *bodies_[index];
  body.commander = {};
  body.watched = body.itself = false;
  for (const auto joint : world.client_joints(index)) {
    const JointOwner & owner = joints_[joint];
    if (owner.source == 0 || owner.handle != no_index || owner.step + 1 < body.commander.applied_step) {continue;}
    body.commander = {owner.source, owner.step + 1, 0, true};
  }
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
      body.listed = false;
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
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].handle != index) {continue;}  // or somebody else has taken it over
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
  abandon(world, index);
}

void CommandTable::restart_watchdogs(std::int64_t now)
{
  for (const auto index : live_) {bodies_[index]->commander.last = now;}
}

void CommandTable::clear()
{
  for (auto & body : bodies_) {
    body->commander = {};
    body->watched = body->listed = body->itself = false;
    body->inbox->take();
  }
  std::fill(joints_.begin(), joints_.end(), JointOwner{});
  live_.clear();
  ++version_;
}

void CommandTable::adopt(const World & world, std::uint32_t source, std::int64_t now)
{
  clear();
  const std::uint64_t step = world.state().step;
  const auto stands = [](auto mode) {return mode != decltype(mode)::None && mode != decltype(mode)::Release;};
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto index = static_cast<BodyIndex>(i);
    if (!stands(world.body_command(index))) {continue;}
    note(index, source, step, now, true);
    bodies_[i]->itself = true;
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!stands(world.joint_command(static_cast<ambf_dynamics::JointIndex>(j)))) {continue;}
    const BodyIndex handle = world.joints()[j].parent;
    joints_[j] = {source, step, handle, 0};
    note(handle, source, step, now, true);
  }
}

}  // namespace ambf_physics
