// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <map>

#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

const std::map<std::string, JointType> & joint_types()
{
  static const std::map<std::string, JointType> types{
    {"revolute", JointType::Revolute},
    {"hinge", JointType::Revolute},
    {"continuous", JointType::Continuous},
    {"prismatic", JointType::Prismatic},
    {"slider", JointType::Prismatic},
    {"fixed", JointType::Fixed},
    {"spring", JointType::LinearSpring},
    {"linear spring", JointType::LinearSpring},
    {"torsion spring", JointType::TorsionSpring},
    {"torsional spring", JointType::TorsionSpring},
    {"angular spring", JointType::TorsionSpring},
    {"p2p", JointType::PointToPoint},
    {"point to point", JointType::PointToPoint},
    {"cone twist", JointType::ConeTwist},
    {"six dof", JointType::SixDof},
    {"six dof spring", JointType::SixDofSpring}};
  return types;
}

/// Nothing for an unknown word.
std::optional<JointType> read_type(MapReader & reader)
{
  if (reader.require("type", "the joint's type, e.g. revolute") == nullptr) {
    return JointType::Revolute;
  }
  const std::string word = lower(reader.text("type", ""));
  const auto found = joint_types().find(word);
  if (found != joint_types().end()) { return found->second; }
  std::vector<std::string> names;
  for (const auto & type : joint_types()) { names.push_back(type.first); }
  const std::string hint = did_you_mean(word, names);
  reader.warn(
    ProblemKind::UnknownEnum, "type", "'" + word + "'",
    "revolute, continuous, prismatic, fixed, linear spring, torsion spring, p2p, cone twist, "
    "six dof or six dof spring",
    "'" + reader.path() + "' is left out, as in AMBF" + (hint.empty() ? "" : "; " + hint));
  return std::nullopt;
}

Eigen::Vector3d read_axis(MapReader & reader, std::string_view key, JointType type)
{
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  if (
    type != JointType::PointToPoint &&
    reader.require(key, "the joint's axis {x, y, z}") == nullptr) {
    return z;
  }
  const Eigen::Vector3d axis = reader.vector(key, z);
  const double length = axis.norm();
  if (length < 1e-9) {
    reader.warn(ProblemKind::BadValue, key, "a zero vector", "a direction", "z is taken");
    return z;
  }
  // Already unit vectors are kept to the last bit, so that writing and reading changes nothing.
  return std::abs(length - 1.0) < 1e-15 ? axis : (axis / length).normalized();
}

/// An infinite limit is none.
std::optional<double> read_limit(MapReader & map, std::string_view key)
{
  const YamlNode * node = map.get(key);
  const bool infinite = node != nullptr && node->is_scalar() && lower(node->text).ends_with(".inf");
  return infinite ? std::nullopt : map.number(key);
}

std::optional<JointLimits> read_limits(MapReader & map)
{
  const auto low = read_limit(map, "low");
  const auto high = read_limit(map, "high");
  map.finish();
  if (!low && !high) { return std::nullopt; }
  if (!low || !high) {
    map.warn(
      ProblemKind::MissingKey, low ? "high" : "low", "one limit only", "low and high",
      "the joint has no limits (as in AMBF)");
    return std::nullopt;
  }
  if (*low > *high) {
    map.warn(
      ProblemKind::BadValue, "low", "low above high", "low <= high",
      "the joint has no limits (as in Bullet); exchange the two");
    return std::nullopt;
  }
  return JointLimits{*low, *high};
}

/// Either one number for all axes, or {linear: {x,y,z}, angular: {x,y,z}}; each part may be absent.
void read_linear_angular(MapReader & parent, std::string_view key, LinearAngular & value)
{
  const YamlNode * node = parent.get(key);
  if (node == nullptr) { return; }
  if (node->is_scalar()) {
    const double all = parent.number(key, 0.0);
    value = {Eigen::Vector3d::Constant(all), Eigen::Vector3d::Constant(all)};
    return;
  }
  MapReader map = parent.map(key);
  value.linear = map.vector("linear", value.linear);
  value.angular = map.vector("angular", value.angular);
  map.finish();
}

SixDofParameters read_six_dof(MapReader & reader, bool spring)
{
  SixDofParameters p;
  const std::size_t first = reader.sink().problems.size();
  MapReader limits = reader.map("joint limits");
  for (const auto & [name, low, high] :
       {std::tuple{"linear", &p.low.linear, &p.high.linear},
        std::tuple{"angular", &p.low.angular, &p.high.angular}}) {
    MapReader part = limits.map(name);
    *low = part.vector("low", *low);
    *high = part.vector("high", *high);
    part.finish();
  }
  limits.finish();
  if (spring) {
    read_linear_angular(reader, "stiffness", p.stiffness);
    read_linear_angular(reader, "damping", p.damping);
    read_linear_angular(reader, "equilibrium point", p.equilibrium);
  }
  reader.sink().soften(first, "the default is taken for it, as in AMBF");
  return p;
}

void read_spring_and_limits(MapReader & reader, Joint & joint)
{
  switch (joint.type) {
    case JointType::SixDof:
    case JointType::SixDofSpring:
      joint.six_dof = read_six_dof(reader, joint.type == JointType::SixDofSpring);
      break;
    case JointType::ConeTwist: {
      joint.cone_twist.emplace();
      MapReader limits = reader.map("joint limits");
      Eigen::Vector3d & angles = joint.cone_twist->swing_swing_twist;
      angles = {
        limits.number("x", angles.x()), limits.number("y", angles.y()),
        limits.number("z", angles.z())};
      limits.finish();
      joint.damping = reader.number("damping", joint.damping, Range::NonNegative);
      break;
    }
    default: {
      MapReader limits = reader.map("joint limits");
      joint.limits = read_limits(limits);
      joint.damping = reader.number("damping", joint.damping, Range::NonNegative);
      joint.stiffness = reader.number("stiffness", joint.stiffness, Range::NonNegative);
      joint.equilibrium = reader.number("equilibrium point");
    }
  }
  // Known for every type, so that a file that changes only the type stays free of warnings.
  for (const char * key : {"joint limits", "damping", "stiffness", "equilibrium point"}) {
    reader.known(key);
  }
  if (!joint.equilibrium && joint.type != JointType::SixDofSpring) {
    joint.equilibrium = reader.number("equiblirium point");  // the spelling of AMBF 1.0
  }
  reader.known("equiblirium point");
}

}  // namespace

std::optional<Joint> read_joint(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  Joint joint;
  joint.header = read_header(reader, block, file);
  const auto type = read_type(reader);
  joint.type = type.value_or(JointType::Revolute);
  joint.parent = reader.text("parent", "");
  joint.child = reader.text("child", "");
  for (const auto & [key, pivot] :
       {std::pair{"parent pivot", &joint.parent_pivot},
        std::pair{"child pivot", &joint.child_pivot}}) {
    reader.require(key, "the joint's place in the body frame {x, y, z} [m]");
    *pivot = reader.vector(key, Eigen::Vector3d::Zero());
  }
  joint.parent_axis = read_axis(reader, "parent axis", joint.type);
  joint.child_axis = read_axis(reader, "child axis", joint.type);
  joint.child_offset = reader.number("offset", 0.0);
  joint.child_offset = reader.number("child offset", joint.child_offset);
  joint.joint_offset = reader.number("joint offset", 0.0);
  read_spring_and_limits(reader, joint);
  if (reader.has("mimic")) {
    MapReader map = reader.map("mimic");
    joint.mimic.emplace();
    map.require("joint", "the joint that it follows");
    joint.mimic->joint = map.text("joint", "");
    joint.mimic->multiplier = map.number("multiplier", joint.mimic->multiplier);
    joint.mimic->offset = map.number("offset", joint.mimic->offset);
    map.finish();
    reader.warn(
      ProblemKind::UnusedKey, "mimic", "a joint that follows another", "joints that move freely",
      "kept, and no dynamics acts on it; close the real loop with a further joint");
  }
  if (reader.has("controller")) {
    MapReader controller = reader.map("controller");
    joint.controller = read_pid(controller);
    joint.controller_output = ControlOutput::Effort;
  }
  joint.controller_output = read_control_output(reader).value_or(joint.controller_output);
  joint.max_motor_impulse =
    reader.number("max motor impulse", joint.max_motor_impulse, Range::NonNegative);
  joint.max_effort = reader.number("max effort", Range::NonNegative);
  joint.enable_motor = reader.boolean("enable motor", joint.enable_motor);
  joint.hold_position = reader.boolean("hold position", joint.hold_position);
  joint.enable_feedback = reader.boolean("enable feedback", joint.enable_feedback);
  joint.erp = reader.number("joint erp", Range::NonNegative);
  joint.cfm = reader.number("joint cfm", Range::NonNegative);
  joint.ignore_inter_collision =
    reader.boolean("ignore inter-collision", joint.ignore_inter_collision);
  const std::size_t first = sink.problems.size();
  joint.detached = reader.boolean("detached", joint.detached);
  joint.redundant = reader.boolean("redundant", joint.redundant);
  sink.soften(first, "false is taken; AMBF does not read it");
  reader.ineffective("controller gains", "did you mean 'controller'?");
  reader.ineffective("origin", "AMBF reads it without effect");
  reader.ineffective("axis", "AMBF reads it without effect; use 'parent axis' and 'child axis'");
  finish_block(reader, joint.header);
  if (!type) { return std::nullopt; }
  for (const auto & [key, body] : {std::pair{"parent", &joint.parent}, {"child", &joint.child}}) {
    if (body->empty()) {
      return left_out(reader, ProblemKind::MissingKey, key, "nothing", "the identifier of a body");
    }
  }
  if (joint.parent == joint.child) {
    return left_out(reader, ProblemKind::BadValue, "child", "the parent itself", "another body");
  }
  return joint;
}

}  // namespace ambf_adf
