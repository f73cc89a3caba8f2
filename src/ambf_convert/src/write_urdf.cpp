// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/placement.hpp"
#include "assembly.hpp"
#include "side_file.hpp"
#include "urdf_links.hpp"
#include "writers.hpp"
#include "xml.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;

constexpr double no_limit = 1e9;

/// Springs are in the tree without their springs; joints with several freedoms are none of URDF's.
int cost_of(const ambf_adf::Joint & joint)
{
  switch (joint.type) {
    case JointType::PointToPoint:
    case JointType::ConeTwist:
    case JointType::SixDof:
    case JointType::SixDofSpring:
      return -1;
    default:
      return 0;
  }
}

class UrdfWriter
{
public:
  UrdfWriter(const Model & model, const WriteOptions & options)
  : model_(model), options_(options), outline_(model, cost_of), links_(model, written_.lost)
  {
    for (const auto & body : outline_.bodies()) {
      // The frame of a URDF link is that of the joint to it.
      const auto * joint =
        body.joint < 0 ? nullptr : &outline_.joints()[static_cast<std::size_t>(body.joint)].joint;
      t_body_link_.push_back(
        joint == nullptr ? Isometry3d::Identity() : isometry(joint->child_pivot));
      names_.insert(body.name);
    }
  }

  Written write()
  {
    tinyxml2::XMLDocument document;
    Element robot(document, "robot");
    robot.set("name", model_.name);
    add_side(robot);
    const auto roots = outline_.roots();
    const bool alone =
      roots.size() == 1 && start_of(roots.front()).isApprox(Isometry3d::Identity(), 1e-15);
    const std::string world = alone ? "" : world_name();
    if (!alone) { robot.child("link").set("name", world); }
    for (std::size_t i = 0; i < outline_.bodies().size(); ++i) {
      const auto & body = outline_.bodies()[i];
      links_.add(robot, *body.source, body.name, t_body_link_[i].inverse());
    }
    for (const int root : roots) {
      if (alone) { continue; }
      const auto & body = outline_.bodies()[static_cast<std::size_t>(root)];
      auto joint = robot.child("joint");
      joint.set("name", unique_name(world + "_to_" + body.name, joint_names_))
        .set("type", body.still ? "fixed" : "floating");
      joint.child("parent").set("link", world);
      joint.child("child").set("link", body.name);
      add_urdf_origin(joint, start_of(root));
    }
    for (const auto & joint : outline_.joints()) {
      if (joint.in_tree) { add_joint(robot, joint); }
    }
    list_other_losses(model_, "URDF", false, false, written_.lost);
    for (const auto & body : model_.bodies) { list_body_losses(body); }
    if (model_.gravity) { lose(model_.name, "gravity", "the simulator's is taken"); }
    written_.text = print(document);
    return std::move(written_);
  }

private:
  const Isometry3d & start_of(int body) const
  {
    return outline_.bodies()[static_cast<std::size_t>(body)].t_world_body;
  }

  std::string world_name() { return unique_name("world", names_); }

  void lose(const std::string & object, const std::string & what, const std::string & instead)
  {
    written_.lost.push_back(loss(model_, object, what, "URDF", instead));
  }

  void list_body_losses(const ambf_adf::RigidBody & body)
  {
    const ambf_adf::RigidBody usual;
    if (!(body.surface == usual.surface)) {
      lose(body.header.identifier, "friction and restitution", "the simulator's are taken");
    }
    if (body.mass > 0.0 && (body.damping.linear != 0.0 || body.damping.angular != 0.0)) {
      lose(body.header.identifier, "damping of the body", "it is left out");
    }
  }

  void add_joint(const Element & robot, const Outline::Joint & joint)
  {
    const auto & source = joint.joint;
    const bool limited = source.limits.has_value();
    const char * type = source.type == JointType::Fixed ? "fixed"
                        : slides(source.type)           ? "prismatic"
                        : limited                       ? "revolute"
                                                        : "continuous";
    auto element = robot.child("joint");
    element.set("name", unique_name(joint.name, joint_names_)).set("type", type);
    element.child("parent").set("link", name(joint.parent));
    element.child("child").set("link", name(joint.child));
    add_urdf_origin(
      element, link_in_body(joint.parent).inverse() * ambf_adf::child_in_parent(joint.joint, 0.0) *
                 link_in_body(joint.child));
    if (source.type == JointType::Fixed) { return; }
    element.child("axis").set("xyz", source.child_axis);
    if (limited || slides(source.type) || source.max_effort) {
      auto limit = element.child("limit");
      if (limited || slides(source.type)) {
        limit.set("lower", limited ? source.limits->low : -no_limit)
          .set("upper", limited ? source.limits->high : no_limit);
      }
      limit.set("effort", source.max_effort.value_or(no_limit)).set("velocity", no_limit);
    }
    if (source.damping != 0.0) { element.child("dynamics").set("damping", source.damping); }
    if (source.mimic) {
      for (const auto & other : outline_.joints()) {
        const auto & header = other.source->header;
        if (header.identifier != source.mimic->joint && header.qualified != source.mimic->joint) {
          continue;
        }
        element.child("mimic")
          .set("joint", other.name)
          .set("multiplier", source.mimic->multiplier)
          .set("offset", source.mimic->offset);
      }
    }
  }

  const std::string & name(int body) const
  {
    return outline_.bodies()[static_cast<std::size_t>(body)].name;
  }
  const Isometry3d & link_in_body(int body) const
  {
    return t_body_link_[static_cast<std::size_t>(body)];
  }

  /// Loops, joints with several freedoms and springs, in the frames that the links have in the URDF.
  void add_side(Element & robot)
  {
    std::vector<ambf_adf::Joint> beside;
    std::map<std::string, double> start;
    for (const auto & joint : outline_.joints()) {
      if (joint.in_tree && joint.start != 0.0) { start[joint.name] = joint.start; }
      const bool spring = joint.source->type == JointType::TorsionSpring ||
                          joint.source->type == JointType::LinearSpring;
      if (joint.in_tree && !spring) { continue; }
      ambf_adf::Joint side = joint.joint;
      side.header.identifier = joint_identifier(joint.name);
      side.header.name = joint.name;
      side.header.extensions.clear();
      side.header.plugins.clear();
      side.mimic.reset();
      side.parent = body_identifier(name(joint.parent));
      side.child = body_identifier(name(joint.child));
      side.parent_pivot -= link_in_body(joint.parent).translation();
      side.child_pivot -= link_in_body(joint.child).translation();
      beside.push_back(std::move(side));
      lose(
        joint.source->header.identifier,
        joint.in_tree ? "a spring" : "a joint that is not in the tree", "it is in the side file");
    }
    const std::string stem = options_.file.empty() ? model_.name : options_.file.stem().string();
    if (!beside.empty()) {
      written_.side_name = stem + ".beside.yaml";
      written_.side_text = side_text(model_, beside);
    }
    if (!beside.empty() || !start.empty()) {
      robot.comment(side_comment(written_.side_name, start));
    }
  }

  const Model & model_;
  const WriteOptions & options_;
  Outline outline_;
  std::vector<Isometry3d> t_body_link_;
  std::set<std::string> names_, joint_names_;
  Written written_;
  UrdfLinks links_;
};

}  // namespace

Written write_urdf(const Model & model, const WriteOptions & options)
{
  return UrdfWriter(model, options).write();
}

}  // namespace ambf_convert
