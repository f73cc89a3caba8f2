// SPDX-License-Identifier: BSD-3-Clause
#include "axis_joint.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_dynamics
{
namespace
{

// Files give jaws of a few grams servos of 200 kN m: such a servo would crush what it holds, or shoot it away. It gives way
// by this much, relative to its own two links: not felt in tracking, and enough for contacts to win.
constexpr double servo_cfm = 1e-4;

// Rotation vector from frame a to frame b in world axes, shortest way.
btVector3 rotation_error(const btMatrix3x3 & a, const btMatrix3x3 & b)
{
  btQuaternion q;
  (b * a.transpose()).getRotation(q);
  const btVector3 v(q.x(), q.y(), q.z());
  const double sine = v.length();
  if (sine < 1e-9) { return v * (q.w() < 0 ? -2.0 : 2.0); }
  double angle = 2.0 * std::atan2(sine, q.w());
  if (angle > SIMD_PI) { angle -= 2.0 * SIMD_PI; }
  return v * (angle / sine);
}

}  // namespace

AxisJoint::AxisJoint(btRigidBody & parent, btRigidBody & child, const Settings & settings)
: RowJoint(parent, child), s_(settings)
{
  switch (s_.kind) {
    case Kind::Revolute:
    case Kind::Prismatic:
      locked_rows_ = 5;
      break;
    case Kind::Fixed:
      locked_rows_ = 6;
      break;
    case Kind::Point:
      locked_rows_ = 3;
      break;
  }
  measure();
}

AxisJoint::World AxisJoint::frames() const
{
  return {
    m_rbA.getCenterOfMassTransform() * s_.frame_parent,
    m_rbB.getCenterOfMassTransform() * s_.frame_child};
}

btVector3 AxisJoint::axis() const
{
  return m_rbA.getCenterOfMassTransform().getBasis() * s_.frame_parent.getBasis().getColumn(2);
}

void AxisJoint::measure()
{
  if (!has_axis()) { return; }
  const btTransform & parent = m_rbA.getCenterOfMassTransform();
  const btTransform & child = m_rbB.getCenterOfMassTransform();
  const btMatrix3x3 & frame = s_.frame_parent.getBasis();
  const btVector3 z = parent.getBasis() * frame.getColumn(2);
  if (s_.kind == Kind::Revolute) {
    // The child's x axis in the parent's joint frame.
    const btVector3 x =
      child.getBasis() * s_.frame_child.getBasis().getColumn(0) * parent.getBasis();
    const double raw = std::atan2(x.dot(frame.getColumn(1)), x.dot(frame.getColumn(0)));
    // A function of the bodies' poses and the number of turns alone, so that reading twice changes nothing:
    // a restored world reads once more.
    q_ = raw + 2.0 * SIMD_PI * std::nearbyint((q_ - raw) / (2.0 * SIMD_PI));
    dq_ = z.dot(m_rbB.getAngularVelocity() - m_rbA.getAngularVelocity());
    return;
  }
  const btVector3 pivot = child * s_.frame_child.getOrigin();
  q_ = z.dot(pivot - parent * s_.frame_parent.getOrigin());
  dq_ = z.dot(
    m_rbB.getVelocityInLocalPoint(pivot - child.getOrigin()) -
    m_rbA.getVelocityInLocalPoint(pivot - parent.getOrigin()));
}

void AxisJoint::closure_error(double & position, double & angle) const
{
  const World w = frames();
  const btVector3 z = w.a.getBasis().getColumn(2);
  btVector3 gap = w.b.getOrigin() - w.a.getOrigin();
  if (s_.kind == Kind::Prismatic) { gap -= z * z.dot(gap); }
  position = gap.length();
  switch (s_.kind) {
    case Kind::Point:
      angle = 0.0;
      break;
    case Kind::Revolute: {
      const btVector3 zb = w.b.getBasis().getColumn(2);
      angle = std::atan2(z.cross(zb).length(), z.dot(zb));
      break;
    }
    default:
      angle = rotation_error(w.a.getBasis(), w.b.getBasis()).length();
  }
}

bool AxisJoint::absorb_misfit(double most_position, double most_angle)
{
  double position = 0.0;
  double angle = 0.0;
  closure_error(position, angle);
  if (position > most_position || angle > most_angle) { return false; }
  const World w = frames();
  const btVector3 z = w.a.getBasis().getColumn(2);
  btVector3 gap = w.b.getOrigin() - w.a.getOrigin();
  if (s_.kind == Kind::Prismatic) { gap -= z * z.dot(gap); }
  btTransform fitted = w.b;
  fitted.setOrigin(w.b.getOrigin() - gap);
  if (s_.kind == Kind::Revolute) {
    const btVector3 zb = w.b.getBasis().getColumn(2);
    fitted.setBasis(btMatrix3x3(shortestArcQuat(zb, z)) * w.b.getBasis());
  } else if (s_.kind != Kind::Point) {
    fitted.setBasis(w.a.getBasis());
  }
  s_.frame_child = m_rbB.getCenterOfMassTransform().inverse() * fitted;
  return true;
}

void AxisJoint::getInfo1(btConstraintInfo1 * info)
{
  info->m_numConstraintRows = locked_rows_;
  info->nub = 0;
  passive_row_ = drive_row_ = limit_row_ = -1;
  if (!has_axis()) { return; }
  if (s_.stiffness > 0.0 || s_.damping > 0.0) { passive_row_ = info->m_numConstraintRows++; }
  if (drive.kind != Drive::Kind::Off && drive.kind != Drive::Kind::Effort) {
    drive_row_ = info->m_numConstraintRows++;
  }
  if (s_.limited) {
    const double reach = limit_reach(dq_);
    const double to_low = q_ - s_.low;
    const double to_high = s_.high - q_;
    if (to_low < reach || to_high < reach) {
      limit_row_ = info->m_numConstraintRows++;
      at_low_ = to_low < to_high;
    }
  }
}

void AxisJoint::getInfo2(btConstraintInfo2 * info)
{
  const World w = frames();
  const btVector3 pivot = w.b.getOrigin();
  const btVector3 gap = pivot - w.a.getOrigin();
  const btMatrix3x3 & axes = w.a.getBasis();
  const btVector3 z = axes.getColumn(2);
  Rows rows(*this, info, pivot);
  const int locked_linear = s_.kind == Kind::Prismatic ? 2 : 3;
  for (int i = 0; i < locked_linear; ++i) {
    const btVector3 n = axes.getColumn(i);
    rows.linear(n);
    rows.lock(n.dot(gap), softness.linear_compliance);
  }
  if (s_.kind != Kind::Point) {
    const bool turns = s_.kind == Kind::Revolute;
    const btVector3 error =
      turns ? z.cross(w.b.getBasis().getColumn(2)) : rotation_error(axes, w.b.getBasis());
    for (int i = 0; i < (turns ? 2 : 3); ++i) {
      const btVector3 n = axes.getColumn(i);
      rows.angular(n);
      rows.lock(n.dot(error), softness.angular_compliance);
    }
  }

  const auto free_axis = [&] { s_.kind == Kind::Revolute ? rows.angular(z) : rows.linear(z); };
  if (passive_row_ >= 0) {
    free_axis();
    rows.implicit(s_.stiffness, s_.damping, s_.equilibrium - q_, 0.0, 0.0);
  }
  if (drive_row_ >= 0) {
    free_axis();
    const double step = 1.0 / info->fps;
    drive_max_impulse_ = drive.max_effort * step;
    switch (drive.kind) {
      case Drive::Kind::Velocity:
        rows.target(drive.rate);
        break;
      case Drive::Kind::Acceleration:
        rows.target(dq_ + drive.rate * step);
        break;
      case Drive::Kind::PositionServo:
        rows.target((drive.rate + drive.p * (drive.target - q_)) / (1.0 + drive.p * step));
        rows.cfm(servo_cfm);
        break;
      default:
        rows.implicit(drive.p, drive.d, drive.target - q_, drive.rate, drive.effort);
    }
    rows.bounds(-drive_max_impulse_, drive_max_impulse_);
  }
  if (limit_row_ >= 0) {
    free_axis();
    rows.limit(
      at_low_, (at_low_ ? s_.low : s_.high) - q_,
      s_.kind == Kind::Revolute ? limit_return_turning : limit_return_sliding);
  }
}

void AxisJoint::begin_impulses()
{
  effort_ = drive.kind == Drive::Kind::Effort ? drive.effort : 0.0;
  saturated_ = false;
}

void AxisJoint::take_impulse(int row, double impulse, double step)
{
  if (row < locked_rows_ || !has_axis()) { return; }
  effort_ += impulse / step;
  if (row == drive_row_) { saturated_ = std::abs(impulse) >= drive_max_impulse_; }
}

void AxisJoint::apply_effort()
{
  if (drive.kind != Drive::Kind::Effort || drive.effort == 0.0) { return; }
  const btVector3 push = axis() * drive.effort;
  if (s_.kind == Kind::Revolute) {
    m_rbB.applyTorque(push);
    m_rbA.applyTorque(-push);
  } else {
    const btVector3 pivot = (m_rbB.getCenterOfMassTransform() * s_.frame_child).getOrigin();
    m_rbB.applyForce(push, pivot - m_rbB.getCenterOfMassPosition());
    m_rbA.applyForce(-push, pivot - m_rbA.getCenterOfMassPosition());
  }
}

}  // namespace ambf_dynamics
