// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/urdf.hpp"

#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/placement.hpp"
#include "ambf_convert/convert.hpp"

namespace ambf_simulation
{

namespace
{

using ambf_adf::JointType;
using Eigen::Isometry3d;
using Eigen::Vector3d;

std::string escaped(const std::string & text)
{
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string numbers(const Vector3d & v)
{
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << v.x() << ' ' << v.y() << ' ' << v.z();
  return out.str();
}

std::string origin(const Isometry3d & t)
{
  const auto pose = ambf_adf::Pose::from(t);
  return "<origin xyz=\"" + numbers(pose.position) + "\" rpy=\"" + numbers(pose.rpy) + "\"/>";
}

/// URDF joint type and, for those that need them, limits.
std::string joint_type(const ambf_adf::Joint & joint)
{
  switch (joint.type) {
    case JointType::Revolute:
    case JointType::TorsionSpring:
      return joint.limits ? "revolute" : "continuous";
    case JointType::Continuous:
      return "continuous";
    case JointType::Prismatic:
    case JointType::LinearSpring:
      return "prismatic";
    case JointType::Fixed:
      return "fixed";
    default:
      return "floating";
  }
}

std::string limit(const ambf_adf::Joint & joint, const std::string & type)
{
  if (type != "revolute" && type != "prismatic") { return ""; }
  const auto limits = joint.limits.value_or(ambf_adf::JointLimits{-1e3, 1e3});
  std::ostringstream out;
  out.precision(17);
  out << "<limit lower=\"" << limits.low << "\" upper=\"" << limits.high << "\" effort=\""
      << joint.max_effort.value_or(1e3) << "\" velocity=\"100\"/>";
  return out.str();
}

}  // namespace

std::string frame_of(const std::string & topic)
{
  return topic.empty() || topic.front() != '/' ? topic : topic.substr(1);
}

Urdf to_urdf(const ambf_adf::Model & model, const std::string & root_frame)
{
  Urdf result;
  std::ostringstream out;
  out << "<?xml version=\"1.0\"?>\n<robot name=\"" << escaped(model.name) << "\">\n";
  out << "  <link name=\"" << escaped(root_frame) << "\"/>\n";
  std::map<std::string, const ambf_adf::RigidBody *> bodies;
  for (const auto & body : model.bodies) {
    bodies[body.header.qualified] = &body;
    bodies.emplace(body.header.identifier, &body);
    out << ambf_convert::urdf_link(model, body, frame_of(body.header.topic));
  }
  // A link has one parent in URDF: the first joint to a body makes it, later ones close loops.
  const auto lineage = ambf_adf::make_lineage(model);
  std::set<std::string> placed;
  for (const auto index : lineage.tree_joints()) {
    const auto & joint = model.joints[index];
    const auto parent = bodies.find(joint.parent), child = bodies.find(joint.child);
    if (parent == bodies.end() || child == bodies.end()) { continue; }
    const std::string child_frame = frame_of(child->second->header.topic);
    if (!placed.insert(child_frame).second) { continue; }
    const double parent_scale = parent->second->scale, child_scale = child->second->scale;
    const std::string pivot_frame = child_frame + "/pivot";
    Isometry3d t_parent_pivot = Isometry3d::Identity();
    t_parent_pivot.translation() = joint.parent_pivot * parent_scale;
    const Isometry3d t_pivot_child =
      t_parent_pivot.inverse() * ambf_adf::child_in_parent(joint, 0.0, parent_scale, child_scale);
    const std::string type = joint_type(joint);
    out << "  <link name=\"" << escaped(pivot_frame) << "\"/>\n";
    out << "  <joint name=\"" << escaped(joint.header.name) << "\" type=\"" << type
        << "\"><parent link=\"" << escaped(frame_of(parent->second->header.topic))
        << "\"/><child link=\"" << escaped(pivot_frame) << "\"/>" << origin(t_parent_pivot)
        << "<axis xyz=\"" << numbers(joint.parent_axis) << "\"/>" << limit(joint, type)
        << "</joint>\n";
    out << "  <joint name=\"" << escaped(pivot_frame) << "\" type=\"fixed\"><parent link=\""
        << escaped(pivot_frame) << "\"/><child link=\"" << escaped(child_frame) << "\"/>"
        << origin(t_pivot_child) << "</joint>\n";
    result.pivots.push_back({pivot_frame, child_frame, t_pivot_child.inverse()});
  }
  for (const auto & body : model.bodies) {
    const std::string frame = frame_of(body.header.topic);
    if (placed.count(frame) != 0) { continue; }
    out << "  <joint name=\"" << escaped(frame + "/place") << "\" type=\"floating\"><parent link=\""
        << escaped(root_frame) << "\"/><child link=\"" << escaped(frame) << "\"/>"
        << origin(body.location.isometry()) << "</joint>\n";
  }
  out << "</robot>\n";
  result.text = out.str();
  return result;
}

}  // namespace ambf_simulation
