// SPDX-License-Identifier: BSD-3-Clause
#include "collision_scene.hpp"

#include <algorithm>
#include <cmath>

#include "collision_checker.hpp"

namespace ambf_dynamics
{
namespace
{

ambf_adf::Problem duplicate(const std::string & identifier, const std::string & qualified)
{
  ambf_adf::Problem problem;
  problem.kind = ambf_adf::ProblemKind::DuplicateName;
  problem.key = identifier;
  problem.found = qualified;
  problem.expected = "a name that is not in the scene yet";
  problem.hint = "ambf_adf::Scene::add makes names unique; remove_model takes an older one out";
  return problem;
}

ambf_adf::Problem not_finite(const std::string & model)
{
  ambf_adf::Problem problem;
  problem.kind = ambf_adf::ProblemKind::BadValue;
  problem.key = model;
  problem.found = "a pose that is not finite";
  problem.expected = "finite numbers";
  return problem;
}

bool share_a_group(const std::vector<int> & a, const std::vector<int> & b)
{
  return a.empty() || b.empty() || std::any_of(a.begin(), a.end(), [&](int group) {
           return std::find(b.begin(), b.end(), group) != b.end();
         });
}

}  // namespace

BodyIndex SceneImpl::insert(SceneBody info, Slot slot)
{
  const btVector3 & centre = slot.parts->ball_centre;
  info.centre = to_eigen(centre);
  info.radius = slot.parts->ball_radius;
  info.shapeless = slot.parts->parts.empty();
  const auto free = std::find_if(
    bodies_.begin(), bodies_.end(), [](const SceneBody & body) { return body.qualified.empty(); });
  const auto index = static_cast<BodyIndex>(free - bodies_.begin());
  if (free == bodies_.end()) {
    bodies_.emplace_back();
    slots_.emplace_back();
  }
  by_name_[info.qualified] = index;
  bodies_[index] = std::move(info);
  slots_[index] = std::move(slot);
  return index;
}

expected<CollisionScene::Added, Errors> SceneImpl::add_model(
  const ambf_adf::Model & model, const Eigen::Isometry3d & t_world_model)
{
  Errors errors;
  if (!t_world_model.matrix().allFinite()) { errors.push_back(not_finite(model.name)); }
  std::vector<std::string> names;
  for (const ambf_adf::RigidBody & body : model.bodies) {
    const std::string & name = body.header.qualified;
    const bool twice = std::find(names.begin(), names.end(), name) != names.end();
    if (twice || by_name_.count(name)) {
      errors.push_back(duplicate(body.header.identifier, name));
    }
    names.push_back(name);
  }
  if (!errors.empty()) { return tl::unexpected(errors); }

  Added added;
  added.handle.id = next_model_++;
  std::unordered_map<std::string, BodyIndex> local;
  for (const ambf_adf::RigidBody & body : model.bodies) {
    Eigen::Isometry3d t_body_inertial = Eigen::Isometry3d::Identity();
    if (body.inertial_offset) {
      t_body_inertial = body.inertial_offset->isometry();
    } else if (const auto mean = shapes_.mean_vertex(body.collision, body.scale)) {
      t_body_inertial.translation() = *mean;
    }
    ShapeRequest request;
    request.collision = &body.collision;
    request.scale = body.scale;
    request.margin = body.collision_margin;
    request.moving = body.mass > 0.0;
    request.t_body_inertial = t_body_inertial;
    auto built = shapes_.make(request, body.header.identifier, added.warnings);
    SceneBody info;
    info.identifier = body.header.identifier;
    info.qualified = body.header.qualified;
    info.model = added.handle;
    info.still = body.mass <= 0.0;
    Slot slot;
    slot.parts = make_parts(std::move(built), to_bt(t_body_inertial));
    slot.pose = t_world_model * body.location.isometry();
    slot.groups = body.collision_groups;
    slot.ignores_own_model = model.ignore_inter_collision;
    const BodyIndex index = insert(std::move(info), std::move(slot));
    added.bodies.push_back(index);
    local[body.header.identifier] = local[body.header.qualified] = index;
  }
  const auto find = [&](const std::string & name) -> std::optional<BodyIndex> {
    const auto at = local.find(name);
    return at != local.end() ? at->second : find_body(name);
  };
  for (const ambf_adf::Joint & joint : model.joints) {
    const auto parent = find(joint.parent);
    const auto child = find(joint.child);
    if (parent && child) {
      joints_.push_back({*parent, *child, added.handle, joint.ignore_inter_collision});
    }
  }
  return added;
}

bool SceneImpl::remove_model(ModelHandle model)
{
  bool found = false;
  for (BodyIndex body = 0; body < bodies_.size(); ++body) {
    if (!bodies_[body].qualified.empty() && !slots_[body].box && bodies_[body].model == model) {
      found = remove_body(body) || found;
    }
  }
  std::erase_if(joints_, [&](const Jointed & joint) { return joint.model == model; });
  return found;
}

BodyIndex SceneImpl::put_box(
  const std::string & name, const Eigen::Vector3d & size, const Eigen::Isometry3d & t_world_box)
{
  const bool good = size.allFinite() && size.minCoeff() > 0.0 && t_world_box.matrix().allFinite();
  if (!good || name.empty()) { return no_index; }
  const auto known = find_body(name);
  if (known && !slots_[*known].box) { return no_index; }
  ambf_adf::PlacedShape placed;
  placed.shape = ambf_adf::Box{size};
  const ambf_adf::Collision collision = ambf_adf::ShapeList{{placed}, false};
  ShapeRequest request;
  request.collision = &collision;
  request.margin = std::min(0.001, 0.1 * size.minCoeff());
  ambf_adf::Problems none;
  Slot slot;
  slot.parts = make_parts(shapes_.make(request, name, none), btTransform::getIdentity());
  slot.pose = t_world_box;
  slot.box = true;
  if (known) { remove_body(*known); }
  SceneBody info;
  info.identifier = info.qualified = name;
  return insert(std::move(info), std::move(slot));
}

bool SceneImpl::remove_body(BodyIndex body)
{
  if (body >= bodies_.size() || bodies_[body].qualified.empty()) { return false; }
  by_name_.erase(bodies_[body].qualified);
  bodies_[body] = SceneBody{};
  bodies_[body].shapeless = true;
  slots_[body] = Slot{};
  std::erase_if(
    joints_, [&](const Jointed & joint) { return joint.parent == body || joint.child == body; });
  return true;
}

std::optional<BodyIndex> SceneImpl::find_body(std::string_view qualified) const
{
  const auto at = by_name_.find(std::string(qualified));
  return at == by_name_.end() ? std::nullopt : std::optional(at->second);
}

bool SceneImpl::set_pose(BodyIndex body, const Eigen::Isometry3d & t_world_body)
{
  if (body >= slots_.size() || !t_world_body.matrix().allFinite()) { return false; }
  slots_[body].pose = t_world_body;
  return true;
}

const Eigen::Isometry3d & SceneImpl::pose(BodyIndex body) const
{
  static const Eigen::Isometry3d none = Eigen::Isometry3d::Identity();
  return body < slots_.size() ? slots_[body].pose : none;
}

AllowedCollisions SceneImpl::adjacent() const
{
  AllowedCollisions out;
  for (const Jointed & joint : joints_) {
    out.allow(
      bodies_[joint.parent].qualified, bodies_[joint.child].qualified, AllowedBecause::Adjacent);
  }
  return out;
}

bool SceneImpl::may_collide(BodyIndex a, BodyIndex b, const CheckerOptions & options) const
{
  if (a == b || a >= bodies_.size() || b >= bodies_.size()) { return false; }
  if (bodies_[a].shapeless || bodies_[b].shapeless) { return false; }
  const bool same = bodies_[a].model == bodies_[b].model && !slots_[a].box && !slots_[b].box;
  if (same && slots_[a].ignores_own_model && !options.own_model) { return false; }
  for (const Jointed & joint : joints_) {
    const bool tied =
      (joint.parent == a && joint.child == b) || (joint.parent == b && joint.child == a);
    if (tied && joint.ignores_collision) { return false; }
  }
  return share_a_group(slots_[a].groups, slots_[b].groups);
}

std::unique_ptr<CollisionChecker> SceneImpl::make_checker(
  std::span<const BodyIndex> moving, const AllowedCollisions & allowed,
  const CheckerOptions & options) const
{
  const auto wanted = [&](BodyIndex a, BodyIndex b) {
    return may_collide(a, b, options) &&
           !allowed.contains(bodies_[a].qualified, bodies_[b].qualified);
  };
  std::vector<CheckerImpl::Body> movers;
  std::vector<bool> moves(bodies_.size(), false);
  static const auto nothing = std::make_shared<const CollisionParts>();
  for (const BodyIndex body : moving) {
    const bool known = body < slots_.size() && slots_[body].parts;
    movers.push_back({body, known ? slots_[body].parts : nothing, 0});
    if (body < moves.size()) { moves[body] = true; }
  }
  CheckerImpl::Pairs among, against;
  for (std::uint32_t i = 0; i < moving.size(); ++i) {
    for (std::uint32_t j = i + 1; j < moving.size(); ++j) {
      if (wanted(moving[i], moving[j])) { among.emplace_back(i, j); }
    }
  }
  std::vector<CheckerImpl::Body> still;
  std::vector<btTransform> at;
  for (BodyIndex body = 0; body < bodies_.size(); ++body) {
    if (moves[body]) { continue; }
    const auto position = static_cast<std::uint32_t>(still.size());
    bool counts = false;
    for (std::uint32_t i = 0; i < moving.size(); ++i) {
      if (!wanted(moving[i], body)) { continue; }
      against.emplace_back(i, position);
      counts = true;
    }
    if (!counts) { continue; }
    still.push_back({body, slots_[body].parts, 0});
    at.push_back(to_bt(slots_[body].pose));
  }
  const double padding = options.padding > 0.0 ? options.padding : 0.0;
  return std::make_unique<CheckerImpl>(
    std::move(movers), std::move(still), at, std::move(among), std::move(against), padding);
}

}  // namespace ambf_dynamics
