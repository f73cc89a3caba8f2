// SPDX-License-Identifier: BSD-3-Clause
#include "six_dof_joint.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_dynamics
{
namespace
{

// At b = 90 degrees x and z are the same axis. Rows that measure rates exactly grow without bound towards it.
constexpr double least_cosine = 0.05;

}  // namespace

SixDofJoint::SixDofJoint(
  btRigidBody & parent, btRigidBody & child, const btTransform & frame_parent,
  const btTransform & frame_child, const ambf_adf::SixDofParameters & p, bool springs)
: RowJoint(parent, child), frame_parent_(frame_parent), frame_child_(frame_child)
{
  for (int i = 0; i < 6; ++i) {
    const auto of = [i](const ambf_adf::LinearAngular & v) {
      return i < 3 ? v.linear[i] : v.angular[i - 3];
    };
    Axis & axis = axes_[i];
    axis = {of(p.low), of(p.high), 0.0, 0.0, of(p.equilibrium)};
    if (springs) {
      axis.stiffness = std::max(of(p.stiffness), 0.0);
      axis.damping = std::max(of(p.damping), 0.0);
    }
    most_rows_ += (axis.locked() ? 1 : 0) + (axis.limited() ? 1 : 0) + (axis.springy() ? 1 : 0);
  }
}

void SixDofJoint::look()
{
  const btTransform a = m_rbA.getCenterOfMassTransform() * frame_parent_;
  const btTransform b = m_rbB.getCenterOfMassTransform() * frame_child_;
  pivot_ = b.getOrigin();
  const btVector3 gap = pivot_ - a.getOrigin();
  const btVector3 speed = m_rbB.getVelocityInLocalPoint(pivot_ - m_rbB.getCenterOfMassPosition()) -
                          m_rbA.getVelocityInLocalPoint(pivot_ - m_rbA.getCenterOfMassPosition());
  const btVector3 turning = m_rbB.getAngularVelocity() - m_rbA.getAngularVelocity();

  const btMatrix3x3 r = a.getBasis().transpose() * b.getBasis();
  const double sine = std::clamp<double>(-r[2][0], -1.0, 1.0);
  const btVector3 angles(
    std::atan2(r[2][1], r[2][2]), std::asin(sine), std::atan2(r[1][0], r[0][0]));
  const btVector3 x = b.getBasis().getColumn(0);
  const btVector3 z = a.getBasis().getColumn(2);
  // Rates: w = a' x + b' y + c' z. The vectors that single out one rate are perpendicular to the other two axes.
  btVector3 y = z.cross(x);
  const double cosine = y.length();
  y = cosine > least_cosine ? y / cosine : a.getBasis().getColumn(1);
  const double scale = 1.0 / std::max<double>(cosine, least_cosine);
  const btVector3 about[] = {y.cross(z) * scale, y, x.cross(y) * scale};
  for (int i = 0; i < 6; ++i) {
    Measured & m = now_[i];
    const bool slides = i < 3;
    m.direction = slides ? a.getBasis().getColumn(i) : about[i - 3];
    m.value = slides ? m.direction.dot(gap) : angles[i - 3];
    m.rate = m.direction.dot(slides ? speed : turning);
    const double to_low = m.value - axes_[i].low;
    const double to_high = axes_[i].high - m.value;
    const double reach = limit_reach(m.rate);
    m.near_low = axes_[i].limited() && to_low < reach && to_low < to_high;
    m.near_high = axes_[i].limited() && to_high < reach && !m.near_low;
  }
}

void SixDofJoint::getInfo1(btConstraintInfo1 * info)
{
  look();
  info->m_numConstraintRows = 0;
  info->nub = 0;
  for (int i = 0; i < 6; ++i) {
    const bool hard = axes_[i].locked() || now_[i].near_low || now_[i].near_high;
    info->m_numConstraintRows += (hard ? 1 : 0) + (axes_[i].springy() ? 1 : 0);
  }
}

void SixDofJoint::getInfo2(btConstraintInfo2 * info)
{
  Rows rows(*this, info, pivot_);
  for (int i = 0; i < 6; ++i) {
    const Axis & axis = axes_[i];
    const Measured & m = now_[i];
    const bool slides = i < 3;
    const auto next = [&] { slides ? rows.linear(m.direction) : rows.angular(m.direction); };
    if (axis.locked()) {
      next();
      rows.lock(
        m.value - axis.low, slides ? softness.linear_compliance : softness.angular_compliance);
    } else if (m.near_low || m.near_high) {
      next();
      rows.limit(
        m.near_low, (m.near_low ? axis.low : axis.high) - m.value,
        slides ? limit_return_sliding : limit_return_turning);
    }
    if (axis.springy()) {
      next();
      rows.implicit(axis.stiffness, axis.damping, axis.equilibrium - m.value, 0.0, 0.0);
    }
  }
}

}  // namespace ambf_dynamics
