// SPDX-License-Identifier: BSD-3-Clause
#include "soft_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "section_names.hpp"

namespace ambf_dynamics
{
namespace
{

void put(Writer & out, const btVector3 & v)
{
  for (int k = 0; k < 3; ++k) { out.put(v[k]); }
}

btVector3 get_vector(Reader & in)
{
  btVector3 v(0, 0, 0);
  for (int k = 0; k < 3; ++k) { v[k] = in.get<double>(); }
  return v;
}

}  // namespace

bool may_collide(const SoftSlot & soft, const Body & body)
{
  if (body.shape->empty || body.shape->root->isConcave()) { return false; }
  const auto & a = soft.collision_groups;
  const auto & b = body.collision_groups;
  return a.empty() || b.empty() || std::any_of(a.begin(), a.end(), [&](int g) {
           return std::binary_search(b.begin(), b.end(), g);
         });
}

SoftBodies::~SoftBodies()
{
  for (const auto & slot : bodies_) { remove(*slot); }
}

void SoftBodies::add_model(
  const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
  ambf_adf::Problems & problems)
{
  for (const ambf_adf::SoftBody & source : model.soft_bodies) {
    auto slot = std::make_unique<SoftSlot>();
    take_names(slot->info, source.header, handle);
    if (build(*slot, source, t_world_model, problems)) { bodies_.push_back(std::move(slot)); }
  }
  if (!bodies_.empty()) { warn_of_unseen_shapes(handle, problems); }
}

void SoftBodies::warn_of_unseen_shapes(ModelHandle handle, ambf_adf::Problems & problems) const
{
  const bool fresh_cloth = bodies_.back()->info.model == handle;
  for (const auto & body : world_.body_list()) {
    const bool passed_through = !body->shape->empty && body->shape->root->isConcave();
    if (!passed_through || !(fresh_cloth || body->info.model == handle)) { continue; }
    auto problem = make_error(
      ambf_adf::ProblemKind::BadValue, body->info.identifier + "/collision shape",
      "a plane or a concave mesh", "convex shapes where soft bodies are",
      "soft bodies pass through it; give it boxes or a convex mesh");
    problem.severity = ambf_adf::Severity::Warning;
    problems.push_back(problem);
    return;  // one is enough to know
  }
}

void SoftBodies::remove(SoftSlot & slot)
{
  BulletWorld & world = world_.bullet();
  world.contacts().remove_object(slot.soft.get());
  world.removeSoftBody(slot.soft.get());
  world.forget(*slot.soft);
  auto & all = world.getSoftBodyArray();  // Bullet closes the gap with the last one
  if (all.size() > 1) {
    std::sort(&all[0], &all[0] + all.size(), [](const btSoftBody * a, const btSoftBody * b) {
      return a->getUserIndex() < b->getUserIndex();
    });
  }
}

void SoftBodies::remove_model(ModelHandle handle)
{
  std::erase_if(bodies_, [&](const auto & slot) {
    if (slot->info.model == handle) { remove(*slot); }
    return slot->info.model == handle;
  });
}

bool SoftBodies::remove_object(std::string_view qualified)
{
  return std::erase_if(bodies_, [&](const auto & slot) {
           if (slot->info.qualified == qualified) { remove(*slot); }
           return slot->info.qualified == qualified;
         }) > 0;
}

void SoftBodies::body_removed(Body & body)
{
  for (const auto & slot : bodies_) {
    slot->medium.m_sparsesdf.Reset();  // cells name shapes by address
    auto & anchors = slot->soft->m_anchors;
    int kept = 0;
    for (int i = 0; i < anchors.size(); ++i) {
      if (anchors[i].m_body == body.rigid.get()) {
        anchors[i].m_node->m_battach = 0;
      } else {
        if (kept != i) { anchors[kept] = anchors[i]; }
        ++kept;
      }
    }
    while (anchors.size() > kept) { anchors.pop_back(); }
  }
}

void SoftBodies::renumber()
{
  infos_.clear();
  for (const auto & slot : bodies_) { infos_.push_back(slot->info); }
}

CommandResult SoftBodies::set_command(SoftBodyIndex index, const SoftBodyCommand & command)
{
  if (index >= bodies_.size()) { return CommandResult::UnknownIndex; }
  SoftSlot & slot = *bodies_[index];
  if (command.nodes.size() != command.node_forces.size()) { return CommandResult::UnknownIndex; }
  if (!command.force.allFinite()) { return CommandResult::NotFinite; }
  for (std::size_t i = 0; i < command.nodes.size(); ++i) {
    if (command.nodes[i] >= slot.info.node_count) { return CommandResult::UnknownIndex; }
    if (!command.node_forces[i].allFinite()) { return CommandResult::NotFinite; }
  }
  slot.command = command;
  return CommandResult::Ok;
}

void SoftBodies::before_step()
{
  const Parameters & p = world_.parameters();
  for (const auto & slot : bodies_) {
    slot->medium.m_gravity = to_bt(slot->own_gravity.value_or(p.gravity));
    const SoftBodyCommand & command = slot->command;
    // Bullet forgets node forces after the first integration step: that one gets the whole impulse.
    const double steps = p.sub_steps;
    if (!command.force.isZero(0.0)) {
      const btVector3 share = to_bt(command.force) * (steps / slot->info.node_count);
      for (int i = 0; i < slot->soft->m_nodes.size(); ++i) { slot->soft->addForce(share, i); }
    }
    for (std::size_t i = 0; i < command.nodes.size(); ++i) {
      slot->soft->addForce(
        to_bt(command.node_forces[i]) * steps, static_cast<int>(command.nodes[i]));
    }
  }
}

const ObjectNames * SoftBodies::diverged() const
{
  for (const auto & slot : bodies_) {
    double sum = 0.0;
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      const btSoftBody::Node & n = slot->soft->m_nodes[i];
      sum += n.m_x.x() + n.m_x.y() + n.m_x.z() + n.m_v.x() + n.m_v.y() + n.m_v.z();
    }
    if (!std::isfinite(sum)) { return &slot->info; }
  }
  return nullptr;
}

void SoftBodies::write_state(State & state)
{
  state.soft_offsets.resize(bodies_.empty() ? 0 : bodies_.size() + 1);
  if (bodies_.empty()) {
    state.soft_nodes.clear();
    return;
  }
  std::uint32_t total = 0;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    state.soft_offsets[k] = total;
    total += bodies_[k]->info.node_count;
  }
  state.soft_offsets.back() = total;
  state.soft_nodes.resize(3 * static_cast<std::size_t>(total));
  float * out = state.soft_nodes.data();
  for (const auto & slot : bodies_) {
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      const btVector3 & x = slot->soft->m_nodes[i].m_x;
      for (int k = 0; k < 3; ++k) { *out++ = static_cast<float>(x[k]); }
    }
  }
}

void SoftBodies::hash(Hasher & h) const
{
  for (const auto & slot : bodies_) {
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      const btSoftBody::Node & n = slot->soft->m_nodes[i];
      h.add(n.m_x, n.m_v.x());
      h.add(n.m_q, n.m_v.y());
      h.add(n.m_n, n.m_v.z());
    }
    h.add(to_bt(slot->command.force), static_cast<double>(slot->command.nodes.size()));
    for (std::size_t i = 0; i < slot->command.nodes.size(); ++i) {
      h.add(to_bt(slot->command.node_forces[i]), static_cast<double>(slot->command.nodes[i]));
    }
  }
}

void SoftBodies::save(Writer & out) const
{
  for (const auto & slot : bodies_) {
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      const btSoftBody::Node & n = slot->soft->m_nodes[i];
      for (const btVector3 * v : {&n.m_x, &n.m_q, &n.m_v, &n.m_vn, &n.m_n}) { put(out, *v); }
    }
    put(out, to_bt(slot->command.force));
    out.put(static_cast<std::uint64_t>(slot->command.nodes.size()));
    for (std::size_t i = 0; i < slot->command.nodes.size(); ++i) {
      out.put(slot->command.nodes[i]);
      put(out, to_bt(slot->command.node_forces[i]));
    }
  }
}

void SoftBodies::restore(Reader & in)
{
  for (const auto & slot : bodies_) {
    std::vector<btVector3> normals;
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      btSoftBody::Node & n = slot->soft->m_nodes[i];
      for (btVector3 * v : {&n.m_x, &n.m_q, &n.m_v, &n.m_vn}) { *v = get_vector(in); }
      normals.push_back(get_vector(in));
    }
    slot->command = SoftBodyCommand{};
    slot->command.force = to_eigen(get_vector(in));
    const auto count = in.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
      slot->command.nodes.push_back(in.get<std::uint32_t>());
      slot->command.node_forces.push_back(to_eigen(get_vector(in)));
    }
    settle(*slot);
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      slot->soft->m_nodes[i].m_n = normals[static_cast<std::size_t>(i)];
    }
  }
}

void SoftBodies::settle(SoftSlot & slot)
{
  btSoftBody & soft = *slot.soft;
  const double margin = soft.getCollisionShape()->getMargin();
  while (soft.m_rcontacts.size() > 0) { soft.m_rcontacts.pop_back(); }
  while (soft.m_scontacts.size() > 0) { soft.m_scontacts.pop_back(); }
  for (int i = 0; i < soft.m_nodes.size(); ++i) {
    btSoftBody::Node & n = soft.m_nodes[i];
    n.m_f.setZero();
    ATTRIBUTE_ALIGNED16(btDbvtVolume) volume = btDbvtVolume::FromCR(n.m_x, margin);
    soft.m_ndbvt.update(n.m_leaf, volume);
  }
  soft.updateNormals();
  soft.updateBounds();
}

void SoftBodies::reset()
{
  for (const auto & slot : bodies_) {
    for (int i = 0; i < slot->soft->m_nodes.size(); ++i) {
      btSoftBody::Node & n = slot->soft->m_nodes[i];
      n.m_x = n.m_q = slot->initial[static_cast<std::size_t>(i)];
      n.m_v.setZero();
      n.m_vn.setZero();
    }
    slot->command = SoftBodyCommand{};
    settle(*slot);
  }
}

void SoftBodies::describe(Hasher & h) const
{
  for (const auto & slot : bodies_) {
    add_text(h, slot->info.qualified);
    h.add(
      std::uint64_t{slot->info.node_count}, std::uint64_t{slot->info.triangles.size()},
      Hasher::word(slot->info.mass), std::uint64_t{2});
  }
}

}  // namespace ambf_dynamics
