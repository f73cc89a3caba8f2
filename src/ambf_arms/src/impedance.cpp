// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/impedance.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "ambf_arms/pose.hpp"

namespace ambf_arms
{
namespace
{

Eigen::Vector3d half_plane(
  const HalfPlaneGains & positive, const HalfPlaneGains & negative, const Eigen::Vector3d & error,
  const Eigen::Vector3d & velocity) noexcept
{
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (Eigen::Index i = 0; i < 3; ++i) {
    const HalfPlaneGains & gains = error[i] >= 0.0 ? positive : negative;
    const double beyond = std::abs(error[i]) - gains.deadband[i];
    if (beyond > 0.0) {
      // From the edge of the dead band on, so that the force begins at its bias.
      out[i] =
        gains.p[i] * std::copysign(beyond, error[i]) + gains.d[i] * velocity[i] + gains.bias[i];
    }
  }
  return out;
}

bool finite(const HalfPlaneGains & gains) noexcept
{
  return gains.p.allFinite() && gains.d.allFinite() && gains.bias.allFinite() &&
         gains.deadband.allFinite();
}

Eigen::Vector3d at_most(const Eigen::Vector3d & v, double length) noexcept
{
  const double norm = v.norm();
  return norm > length ? Eigen::Vector3d(v * (length / norm)) : v;
}

}  // namespace

Result<void> joint_efforts(
  const JointImpedance & law, const JointVector & goal, const JointVector & goal_velocity,
  const JointVector & position, const JointVector & velocity, const JointVector & feed_forward,
  JointVector & effort) noexcept
{
  const Eigen::Index n = position.size();
  for (const JointVector * v :
       {&law.stiffness, &law.damping, &law.max_effort, &goal, &goal_velocity, &velocity,
        &feed_forward}) {
    if (v->size() != n) { return tl::unexpected(Refusal::WrongSize); }
  }
  JointVector out =
    (law.stiffness.array() * (goal - position).array() +
     law.damping.array() * (goal_velocity - velocity).array() + feed_forward.array())
      .matrix();
  if (!out.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  for (Eigen::Index i = 0; i < n; ++i) {
    const double most = std::max(0.0, law.max_effort[i]);
    out[i] = std::clamp(out[i], -most, most);
  }
  effort = out;
  return {};
}

Result<Vector6> impedance_wrench(
  const CartesianImpedance & law, const Eigen::Isometry3d & tip, const Vector6 & velocity) noexcept
{
  if (
    !is_finite(tip) || !velocity.allFinite() || !law.force_position.allFinite() ||
    !finite(law.position_positive) || !finite(law.position_negative) ||
    !finite(law.orientation_positive) || !finite(law.orientation_negative)) {
    return tl::unexpected(Refusal::NotFinite);
  }
  const auto force_frame = make_pose(Eigen::Vector3d::Zero(), law.force_orientation);
  const auto torque_frame = make_pose(Eigen::Vector3d::Zero(), law.torque_orientation);
  if (!force_frame || !torque_frame) {
    return tl::unexpected(force_frame ? torque_frame.error() : force_frame.error());
  }
  const Eigen::Matrix3d force_axes = force_frame->linear();
  const Eigen::Matrix3d torque_axes = torque_frame->linear();
  const Eigen::Vector3d error = force_axes.transpose() * (tip.translation() - law.force_position);
  const Eigen::Vector3d turn = rotation_vector(torque_axes.transpose() * tip.linear());
  Vector6 out;
  out << force_axes * half_plane(
                        law.position_positive, law.position_negative, error,
                        force_axes.transpose() * velocity.head<3>()),
    torque_axes * half_plane(
                    law.orientation_positive, law.orientation_negative, turn,
                    torque_axes.transpose() * velocity.tail<3>());
  // Gains can be finite and too large all the same.
  if (!out.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  return out;
}

Result<Vector6> pose_wrench(
  const PoseImpedance & law, const Eigen::Isometry3d & goal, const Vector6 & goal_velocity,
  const Eigen::Isometry3d & tip, const Vector6 & velocity) noexcept
{
  if (!is_finite(goal) || !is_finite(tip) || !velocity.allFinite() || !goal_velocity.allFinite()) {
    return tl::unexpected(Refusal::NotFinite);
  }
  const Vector6 slip = goal_velocity - velocity;
  const Eigen::Vector3d turn = rotation_vector(goal.linear() * tip.linear().transpose());
  Vector6 out;
  out << at_most(
    law.linear_stiffness.cwiseProduct(goal.translation() - tip.translation()) +
      law.linear_damping.cwiseProduct(slip.head<3>()),
    law.max_force),
    at_most(
      law.angular_stiffness.cwiseProduct(turn) + law.angular_damping.cwiseProduct(slip.tail<3>()),
      law.max_torque);
  return out;
}

void efforts_of_wrench(
  const Jacobian & jacobian, const Vector6 & wrench, JointVector & effort) noexcept
{
  effort.noalias() = jacobian.transpose() * wrench;
}

Vector6 wrench_of_efforts(
  const Jacobian & jacobian, const JointVector & effort, double damping) noexcept
{
  Eigen::Matrix<double, 6, 6> gram = jacobian * jacobian.transpose();
  gram.diagonal().array() += damping * damping;
  return gram.ldlt().solve(jacobian * effort);
}

}  // namespace ambf_arms
