// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/mechanism.hpp"

#include <cmath>
#include <limits>

#include "mechanism_reader.hpp"

namespace ambf_arms
{

/// Frames move about z: the joint's axis becomes z, and what is behind the motion goes to `after`.
Step MechanismReader::step_of(const Edge & edge, Eigen::Isometry3d & after) const
{
  const Joint & j = edge.value;
  Step step;
  step.slides = slides(j.type);
  step.rotation =
    Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), j.parent_axis).toRotationMatrix();
  step.position = edge.scale_parent * j.parent_pivot;
  const Eigen::Isometry3d zero =
    ambf_adf::child_in_parent(j, 0.0, edge.scale_parent, edge.scale_child);
  Eigen::Isometry3d before = Eigen::Isometry3d::Identity();
  before.linear() = step.rotation;
  before.translation() = step.position;
  after = before.inverse() * zero;
  return step;
}

Mechanism MechanismReader::result() const
{
  Mechanism out;
  const double infinite = std::numeric_limits<double>::infinity();
  const auto n = static_cast<Eigen::Index>(arm.size());
  out.bounds.low.setConstant(n, -infinite);
  out.bounds.high.setConstant(n, infinite);
  for (std::size_t i = 0; i < arm.size(); ++i) {
    const Joint & joint = model.joints[static_cast<std::size_t>(arm[i])];
    out.joints.push_back(joint.header.identifier);
    if (joint.limits) {
      out.bounds.low[static_cast<Eigen::Index>(i)] = joint.limits->low;
      out.bounds.high[static_cast<Eigen::Index>(i)] = joint.limits->high;
    }
  }
  // Every body of the tree becomes a link whose frame is behind its joint's motion.
  std::vector<int> link_of(model.bodies.size(), -1);
  std::vector<Eigen::Isometry3d> body_in_link(model.bodies.size(), Eigen::Isometry3d::Identity());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Edge & e = tree[i];
    Link link;
    Eigen::Isometry3d after;
    link.step = step_of(e, after);
    link.parent = link_of[static_cast<std::size_t>(e.parent)];
    const Eigen::Isometry3d & parent = body_in_link[static_cast<std::size_t>(e.parent)];
    link.step.position = parent * link.step.position;
    link.step.rotation = parent.linear() * link.step.rotation;
    if (e.arm >= 0) {
      link.step.n_follows = 1;
      link.step.follows[0] = {e.arm, 1.0};
    } else if (const auto at = std::find(passive.begin(), passive.end(), static_cast<int>(i));
               at != passive.end()) {
      const Eigen::Index row = at - passive.begin();
      link.step.offset = offsets[row];
      for (Eigen::Index k = 0; k < n; ++k) {
        if (std::abs(ratios(row, k)) > 1e-9 && link.step.n_follows < 4) {
          link.step.follows[static_cast<std::size_t>(link.step.n_follows++)] = {
            static_cast<int>(k), ratios(row, k)};
        }
      }
      out.followers.push_back({e.value.header.identifier, link.step});
    }
    const ambf_adf::RigidBody & body = model.bodies[static_cast<std::size_t>(e.child)];
    const Eigen::Isometry3d inertial =
      after *
      (body.inertial_offset ? body.inertial_offset->isometry() : Eigen::Isometry3d::Identity());
    link.mass = body.mass;
    link.centre = inertial.translation();
    const Eigen::Vector3d moments =
      body.mass > 0.0 && body.inertia ? *body.inertia : Eigen::Vector3d::Zero().eval();
    link.inertia = inertial.linear() * moments.asDiagonal() * inertial.linear().transpose();
    link_of[static_cast<std::size_t>(e.child)] = static_cast<int>(out.links.size());
    body_in_link[static_cast<std::size_t>(e.child)] = after;
    out.links.push_back(link);
    out.bodies.push_back(body.header.identifier);
  }
  out.chain.joints = static_cast<int>(arm.size());
  Eigen::Isometry3d fixed = Eigen::Isometry3d::Identity();
  for (const int edge : path()) {
    const Link & link = out.links[static_cast<std::size_t>(
      link_of[static_cast<std::size_t>(tree[static_cast<std::size_t>(edge)].child)])];
    Step step = link.step;
    step.position = fixed * step.position;
    step.rotation = fixed.linear() * step.rotation;
    if (step.n_follows > 0) {
      out.chain.steps.push_back(step);
      fixed = Eigen::Isometry3d::Identity();
    } else {
      // A joint that stands still is part of the next constant transform.
      Eigen::Isometry3d still = Eigen::Isometry3d::Identity();
      still.linear() = step.rotation;
      still.translation() = step.position;
      if (step.slides) {
        still.translation() += step.offset * step.rotation.col(2);
      } else {
        still.linear() =
          still.linear() *
          Eigen::AngleAxisd(step.offset, Eigen::Vector3d::UnitZ()).toRotationMatrix();
      }
      fixed = still;
    }
  }
  append(out.chain, fixed * body_in_link[static_cast<std::size_t>(tip)]);
  return out;
}

ambf_adf::expected<Mechanism, Errors> read_mechanism(
  const Model & model, const MechanismRequest & request)
{
  MechanismReader reader{model, request, {}, -1, -1, {}, {}, {}, {}, {}, {}, {}, {}};
  if (
    !reader.find_ends() || !reader.grow_tree() || !reader.find_arm_joints() ||
    !reader.close_loops()) {
    return ambf_adf::unexpected(reader.errors);
  }
  for (std::size_t i = 0; i < reader.passive.size(); ++i) {
    const auto way = reader.path();
    const bool on_path = std::find(way.begin(), way.end(), reader.passive[i]) != way.end();
    if (on_path && !reader.decided[i]) {
      const Joint & joint = reader.tree[static_cast<std::size_t>(reader.passive[i])].value;
      reader.error(
        ProblemKind::BadValue, joint.header.where, joint.header.identifier,
        "a passive joint between base and tip that no loop holds", "a joint that something drives",
        "list it under `joints` and make it `passive: false`, or choose another tip");
    }
  }
  if (!reader.errors.empty()) { return ambf_adf::unexpected(reader.errors); }
  Mechanism out = reader.result();
  if (out.chain.steps.size() > static_cast<std::size_t>(max_steps)) {
    reader.error(
      ProblemKind::TooComplex, {}, "tip",
      std::to_string(out.chain.steps.size()) + " moving joints between base and tip",
      "at most " + std::to_string(max_steps), "make two arms of it");
    return ambf_adf::unexpected(reader.errors);
  }
  return out;
}

}  // namespace ambf_arms
