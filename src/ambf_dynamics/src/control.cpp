// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "pose_holds.hpp"
#include "rotations.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{
namespace
{

constexpr double teleport_speed =
  10.0;  // [m/s] faster commanded moves of mass-0 bodies push nothing

// Effort p e + d (r - v) at the end of the step for a body of inverse inertia W that the load g pulls: with
// v' = v + h W (g + f) and e' = e - h v', (1 + (h d + h^2 p) W) f = p (e - h u) + d (r - u), u = v + h W g.
// Stable for any gains; for h -> 0 it is the plain PD law. Contacts and joints are not known yet at this
// moment: against these the law is softer by the bracket.
btVector3 implicit_pd(
  double p, double d, const btVector3 & error, const btVector3 & rate, const btVector3 & velocity,
  const btVector3 & load, const btMatrix3x3 & inverse_inertia, double h)
{
  const btVector3 u = velocity + inverse_inertia * load * h;
  const btVector3 plain = (error - u * h) * p + (rate - u) * d;
  btMatrix3x3 k = inverse_inertia * (h * d + h * h * p);
  k += btMatrix3x3::getIdentity();
  return k.inverse() * plain;
}

// Gains below zero push away from the goal; they count as none.
ambf_adf::Pid usable(const ambf_adf::Pid & g)
{
  return {std::max(g.p, 0.0), std::max(g.i, 0.0), std::max(g.d, 0.0)};
}

}  // namespace

void WorldImpl::update_joint_drive(JointSlot & slot)
{
  if (!slot.axis) { return; }
  AxisJoint & joint = *slot.axis;
  Drive & drive = joint.drive;
  const double limit = slot.info.effort_limit.value_or(std::numeric_limits<double>::infinity());
  drive.effort = 0.0;
  switch (slot.mode) {
    case JointMode::None:
    case JointMode::Release:
      if (slot.holds && !slot.let_go) { break; }
      if (slot.holds) {  // it will hold where it is led to
        slot.value = joint.position();
        slot.integral = 0.0;
      }
      drive = Drive{};
      return;
    case JointMode::Effort:
      drive = Drive{};
      drive.kind = Drive::Kind::Effort;
      drive.effort = std::clamp(slot.value, -limit, limit);
      joint.apply_effort();
      return;
    case JointMode::Velocity:
      drive.kind = Drive::Kind::Velocity;
      drive.rate = slot.value;
      drive.max_effort = std::min(slot.motor_effort, limit);
      return;
    case JointMode::Acceleration:
      drive.kind = Drive::Kind::Acceleration;
      drive.rate = slot.value;
      drive.max_effort = std::min(slot.motor_effort, limit);
      return;
    case JointMode::Position:
      break;
  }
  const double q = joint.position();
  double target = slot.value;
  if (slot.info.limits) {
    target = std::clamp(target, slot.info.limits->low, slot.info.limits->high);
  } else if (joint.settings().kind == AxisJoint::Kind::Revolute) {
    target = q + wrap_angle(target - q);  // the shortest way round (AMBF)
  }
  drive.target = target;
  // A command beyond a limit stands at it, however it moves there.
  const bool beyond = slot.info.limits && target != slot.value;
  drive.rate = beyond ? 0.0 : slot.rate.rate(step_);
  const ambf_adf::Pid gains = usable(slot.gains);
  drive.p = gains.p;
  if (slot.info.controller_output == ambf_adf::ControlOutput::Velocity) {
    drive.kind = Drive::Kind::PositionServo;
    drive.max_effort = std::min(slot.motor_effort, limit);
    return;
  }
  drive.kind = Drive::Kind::Pd;
  drive.d = gains.d;
  drive.max_effort = limit;
  if (gains.i > 0.0) {
    // Anti-windup: no integration while the effort is at its limit, and the integral part alone never
    // asks for more than the limit.
    const double error = target - q;
    if (!joint.saturated()) { slot.integral += error * parameters_.step_size; }
    if (std::isfinite(limit)) {
      const double most = limit / gains.i;
      slot.integral = std::clamp(slot.integral, -most, most);
    }
    drive.effort = gains.i * slot.integral;
  }
  if (
    gains.p <= 0.0 &&
    gains.d <= 0.0) {  // what is left of the law does not depend on the joint's motion
    drive.kind = Drive::Kind::Effort;
    drive.effort = std::clamp(drive.effort, -limit, limit);
    joint.apply_effort();
  }
}

void WorldImpl::update_body_control(Body & body)
{
  btRigidBody & rigid = *body.rigid;
  const BodyCommand & command = body.command;
  const double h = parameters_.step_size;
  const bool fixed = body.info.mass <= 0.0;
  if (is_held(body)) { return; }
  const bool moves = fixed && (command.mode == BodyMode::Pose || command.mode == BodyMode::Hold ||
                               command.mode == BodyMode::Twist);
  if (fixed) {
    if (!moves) {
      if (body.moves_by_command) {
        rigid.setLinearVelocity(btVector3(0, 0, 0));
        rigid.setAngularVelocity(btVector3(0, 0, 0));
        body.moves_by_command = false;
      }
      return;
    }
    bullet_.set_kinematic(rigid, true);
    body.moves_by_command = true;
  }

  const btTransform & now = rigid.getWorldTransform();
  // A body that is moved at a velocity does not fall meanwhile.
  const btVector3 weight = fixed ? btVector3(0, 0, 0) : rigid.getGravity() / rigid.getInvMass();
  switch (command.mode) {
    case BodyMode::None:
    case BodyMode::Release:
      return;
    case BodyMode::Wrench:
      rigid.applyCentralForce(to_bt(command.force));
      rigid.applyTorque(to_bt(command.torque));
      return;
    case BodyMode::Twist: {
      const btVector3 w = to_bt(command.angular_velocity);
      const btVector3 arm = now.getBasis() * -body.t_inertial_body.getOrigin();  // origin to centre
      const btVector3 v = to_bt(command.linear_velocity) + w.cross(arm);
      rigid.setLinearVelocity(v);
      rigid.setAngularVelocity(w);
      rigid.applyCentralForce(-weight);
      if (fixed) { btTransformUtil::integrateTransform(now, v, w, h, body.kinematic_goal); }
      return;
    }
    case BodyMode::Pose:
    case BodyMode::Hold:
      break;  // Hold: of a body of mass 0, which goes exactly where it is told
  }

  Eigen::Isometry3d t_world_body = Eigen::Isometry3d::Identity();
  t_world_body.linear() = command.orientation.toRotationMatrix();
  t_world_body.translation() = command.position;
  const btTransform goal = to_bt(t_world_body) * body.t_body_inertial;
  const btVector3 turned = turn(now.getBasis(), goal.getBasis());
  const btVector3 moved = goal.getOrigin() - now.getOrigin();
  if (fixed) {
    body.kinematic_goal = goal;
    const bool jump = moved.length() > teleport_speed * h || turned.length() > teleport_speed * h;
    rigid.setLinearVelocity(jump ? btVector3(0, 0, 0) : moved / h);
    rigid.setAngularVelocity(jump ? btVector3(0, 0, 0) : turned / h);
    return;
  }

  CartesianMemory & memory = body.memory;
  const btVector3 rate(
    memory.rate[0].rate(step_), memory.rate[1].rate(step_), memory.rate[2].rate(step_));
  const auto & c = body.controller;
  const ambf_adf::Pid linear = usable(c.linear);
  const ambf_adf::Pid angular = usable(c.angular);
  if (c.linear_output == ambf_adf::ControlOutput::Velocity) {
    rigid.setLinearVelocity((rate + moved * linear.p) / (1.0 + linear.p * h));
    rigid.applyCentralForce(-weight);
  } else {
    memory.linear_integral += moved * h;
    const btMatrix3x3 w = btMatrix3x3::getIdentity() * rigid.getInvMass();
    rigid.applyCentralForce(
      implicit_pd(
        linear.p, linear.d, moved, rate, rigid.getLinearVelocity(), rigid.getTotalForce() + weight,
        w, h) +
      memory.linear_integral * linear.i);
  }
  if (c.angular_output == ambf_adf::ControlOutput::Velocity) {
    rigid.setAngularVelocity(turned * (angular.p / (1.0 + angular.p * h)));
  } else {
    memory.angular_integral += turned * h;
    rigid.applyTorque(
      implicit_pd(
        angular.p, angular.d, turned, btVector3(0, 0, 0), rigid.getAngularVelocity(),
        rigid.getTotalTorque(), rigid.getInvInertiaTensorWorld(), h) +
      memory.angular_integral * angular.i);
  }
}

CommandResult WorldImpl::add_body_wrench(BodyIndex index, const Wrench & at_origin)
{
  if (index >= bodies_.size()) { return CommandResult::UnknownIndex; }
  if (!at_origin.force.allFinite() || !at_origin.torque.allFinite()) {
    return CommandResult::NotFinite;
  }
  Body & body = *bodies_[index];
  const btVector3 arm = body.pose().getOrigin() - body.rigid->getWorldTransform().getOrigin();
  body.pushed = true;
  body.rigid->applyForce(to_bt(at_origin.force), arm);
  body.rigid->applyTorque(to_bt(at_origin.torque));
  return CommandResult::Ok;
}

void WorldImpl::update_controllers()
{
  let_joints_go();
  for (const auto & joint : joints_) { update_joint_drive(*joint); }
  for (const auto & body : bodies_) { update_body_control(*body); }
}

void WorldImpl::finish_kinematic_moves()
{
  for (const auto & body : bodies_) {
    if (body->moves_by_command) { body->rigid->setCenterOfMassTransform(body->kinematic_goal); }
  }
}

}  // namespace ambf_dynamics
