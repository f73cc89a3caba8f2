// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "ambf_adf/joint.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

/// The constraint of an ADF joint between two bodies. One-axis, fixed and point joints become an
/// AxisJoint, six-dof joints a SixDofJoint, cone-twist joints Bullet's.
std::unique_ptr<btTypedConstraint> make_constraint(
  const ambf_adf::Joint & joint, const Body & parent, const Body & child);

/// Joint frame at the parent and at the child, in their inertial frames; they coincide at joint value
/// 0 and have z along the joint axis.
struct JointFramesInertial
{
  btTransform parent;
  btTransform child;
};
JointFramesInertial joint_frames(
  const ambf_adf::Joint & joint, const Body & parent, const Body & child);

}  // namespace ambf_dynamics
