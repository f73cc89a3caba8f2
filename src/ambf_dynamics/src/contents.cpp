// SPDX-License-Identifier: BSD-3-Clause
// Taking things out of a world, and what has to be counted anew when its contents change.

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "world_impl.hpp"

namespace ambf_dynamics
{
namespace
{

/// The ids, in order, of the links that only one of two sorted lists has.
std::vector<int> in_one_of(
  const std::vector<std::pair<int, int>> & a, const std::vector<std::pair<int, int>> & b)
{
  std::vector<std::pair<int, int>> links;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(links));
  std::vector<int> ids;
  for (const auto & [first, second] : links) { ids.insert(ids.end(), {first, second}); }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

void WorldImpl::remove_joint_at(std::size_t index)
{
  bullet_.remove_joint(*joints_[index]->constraint);
  joints_.erase(joints_.begin() + static_cast<std::ptrdiff_t>(index));
}

void WorldImpl::remove_body_at(std::size_t index)
{
  Body & body = *bodies_[index];
  for (std::size_t j = joints_.size(); j-- > 0;) {
    const btTypedConstraint & constraint = *joints_[j]->constraint;
    if (
      &constraint.getRigidBodyA() == body.rigid.get() ||
      &constraint.getRigidBodyB() == body.rigid.get()) {
      remove_joint_at(j);
    }
  }
  for (const auto & section : sections_) { section->body_removed(body); }
  bullet_.remove_body(*body.rigid);
  bodies_.erase(bodies_.begin() + static_cast<std::ptrdiff_t>(index));
}

bool WorldImpl::remove_model(ModelHandle handle)
{
  const auto at = std::find_if(
    models_.begin(), models_.end(), [&](const ModelRecord & m) { return m.handle == handle; });
  if (at == models_.end()) { return false; }
  models_.erase(at);
  for (const auto & section : sections_) { section->remove_model(handle); }
  for (std::size_t j = joints_.size(); j-- > 0;) {
    if (joints_[j]->info.model == handle) { remove_joint_at(j); }
  }
  for (std::size_t i = bodies_.size(); i-- > 0;) {
    if (bodies_[i]->info.model == handle) { remove_body_at(i); }
  }
  content_changed();
  return true;
}

bool WorldImpl::remove_object(std::string_view qualified)
{
  bool removed = false;
  if (const auto joint = find_joint(qualified)) {
    remove_joint_at(*joint);
    removed = true;
  } else if (const auto body = find_body(qualified)) {
    remove_body_at(*body);
    removed = true;
  } else {
    for (const auto & section : sections_) {
      removed = removed || section->remove_object(qualified);
    }
  }
  if (removed) { content_changed(); }
  return removed;
}

namespace
{

/// A model that hangs on another one is a part of it, as a tool is of its arm: where neither has collisions
/// among its own bodies, there are none between the two.
void add_links_between_models(
  const std::vector<std::unique_ptr<Body>> & bodies,
  const std::vector<std::pair<const Body *, const Body *>> & joined,
  std::vector<std::pair<int, int>> & links)
{
  std::set<std::pair<std::uint32_t, std::uint32_t>> done;
  for (const auto & [a, b] : joined) {
    const auto models = std::minmax(a->info.model.id, b->info.model.id);
    if (models.first == models.second || !a->ignores_own_model || !b->ignores_own_model) {
      continue;
    }
    if (!done.emplace(models.first, models.second).second) { continue; }
    for (const auto & one : bodies) {
      for (const auto & other : bodies) {
        if (one->info.model.id != models.first || other->info.model.id != models.second) {
          continue;
        }
        const auto link = std::minmax(one->id, other->id);
        links.emplace_back(link.first, link.second);
      }
    }
  }
}

}  // namespace

void WorldImpl::number_everything()
{
  std::vector<std::pair<const Body *, const Body *>> joined;
  std::unordered_map<const btRigidBody *, BodyIndex> index;
  body_by_name_.clear();
  joint_by_name_.clear();
  const auto linked_before = std::exchange(linked_, {});
  joints_at_.assign(bodies_.size(), {});
  ambf_adf::Lineage lineage;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body & body = *bodies_[i];
    body.rigid->setUserIndex2(static_cast<int>(i));
    body.info.parent = no_index;
    index[body.rigid.get()] = static_cast<BodyIndex>(i);
    body_by_name_[body.info.qualified] = static_cast<BodyIndex>(i);
    lineage.add_body();
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    JointSlot & joint = *joints_[j];
    const BodyIndex parent = index[&joint.constraint->getRigidBodyA()];
    const BodyIndex child = index[&joint.constraint->getRigidBodyB()];
    joint.info.parent = parent;
    joint.info.child = child;
    joint.info.closes_loop = false;
    if (bodies_[child]->info.parent == no_index) { bodies_[child]->info.parent = parent; }
    joint_by_name_[joint.info.qualified] = static_cast<JointIndex>(j);
    lineage.add_joint(parent, child, joint.info.passive);
    for (const BodyIndex end : {parent, child}) {
      joints_at_[end].push_back(static_cast<JointIndex>(j));
    }
    joined.emplace_back(bodies_[parent].get(), bodies_[child].get());
    if (joint.ignores_collision) {
      const auto link = std::minmax(bodies_[parent]->id, bodies_[child]->id);
      linked_.emplace_back(link.first, link.second);
    }
  }
  add_links_between_models(bodies_, joined, linked_);
  std::sort(linked_.begin(), linked_.end());
  bullet_.rules_changed(in_one_of(linked_before, linked_));
  for (const std::size_t j : lineage.loop_joints()) { joints_[j]->info.closes_loop = true; }
  client_joints_.assign(bodies_.size(), {});
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    for (const std::size_t j : lineage.client_joints(i)) {
      client_joints_[i].push_back(static_cast<JointIndex>(j));
    }
  }
  number_joint_holds();
  body_infos_.clear();
  for (const auto & body : bodies_) { body_infos_.push_back(body->info); }
  joint_infos_.clear();
  for (const auto & joint : joints_) { joint_infos_.push_back(joint->info); }
}

void WorldImpl::content_changed()
{
  number_everything();
  sections_changed();
}

void WorldImpl::sections_changed()
{
  ++revision_;
  for (const auto & section : sections_) { section->renumber(); }
  apply_gravity_settings();
  state_.bodies.assign(bodies_.size() * body_stride, 0.0);
  state_.joints.assign(joints_.size() * joint_stride, 0.0);
  write_state();
}

}  // namespace ambf_dynamics
