// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/lineage.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace ambf_adf
{
namespace
{

/// Union-find over body numbers.
class Sets
{
public:
  explicit Sets(std::size_t size) : up_(size) { std::iota(up_.begin(), up_.end(), std::size_t{0}); }

  std::size_t find(std::size_t i)
  {
    while (up_[i] != i) {
      up_[i] = up_[up_[i]];
      i = up_[i];
    }
    return i;
  }

  /// False if both were in one set already.
  bool join(std::size_t a, std::size_t b)
  {
    a = find(a);
    b = find(b);
    up_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

private:
  std::vector<std::size_t> up_;
};

}  // namespace

bool Lineage::IndexSet::add(Index index)
{
  if (index >= member_.size()) { member_.resize(index + 1, false); }
  if (member_[index]) { return false; }
  member_[index] = true;
  order_.push_back(index);
  return true;
}

Lineage::Index Lineage::add_body()
{
  bodies_.push_back(Body{});
  bodies_.back().alive = true;
  return bodies_.size() - 1;
}

Lineage::Index Lineage::add_joint(Index parent, Index child, bool passive)
{
  if (!has_body(parent) || !has_body(child) || parent == child) { return none; }
  joints_.push_back({parent, child, passive, true});
  link(joints_.size() - 1);
  return joints_.size() - 1;
}

Lineage::Index Lineage::skip_joint()
{
  joints_.push_back({});
  return joints_.size() - 1;
}

void Lineage::remove_joint(Index joint)
{
  if (has_joint(joint)) {
    joints_[joint].alive = false;
    rebuild();
  }
}

void Lineage::remove_body(Index body)
{
  if (!has_body(body)) { return; }
  for (auto & joint : joints_) {
    if (joint.parent == body || joint.child == body) { joint.alive = false; }
  }
  bodies_[body].alive = false;
  rebuild();
}

// Papers I.2.1 with its correction: everything at or above the parent gains everything at or below
// the child.
void Lineage::link(Index joint)
{
  const auto [parent, child, passive, alive] = joints_[joint];
  std::vector<Index> above{parent};
  above.insert(above.end(), predecessors(parent).begin(), predecessors(parent).end());
  std::vector<Index> below{child};
  below.insert(below.end(), successors(child).begin(), successors(child).end());
  // Copies, because with directed cycles the lists grow while they are read.
  const std::vector<Index> joints_below = bodies_[child].joints.order();
  const std::vector<ClientEntry> client_below = bodies_[child].client;

  for (const Index a : above) {
    Body & body = bodies_[a];
    for (const Index d : below) {
      if (d != a) { body.successors.add(d); }
    }
    body.joints.add(joint);
    for (const Index j : joints_below) { body.joints.add(j); }
    // AMBF lists the child's descendants first, then the child itself (spec 5.5).
    for (const ClientEntry & entry : client_below) { add_client(body, a, entry); }
    add_client(body, a, {child, joint});
  }
  for (const Index d : below) {
    for (const Index a : above) {
      if (a != d) { bodies_[d].predecessors.add(a); }
    }
  }
}

void Lineage::add_client(Body & body, Index self, const ClientEntry & entry)
{
  if (entry.body != self && body.client_bodies.add(entry.body)) { body.client.push_back(entry); }
}

void Lineage::rebuild()
{
  for (auto & body : bodies_) {
    const bool alive = body.alive;
    body = Body{};
    body.alive = alive;
  }
  for (Index j = 0; j < joints_.size(); ++j) {
    if (joints_[j].alive) { link(j); }
  }
}

std::vector<Lineage::Index> Lineage::client_joints(Index body) const
{
  std::vector<Index> result;
  for (const auto & entry : client_entries(body)) {
    if (!joints_[entry.joint].passive) { result.push_back(entry.joint); }
  }
  return result;
}

std::vector<Lineage::Index> Lineage::split_joints(bool loops) const
{
  Sets sets(bodies_.size());
  std::vector<Index> result;
  for (Index j = 0; j < joints_.size(); ++j) {
    if (joints_[j].alive && sets.join(joints_[j].parent, joints_[j].child) != loops) {
      result.push_back(j);
    }
  }
  return result;
}

std::vector<Lineage::Index> Lineage::loop_joints() const { return split_joints(true); }

std::vector<Lineage::Index> Lineage::tree_joints() const { return split_joints(false); }

std::vector<std::vector<Lineage::Index>> Lineage::components() const
{
  Sets sets(bodies_.size());
  for (const auto & joint : joints_) {
    if (joint.alive) { sets.join(joint.parent, joint.child); }
  }
  std::vector<std::vector<Index>> result;
  std::unordered_map<Index, std::size_t> place;
  for (Index b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].alive) {
      const auto [slot, is_new] = place.try_emplace(sets.find(b), result.size());
      if (is_new) { result.emplace_back(); }
      result[slot->second].push_back(b);
    }
  }
  return result;
}

std::vector<Lineage::Index> Lineage::roots() const
{
  std::vector<bool> is_child(bodies_.size(), false);
  for (const auto & joint : joints_) {
    if (joint.alive) { is_child[joint.child] = true; }
  }
  std::vector<Index> result;
  for (Index b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].alive && !is_child[b]) { result.push_back(b); }
  }
  return result;
}

std::vector<Lineage::Index> Lineage::loop_path(Index loop_joint) const
{
  if (!has_joint(loop_joint)) { return {}; }
  // Breadth-first over the spanning forest from the joint's parent to its child.
  std::vector<std::vector<Index>> at_body(bodies_.size());
  for (const Index j : tree_joints()) {
    at_body[joints_[j].parent].push_back(j);
    at_body[joints_[j].child].push_back(j);
  }
  const Index start = joints_[loop_joint].parent;
  const Index goal = joints_[loop_joint].child;
  std::vector<Index> came_by(bodies_.size(), none);
  std::vector<bool> seen(bodies_.size(), false);
  std::vector<Index> queue{start};
  seen[start] = true;
  for (std::size_t head = 0; head < queue.size() && !seen[goal]; ++head) {
    for (const Index j : at_body[queue[head]]) {
      const Index next = joints_[j].parent == queue[head] ? joints_[j].child : joints_[j].parent;
      if (!seen[next]) {
        seen[next] = true;
        came_by[next] = j;
        queue.push_back(next);
      }
    }
  }
  std::vector<Index> path;
  for (Index b = goal; seen[goal] && b != start;) {
    const Index j = came_by[b];
    path.push_back(j);
    b = joints_[j].parent == b ? joints_[j].child : joints_[j].parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Lineage make_lineage(const Model & model)
{
  Lineage lineage;
  std::unordered_map<std::string, Lineage::Index> by_name;
  for (const auto & body : model.bodies) {
    const auto index = lineage.add_body();
    by_name.try_emplace(body.header.identifier, index);
    by_name.try_emplace(body.header.qualified, index);
  }
  for (const auto & joint : model.joints) {
    const auto parent = by_name.find(joint.parent);
    const auto child = by_name.find(joint.child);
    const bool known =
      parent != by_name.end() && child != by_name.end() && parent->second != child->second;
    if (known) {
      lineage.add_joint(parent->second, child->second, joint.header.passive);
    } else {
      lineage.skip_joint();
    }
  }
  return lineage;
}

}  // namespace ambf_adf
