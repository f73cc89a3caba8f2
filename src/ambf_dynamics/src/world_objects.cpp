// SPDX-License-Identifier: BSD-3-Clause
// The parts of the world's interface that belong to its sections, and readings made on demand.

#include "actuators.hpp"
#include "ghosts.hpp"
#include "pose_holds.hpp"
#include "sensors.hpp"
#include "soft_bodies.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

void WorldImpl::make_sections()
{
  auto soft_bodies = std::make_unique<SoftBodies>(*this);
  auto sensors = std::make_unique<Sensors>(*this);
  auto actuators = std::make_unique<Actuators>(*this, *sensors);
  auto ghosts = std::make_unique<Ghosts>(*this);
  soft_bodies_ = soft_bodies.get();
  sensors_ = sensors.get();
  actuators_ = actuators.get();
  ghosts_ = ghosts.get();
  // Actuators ask sensors of the same step: the order counts.
  sections_.push_back(std::move(soft_bodies));
  sections_.push_back(std::move(sensors));
  sections_.push_back(std::move(actuators));
  sections_.push_back(std::make_unique<PoseHolds>(*this));
  sections_.push_back(std::move(ghosts));
}

void WorldImpl::order_constraints()
{
  for (const auto & section : sections_) { section->order_constraints(); }
}

bool WorldImpl::soft_may_collide(const btCollisionObject & a, const btCollisionObject & b) const
{
  const auto * soft_a =
    btSoftBody::upcast(&a) ? static_cast<const SoftSlot *>(a.getUserPointer()) : nullptr;
  const auto * soft_b =
    btSoftBody::upcast(&b) ? static_cast<const SoftSlot *>(b.getUserPointer()) : nullptr;
  if (soft_a && soft_b) { return true; }  // their own collision flags decide
  if (soft_a) {
    return ambf_dynamics::may_collide(*soft_a, *static_cast<const Body *>(b.getUserPointer()));
  }
  if (soft_b) {
    return ambf_dynamics::may_collide(*soft_b, *static_cast<const Body *>(a.getUserPointer()));
  }
  return true;
}

std::span<const SensorInfo> WorldImpl::sensors() const { return sensors_->infos(); }
std::span<const ActuatorInfo> WorldImpl::actuators() const { return actuators_->infos(); }
std::span<const GhostInfo> WorldImpl::ghosts() const { return ghosts_->infos(); }
std::span<const SoftBodyInfo> WorldImpl::soft_bodies() const { return soft_bodies_->infos(); }

SensorReading WorldImpl::sensor_reading(SensorIndex sensor) const
{
  return sensors_->reading(sensor);
}

CommandResult WorldImpl::set_actuator_command(
  ActuatorIndex actuator, const ActuatorCommand & command)
{
  return actuators_->set_command(actuator, command);
}

ActuatorState WorldImpl::actuator_state(ActuatorIndex actuator) const
{
  return actuators_->state(actuator);
}

std::span<const BodyIndex> WorldImpl::ghost_reading(GhostIndex ghost) const
{
  return ghosts_->reading(ghost);
}

CommandResult WorldImpl::set_soft_body_command(
  SoftBodyIndex soft_body, const SoftBodyCommand & command)
{
  return soft_bodies_->set_command(soft_body, command);
}

Eigen::AlignedBox3d WorldImpl::body_bounds(BodyIndex index) const
{
  if (index >= bodies_.size() || bodies_[index]->shape->empty) { return {}; }
  btVector3 low;
  btVector3 high;
  bodies_[index]->shape->root->getAabb(bodies_[index]->rigid->getWorldTransform(), low, high);
  return {to_eigen(low), to_eigen(high)};
}

Wrench WorldImpl::body_wrench(BodyIndex index) const
{
  Wrench wrench;
  if (index >= bodies_.size()) { return wrench; }
  const Body & body = *bodies_[index];
  btVector3 force(0, 0, 0);
  btVector3 torque(0, 0, 0);  // about the centre of mass
  if (parameters_.report_wrenches) {
    for (const JointIndex j : joints_at_[index]) {
      const JointSlot & joint = *joints_[j];
      const bool is_parent = joint.info.parent == index;
      force += is_parent ? joint.feedback.m_appliedForceBodyA : joint.feedback.m_appliedForceBodyB;
      torque +=
        is_parent ? joint.feedback.m_appliedTorqueBodyA : joint.feedback.m_appliedTorqueBodyB;
    }
  }
  for (const auto & section : sections_) { section->add_wrench(body, force, torque); }
  const btTransform pose = body.pose();
  const btVector3 arm = body.rigid->getWorldTransform().getOrigin() - pose.getOrigin();
  const btMatrix3x3 r_body_world = pose.getBasis().transpose();
  wrench.force = to_eigen(btVector3(r_body_world * force));
  wrench.torque = to_eigen(btVector3(r_body_world * (torque + arm.cross(force))));
  return wrench;
}

void WorldImpl::reset_time()
{
  // Commands remember the steps at which they came: the inner counter goes on.
  step_origin_ = step_;
  write_state();
}

}  // namespace ambf_dynamics
