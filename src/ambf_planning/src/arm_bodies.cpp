// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/arm_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ambf_adf/placement.hpp"

namespace ambf_planning
{
namespace
{

using ambf_arms::Link;
using ambf_arms::Step;
using ambf_dynamics::no_index;

/// Is it the identifier, with or without "BODY "?
bool means(const std::string & identifier, const std::string & name)
{
  return identifier == name || identifier == "BODY " + name;
}

BodyIndex find(
  const CollisionScene & scene, std::span<const ModelHandle> models, const std::string & name)
{
  const auto bodies = scene.bodies();
  for (BodyIndex i = 0; i < bodies.size(); ++i) {
    const bool ours = !bodies[i].qualified.empty() &&
                      std::find(models.begin(), models.end(), bodies[i].model) != models.end();
    if (ours && means(bodies[i].identifier, name)) { return i; }
  }
  return no_index;
}

Eigen::Isometry3d before_motion(const Step & step)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = step.rotation;
  t.translation() = step.position;
  return t;
}

Eigen::Isometry3d motion(const Step & step, double value)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  if (step.slides) {
    t.translation().z() = value;
  } else {
    t.linear() = Eigen::AngleAxisd(value, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  }
  return t;
}

/// Does a joint's reference mean the body? After `Scene::add` it is the qualified identifier.
bool refers_to(const std::string & reference, const ambf_adf::RigidBody & body)
{
  return reference == body.header.qualified || reference == body.header.identifier;
}

const ambf_adf::RigidBody * find_body(const ambf_adf::Model & model, const std::string & name)
{
  const auto at = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const auto & body) {
    return means(body.header.identifier, name);
  });
  return at == model.bodies.end() ? nullptr : &*at;
}

/// The body's frame in that of its link, which is where its joint turns or slides about z: by the joint that ties
/// it to its parent. A mechanism's link keeps where the joint is in the parent's link, which tells the joints
/// apart where several tie the same two bodies.
std::optional<Eigen::Isometry3d> frame_in_link(
  const ambf_adf::Model & model, const ambf_adf::RigidBody & parent,
  const ambf_adf::RigidBody & child, const Eigen::Isometry3d & parent_in_link, const Step & step)
{
  std::optional<Eigen::Isometry3d> best;
  double least = 1e-6;
  for (ambf_adf::Joint joint : model.joints) {
    if (refers_to(joint.parent, child) && refers_to(joint.child, parent)) {
      joint = ambf_adf::swap_parent_and_child(joint);
    }
    if (!refers_to(joint.parent, parent) || !refers_to(joint.child, child)) { continue; }
    Eigen::Isometry3d before = Eigen::Isometry3d::Identity();
    before.linear() =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), joint.parent_axis)
        .toRotationMatrix();
    before.translation() = parent.scale * joint.parent_pivot;
    const Eigen::Isometry3d at = parent_in_link * before;
    const double off = (at.matrix() - before_motion(step).matrix()).norm();
    if (off > least) { continue; }
    least = off;
    best = before.inverse() * ambf_adf::child_in_parent(joint, 0.0, parent.scale, child.scale);
  }
  return best;
}

}  // namespace

ambf_adf::expected<ArmBodies, std::string> ArmBodies::make(
  const ambf_arms::Arm & arm, const ambf_adf::Model & model, const CollisionScene & scene,
  std::span<const ModelHandle> models, const std::string & base,
  const Eigen::Isometry3d & base_offset)
{
  if (!arm.mechanism()) {
    return ambf_adf::unexpected(
      arm.name() +
      " is kinematic only: it has no bodies that could collide; describe it with a model");
  }
  const ambf_arms::Mechanism & mechanism = *arm.mechanism();
  ArmBodies out(arm);
  out.base_offset_ = base_offset;
  out.base_body_ = find(scene, models, base);
  const ambf_adf::RigidBody * const base_block = find_body(model, base);
  if (out.base_body_ == no_index || !base_block) {
    return ambf_adf::unexpected(arm.name() + ": the scene has no body '" + base + "' of its model");
  }
  for (std::size_t i = 0; i < mechanism.links.size(); ++i) {
    const BodyIndex body = find(scene, models, mechanism.bodies[i]);
    if (body == no_index) {
      return ambf_adf::unexpected(
        arm.name() + ": the scene has no body '" + mechanism.bodies[i] + "' of its model");
    }
    const Step & step = mechanism.links[i].step;
    const int parent = mechanism.links[i].parent;
    const bool on_base = parent < 0;
    const auto above = static_cast<std::size_t>(std::max(parent, 0));
    const auto * const parent_block =
      on_base ? base_block : find_body(model, mechanism.bodies[above]);
    const auto * const child_block = find_body(model, mechanism.bodies[i]);
    std::optional<Eigen::Isometry3d> frame;
    if (parent_block && child_block) {
      frame = frame_in_link(
        model, *parent_block, *child_block,
        on_base ? Eigen::Isometry3d::Identity() : out.in_link_[above], step);
    }
    if (!frame) {
      return ambf_adf::unexpected(
        arm.name() +
        ": the model that was given is not the one that the arm was made of: it has no joint to '" +
        mechanism.bodies[i] + "' as the arm has it");
    }
    out.link_bodies_.push_back(body);
    out.in_link_.push_back(*frame);
    out.add(scene, body, static_cast<int>(i), *frame);
    out.held_.push_back(before_motion(step) * motion(step, step.offset));
  }
  out.read_scene(scene);
  return out;
}

void ArmBodies::add(
  const CollisionScene & scene, BodyIndex body, int link, const Eigen::Isometry3d & in_link)
{
  const ambf_dynamics::SceneBody & info = scene.bodies()[body];
  bodies_.push_back(body);
  moving_.push_back({link, in_link, info.centre, info.radius});
}

void ArmBodies::read_scene(const CollisionScene & scene)
{
  const auto & mechanism = *arm_.mechanism();
  t_world_base_body_ = scene.pose(base_body_);
  t_world_base_ = t_world_base_body_ * base_offset_.inverse();
  const auto link_pose = [&](int link) -> Eigen::Isometry3d {
    if (link < 0) { return t_world_base_body_; }
    const auto i = static_cast<std::size_t>(link);
    return scene.pose(link_bodies_[i]) * in_link_[i].inverse();
  };
  for (std::size_t i = 0; i < mechanism.links.size(); ++i) {
    if (mechanism.links[i].step.n_follows > 0) { continue; }
    held_[i] = link_pose(mechanism.links[i].parent).inverse() * link_pose(static_cast<int>(i));
  }
}

ambf_adf::expected<void, std::string> ArmBodies::attach(
  const CollisionScene & scene, BodyIndex body, BodyIndex carrier)
{
  const auto bodies = scene.bodies();
  const auto known = [&](BodyIndex index) {
    return index < bodies.size() && !bodies[index].qualified.empty();
  };
  if (!known(body) || !known(carrier)) {
    return ambf_adf::unexpected(std::string("the scene has no such body"));
  }
  const auto at = std::find(bodies_.begin(), bodies_.end(), carrier);
  if (at == bodies_.end()) {
    return ambf_adf::unexpected("'" + bodies[carrier].qualified + "' is no body of " + arm_.name());
  }
  if (std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end() || body == base_body_) {
    return ambf_adf::unexpected(
      "'" + bodies[body].qualified + "' moves with " + arm_.name() + " already");
  }
  const Moving & by = moving_[static_cast<std::size_t>(at - bodies_.begin())];
  const Eigen::Isometry3d t_carrier_body = scene.pose(carrier).inverse() * scene.pose(body);
  add(scene, body, by.link, by.in_link * t_carrier_body);
  return {};
}

void ArmBodies::place_links(const JointVector & q, std::vector<Eigen::Isometry3d> & links) const
{
  const std::vector<Link> & all = arm_.mechanism()->links;
  links.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Eigen::Isometry3d & parent =
      all[i].parent < 0 ? t_world_base_body_ : links[static_cast<std::size_t>(all[i].parent)];
    const Step & step = all[i].step;
    links[i] = step.n_follows > 0 ? parent * before_motion(step) * motion(step, step.value(q))
                                  : parent * held_[i];
  }
}

void ArmBodies::place(const JointVector & q, std::span<Eigen::Isometry3d> poses) const
{
  thread_local std::vector<Eigen::Isometry3d> links;
  place_links(q, links);
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    poses[i] = links[static_cast<std::size_t>(moving_[i].link)] * moving_[i].in_link;
  }
}

void ArmBodies::reach(
  const JointVector & from, const JointVector & to, std::span<double> distances) const
{
  // In the middle of the way each joint has half of its motion on either side. Nearest to the body comes
  // the joint whose lever is known best; the motion of each lengthens the lever of those before it.
  thread_local std::vector<Eigen::Isometry3d> links;
  place_links(0.5 * (from + to), links);
  const std::vector<Link> & all = arm_.mechanism()->links;
  const JointVector half = 0.5 * (to - from);
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Moving & body = moving_[i];
    const Eigen::Vector3d centre =
      links[static_cast<std::size_t>(body.link)] * (body.in_link * body.centre);
    double moved = 0.0;
    for (int k = body.link; k >= 0; k = all[static_cast<std::size_t>(k)].parent) {
      const Step & step = all[static_cast<std::size_t>(k)].step;
      if (step.n_follows == 0) { continue; }
      double amount = 0.0;
      for (int f = 0; f < step.n_follows; ++f) {
        const auto & follows = step.follows[static_cast<std::size_t>(f)];
        amount += follows.ratio * half[follows.joint];
      }
      amount = std::abs(amount);
      if (step.slides) {
        moved += amount;
        continue;
      }
      // The axis is the z axis of the frame, which its own turn leaves as it is.
      const Eigen::Isometry3d & link = links[static_cast<std::size_t>(k)];
      const double lever =
        (centre - link.translation()).cross(link.linear().col(2)).norm() + body.radius + moved;
      moved += amount * lever;
    }
    distances[i] = 2.0 * moved;
  }
}

Eigen::Isometry3d ArmBodies::tip(const JointVector & q) const
{
  const auto local = arm_.forward_local(q);
  return local ? t_world_base_ * *local : t_world_base_;
}

}  // namespace ambf_planning
