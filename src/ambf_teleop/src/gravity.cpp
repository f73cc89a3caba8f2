// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/gravity.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

namespace ambf_teleop
{

DeviceTorques gravity_torques(
  std::span<const DeviceLink> links, const Eigen::Vector3d & gravity) noexcept
{
  const std::size_t count = std::min(links.size(), static_cast<std::size_t>(max_device_joints));
  DeviceTorques torques = DeviceTorques::Zero(static_cast<Eigen::Index>(count));
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = j; i < count; ++i) {
      // Motion of link i's centre of mass per unit of joint j.
      const Eigen::Vector3d motion =
        links[j].prismatic
          ? links[j].joint_axis
          : links[j].joint_axis.cross(links[i].centre_of_mass - links[j].joint_position).eval();
      torques[static_cast<Eigen::Index>(j)] -= links[i].mass * gravity.dot(motion);
    }
  }
  return torques;
}

Wrench wrench_from_torques(
  const DeviceJacobian & jacobian, const DeviceTorques & torques, double damping) noexcept
{
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  // Normal equations (J J^T + damping^2 I) w = J tau, column by column: all sizes stay fixed.
  Matrix6 normal = damping * damping * Matrix6::Identity();
  Vector6 right = Vector6::Zero();
  const Eigen::Index count = std::min(jacobian.cols(), torques.size());
  for (Eigen::Index j = 0; j < count; ++j) {
    const Vector6 column = jacobian.col(j);
    normal += column * column.transpose();
    right += torques[j] * column;
  }
  const Vector6 wrench = normal.ldlt().solve(right);
  return {wrench.head<3>(), wrench.tail<3>()};
}

Wrench gravity_wrench(const GravityHook & hook, const Pose & T_base_tip) noexcept
{
  if (hook.wrench_at_tip == nullptr) { return {}; }
  const Wrench wrench = hook.wrench_at_tip(T_base_tip, hook.context);
  return is_finite(wrench) ? wrench : Wrench{};
}

}  // namespace ambf_teleop
