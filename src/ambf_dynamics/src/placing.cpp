// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_dynamics/placing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace ambf_dynamics
{

namespace
{

using Eigen::Isometry3d;
using Eigen::Vector3d;

/// Motions of bodies of one assembly that differ by less are one motion: poses come with rounding.
constexpr double kSameMotion = 1e-6;

struct Target
{
  Isometry3d pose;
  Velocity velocity;
};

Target now(const State & state, BodyIndex body)
{
  const double * b = state.bodies.data() + body * body_stride;
  Target target{Isometry3d::Identity(), {{b[7], b[8], b[9]}, {b[10], b[11], b[12]}}};
  target.pose.translation() = Vector3d(b[0], b[1], b[2]);
  target.pose.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
  return target;
}

/// For each body one that stands for its assembly.
std::vector<BodyIndex> assemblies(const World & world)
{
  std::vector<BodyIndex> of(world.bodies().size());
  std::iota(of.begin(), of.end(), BodyIndex{0});
  const auto root = [&](BodyIndex body) {
    while (of[body] != body) { body = of[body] = of[of[body]]; }
    return body;
  };
  for (const auto & joint : world.joints()) {
    if (joint.parent != no_index && joint.child != no_index) {
      of[root(joint.child)] = root(joint.parent);
    }
  }
  for (BodyIndex body = 0; body < of.size(); ++body) { of[body] = root(body); }
  return of;
}

std::string quoted(const World & world, BodyIndex body)
{
  return "'" + world.bodies()[body].name + "'";
}

/// The targets of all bodies of an assembly of which some are given poses.
expected<void, std::string> move_assembly(
  const World & world, const std::vector<BodyIndex> & members,
  const std::vector<const Placement *> & given, std::map<BodyIndex, Target> & targets)
{
  std::set<BodyIndex> named;
  for (const Placement * one : given) { named.insert(one->body); }
  if (named.size() == members.size()) { return {}; }
  const State & state = world.state();
  const Placement & first = *given.front();
  const auto motion_of = [&](const Placement & one) {
    return Isometry3d(*one.t_world_body * now(state, one.body).pose.inverse());
  };
  const Isometry3d motion = motion_of(first);
  for (const Placement * one : given) {
    if (motion_of(*one).isApprox(motion, kSameMotion)) { continue; }
    return tl::unexpected(
      quoted(world, first.body) + " and " + quoted(world, one->body) +
      " are jointed to each other and to " + std::to_string(members.size() - named.size()) +
      " more bodies: give a pose to one of them, which moves all, or to all of them");
  }
  const auto stands = [&](BodyIndex body) { return world.bodies()[body].mass == 0.0; };
  const auto anchor = std::find_if(members.begin(), members.end(), stands);
  if (anchor != members.end() && std::none_of(given.begin(), given.end(), [&](const auto * p) {
        return stands(p->body);
      })) {
    return tl::unexpected(
      quoted(world, first.body) + " hangs by joints on " + quoted(world, *anchor) +
      ", which stands still (mass 0): give that one a pose to move all, command the joints, or "
      "give poses to all " +
      std::to_string(members.size()) + " bodies");
  }
  for (const BodyIndex body : members) {
    Target target = now(state, body);
    target.pose = motion * target.pose;
    if (first.velocity) {
      const Vector3d arm = target.pose.translation() - first.t_world_body->translation();
      target.velocity.linear = first.velocity->linear + first.velocity->angular.cross(arm);
      target.velocity.angular = first.velocity->angular;
    } else {
      target.velocity.linear = motion.linear() * target.velocity.linear;
      target.velocity.angular = motion.linear() * target.velocity.angular;
    }
    targets[body] = target;
  }
  return {};
}

}  // namespace

expected<void, std::string> place_bodies(World & world, std::span<const Placement> placements)
{
  const State & state = world.state();
  const auto of = assemblies(world);
  std::map<BodyIndex, std::vector<BodyIndex>> members;
  std::map<BodyIndex, std::vector<const Placement *>> given;
  for (const Placement & one : placements) {
    if (one.body >= of.size()) {
      return tl::unexpected("body " + std::to_string(one.body) + ": there is none");
    }
    if (one.t_world_body) { given[of[one.body]].push_back(&one); }
  }
  for (BodyIndex body = 0; body < of.size(); ++body) {
    if (given.contains(of[body])) { members[of[body]].push_back(body); }
  }
  std::map<BodyIndex, Target> targets;
  for (const auto & [assembly, poses] : given) {
    if (auto moved = move_assembly(world, members[assembly], poses, targets); !moved) {
      return moved;
    }
  }
  // What is given goes before what follows from it.
  for (const Placement & one : placements) {
    auto & target = targets.try_emplace(one.body, now(state, one.body)).first->second;
    if (one.t_world_body) { target.pose = *one.t_world_body; }
    if (one.velocity) { target.velocity = *one.velocity; }
    const bool finite = target.pose.matrix().allFinite() && target.velocity.linear.allFinite() &&
                        target.velocity.angular.allFinite();
    if (!finite) {
      return tl::unexpected(quoted(world, one.body) + ": " + to_string(CommandResult::NotFinite));
    }
  }
  for (const auto & [body, target] : targets) {
    world.set_body_state(body, target.pose, target.velocity.linear, target.velocity.angular);
  }
  return {};
}

}  // namespace ambf_dynamics
