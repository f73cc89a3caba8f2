// SPDX-License-Identifier: BSD-3-Clause
#include "joint_factory.hpp"

#include "ambf_adf/placement.hpp"
#include "six_dof_joint.hpp"

namespace ambf_dynamics
{
namespace
{

using ambf_adf::JointType;

std::unique_ptr<btTypedConstraint> cone_twist(
  const ambf_adf::Joint & joint, const Body & parent, const Body & child,
  const JointFramesInertial & frames)
{
  // Bullet twists about x and swings about y and z; ours twists about z.
  const btTransform turn(btMatrix3x3(0, 1, 0, 0, 0, 1, 1, 0, 0));
  auto constraint = std::make_unique<btConeTwistConstraint>(
    *parent.rigid, *child.rigid, frames.parent * turn, frames.child * turn);
  const Eigen::Vector3d limits =
    joint.cone_twist.value_or(ambf_adf::ConeTwistLimits{}).swing_swing_twist;
  constraint->setLimit(limits.y(), limits.x(), limits.z());
  constraint->setDamping(joint.damping);
  return constraint;
}

}  // namespace

JointFramesInertial joint_frames(
  const ambf_adf::Joint & joint, const Body & parent, const Body & child)
{
  const Eigen::Matrix3d r_parent_frame =
    ambf_adf::rotation_between(Eigen::Vector3d::UnitZ(), joint.parent_axis) *
    Eigen::AngleAxisd(joint.joint_offset, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  Eigen::Isometry3d f_parent = Eigen::Isometry3d::Identity();
  f_parent.linear() = r_parent_frame;
  f_parent.translation() = parent.scale * joint.parent_pivot;
  Eigen::Isometry3d f_child = Eigen::Isometry3d::Identity();
  f_child.linear() = ambf_adf::child_rotation_at_zero(joint).transpose() * r_parent_frame;
  f_child.translation() = child.scale * joint.child_pivot;
  return {parent.t_inertial_body * to_bt(f_parent), child.t_inertial_body * to_bt(f_child)};
}

std::unique_ptr<btTypedConstraint> make_constraint(
  const ambf_adf::Joint & joint, const Body & parent, const Body & child)
{
  const JointFramesInertial frames = joint_frames(joint, parent, child);
  AxisJoint::Settings s;
  s.frame_parent = frames.parent;
  s.frame_child = frames.child;
  switch (joint.type) {
    case JointType::ConeTwist:
      return cone_twist(joint, parent, child, frames);
    case JointType::SixDof:
    case JointType::SixDofSpring:
      return std::make_unique<SixDofJoint>(
        *parent.rigid, *child.rigid, frames.parent, frames.child,
        joint.six_dof.value_or(ambf_adf::SixDofParameters{}),
        joint.type == JointType::SixDofSpring);
    case JointType::Revolute:
    case JointType::Continuous:
    case JointType::TorsionSpring:
      s.kind = AxisJoint::Kind::Revolute;
      break;
    case JointType::Prismatic:
    case JointType::LinearSpring:
      s.kind = AxisJoint::Kind::Prismatic;
      break;
    case JointType::Fixed:
      s.kind = AxisJoint::Kind::Fixed;
      break;
    case JointType::PointToPoint:
      s.kind = AxisJoint::Kind::Point;
      break;
  }
  if (joint.limits) {
    s.limited = true;
    s.low = joint.limits->low;
    s.high = joint.limits->high;
  }
  if (joint.type == JointType::TorsionSpring || joint.type == JointType::LinearSpring) {
    s.stiffness = joint.stiffness;
    const double middle = joint.limits ? 0.5 * (joint.limits->low + joint.limits->high) : 0.0;
    s.equilibrium = joint.equilibrium.value_or(middle);
  }
  return std::make_unique<AxisJoint>(*parent.rigid, *child.rigid, s);
}

}  // namespace ambf_dynamics
