// SPDX-License-Identifier: BSD-3-Clause
#include "hold_joint.hpp"

#include <algorithm>
#include <cmath>

#include "rotations.hpp"

namespace ambf_dynamics
{
namespace
{

constexpr double correction =
  0.2;  // fraction of a small error that is corrected per integration step
constexpr double own_share =
  1e-6;  // compliance relative to the body's own: two holds may contradict each other
constexpr double least_across =
  0.1;  // of the limit that is left across the force, so that it can turn

// Velocity that takes a body over the rest of its way and lets it stop there: in proportion to the rest where
// that is short, else the speed from which it can still brake.
btVector3 approach(const btVector3 & rest, double per_second, double braking, double fastest)
{
  const double way = rest.length();
  const double short_way = braking / (per_second * per_second);
  if (way <= short_way && per_second * way <= fastest) { return rest * per_second; }
  const double speed =
    std::min(fastest, std::sqrt(2.0 * braking * std::max(way - 0.5 * short_way, 0.0)));
  return rest * (speed / way);
}

btVector3 limited_change(const btVector3 & from, const btVector3 & to, double most)
{
  const btVector3 change = to - from;
  const double length = change.length();
  return length <= most ? to : from + change * (most / length);
}

// Rows along and across the last effort: the limit then is one of its length and not one per axis.
void bound_rows(const btVector3 & last, double most, btVector3 * axes, double * bounds)
{
  const double length = last.length();
  if (length > 1e-9 * most) {
    axes[0] = last / length;
    btPlaneSpace1(axes[0], axes[1], axes[2]);
  } else {
    for (int i = 0; i < 3; ++i) { axes[i] = btVector3(i == 0, i == 1, i == 2); }
  }
  const double along = std::min(length, most);
  bounds[0] = most;
  bounds[1] = bounds[2] = std::max(std::sqrt(most * most - along * along), least_across * most);
}

AxisJoint::Settings fixed_at(const btTransform & frame_body)
{
  AxisJoint::Settings s;
  s.kind = AxisJoint::Kind::Fixed;
  s.frame_parent.setIdentity();
  s.frame_child = frame_body;
  return s;
}

}  // namespace

HoldJoint::HoldJoint(btRigidBody & anchor, btRigidBody & body, const btTransform & frame_body)
: AxisJoint(anchor, body, fixed_at(frame_body))
{
  aim_.pose.setIdentity();
  aim_.rate = aim_.turn_rate = btVector3(0, 0, 0);
  for (btVector3 & axis : axes_) { axis = btVector3(0, 0, 0); }
}

void HoldJoint::getInfo2(btConstraintInfo2 * info)
{
  const btRigidBody & body = m_rbB;
  const double h = 1.0 / info->fps;
  const double per_second = correction * info->fps;
  const btTransform now = body.getCenterOfMassTransform() * settings().frame_child;
  const btVector3 arm = now.getOrigin() - body.getCenterOfMassPosition();

  // A little below what the change of velocity allows: steps brake later than the law.
  constexpr double braking = 0.7;
  const btVector3 velocity = limited_change(
    body.getVelocityInLocalPoint(arm),
    aim_.rate +
      approach(
        aim_.pose.getOrigin() - now.getOrigin(), per_second, braking * acceleration, fastest),
    acceleration * h);
  const btVector3 turning = limited_change(
    body.getAngularVelocity(),
    aim_.turn_rate + approach(
                       turn(now.getBasis(), aim_.pose.getBasis()), per_second,
                       braking * angular_acceleration, fastest_turn),
    angular_acceleration * h);

  double bounds[6];
  bound_rows(force_, aim_.max_force, axes_, bounds);
  bound_rows(torque_, aim_.max_torque, axes_ + 3, bounds + 3);
  const btVector3 & inverse_inertia = body.getInvInertiaDiagLocal();
  const double linear = own_share * body.getInvMass();
  const double angular =
    own_share * (inverse_inertia.x() + inverse_inertia.y() + inverse_inertia.z()) / 3.0;
  for (int row = 0; row < 6; ++row) {
    const bool pushes = row < 3;
    const btVector3 & n = axes_[row];
    const btVector3 torque = pushes ? arm.cross(n) : n;
    const int at = row * info->rowskip;
    for (int i = 0; i < 3; ++i) {
      info->m_J2linearAxis[at + i] = pushes ? n[i] : 0.0;
      info->m_J2angularAxis[at + i] = torque[i];
      info->m_J1linearAxis[at + i] = -info->m_J2linearAxis[at + i];
      info->m_J1angularAxis[at + i] = -info->m_J2angularAxis[at + i];
    }
    info->m_constraintError[at] = n.dot(pushes ? velocity : turning);
    info->m_lowerLimit[at] = -bounds[row] * h;
    info->m_upperLimit[at] = bounds[row] * h;
    set_compliance(row, pushes ? linear : angular);
  }
}

void HoldJoint::take_impulse(int row, double impulse, double step)
{
  btVector3 & sum = row < 3 ? force_ : torque_;
  if (row == 0 || row == 3) { sum = btVector3(0, 0, 0); }
  sum += axes_[row] * (impulse / step);
}

}  // namespace ambf_dynamics
