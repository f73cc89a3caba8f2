// SPDX-License-Identifier: BSD-3-Clause
#include "assembly.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ambf_adf/names.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;
using ambf_adf::PlacedShape;
using ambf_adf::Problem;
using ambf_adf::ProblemKind;
using ambf_adf::Severity;

/// What moves and has no mass in its file gets this.
constexpr double least_mass = 1e-3;    // [kg]
constexpr double least_moment = 1e-7;  // [kg m^2], a ball of 16 mm

class Assembler
{
public:
  Assembler(Assembly assembly, const ReadOptions & options)
  : a_(std::move(assembly)), options_(options)
  {
    for (std::size_t i = 0; i < a_.links.size(); ++i) {
      goes_to_.push_back(static_cast<int>(i));
      t_goal_link_.push_back(Isometry3d::Identity());
    }
  }

  Model run()
  {
    take_world_links_out();
    while (merge_one()) {}
    settle_masses();
    Model model;
    model.name = a_.name;
    model.source_file = a_.file;
    model.resource_base = std::filesystem::path(a_.file).parent_path().string();
    model.ns = ambf_adf::join_namespace(
      options_.parse.namespace_prefix,
      ambf_adf::join_namespace("", options_.parse.default_namespace).substr(1));
    model.ns = ambf_adf::join_namespace(model.ns, ambf_adf::topic_token(a_.name));
    model.gravity = a_.gravity;
    model.ignore_inter_collision = a_.ignore_inter_collision;
    for (std::size_t i = 0; i < a_.links.size(); ++i) {
      if (goes_to_[i] == static_cast<int>(i)) { add_body(model, a_.links[i]); }
    }
    for (auto & tie : a_.ties) { add_joint(model, tie); }
    add_views(model);
    name_joints_followed(model);
    model.warnings = std::move(a_.problems);
    ambf_adf::complete_headers(model);
    return model;
  }

private:
  const std::string & name(int link) const
  {
    return a_.links[static_cast<std::size_t>(link)].body.header.name;
  }
  Link & link(int index) { return a_.links[static_cast<std::size_t>(index)]; }

  void tell(Severity severity, const std::string & object, std::string found, std::string hint)
  {
    a_.problems.push_back(
      {severity,
       ProblemKind::BadValue,
       a_.file,
       {},
       object,
       std::move(found),
       "",
       std::move(hint)});
  }

  bool empty(const Link & link) const
  {
    return !link.has_mass && link.visuals.empty() && link.collisions.empty();
  }

  bool is_child(int index) const
  {
    return std::any_of(
      a_.ties.begin(), a_.ties.end(), [&](const Tie & tie) { return tie.child == index; });
  }

  /// A root called "world" without anything in it is the world.
  void take_world_links_out()
  {
    for (std::size_t i = 0; i < a_.links.size(); ++i) {
      const int index = static_cast<int>(i);
      const auto & link = a_.links[i];
      if (link.body.header.name != "world" || !empty(link) || is_child(index)) { continue; }
      for (auto & tie : a_.ties) {
        if (tie.parent == index) {
          tie.t_parent_joint = link.t_world_link * tie.t_parent_joint;
          tie.parent = -1;
        }
      }
      goes_to_[i] = -1;
      t_goal_link_[i] = link.t_world_link;
    }
    // Fixed to the world: it stands still. Any other joint to the world needs something to be at.
    std::erase_if(a_.ties, [&](Tie & tie) {
      if (tie.parent >= 0 || tie.child < 0 || tie.joint.type != JointType::Fixed) { return false; }
      link(tie.child).still = true;
      return true;
    });
    int ground = -1;
    for (auto & tie : a_.ties) {
      for (int * end : {&tie.parent, &tie.child}) {
        if (*end >= 0) { continue; }
        if (ground < 0) { ground = add_ground(); }
        *end = ground;
      }
    }
  }

  int add_ground()
  {
    Link ground;
    ground.body.header.name = "world";
    ground.still = true;
    a_.links.push_back(std::move(ground));
    goes_to_.push_back(static_cast<int>(a_.links.size()) - 1);
    t_goal_link_.push_back(Isometry3d::Identity());
    return goes_to_.back();
  }

  /// Moves what is in a massless link to the link at the other end of a fixed joint.
  void merge(int from, int into, const Isometry3d & t_into_from, std::size_t by)
  {
    Link & source = link(from);
    Link & goal = link(into);
    for (const auto & [shapes, to] :
         {std::pair{&source.visuals, &goal.visuals}, {&source.collisions, &goal.collisions}}) {
      for (auto & shape : *shapes) {
        shape.offset = pose_of(t_into_from * shape.offset.isometry());
        to->push_back(std::move(shape));
      }
      shapes->clear();
    }
    goal.still = goal.still || source.still;
    a_.ties.erase(a_.ties.begin() + static_cast<std::ptrdiff_t>(by));
    for (auto & tie : a_.ties) {
      if (tie.parent == from) {
        tie.parent = into;
        tie.t_parent_joint = t_into_from * tie.t_parent_joint;
      }
      if (tie.child == from) {
        tie.child = into;
        tie.t_child_joint = t_into_from * tie.t_child_joint;
      }
    }
    for (std::size_t i = 0; i < goes_to_.size(); ++i) {
      if (goes_to_[i] != from) { continue; }
      goes_to_[i] = into;
      t_goal_link_[i] = t_into_from * t_goal_link_[i];
    }
    a_.problems.push_back(
      {Severity::Warning, ProblemKind::Unsupported, a_.file, source.body.header.where,
       "link '" + source.body.header.name + "'", "a link without mass on a fixed joint",
       "a link with a mass", "it is part of '" + goal.body.header.name + "' now"});
  }

  bool merge_one()
  {
    for (std::size_t t = 0; t < a_.ties.size(); ++t) {
      const Tie & tie = a_.ties[t];
      if (tie.joint.type != JointType::Fixed || tie.parent == tie.child) { continue; }
      const Isometry3d t_parent_child = tie.t_parent_joint * tie.t_child_joint.inverse();
      if (!link(tie.child).has_mass && !link(tie.child).still) {
        merge(tie.child, tie.parent, t_parent_child, t);
        return true;
      }
      // A massless link that a joint moves goes to what is fixed to it; one at the root stands still.
      if (!link(tie.parent).has_mass && !link(tie.parent).still && is_child(tie.parent)) {
        merge(tie.parent, tie.child, t_parent_child.inverse(), t);
        return true;
      }
    }
    return false;
  }

  void settle_masses()
  {
    for (std::size_t i = 0; i < a_.links.size(); ++i) {
      if (goes_to_[i] != static_cast<int>(i)) { continue; }
      Link & link = a_.links[i];
      const bool root = !is_child(static_cast<int>(i));
      const bool fixed = link.still || (root && (options_.fixed_base || !link.has_mass));
      if (fixed) {
        link.body.mass = 0.0;
        continue;
      }
      if (link.has_mass) { continue; }
      link.body.mass = least_mass;
      link.body.inertia = Vector3d::Constant(least_moment);
      link.body.inertial_offset = ambf_adf::Pose{};
      a_.problems.push_back(
        {Severity::Warning, ProblemKind::MissingKey, a_.file, link.body.header.where,
         "link '" + link.body.header.name + "'", "a link that moves and has no mass",
         "its inertial", "1 g and the inertia of a small ball are taken"});
    }
  }

  static bool at_origin(const PlacedShape & shape) { return shape.offset == ambf_adf::Pose{}; }

  static bool plain_mesh(const PlacedShape & shape)
  {
    const auto * part = std::get_if<ambf_adf::MeshPart>(&shape.shape);
    return part != nullptr && part->scale == Vector3d::Ones() && at_origin(shape);
  }

  static void set_visual(ambf_adf::RigidBody & body, std::vector<PlacedShape> shapes)
  {
    if (shapes.empty()) { return; }
    const bool one_colour = std::all_of(shapes.begin(), shapes.end(), [&](const auto & shape) {
      return shape.material == shapes.front().material;
    });
    if (one_colour) {
      body.visual.material = shapes.front().material;
      for (auto & shape : shapes) { shape.material.reset(); }
    }
    if (shapes.size() == 1 && plain_mesh(shapes.front())) {
      body.visual.geometry = std::get<ambf_adf::MeshPart>(shapes.front().shape).mesh;
      return;
    }
    const bool single = shapes.size() == 1 && at_origin(shapes.front()) && one_colour;
    if (single) { shapes.front().name.clear(); }
    body.visual.geometry = ambf_adf::ShapeList{std::move(shapes), !single};
  }

  static void set_collision(ambf_adf::RigidBody & body, std::vector<PlacedShape> shapes)
  {
    for (auto & shape : shapes) { shape.material.reset(); }
    if (shapes.empty()) {
      body.collision = ambf_adf::NoShape{};
    } else if (shapes.size() == 1 && plain_mesh(shapes.front())) {
      const auto & part = std::get<ambf_adf::MeshPart>(shapes.front().shape);
      body.collision = ambf_adf::CollisionMesh{part.mesh, part.type};
    } else {
      const bool compound = shapes.size() > 1;
      if (!compound) { shapes.front().name.clear(); }
      body.collision = ambf_adf::ShapeList{std::move(shapes), compound};
    }
  }

  std::string unique(const std::string & wanted)
  {
    std::string name = wanted;
    for (int k = 1; !identifiers_.insert(name).second; ++k) {
      name = wanted + "_" + std::to_string(k);
    }
    return name;
  }

  void add_body(Model & model, Link & link)
  {
    link.body.header.identifier = unique(body_identifier(link.body.header.name));
    link.body.location = pose_of(link.t_world_link);
    set_visual(link.body, std::move(link.visuals));
    set_collision(link.body, std::move(link.collisions));
    model.bodies.push_back(link.body);
  }

  void add_joint(Model & model, Tie & tie)
  {
    if (tie.parent == tie.child) {
      tell(
        Severity::Warning, "joint '" + tie.joint.header.name + "'",
        "a joint between parts of one body", "it is left out");
      return;
    }
    place_joint(tie.joint, tie.t_parent_joint, tie.t_child_joint, tie.axis);
    tie.joint.parent = link(tie.parent).body.header.identifier;
    tie.joint.child = link(tie.child).body.header.identifier;
    tie.joint.header.identifier = unique(joint_identifier(tie.joint.header.name));
    model.joints.push_back(tie.joint);
  }

  /// Name of the body that a link has become, and where the link is in it.
  std::pair<std::string, Isometry3d> place_of(const std::string & link_name)
  {
    for (std::size_t i = 0; i < a_.links.size() && !link_name.empty(); ++i) {
      if (a_.links[i].body.header.name != link_name) { continue; }
      if (goes_to_[i] < 0) { return {"", t_goal_link_[i]}; }
      return {link(goes_to_[i]).body.header.identifier, t_goal_link_[i]};
    }
    return {"", Isometry3d::Identity()};
  }

  void add_views(Model & model)
  {
    for (auto & camera : a_.cameras) {
      const auto [parent, t] = place_of(camera.parent);
      camera.parent = parent;
      camera.location = t * camera.location;
      camera.look_at = t * camera.look_at;
      camera.up = t.linear() * camera.up;
      camera.header.identifier = unique("CAMERA " + camera.header.name);
      model.cameras.push_back(std::move(camera));
    }
    for (auto & light : a_.lights) {
      const auto [parent, t] = place_of(light.parent);
      light.parent = parent;
      light.location = t * light.location;
      light.direction = t.linear() * light.direction;
      light.header.identifier = unique("LIGHT " + light.header.name);
      model.lights.push_back(std::move(light));
    }
    for (auto & sensor : a_.sensors) {
      const auto [parent, t] = place_of(sensor.parent);
      if (parent.empty()) {
        tell(
          Severity::Warning, "sensor '" + sensor.header.name + "'", "a sensor of the world itself",
          "it is left out");
        continue;
      }
      sensor.parent = parent;
      sensor.location = pose_of(t * sensor.location.isometry());
      sensor.header.identifier = unique("SENSOR " + sensor.header.name);
      model.sensors.push_back(std::move(sensor));
    }
  }

  /// Readers know the joints that others follow by name.
  void name_joints_followed(Model & model)
  {
    std::map<std::string, std::string> identifiers;
    for (const auto & joint : model.joints) {
      identifiers.try_emplace(joint.header.name, joint.header.identifier);
    }
    for (auto & joint : model.joints) {
      if (!joint.mimic) { continue; }
      const auto found = identifiers.find(joint.mimic->joint);
      if (found == identifiers.end()) {
        tell(
          Severity::Warning, "joint '" + joint.header.name + "'",
          "a joint that follows '" + joint.mimic->joint + "', which is not there",
          "it follows none");
        joint.mimic.reset();
        continue;
      }
      joint.mimic->joint = found->second;
      a_.problems.push_back(
        {Severity::Warning, ProblemKind::Unsupported, a_.file, joint.header.where,
         "joint '" + joint.header.name + "'", "a joint that follows '" + found->first + "'",
         "something that moves", "kept as 'mimic'; no dynamics acts on it"});
    }
  }

  Assembly a_;
  const ReadOptions & options_;
  std::vector<int> goes_to_;             ///< link -> link that it is part of; -1: the world
  std::vector<Isometry3d> t_goal_link_;  ///< where it is in that one
  std::set<std::string> identifiers_;
};

}  // namespace

Model assemble(Assembly assembly, const ReadOptions & options)
{
  Model model = Assembler(std::move(assembly), options).run();
  if (options.parse.check_files) { check_meshes(model, options.check_meshes); }
  return model;
}

}  // namespace ambf_convert
