#include "joint_factory.hpp"

#include "ambf_adf/placement.hpp"

namespace ambf_dynamics
{
namespace
{

using ambf_adf::JointType;

std::unique_ptr<btTypedConstraint> cone_twist(
  const ambf_adf::Joint& joint, const Body& parent, const Body& child, const JointFramesInertial& frames)
{
  // Bullet twists about x and swings about y and z; ours twists about z.
  const btTransform turn(btMatrix3x3(0, 1, 0, 0, 0, 1, 1, 0, 0));
  auto constraint = std::make_unique<btConeTwistConstraint>(
    *parent.rigid, *child.rigid, frames.parent * turn, frames.child * turn);
  const Eigen::Vector3d limits = joint.cone_twist.value_or(ambf_adf::ConeTwistLimits{}).swing_swing_twist;
  constraint->setLimit(limits.y(), limits.x(), limits.z());
  constraint->setDamping(joint.damping);
  return constraint;
}

std::unique_ptr<btTypedConstraint> six_dof(
  const ambf_adf::Joint& joint, const Body& parent, const Body& child, const JointFramesInertial& frames)
{
  const ambf_adf::SixDofParameters p = joint.six_dof.value_or(ambf_adf::SixDofParameters{});
  auto constraint = std::make_unique<btGeneric6DofSpring2Constraint>(
    *parent.rigid, *child.rigid, frames.parent, frames.child);
  constraint->setLinearLowerLimit(to_bt(p.low.linear));
  constraint->setLinearUpperLimit(to_bt(p.high.linear));
  // Bullet measures the parent's frame in the child's: angles change sign.
  constraint->setAngularLowerLimit(to_bt(Eigen::Vector3d(-p.high.angular)));
  constraint->setAngularUpperLimit(to_bt(Eigen::Vector3d(-p.low.angular)));
  if (joint.type == JointType::SixDofSpring) {
    for (int i = 0; i < 6; ++i) {
      const bool linear = i < 3;
      const int k = i % 3;
      constraint->enableSpring(i, true);
      constraint->setStiffness(i, linear ? p.stiffness.linear[k] : p.stiffness.angular[k]);
      constraint->setDamping(i, linear ? p.damping.linear[k] : p.damping.angular[k]);
      constraint->setEquilibriumPoint(i, linear ? p.equilibrium.linear[k] : -p.equilibrium.angular[k]);
    }
  }
  for (int i = 0; i < 6; ++i) {
    if (joint.erp) {constraint->setParam(BT_CONSTRAINT_STOP_ERP, *joint.erp, i);}
    if (joint.cfm) {constraint->setParam(BT_CONSTRAINT_STOP_CFM, *joint.cfm, i);}
  }
  return constraint;
}

}  // namespace

JointFramesInertial joint_frames(const ambf_adf::Joint& joint, const Body& parent, const Body& child)
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
  const ambf_adf::Joint& joint, const Body& parent, const Body& child)
{
  const JointFramesInertial frames = joint_frames(joint, parent, child);
  AxisJoint::Settings s;
  s.frame_parent = frames.parent;
  s.frame_child = frames.child;
  switch (joint.type) {
    case JointType::ConeTwist: return cone_twist(joint, parent, child, frames);
    case JointType::SixDof:
    case JointType::SixDofSpring: return six_dof(joint, parent, child, frames);
    case JointType::Revolute:
    case JointType::Continuous:
    case JointType::TorsionSpring: s.kind = AxisJoint::Kind::Revolute; break;
    case JointType::Prismatic:
    case JointType::LinearSpring: s.kind = AxisJoint::Kind::Prismatic; break;
    case JointType::Fixed: s.kind = AxisJoint::Kind::Fixed; break;
    case JointType::PointToPoint: s.kind = AxisJoint::Kind::Point; break;
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
