// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "ambf_adf/placement.hpp"
#include "closure.hpp"
#include "joint_factory.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{
namespace
{

constexpr double motor_impulse_step = 0.001;  // [s] ADF gives motor strength as impulse per 1 ms
constexpr double mass_ratio_warning = 1000.0;
// Files round pivots to 0.1 mm and axes to 1e-4: what is left of that after placing the bodies becomes
// part of the joint. More is a contradiction in the file and stays visible as strain.
constexpr double absorbed_position = 0.001;  // [m]
constexpr double absorbed_angle = 0.01;      // [rad]

bool share_a_group(const std::vector<int> & a, const std::vector<int> & b)
{
  return std::any_of(
    a.begin(), a.end(), [&](int g) { return std::binary_search(b.begin(), b.end(), g); });
}

ambf_adf::Problem mass_ratio_problem(const ambf_adf::Joint & joint, double ratio)
{
  std::ostringstream found;
  found.precision(3);
  found << "mass ratio " << ratio;
  auto problem = make_error(
    ambf_adf::ProblemKind::BadValue, joint.header.identifier, found.str(),
    "at most " + std::to_string(static_cast<int>(mass_ratio_warning)),
    "iterative solvers converge slowly here; use SolverKind::DirectJoints");
  problem.severity = ambf_adf::Severity::Warning;
  return problem;
}

ambf_adf::Problem filled_problem(std::size_t count, const std::string & example)
{
  auto problem = make_error(
    ambf_adf::ProblemKind::BadValue, example + "/collision mesh type",
    "concave meshes on " + std::to_string(count) + " moving bodies",
    "convex shapes on moving bodies",
    "they collide as the convex hulls of their connected parts, holes are filled; use `compound "
    "collision "
    "shape` where a hole matters");
  problem.severity = ambf_adf::Severity::Warning;
  return problem;
}

ambf_adf::Problem unresolved(
  const ambf_adf::Joint & joint, const char * key, const std::string & name)
{
  return make_error(
    ambf_adf::ProblemKind::UnresolvedReference, joint.header.identifier + "/" + key,
    "'" + name + "'", "a body of this model or of the world",
    "ambf_adf::Scene::add resolves references before loading");
}

// How a reset moves new bodies that hang on a body of another model: along with it, back to where it was
// loaded. `ends` are the bodies of the model's joints.
std::unordered_map<const Body *, btTransform> moves_at_reset(
  const std::vector<std::unique_ptr<Body>> & bodies,
  const std::vector<std::pair<Body *, Body *>> & ends)
{
  std::unordered_map<const Body *, std::size_t> number;
  ambf_adf::Lineage graph;
  for (const auto & body : bodies) { number[body.get()] = graph.add_body(); }
  for (const auto & [a, b] : ends) {
    if (number.count(a) && number.count(b)) { graph.add_joint(number[a], number[b]); }
  }
  std::unordered_map<const Body *, btTransform> moves;
  for (const auto & set : graph.components()) {
    const auto fixed = [&](std::size_t i) { return bodies[i]->info.mass <= 0.0; };
    if (std::any_of(set.begin(), set.end(), fixed)) { continue; }
    const auto hangs = std::find_if(ends.begin(), ends.end(), [&](const auto & end) {
      const auto in_set = [&](const Body * b) {
        return number.count(b) && std::find(set.begin(), set.end(), number[b]) != set.end();
      };
      return in_set(end.first) != in_set(end.second);
    });
    if (hangs == ends.end()) { continue; }
    const Body & other = number.count(hangs->first) ? *hangs->second : *hangs->first;
    if (other.rigid->getWorldTransform() == other.initial) { continue; }
    const btTransform move = other.initial * other.rigid->getWorldTransform().inverse();
    for (const std::size_t i : set) { moves[bodies[i].get()] = move; }
  }
  return moves;
}

}  // namespace

bool WorldImpl::may_collide(const btCollisionObject & a, const btCollisionObject & b) const
{
  const auto * body_a =
    static_cast<const Body *>(btRigidBody::upcast(&a) ? a.getUserPointer() : nullptr);
  const auto * body_b =
    static_cast<const Body *>(btRigidBody::upcast(&b) ? b.getUserPointer() : nullptr);
  if (!body_a || !body_b) { return soft_may_collide(a, b); }
  if (body_a->ignores_own_model && body_a->info.model == body_b->info.model) { return false; }
  if (body_a->info.mass <= 0.0 && body_b->info.mass <= 0.0) { return false; }
  if (body_a->shape->empty || body_b->shape->empty) { return false; }
  const auto link = std::minmax(body_a->id, body_b->id);
  if (std::binary_search(linked_.begin(), linked_.end(), std::pair(link.first, link.second))) {
    return false;
  }
  // Spec 5.8: an empty list collides with everything.
  return body_a->collision_groups.empty() || body_b->collision_groups.empty() ||
         share_a_group(body_a->collision_groups, body_b->collision_groups);
}

std::unique_ptr<Body> WorldImpl::make_body(
  const ambf_adf::RigidBody & source, const ambf_adf::Model & model, ModelHandle handle,
  ambf_adf::Problems & problems)
{
  auto body = std::make_unique<Body>();
  Eigen::Isometry3d t_body_inertial = Eigen::Isometry3d::Identity();
  if (source.inertial_offset) {
    t_body_inertial = source.inertial_offset->isometry();
  } else if (const auto mean = shapes_.mean_vertex(source.collision, source.scale)) {
    t_body_inertial.translation() = *mean;
  }
  ShapeRequest request;
  request.collision = &source.collision;
  request.scale = source.scale;
  request.margin = source.collision_margin;
  request.moving = source.mass > 0.0;
  request.t_body_inertial = t_body_inertial;
  body->shape = shapes_.make(request, source.header.identifier, problems);

  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();
  if (source.mass > 0.0) {
    inertia = source.inertia ? *source.inertia : estimate_inertia(*body->shape, source.mass);
  }
  btRigidBody::btRigidBodyConstructionInfo info(
    source.mass, nullptr, body->shape->root.get(), to_bt(inertia));
  info.m_linearDamping = source.damping.linear;
  info.m_angularDamping = source.damping.angular;
  info.m_friction = source.surface.friction;
  info.m_rollingFriction = source.surface.rolling_friction;
  info.m_restitution = source.surface.restitution;
  body->rigid = std::make_unique<btRigidBody>(info);
  body->rigid->setUserPointer(body.get());

  body->info.identifier = source.header.identifier;
  body->info.name = source.header.name;
  body->info.qualified = source.header.qualified;
  body->info.topic = source.header.topic;
  body->info.model = handle;
  body->info.mass = source.mass;
  body->info.inertia = inertia;
  body->info.inertial_offset = t_body_inertial;
  body->info.passive = source.header.passive;
  body->t_body_inertial = to_bt(t_body_inertial);
  body->t_inertial_body = to_bt(Eigen::Isometry3d(t_body_inertial.inverse()));
  body->kinematic_goal.setIdentity();
  body->scale = source.scale;
  body->collision_groups = source.collision_groups;
  std::sort(body->collision_groups.begin(), body->collision_groups.end());
  body->ignores_own_model = model.ignore_inter_collision;
  body->own_gravity = source.gravity;
  body->file_controller = source.controller.value_or(ambf_adf::CartesianController{});
  body->controller = body->file_controller;
  body->hold = source.pose_hold;
  return body;
}

std::unique_ptr<JointSlot> WorldImpl::make_joint(
  const ambf_adf::Joint & source, Body & parent, Body & child, ModelHandle handle)
{
  auto slot = std::make_unique<JointSlot>();
  slot->constraint = make_constraint(source, parent, child);
  slot->axis = dynamic_cast<AxisJoint *>(slot->constraint.get());
  slot->ignores_collision = source.ignore_inter_collision;
  slot->file_gains = source.controller.value_or(ambf_adf::Pid{});
  slot->gains = slot->file_gains;
  slot->motor_effort = source.max_motor_impulse / motor_impulse_step;
  slot->file_erp = source.erp;
  slot->file_cfm = source.cfm;
  slot->file_damping = source.damping;
  slot->info.identifier = source.header.identifier;
  slot->info.name = source.header.name;
  slot->info.qualified = source.header.qualified;
  slot->info.model = handle;
  slot->info.type = source.type;
  slot->info.passive = source.header.passive;
  slot->info.commandable = slot->axis && slot->axis->has_axis() && source.enable_motor;
  slot->info.limits = source.limits;
  slot->info.effort_limit = source.max_effort;
  slot->info.controller_output = source.controller_output;
  apply_joint_parameters(*slot);
  if (slot->axis) {
    slot->axis->absorb_misfit(absorbed_position, absorbed_angle);
    slot->axis->measure();
    slot->initial_position = slot->axis->position();
  }
  slot->holds = source.hold_position && slot->info.commandable;
  if (slot->holds) { slot->value = slot->initial_position; }
  return slot;
}

void WorldImpl::apply_joint_parameters(JointSlot & slot) const
{
  slot.constraint->setJointFeedback(parameters_.report_wrenches ? &slot.feedback : nullptr);
  if (RowJoint * own = RowJoint::from(slot.constraint.get())) {
    own->softness.erp = slot.file_erp.value_or(parameters_.joint_erp);
    own->softness.cfm = slot.file_cfm.value_or(parameters_.joint_cfm);
    own->softness.cfm_from_file = slot.file_cfm.has_value();
    own->softness.step = parameters_.step_size / parameters_.sub_steps;
  }
  if (!slot.axis) { return; }
  const bool spring = slot.info.type == ambf_adf::JointType::LinearSpring ||
                      slot.info.type == ambf_adf::JointType::TorsionSpring;
  slot.axis->settings().damping = spring || parameters_.joint_damping ? slot.file_damping : 0.0;
}

void WorldImpl::read_meshes(const ambf_adf::Model & model)
{
  // A mesh that cannot be read is reported by `add_model`.
  const auto read = [this](const std::string & path) {
    if (!path.empty()) { (void)shapes_.meshes().get(path); }
  };
  const auto read_collision = [&](const ambf_adf::Collision & collision) {
    if (const auto * mesh = std::get_if<ambf_adf::CollisionMesh>(&collision)) {
      read(mesh->mesh.path);
    } else if (const auto * list = std::get_if<ambf_adf::ShapeList>(&collision)) {
      for (const auto & placed : list->shapes) {
        if (const auto * part = std::get_if<ambf_adf::MeshPart>(&placed.shape)) {
          read(part->mesh.path);
        }
      }
    }
  };
  for (const auto & body : model.bodies) { read_collision(body.collision); }
  for (const auto & ghost : model.ghost_objects) { read_collision(ghost.collision); }
  for (const auto & soft : model.soft_bodies) { read(soft.collision_mesh.path); }
  for (const auto & sensor : model.sensors) {
    if (const auto * rays = std::get_if<ambf_adf::RayMesh>(&sensor.rays)) { read(rays->mesh.path); }
  }
}

expected<AddedModel, Errors> WorldImpl::add_model(
  const ambf_adf::Model & model, const Eigen::Isometry3d & t_world_model)
{
  AddedModel added;
  Errors errors;
  if (!t_world_model.matrix().allFinite()) {
    errors.push_back(make_error(
      ambf_adf::ProblemKind::BadValue, model.name, "a pose that is not finite", "finite numbers",
      ""));
    return tl::unexpected(errors);
  }
  added.handle.id = next_model_;
  std::vector<std::unique_ptr<Body>> bodies;
  std::unordered_map<std::string, Body *> local;
  std::vector<PlacedBody> placed;
  std::unordered_map<const Body *, int> number;
  const auto enlist = [&](const Body * body, const Eigen::Isometry3d & t_world_body, bool held) {
    const auto [at, fresh] = number.emplace(body, static_cast<int>(placed.size()));
    if (fresh) { placed.push_back({t_world_body, held}); }
    return at->second;
  };
  for (const ambf_adf::RigidBody & source : model.bodies) {
    if (body_by_name_.count(source.header.qualified) || local.count(source.header.qualified)) {
      errors.push_back(make_error(
        ambf_adf::ProblemKind::DuplicateName, source.header.identifier, source.header.qualified,
        "a name that is not in the world yet", "ambf_adf::Scene::add makes names unique"));
      continue;
    }
    bodies.push_back(make_body(source, model, added.handle, added.warnings));
    Body * body = bodies.back().get();
    local.emplace(source.header.qualified, body);
    local.emplace(source.header.identifier, body);
    enlist(body, t_world_model * source.location.isometry(), source.mass <= 0.0);
  }

  const auto is_filled = [](const auto & body) { return body->shape->filled; };
  if (const auto first = std::find_if(bodies.begin(), bodies.end(), is_filled);
      first != bodies.end()) {
    const auto count = static_cast<std::size_t>(std::count_if(first, bodies.end(), is_filled));
    added.warnings.push_back(filled_problem(count, (*first)->info.identifier));
  }

  std::vector<PlacedJoint> placed_joints;
  std::vector<std::pair<Body *, Body *>> ends;
  const auto find = [&](const std::string & name) -> Body * {
    const auto at = local.find(name);
    return at != local.end() ? at->second : body_by_name(name);
  };
  for (const ambf_adf::Joint & joint : model.joints) {
    Body * parent = find(joint.parent);
    Body * child = find(joint.child);
    if (!parent) { errors.push_back(unresolved(joint, "parent", joint.parent)); }
    if (!child) { errors.push_back(unresolved(joint, "child", joint.child)); }
    if (joint_by_name_.count(joint.header.qualified)) {
      errors.push_back(make_error(
        ambf_adf::ProblemKind::DuplicateName, joint.header.identifier, joint.header.qualified,
        "a name that is not in the world yet", "ambf_adf::Scene::add makes names unique"));
    }
    if (!parent || !child) { continue; }
    if (parent == child) {
      errors.push_back(make_error(
        ambf_adf::ProblemKind::BadValue, joint.header.identifier + "/child", joint.child,
        "a body other than the parent", ""));
      continue;
    }
    for (Body * body : {parent, child}) {
      if (number.count(body)) { continue; }
      enlist(body, to_eigen(body->pose()), true);  // of another model: stays where it is
    }
    placed_joints.push_back({&joint, number[parent], number[child], parent->scale, child->scale});
    ends.emplace_back(parent, child);
    const auto [light, heavy] = std::minmax(parent->info.mass, child->info.mass);
    if (light > 0.0 && heavy / light > mass_ratio_warning) {
      added.warnings.push_back(mass_ratio_problem(joint, heavy / light));
    }
  }
  if (!errors.empty()) { return tl::unexpected(errors); }

  added.closure = close_joints(placed, placed_joints);
  const auto moves = moves_at_reset(bodies, ends);
  for (const auto & body : bodies) {
    const Eigen::Isometry3d & t_world_body =
      placed[static_cast<std::size_t>(number[body.get()])].t_world_body;
    const btTransform t = to_bt(t_world_body) * body->t_body_inertial;
    const auto move = moves.find(body.get());
    body->initial = move == moves.end() ? t : move->second * t;
    body->rigid->setWorldTransform(t);
    body->rigid->setCenterOfMassTransform(t);
    body->rigid->setInterpolationWorldTransform(t);
  }
  std::vector<std::unique_ptr<JointSlot>> joints;
  for (std::size_t i = 0; i < placed_joints.size(); ++i) {
    joints.push_back(
      make_joint(*placed_joints[i].joint, *ends[i].first, *ends[i].second, added.handle));
  }

  // Nothing below fails for rigid bodies; a section with errors is taken back.
  for (auto & body : bodies) {
    body->id = next_id_++;
    bullet_.add_body(*body->rigid, body->id);
    bodies_.push_back(std::move(body));
  }
  for (auto & joint : joints) {
    bullet_.add_joint(*joint->constraint);
    joints_.push_back(std::move(joint));
  }
  models_.push_back({added.handle, model.name, false});
  ++next_model_;
  content_changed();
  ambf_adf::Problems problems;
  for (const auto & section : sections_) {
    section->add_model(model, added.handle, t_world_model, problems);
  }
  order_constraints();
  if (ambf_adf::has_errors(problems)) {
    remove_model(added.handle);
    return tl::unexpected(problems);
  }
  added.warnings.insert(added.warnings.end(), problems.begin(), problems.end());
  find_start_overlaps(added.handle, &added.warnings);
  sections_changed();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i]->info.model == added.handle) {
      added.bodies.push_back(static_cast<BodyIndex>(i));
    }
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i]->info.model == added.handle) {
      added.joints.push_back(static_cast<JointIndex>(i));
    }
  }
  return added;
}

}  // namespace ambf_dynamics
