// SPDX-License-Identifier: BSD-3-Clause
#include "outline.hpp"

#include <algorithm>
#include <numeric>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/placement.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;

/// Bodies that are further from where their joint has them are placed by the joint: files from URDF have all
/// bodies at the origin.
constexpr double fits_position = 0.01;  // [m]
constexpr double fits_angle = 0.05;     // [rad]

int find_set(std::vector<int> & up, int i)
{
  while (up[static_cast<std::size_t>(i)] != i) {
    up[static_cast<std::size_t>(i)] = up[static_cast<std::size_t>(up[static_cast<std::size_t>(i)])];
    i = up[static_cast<std::size_t>(i)];
  }
  return i;
}

}  // namespace

std::string unique_name(const std::string & wanted, std::set<std::string> & taken)
{
  std::string name = wanted.empty() ? "unnamed" : wanted;
  for (int k = 1; !taken.insert(name).second; ++k) { name = wanted + "_" + std::to_string(k); }
  return name;
}

Outline::Outline(const Model & model, const Cost & cost)
{
  std::set<std::string> taken;
  for (const auto & source : model.bodies) {
    Body body;
    body.source = &source;
    body.name = unique_name(source.header.name, taken);
    body.still = source.mass <= 0.0;
    body.t_world_body = source.location.isometry();
    const int index = static_cast<int>(bodies_.size());
    by_identifier_.try_emplace(source.header.identifier, index);
    by_identifier_.try_emplace(source.header.qualified, index);
    bodies_.push_back(std::move(body));
  }
  taken.clear();
  for (const auto & source : model.joints) {
    const int parent = find(source.parent), child = find(source.child);
    if (parent == none || child == none || parent == child) { continue; }
    Joint joint;
    joint.source = &source;
    joint.name = unique_name(source.header.name, taken);
    joint.joint = source;
    joint.joint.parent_pivot *= bodies_[static_cast<std::size_t>(parent)].source->scale;
    joint.joint.child_pivot *= bodies_[static_cast<std::size_t>(child)].source->scale;
    joint.parent = parent;
    joint.child = child;
    joints_.push_back(std::move(joint));
  }
  grow_tree(cost);
}

int Outline::find(const std::string & identifier) const
{
  const auto found = by_identifier_.find(identifier);
  return found == by_identifier_.end() ? none : found->second;
}

std::vector<int> Outline::roots() const
{
  std::vector<int> result;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].parent == none) { result.push_back(static_cast<int>(i)); }
  }
  return result;
}

void Outline::grow_tree(const Cost & cost)
{
  // Kruskal's tree over the joints by cost; everything that stands still is one node, the world.
  std::vector<int> up(bodies_.size());
  std::iota(up.begin(), up.end(), 0);
  int world = none;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].still) { continue; }
    world = world == none ? static_cast<int>(i) : world;
    up[i] = world;
  }
  std::vector<std::size_t> by_cost(joints_.size());
  std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](std::size_t a, std::size_t b) {
    return cost(joints_[a].joint) < cost(joints_[b].joint);
  });
  std::vector<std::vector<int>> at(bodies_.size());
  std::vector<bool> is_child(bodies_.size(), false);
  for (const std::size_t j : by_cost) {
    Joint & joint = joints_[j];
    is_child[static_cast<std::size_t>(joint.child)] = true;
    if (cost(joint.joint) < 0) { continue; }
    const int a = find_set(up, joint.parent), b = find_set(up, joint.child);
    if (a == b) { continue; }
    up[static_cast<std::size_t>(b)] = a;
    joint.in_tree = true;
    at[static_cast<std::size_t>(joint.parent)].push_back(static_cast<int>(j));
    at[static_cast<std::size_t>(joint.child)].push_back(static_cast<int>(j));
  }
  for (auto & list : at) { std::sort(list.begin(), list.end()); }
  std::vector<bool> seen(bodies_.size(), false);
  const auto grow_from = [&](std::vector<int> queue) {
    for (const int root : queue) { seen[static_cast<std::size_t>(root)] = true; }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const int above = queue[head];
      for (const int j : at[static_cast<std::size_t>(above)]) {
        Joint & joint = joints_[static_cast<std::size_t>(j)];
        const int other = joint.parent == above ? joint.child : joint.parent;
        if (seen[static_cast<std::size_t>(other)]) { continue; }
        seen[static_cast<std::size_t>(other)] = true;
        if (joint.parent != above) {
          joint.joint = ambf_adf::swap_parent_and_child(joint.joint);
          std::swap(joint.parent, joint.child);
        }
        Body & body = bodies_[static_cast<std::size_t>(other)];
        body.parent = above;
        body.joint = j;
        bodies_[static_cast<std::size_t>(above)].below.push_back(other);
        place(other);
        queue.push_back(other);
      }
    }
  };
  std::vector<int> still;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].still) { still.push_back(static_cast<int>(i)); }
  }
  grow_from(still);
  for (const bool only_tops : {true, false}) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!seen[i] && !(only_tops && is_child[i])) { grow_from({static_cast<int>(i)}); }
    }
  }
  for (auto & joint : joints_) {
    if (joint.in_tree) { continue; }
    joint.start = ambf_adf::fit_joint(
                    joint.joint, bodies_[static_cast<std::size_t>(joint.parent)].t_world_body,
                    bodies_[static_cast<std::size_t>(joint.child)].t_world_body)
                    .q;
  }
}

void Outline::place(int index)
{
  Body & body = bodies_[static_cast<std::size_t>(index)];
  Joint & joint = joints_[static_cast<std::size_t>(body.joint)];
  const Isometry3d & t_world_parent = bodies_[static_cast<std::size_t>(body.parent)].t_world_body;
  const auto fit = ambf_adf::fit_joint(joint.joint, t_world_parent, body.t_world_body);
  const JointType type = joint.joint.type;
  const bool fits = fit.position_error < fits_position && fit.angle_error < fits_angle;
  if (turns(type) || slides(type) || type == JointType::Fixed) {
    joint.start = fits ? fit.q : 0.0;
    // What the numbers of the file leave open below the last digit is no start of its own.
    if (std::abs(joint.start) < 1e-12) { joint.start = 0.0; }
    body.t_world_body = t_world_parent * ambf_adf::child_in_parent(joint.joint, joint.start);
    return;
  }
  // Joints with several freedoms: the body stays where it is if the pivots meet.
  if (fit.position_error > fits_position) {
    body.t_world_body = t_world_parent * ambf_adf::child_in_parent(joint.joint, 0.0);
  }
}

namespace
{

Vector3d ball(double mass) { return Vector3d::Constant(0.4 * mass * 0.01); }

Vector3d about(ambf_adf::Axis axis, double along, double across)
{
  Vector3d moments = Vector3d::Constant(across);
  moments[static_cast<Eigen::Index>(axis)] = along;
  return moments;
}

/// Of a solid of even density about its centre; a ball of 0.1 m where nothing better is known.
Vector3d estimated_moments(const ambf_adf::RigidBody & body)
{
  const double m = body.mass;
  const auto * list = std::get_if<ambf_adf::ShapeList>(&body.collision);
  if (list == nullptr || list->shapes.size() != 1) { return ball(m); }
  return std::visit(
    [&](const auto & shape) -> Vector3d {
      using T = std::decay_t<decltype(shape)>;
      if constexpr (std::is_same_v<T, ambf_adf::Box>) {
        const Vector3d square = shape.size.cwiseProduct(shape.size);
        return m / 12.0 * (Vector3d::Constant(square.sum()) - square);
      } else if constexpr (std::is_same_v<T, ambf_adf::Sphere>) {
        return Vector3d::Constant(0.4 * m * shape.radius * shape.radius);
      } else if constexpr (
        std::is_same_v<T, ambf_adf::Cylinder> || std::is_same_v<T, ambf_adf::Capsule>) {
        const double rr = shape.radius * shape.radius;
        return about(shape.axis, 0.5 * m * rr, m * (rr / 4.0 + shape.height * shape.height / 12.0));
      } else {
        return ball(m);
      }
    },
    list->shapes.front().shape);
}

}  // namespace

Principal inertial_of(const ambf_adf::RigidBody & body)
{
  Principal result{
    body.inertia ? *body.inertia : estimated_moments(body),
    body.inertial_offset ? body.inertial_offset->isometry() : Isometry3d::Identity()};
  const auto * mesh = std::get_if<ambf_adf::CollisionMesh>(&body.collision);
  if (!body.inertial_offset && mesh != nullptr && !mesh->mesh.path.empty()) {
    const auto loaded = ambf_adf::load_mesh(mesh->mesh.path);
    if (loaded && !loaded->unified.empty()) {
      Vector3d sum = Vector3d::Zero();
      for (const auto & p : loaded->unified) { sum += p; }
      result.t_link_principal.translation() =
        body.scale * sum / static_cast<double>(loaded->unified.size());
    }
  }
  return result;
}

ambf_adf::Problem loss(
  const Model & model, const std::string & object, const std::string & what,
  const std::string & format_name, const std::string & instead)
{
  return {
    ambf_adf::Severity::Warning,
    ambf_adf::ProblemKind::Unsupported,
    model.source_file.empty() ? model.name : model.source_file,
    {},
    object,
    what,
    "something that " + format_name + " can say",
    instead};
}

void list_other_losses(
  const Model & model, const std::string & format_name, bool cameras, bool lights, Problems & lost)
{
  const auto all = [&](const auto & objects, const char * what) {
    for (const auto & object : objects) {
      auto problem = loss(model, object.header.identifier, what, format_name, "it is left out");
      problem.where = object.header.where;
      lost.push_back(std::move(problem));
    }
  };
  all(model.soft_bodies, "a soft body");
  all(model.ghost_objects, "a ghost object");
  all(model.sensors, "a sensor");
  all(model.actuators, "an actuator");
  all(model.vehicles, "a vehicle");
  all(model.volumes, "a volume");
  if (!cameras) { all(model.cameras, "a camera"); }
  if (!lights) { all(model.lights, "a light"); }
  const auto body = [&](const ambf_adf::RigidBody & source, const std::string & what) {
    auto problem = loss(model, source.header.identifier, what, format_name, "it is left out");
    problem.where = source.header.where;
    lost.push_back(std::move(problem));
  };
  for (const auto & source : model.bodies) {
    if (source.mass > 0.0 && !source.inertia) {
      lost.push_back(loss(
        model, source.header.identifier, "an inertia that follows from the shape", format_name,
        "an estimate is written"));
    }
    if (source.controller) { body(source, "gains of a controller"); }
    if (source.pose_hold) { body(source, "a pose hold"); }
    if (!source.collision_groups.empty()) { body(source, "collision groups"); }
    if (source.gravity && source.gravity != model.gravity) { body(source, "a gravity of its own"); }
    if (!source.header.plugins.empty()) { body(source, "plugins"); }
  }
  for (const auto & joint : model.joints) {
    const auto tell = [&](const std::string & what) {
      auto problem = loss(model, joint.header.identifier, what, format_name, "it is left out");
      problem.where = joint.header.where;
      lost.push_back(std::move(problem));
    };
    if (joint.controller) { tell("gains of a controller"); }
    if (joint.hold_position) { tell("hold position"); }
  }
  if (!model.plugins.empty()) {
    lost.push_back(loss(model, model.name, "plugins", format_name, "they are left out"));
  }
}

}  // namespace ambf_convert
