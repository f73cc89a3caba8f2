// SPDX-License-Identifier: BSD-3-Clause
#include "row_joint.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_dynamics
{

RowJoint::Rows::Rows(RowJoint & joint, btConstraintInfo2 * info, const btVector3 & pivot)
: joint_(joint),
  info_(info),
  arm_parent_(pivot - joint.m_rbA.getCenterOfMassPosition()),
  arm_child_(pivot - joint.m_rbB.getCenterOfMassPosition())
{
  joint_.compliance_.fill(-1.0);
  joint_.locked_.fill(false);
}

void RowJoint::Rows::write(
  const btVector3 & n, const btVector3 & parent_angular, const btVector3 & child_angular)
{
  ++row_;
  for (int i = 0; i < 3; ++i) {
    info_->m_J1linearAxis[at() + i] = -n[i];
    info_->m_J1angularAxis[at() + i] = -parent_angular[i];
    info_->m_J2linearAxis[at() + i] = n[i];
    info_->m_J2angularAxis[at() + i] = child_angular[i];
  }
}

void RowJoint::Rows::bounds(double low, double high)
{
  info_->m_lowerLimit[at()] = low;
  info_->m_upperLimit[at()] = high;
}

void RowJoint::Rows::lock(double error, double compliance)
{
  target(-joint_.softness.erp * info_->fps * error);
  cfm(joint_.softness.cfm);
  joint_.compliance_[static_cast<std::size_t>(row_)] = compliance;
  joint_.locked_[static_cast<std::size_t>(row_)] = true;
}

void RowJoint::Rows::implicit(double p, double d, double error, double rate, double effort)
{
  const double step = 1.0 / info_->fps;
  const double k = d + step * p;
  target((p * error + d * rate + effort) / k);
  joint_.compliance_[static_cast<std::size_t>(row_)] = 1.0 / (step * k);
}

void RowJoint::Rows::limit(bool at_low, double distance, double fastest_return)
{
  const bool behind = at_low ? distance > 0.0 : distance < 0.0;
  const double back =
    std::clamp(distance * joint_.softness.erp * info_->fps, -fastest_return, fastest_return);
  target(behind ? back : distance * info_->fps);
  cfm(joint_.softness.cfm);
  at_low ? bounds(0.0, SIMD_INFINITY) : bounds(-SIMD_INFINITY, 0.0);
}

}  // namespace ambf_dynamics
