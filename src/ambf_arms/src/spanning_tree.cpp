// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "ambf_adf/names.hpp"
#include "mechanism_reader.hpp"

namespace ambf_arms
{
namespace
{

/// Name with or without its "BODY " or "JOINT ", qualified or published.
bool means(const ambf_adf::ObjectHeader & header, const std::string & name)
{
  const auto without_kind = [](const std::string & text) {
    const auto space = text.find(' ');
    return space == std::string::npos ? text : text.substr(space + 1);
  };
  return name == header.identifier || name == header.qualified || name == header.name ||
         name == without_kind(header.identifier);
}

template <class T>
int find(const std::vector<T> & objects, const std::string & name)
{
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].header.identifier == name || objects[i].header.qualified == name) {
      return static_cast<int>(i);
    }
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (means(objects[i].header, name)) { return static_cast<int>(i); }
  }
  return -1;
}

template <class T>
std::string nearest(const std::vector<T> & objects, const std::string & name)
{
  std::vector<std::string> known;
  for (const auto & object : objects) { known.push_back(object.header.identifier); }
  const auto best = ambf_adf::nearest_names(name, known, 1);
  return best.empty() ? "the model has none" : "did you mean '" + best.front() + "'?";
}

}  // namespace

bool MechanismReader::find_ends()
{
  base = find(model.bodies, request.base);
  tip = find(model.bodies, request.tip);
  if (base < 0) {
    error(
      ProblemKind::UnresolvedReference, {}, "base", "'" + request.base + "'", "a body of the model",
      nearest(model.bodies, request.base));
  }
  if (tip < 0) {
    error(
      ProblemKind::UnresolvedReference, {}, "tip", "'" + request.tip + "'", "a body of the model",
      nearest(model.bodies, request.tip));
  }
  for (const std::string & name : request.joints) {
    const int joint = find(model.joints, name);
    if (joint < 0) {
      error(
        ProblemKind::UnresolvedReference, {}, "joints", "'" + name + "'", "a joint of the model",
        nearest(model.joints, name));
    } else if (std::find(arm.begin(), arm.end(), joint) != arm.end()) {
      error(
        ProblemKind::DuplicateName, {}, "joints", "'" + name + "' twice", "each joint once",
        "take one of them out");
    } else {
      arm.push_back(joint);
    }
  }
  return errors.empty();
}

bool MechanismReader::grow_tree()
{
  // Joints that motors move go into the tree before passive ones: those follow.
  std::vector<int> order;
  for (const bool wanted : {true, false}) {
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      const bool listed = std::find(arm.begin(), arm.end(), static_cast<int>(i)) != arm.end();
      const Joint & joint = model.joints[i];
      const bool driven = listed || (!joint.header.passive && one_axis(joint.type));
      if (driven == wanted) { order.push_back(static_cast<int>(i)); }
    }
  }
  std::vector<int> group(model.bodies.size());
  for (std::size_t i = 0; i < group.size(); ++i) { group[i] = static_cast<int>(i); }
  const auto root = [&](int body) {
    while (group[static_cast<std::size_t>(body)] != body) {
      body = group[static_cast<std::size_t>(body)];
    }
    return body;
  };
  std::vector<Edge> chosen;
  for (const int index : order) {
    Edge e;
    e.joint = index;
    e.value = model.joints[static_cast<std::size_t>(index)];
    e.parent = find(model.bodies, e.value.parent);
    e.child = find(model.bodies, e.value.child);
    if (e.parent < 0 || e.child < 0) {
      continue;  // a joint to another model
    }
    e.scale_parent = model.bodies[static_cast<std::size_t>(e.parent)].scale;
    e.scale_child = model.bodies[static_cast<std::size_t>(e.child)].scale;
    if (root(e.parent) != root(e.child)) {
      group[static_cast<std::size_t>(root(e.parent))] = root(e.child);
      chosen.push_back(e);
    } else {
      closing.push_back(e);
    }
  }
  edge_to.assign(model.bodies.size(), -1);
  std::vector<bool> seen(model.bodies.size(), false);
  seen[static_cast<std::size_t>(base)] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (Edge & e : chosen) {
      if (e.joint < 0) { continue; }
      const bool from_parent = seen[static_cast<std::size_t>(e.parent)];
      const bool from_child = seen[static_cast<std::size_t>(e.child)];
      if (from_parent == from_child) { continue; }
      if (from_child) {
        e.value = ambf_adf::swap_parent_and_child(e.value);
        std::swap(e.parent, e.child);
        std::swap(e.scale_parent, e.scale_child);
      }
      seen[static_cast<std::size_t>(e.child)] = true;
      edge_to[static_cast<std::size_t>(e.child)] = static_cast<int>(tree.size());
      tree.push_back(e);
      e.joint = -1;
      grown = true;
    }
  }
  std::erase_if(closing, [&](const Edge & e) {
    return !seen[static_cast<std::size_t>(e.parent)] || !seen[static_cast<std::size_t>(e.child)];
  });
  if (!seen[static_cast<std::size_t>(tip)]) {
    error(
      ProblemKind::BadValue, {}, "tip",
      "no joints between '" + request.base + "' and '" + request.tip + "'",
      "a tip that hangs on the base", "`adf graph` draws which body hangs on which");
    return false;
  }
  if (tip == base) {
    error(
      ProblemKind::BadValue, {}, "tip", "the base itself", "another body",
      "name the body that the arm's last joint moves");
    return false;
  }
  return true;
}

bool MechanismReader::find_arm_joints()
{
  const std::vector<int> way = path();
  if (arm.empty()) {
    for (const int edge : way) {
      const Edge & e = tree[static_cast<std::size_t>(edge)];
      if (!e.value.header.passive && one_axis(e.value.type)) { arm.push_back(e.joint); }
    }
  }
  if (arm.empty() || arm.size() > static_cast<std::size_t>(max_joints)) {
    error(
      ProblemKind::BadValue, {}, "joints", std::to_string(arm.size()) + " driven joints",
      "1 to " + std::to_string(max_joints), "list the joints of the arm under `joints`");
    return false;
  }
  for (std::size_t i = 0; i < arm.size(); ++i) {
    const Joint & joint = model.joints[static_cast<std::size_t>(arm[i])];
    const auto at =
      std::find_if(tree.begin(), tree.end(), [&](const Edge & e) { return e.joint == arm[i]; });
    if (!one_axis(joint.type)) {
      error(
        ProblemKind::BadValue, joint.header.where, joint.header.identifier,
        std::string("a joint of type '") + ambf_adf::to_string(joint.type) + "'",
        "revolute, continuous or prismatic", "an arm's joints turn or slide about one axis");
    } else if (at == tree.end()) {
      error(
        ProblemKind::BadValue, joint.header.where, joint.header.identifier,
        "a joint that closes a loop or does not hang on the base", "a joint between base and tip",
        "list another joint of that loop");
    } else {
      at->arm = static_cast<int>(i);
    }
  }
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree[i].arm < 0 && tree[i].value.header.passive && one_axis(tree[i].value.type)) {
      passive.push_back(static_cast<int>(i));
    }
  }
  for (const int edge : way) {
    const Edge & e = tree[static_cast<std::size_t>(edge)];
    if (!one_axis(e.value.type) && e.value.type != JointType::Fixed) {
      error(
        ProblemKind::BadValue, e.value.header.where, e.value.header.identifier,
        std::string("a joint of type '") + ambf_adf::to_string(e.value.type) + "'",
        "revolute, continuous, prismatic or fixed between base and tip",
        "an arm cannot hold such a joint still");
    }
  }
  return errors.empty();
}

}  // namespace ambf_arms
