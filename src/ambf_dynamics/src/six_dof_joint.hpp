// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_adf/joint.hpp"
#include "row_joint.hpp"

namespace ambf_dynamics
{

/// A joint that locks, limits or frees each of its six axes, with a spring and a damper on those that move.
///
/// Places are those of the child's frame B along the axes of the parent's frame A. Angles are those of
/// R_AB = Rz(c) Ry(b) Rx(a), as in Bullet's six-dof joints: a turns about B's x axis, c about A's z axis. A row of
/// an angle measures its rate exactly, so that springs do as much work as they store.
///
/// Bullet's springs have bounds where ours have a compliance: a chain of these is one linear system.
class SixDofJoint : public RowJoint
{
public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  SixDofJoint(
    btRigidBody & parent, btRigidBody & child, const btTransform & frame_parent,
    const btTransform & frame_child, const ambf_adf::SixDofParameters & parameters, bool springs);

  int most_rows() const override { return most_rows_; }
  void getInfo1(btConstraintInfo1 * info) override;
  void getInfo2(btConstraintInfo2 * info) override;

private:
  struct Axis  // 0 to 2: along, 3 to 5: about x, y, z
  {
    double low;
    double high;
    double stiffness;
    double damping;
    double equilibrium;
    bool locked() const { return low == high; }
    bool limited() const { return low < high; }
    bool springy() const { return !locked() && (stiffness > 0.0 || damping > 0.0); }
  };
  struct Measured
  {
    btVector3 direction;
    double value;
    double rate;
    bool near_low;  // the row of this limit is needed
    bool near_high;
  };
  void look();

  btTransform frame_parent_;
  btTransform frame_child_;
  Axis axes_[6];
  int most_rows_ = 0;
  btVector3 pivot_;
  Measured now_[6];
};

}  // namespace ambf_dynamics
