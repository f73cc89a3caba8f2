// SPDX-License-Identifier: BSD-3-Clause
// Joints with `hold position`: which of them give way to whom.

#include <algorithm>
#include <numeric>

#include "world_impl.hpp"

namespace ambf_dynamics
{
namespace
{

/// Who leads a body leads what carries it. A wrench of zero, which AMBF's clients send along with
/// commands to joints, leads nobody.
bool is_led(const Body & body)
{
  switch (body.command.mode) {
    case BodyMode::None:
    case BodyMode::Release:
      return body.pushed;
    case BodyMode::Wrench:
      return body.pushed || !body.command.force.isZero(0.0) || !body.command.torque.isZero(0.0);
    case BodyMode::Pose:
    case BodyMode::Twist:
    case BodyMode::Hold:
      return true;
  }
  return false;
}

}  // namespace

void WorldImpl::number_joint_holds()
{
  lets_go_.assign(bodies_.size(), {});
  const auto holds = [](const auto & joint) { return joint->holds; };
  if (std::none_of(joints_.begin(), joints_.end(), holds)) { return; }
  // Arms: bodies that joints tie together. What stands still ties nothing.
  std::vector<BodyIndex> arm(bodies_.size());
  std::iota(arm.begin(), arm.end(), BodyIndex{0});
  const auto arm_of = [&](BodyIndex body) {
    while (arm[body] != body) { body = arm[body] = arm[arm[body]]; }
    return body;
  };
  const auto moves = [&](BodyIndex body) { return bodies_[body]->info.mass > 0.0; };
  for (const auto & joint : joints_) {
    if (moves(joint->info.parent) && moves(joint->info.child)) {
      arm[arm_of(joint->info.parent)] = arm_of(joint->info.child);
    }
  }
  std::vector<std::vector<JointIndex>> held(bodies_.size());  // per arm
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointInfo & info = joints_[j]->info;
    if (joints_[j]->holds) {
      held[arm_of(moves(info.child) ? info.child : info.parent)].push_back(
        static_cast<JointIndex>(j));
    }
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!moves(static_cast<BodyIndex>(i))) { continue; }
    const auto & below = client_joints_[i];
    for (const JointIndex j : held[arm_of(static_cast<BodyIndex>(i))]) {
      // Jaws keep what they hold while the wrist is led.
      if (std::find(below.begin(), below.end(), j) == below.end()) { lets_go_[i].push_back(j); }
    }
  }
}

void WorldImpl::let_joints_go()
{
  for (const auto & joint : joints_) { joint->let_go = false; }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!lets_go_[i].empty() && is_led(*bodies_[i])) {
      for (const JointIndex j : lets_go_[i]) { joints_[j]->let_go = true; }
    }
    bodies_[i]->pushed = false;
  }
}

}  // namespace ambf_dynamics
