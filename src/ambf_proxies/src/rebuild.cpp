// SPDX-License-Identifier: BSD-3-Clause
// Finding bodies, joints and cameras by name: at load and when the world changes.

#include <algorithm>

#include "ambf_adf/names.hpp"
#include "ambf_proxies/proxies.hpp"
#include "ambf_teleop/stability.hpp"

namespace ambf_proxies
{

using ambf_dynamics::BodyIndex;
using ambf_dynamics::World;

void Proxies::bind(std::vector<Binding> bindings)
{
  auto before = std::move(devices_);
  devices_.clear();
  for (auto & binding : bindings) {
    auto device = std::make_unique<Device>();
    const auto kept = std::find_if(before.begin(), before.end(), [&](const auto & old) {
      return old != nullptr && old->binding.device == binding.device;
    });
    if (kept != before.end()) { device->box = (*kept)->box; }
    device->binding = std::move(binding);
    devices_.push_back(std::move(device));
  }
}

void Proxies::rebuild(
  const World & world, std::span<const std::string> cameras, const DescribedGains & described)
{
  owners_.assign(cameras.size(), {});
  std::size_t joints = 0;
  for (auto & device : devices_) {
    device->trouble = problem_of(device->binding);
    device->body = ambf_dynamics::no_index;
    device->joints.clear();
    if (device->trouble.empty()) {
      find(*device, world, described);
      find_cameras(*device, cameras);
    }
    if (device->body == ambf_dynamics::no_index) {
      device->state = HandState::Unbound;
    } else if (device->state == HandState::Unbound) {
      device->state = HandState::Waiting;
    }
    joints += device->joints.size();
  }
  limit_gains(world);
  for (auto & device : devices_) {
    device->found = device->law.gains;
    if (device->body == ambf_dynamics::no_index) { continue; }
    device->law.gains = with_changes(device->found, device->changes);
    if (raises(device->changes, {}) && !bearable(*device, world)) {
      device->law.gains = device->found;
    }
  }
  targets_.clear();
  targets_.reserve(joints);
}

void Proxies::limit_gains(const World & world)
{
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const BodyIndex body = devices_[i]->body;
    const auto same = [&](const auto & other) { return other->body == body; };
    const auto first = devices_.begin() + static_cast<std::ptrdiff_t>(i);
    if (body == ambf_dynamics::no_index || std::any_of(devices_.begin(), first, same)) {
      continue;  // none, or seen already
    }
    std::vector<HeldBy> holders;
    std::vector<Device *> held;
    for (auto & device : devices_) {
      if (same(device)) {
        held.push_back(device.get());
        holders.push_back(
          {device->binding.device, &device->law.gains, device->binding.nominal_step, ""});
      }
    }
    const auto & info = world.bodies()[body];
    keep_stable_together(holders, info.mass, info.inertia, world.parameters().step_size);
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (!holders[k].words.empty()) {
        held[k]->trouble += (held[k]->trouble.empty() ? "" : "; ") + holders[k].words;
      }
    }
  }
}

bool Proxies::bearable(const Device & device, const World & world) const noexcept
{
  // As keep_stable_together has it, without its words: half of the bound is for contacts and joints.
  constexpr double share = 0.5;
  const auto & info = world.bodies()[device.body];
  const double step = world.parameters().step_size;
  const auto within = [&](bool linear, double inertial) {
    if (!(inertial > 0.0)) { return true; }
    for (int axis = 0; axis < 3; ++axis) {
      double asked = 0.0;
      double limit = 0.0;
      for (const auto & other : devices_) {
        if (other->body != device.body) { continue; }
        const ambf_teleop::ProxyGains & gains = other->law.gains;
        const double k = (linear ? gains.linear_stiffness : gains.angular_stiffness)[axis];
        const double b = (linear ? gains.linear_damping : gains.angular_damping)[axis];
        const auto check = ambf_teleop::check_proxy_gains(
          Eigen::Vector3d::Constant(k), Eigen::Vector3d::Constant(b), inertial,
          linear ? other->law.nominal_step : step, step);
        asked += check.asked;
        limit = check.limit;
      }
      if (asked > share * limit) { return false; }
    }
    return true;
  };
  double moment = 0.0;
  for (const double one : info.inertia) {
    if (one > 0.0 && (moment == 0.0 || one < moment)) { moment = one; }
  }
  return within(true, info.mass) && within(false, moment);
}

void Proxies::find(Device & device, const World & world, const DescribedGains & described)
{
  const std::string & wanted = device.binding.root_link;
  std::vector<BodyIndex> hits;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < world.bodies().size(); ++i) {
    const auto & info = world.bodies()[i];
    known.push_back(info.qualified);
    if (info.qualified == wanted) {
      hits = {static_cast<BodyIndex>(i)};
      break;
    }
    if (
      ambf_adf::is_name_of(wanted, info.topic) || ambf_adf::is_name_of(wanted, info.qualified) ||
      info.identifier == "BODY " + wanted) {
      hits.push_back(static_cast<BodyIndex>(i));
    }
  }
  if (hits.empty() && wanted.starts_with('/')) {
    // Written without the namespace that the simulator has been given.
    for (std::size_t i = 0; i < world.bodies().size(); ++i) {
      const auto & info = world.bodies()[i];
      if (info.qualified.ends_with(wanted) || info.topic.ends_with(wanted)) {
        hits.push_back(static_cast<BodyIndex>(i));
      }
    }
  }
  if (hits.size() != 1) {
    device.trouble = "root link: found '" + wanted + "', expected ";
    device.trouble += hits.empty() ? "a body of the world; nearest: " + nearest(wanted, known)
                                   : "one body, but '" + world.bodies()[hits[0]].qualified +
                                       "' and '" + world.bodies()[hits[1]].qualified + "' both fit";
    return;
  }
  const auto & info = world.bodies()[hits[0]];
  if (info.mass <= 0.0) {
    device.trouble = "root link: '" + info.qualified + "' has mass 0: no force can move it";
    return;
  }
  device.body = hits[0];
  PartialGains gains = default_gains(info.mass, info.inertia);
  if (described) { gains = laid_over(described(info.qualified), gains); }
  gains = laid_over(device.binding.gains, gains);
  device.law.gains = {
    *gains.linear_stiffness, *gains.linear_damping, *gains.angular_stiffness,
    *gains.angular_damping};
  device.law.nominal_step = device.binding.nominal_step;
  device.law.max_force = device.binding.max_force;
  device.law.max_torque = device.binding.max_torque;
  find_joints(device, world);
}

void Proxies::find_joints(Device & device, const World & world)
{
  device.members.assign(world.bodies().size(), 0);
  device.members[device.body] = 1;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto & joint : world.joints()) {
      if (device.members[joint.parent] != 0 && device.members[joint.child] == 0) {
        device.members[joint.child] = 1;
        grew = true;
      }
    }
  }
  if (!device.binding.drives_joints) { return; }
  const auto taken = [&](ambf_dynamics::JointIndex joint) {
    return std::any_of(devices_.begin(), devices_.end(), [&](const auto & other) {
      return std::find(other->joints.begin(), other->joints.end(), joint) != other->joints.end();
    });
  };
  device.ranges.clear();
  for (const auto joint : world.client_joints(device.body)) {
    const auto & info = world.joints()[joint];
    // On a shared proxy the gripper belongs to the device that was bound first.
    if (!info.commandable || info.passive || !info.limits || taken(joint)) { continue; }
    device.joints.push_back(joint);
    device.ranges.push_back({info.limits->low, info.limits->high});
  }
  device.positions.assign(device.joints.size(), 0.0);
}

void Proxies::find_cameras(Device & device, std::span<const std::string> cameras)
{
  std::vector<std::uint32_t> found;
  const std::vector<std::string> known(cameras.begin(), cameras.end());
  for (const std::string & wanted : device.binding.cameras) {
    const auto fits = [&](const std::string & name) {
      // Qualified names end in the identifier: "/ambf/env/main camera".
      return name == wanted || (name.size() > wanted.size() && name.ends_with(wanted) &&
                                (name[name.size() - wanted.size() - 1] == '/' ||
                                 name[name.size() - wanted.size() - 1] == ' '));
    };
    const auto it = std::find_if(known.begin(), known.end(), fits);
    if (it == known.end()) {
      device.trouble += (device.trouble.empty() ? "" : "; ") +
                        std::string("pair cameras: found '") + wanted +
                        "', expected a camera of the world; nearest: " + nearest(wanted, known);
      continue;
    }
    found.push_back(static_cast<std::uint32_t>(it - known.begin()));
  }
  if (device.binding.cameras.empty()) {
    for (std::uint32_t i = 0; i < cameras.size(); ++i) { found.push_back(i); }
  }
  if (found != device.cameras) {
    device.cameras = std::move(found);
    device.frames.assign(device.cameras.size(), {});
  }
}

}  // namespace ambf_proxies
