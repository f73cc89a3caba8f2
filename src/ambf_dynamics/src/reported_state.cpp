// SPDX-License-Identifier: BSD-3-Clause
// The flat state that users read.

#include <algorithm>

#include "world_impl.hpp"

namespace ambf_dynamics
{

void WorldImpl::write_state()
{
  double * out = state_.bodies.data();
  for (const auto & body : bodies_) {
    const btRigidBody & rigid = *body->rigid;
    const btTransform pose = body->pose();
    btQuaternion q;
    pose.getBasis().getRotation(q);
    const btVector3 & w = rigid.getAngularVelocity();
    const btVector3 v =
      rigid.getLinearVelocity() + w.cross(pose.getOrigin() - rigid.getWorldTransform().getOrigin());
    const double values[body_stride] = {
      pose.getOrigin().x(),
      pose.getOrigin().y(),
      pose.getOrigin().z(),
      q.x(),
      q.y(),
      q.z(),
      q.w(),
      v.x(),
      v.y(),
      v.z(),
      w.x(),
      w.y(),
      w.z()};
    out = std::copy(values, values + body_stride, out);
  }
  out = state_.joints.data();
  for (const auto & joint : joints_) {
    if (joint->axis) { joint->axis->measure(); }
    *out++ = joint->reported_position();
    *out++ = joint->axis ? joint->axis->velocity() : 0.0;
    *out++ = joint->axis ? joint->axis->effort() : 0.0;
  }
  bool contacts = parameters_.report_contacts;
  for (const auto & section : sections_) { contacts = contacts || section->needs_contacts(); }
  if (contacts) { write_contacts(); }
  for (const auto & section : sections_) { section->write_state(state_); }
  if (!parameters_.report_contacts) { state_.contacts.clear(); }
  state_.revision = revision_;
  state_.step = step_ - step_origin_;
  state_.time = static_cast<double>(state_.step) * parameters_.step_size;
  state_.hash = hash();
}

BodyIndex WorldImpl::index_of_id(std::uint64_t id) const
{
  const auto at = std::lower_bound(
    bodies_.begin(), bodies_.end(), static_cast<int>(id),
    [](const auto & body, int wanted) { return body->id < wanted; });
  return static_cast<BodyIndex>(at - bodies_.begin());
}

void WorldImpl::write_contacts()
{
  std::size_t count = 0;
  for (const btPersistentManifold * manifold : bullet_.contacts().manifolds()) {
    count += static_cast<std::size_t>(manifold->getNumContacts());
  }
  for (const SavedManifold & manifold : bullet_.contacts().waiting()) {
    count += static_cast<std::size_t>(manifold.count);
  }
  state_.contacts.resize(count);
  Contact * next = state_.contacts.data();
  const double per_second = parameters_.sub_steps / parameters_.step_size;
  const auto add = [&](std::uint32_t a, std::uint32_t b, const btManifoldPoint & p) {
    Contact & contact = *next++;
    contact.body_a = a;
    contact.body_b = b;
    contact.position = to_eigen(p.m_positionWorldOnB);
    contact.normal = to_eigen(p.m_normalWorldOnB);
    contact.distance = p.m_distance1;
    contact.force = to_eigen(
      (p.m_normalWorldOnB * p.m_appliedImpulse +
       p.m_lateralFrictionDir1 * p.m_appliedImpulseLateral1 +
       p.m_lateralFrictionDir2 * p.m_appliedImpulseLateral2) *
      per_second);
  };
  const auto index_of = [](const btCollisionObject * object) {
    return btRigidBody::upcast(object) ? static_cast<std::uint32_t>(object->getUserIndex2())
                                       : no_index;
  };
  for (const btPersistentManifold * manifold : bullet_.contacts().manifolds()) {
    const std::uint32_t a = index_of(manifold->getBody0());
    const std::uint32_t b = index_of(manifold->getBody1());
    for (int i = 0; i < manifold->getNumContacts(); ++i) {
      add(a, b, manifold->getContactPoint(i));
    }
  }
  for (const SavedManifold & manifold : bullet_.contacts().waiting()) {
    const BodyIndex a = index_of_id(manifold.pair >> 32);
    const BodyIndex b = index_of_id(manifold.pair & 0xffffffffu);
    for (int i = 0; i < manifold.count; ++i) { add(a, b, manifold.points[i]); }
  }
}

}  // namespace ambf_dynamics
