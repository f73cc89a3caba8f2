// SPDX-License-Identifier: BSD-3-Clause
#include "mjcf_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "outline.hpp"

namespace ambf_convert
{

using ambf_adf::JointType;
using ambf_adf::ProblemKind;

void MjcfConstraints::read(const XMLElement & root)
{
  for (const auto * element : children(root, "equality")) { read_equalities(*element); }
  for (const auto * element : children(root, "actuator")) { read_actuators(*element); }
  for (const auto * element : children(root, "contact")) { read_contacts(*element); }
}

int MjcfConstraints::body_named(const XMLElement & element, const char * attribute)
{
  const std::string name = source_.word(element, attribute);
  if (name.empty() || name == "world") { return ground_; }
  for (std::size_t i = 0; i < assembly_.links.size(); ++i) {
    if (assembly_.links[i].body.header.name == name) { return static_cast<int>(i); }
  }
  source_.error(
    element, ProblemKind::UnresolvedReference, "'" + name + "', which is no body", "a body", "",
    attribute);
  return -3;
}

Isometry3d MjcfConstraints::place(int body)
{
  return body < 0 ? Isometry3d::Identity()
                  : assembly_.links[static_cast<std::size_t>(body)].t_world_link;
}

void MjcfConstraints::add_loop(
  const XMLElement & element, JointType type, int first, int second,
  const Isometry3d & t_first_joint, const Vector3d & axis)
{
  Tie tie;
  tie.joint.type = type;
  const std::string wanted = source_.word(element, "name");
  tie.joint.header.name = unique_name(wanted.empty() ? "equality" : wanted, joint_names_);
  tie.joint.header.where = source_.mark(element);
  // The tree of bodies ends at the second one where the first is the world.
  tie.parent = first;
  tie.child = second;
  tie.t_parent_joint = t_first_joint;
  tie.t_child_joint = place(second).inverse() * place(first) * t_first_joint;
  tie.axis = axis;
  if (tie.child < 0) {
    std::swap(tie.parent, tie.child);
    std::swap(tie.t_parent_joint, tie.t_child_joint);
  }
  assembly_.ties.push_back(std::move(tie));
}

void MjcfConstraints::read_equalities(const XMLElement & equality)
{
  source_.expect_children(equality, {"connect", "weld", "joint", "tendon", "flex", "distance"});
  std::map<std::pair<int, int>, std::pair<const XMLElement *, Vector3d>> anchors;
  std::vector<std::pair<int, int>> order;
  for (auto * child = equality.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string kind = child->Name();
    if (
      source_.word(*child, "active", "true") == "false" ||
      (kind != "connect" && kind != "weld" && kind != "joint") ||
      child->FindAttribute("site1") != nullptr) {
      source_.lost(*child, "<" + kind + "> that is not active or ties no bodies", "it is left out");
      continue;
    }
    if (kind == "joint") {
      read_joint_equality(*child);
      continue;
    }
    const int first = body_named(*child, "body1"), second = body_named(*child, "body2");
    if (first == -3 || second == -3) { continue; }
    if (kind == "weld") {
      if (child->FindAttribute("relpose") != nullptr) {
        source_.lost(*child, "a pose of a weld", "the bodies are tied as they stand");
      }
      add_loop(*child, JointType::Fixed, first, second, Isometry3d::Identity(), Vector3d::UnitZ());
      continue;
    }
    const Vector3d anchor = source_.vector(*child, "anchor");
    const auto [other, alone] = anchors.try_emplace({first, second}, child, anchor);
    if (alone) {
      order.emplace_back(first, second);
      continue;
    }
    // Two points of two bodies that stay together are a hinge.
    const Vector3d axis = anchor - other->second.second;
    if (axis.norm() > 1e-9) {
      add_loop(
        *other->second.first, JointType::Revolute, first, second, isometry(other->second.second),
        axis.normalized());
      anchors.erase(other);
    }
  }
  for (const auto & pair : order) {
    const auto found = anchors.find(pair);
    if (found == anchors.end()) { continue; }
    const auto & [element, anchor] = found->second;
    add_loop(
      *element, JointType::PointToPoint, pair.first, pair.second, isometry(anchor),
      Vector3d::UnitZ());
  }
}

void MjcfConstraints::read_joint_equality(const XMLElement & element)
{
  const std::string follower = source_.required_word(element, "joint1");
  const std::string leader = source_.word(element, "joint2");
  const auto polynomial =
    source_.numbers(element, "polycoef").value_or(std::vector<double>{0, 1, 0, 0, 0});
  for (auto & tie : assembly_.ties) {
    if (tie.joint.header.name != follower) { continue; }
    if (leader.empty()) {
      source_.lost(element, "a joint that is held by an equality", "it is free");
      return;
    }
    tie.joint.mimic = ambf_adf::Mimic{
      leader, polynomial.size() > 1 ? polynomial[1] : 1.0,
      polynomial.empty() ? 0.0 : polynomial[0]};
    return;
  }
  source_.error(
    element, ProblemKind::UnresolvedReference, "'" + follower + "', which is no joint", "a joint",
    "", "joint1");
}

void MjcfConstraints::read_contacts(const XMLElement & contact)
{
  for (auto * child = contact.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const bool exclude = std::string_view(child->Name()) == "exclude";
    const int first = exclude ? body_named(*child, "body1") : -3;
    const int second = exclude ? body_named(*child, "body2") : -3;
    const bool tied =
      exclude && std::any_of(assembly_.ties.begin(), assembly_.ties.end(), [&](const Tie & tie) {
        return std::minmax(tie.parent, tie.child) == std::minmax(first, second);
      });
    if (!tied) { source_.lost(*child, "a part of <contact>", "it is left out"); }
  }
}

void MjcfConstraints::read_actuators(const XMLElement & actuators)
{
  for (auto * child = actuators.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string kind = child->Name();
    const MjcfElement element(source_, *child, defaults_, "", kind);
    const std::string name = element.word("joint");
    const auto tie = std::find_if(assembly_.ties.begin(), assembly_.ties.end(), [&](const Tie & t) {
      return !name.empty() && t.joint.header.name == name;
    });
    if (tie == assembly_.ties.end()) {
      source_.lost(*child, "an actuator that drives no joint", "it is left out");
      continue;
    }
    const auto gear = element.numbers("gear");
    const double factor = gear && !gear->empty() ? std::abs(gear->front()) : 1.0;
    const auto force = element.numbers(element.has("forcerange") ? "forcerange" : "ctrlrange");
    if (force && force->size() == 2 && (kind == "motor" || element.has("forcerange"))) {
      const double most = std::max(std::abs((*force)[0]), std::abs((*force)[1])) * factor;
      tie->joint.max_effort = most;
      tie->joint.max_motor_impulse = most * 0.001;
    }
    if (kind == "position") {
      tie->joint.controller =
        ambf_adf::Pid{element.number("kp", 1.0), 0.0, element.number("kv", 0.0)};
      tie->joint.controller_output = ambf_adf::ControlOutput::Effort;
    } else if (kind != "motor") {
      source_.lost(*child, "an actuator of the kind <" + kind + ">", "its joint takes commands");
    }
  }
}

}  // namespace ambf_convert
