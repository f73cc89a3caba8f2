// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/hands.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ambf_simulation
{

using ambf_dynamics::JointMode;
using ambf_dynamics::World;
using ambf_teleop::Pose;

namespace
{

void to_poses(const std::vector<double> & numbers, std::vector<Pose> & out)
{
  out.resize(numbers.size() / 7);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double * n = numbers.data() + 7 * i;
    out[i] = {{n[0], n[1], n[2]}, {n[6], n[3], n[4], n[5]}};
  }
}

/// How many cameras carry this one, one upon the other.
std::size_t depth(const std::vector<View> & cameras, std::size_t i)
{
  std::size_t hops = 0;
  while (cameras[i].camera < cameras.size() && hops < cameras.size()) {
    i = cameras[i].camera;
    ++hops;
  }
  return hops;
}

}  // namespace

void Hands::set_rules(DeviceRules rules)
{
  rules_ = std::move(rules);
  bind();
}

void Hands::bind_file(std::vector<ambf_proxies::Binding> bindings)
{
  file_bindings_ = std::move(bindings);
  bind();
}

void Hands::bind()
{
  auto bindings = all_bindings(file_bindings_, rules_);
  sources_.clear();
  for (const auto & binding : bindings) {
    sources_.push_back(
      source_ ? source_(binding.device) : static_cast<std::uint32_t>(sources_.size() + 1));
  }
  proxies_.bind(std::move(bindings));
}

void Hands::rebuild(
  const World & world, const std::vector<View> & cameras,
  const ambf_proxies::DescribedGains & described)
{
  std::vector<std::string> names;
  for (const auto & camera : cameras) { names.push_back(camera.header.qualified); }
  proxies_.rebuild(world, names, described);
  held_.assign(cameras.size(), 0);
  carried_last_.resize(cameras.size());
  std::iota(carried_last_.begin(), carried_last_.end(), 0u);
  std::stable_sort(
    carried_last_.begin(), carried_last_.end(),
    [&](std::uint32_t a, std::uint32_t b) { return depth(cameras, a) < depth(cameras, b); });
  numbers_.reserve(7 * cameras.size());
  poses_.reserve(cameras.size());
  order_.joints.reserve(world.joints().size());
}

void Hands::take_samples(const World & world, std::int64_t now)
{
  if (!empty()) { proxies_.take_samples(world, seconds(now)); }
}

void Hands::before_step(
  World & world, std::vector<View> & cameras, Commands & commands, std::int64_t now,
  bool supervised)
{
  if (empty()) { return; }
  world_poses(cameras, cameras, world.state().bodies, numbers_);
  to_poses(numbers_, poses_);
  proxies_.before_step(world, poses_, seconds(now), supervised);
  place_cameras(world, cameras, commands.objects, now);
  move_grippers(world, commands.bodies, now);
}

void Hands::place_cameras(
  const World & world, std::vector<View> & cameras, ObjectCommands & object_commands,
  std::int64_t now)
{
  for (const std::uint32_t i : carried_last_) {
    const bool held = std::exchange(held_[i], proxies_.camera_moved(i)) != 0;
    if (!proxies_.camera_moved(i)) { continue; }
    Eigen::Isometry3d t_world_view = Eigen::Isometry3d::Identity();
    t_world_view.translation() = poses_[i].position;
    t_world_view.linear() = poses_[i].orientation.toRotationMatrix();
    cameras[i].t_parent_view =
      parent_pose(cameras[i], cameras, world.state().bodies).inverse() * t_world_view;
    const std::uint32_t owner = proxies_.camera_owner(i);
    if (owner < sources_.size()) {
      const Commander & before = object_commands.cameras.commander(i);
      const bool of_a_hand =
        std::find(sources_.begin(), sources_.end(), before.source) != sources_.end();
      if (held && before.live && !of_a_hand) {
        overridden_ = {overridden_.count + 1, i, owner, before.source};
      }
      object_commands.cameras.note(i, sources_[owner], world.state().step, now, true);
    }
  }
}

void Hands::move_grippers(World & world, CommandTable & commands, std::int64_t now)
{
  const auto targets = proxies_.joint_targets();
  // Targets of one device follow each other.
  for (std::size_t first = 0, next = 0; first < targets.size(); first = next) {
    const std::uint32_t device = targets[first].device;
    order_.source = sources_[device];
    order_.joints.clear();
    for (next = first; next < targets.size() && targets[next].device == device; ++next) {
      const auto & target = targets[next];
      order_.joints.push_back(
        {target.joint, target.release ? JointMode::Release : JointMode::Position, target.position});
    }
    commands.apply(world, proxies_.body(device), order_, now, false);
    if (targets[first].release) { commands.forget(world, proxies_.body(device), order_.source); }
  }
}

void Hands::read(
  const World & world, const std::vector<double> & camera_poses,
  std::vector<ambf_proxies::ProxyReading> & out)
{
  to_poses(camera_poses, poses_);
  proxies_.read(world, poses_, out);
}

}  // namespace ambf_simulation
