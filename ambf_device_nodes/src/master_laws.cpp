// SPDX-License-Identifier: BSD-3-Clause
#include "master_laws.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_arms/dvrk_arms.hpp"

namespace ambf_device_nodes
{
namespace
{

constexpr std::size_t platform = 3;  // joint 4

/// Near a singular posture no wrench stands for some efforts; this bounds it [m and rad alike].
constexpr double weight_damping = 0.01;

}  // namespace

bool MasterLawParameters::has_weight() const noexcept
{
  return std::any_of(
    links.begin(), links.end(), [](const MasterLink & link) { return link.mass > 0.0; });
}

MasterLaws::MasterLaws(const MasterLawParameters & parameters)
: parameters_(parameters), chain_(ambf_arms::mtm_chain()), q_(ambf_arms::zeros(master_joints))
{
}

void MasterLaws::measure(
  const std::array<double, master_joints> & positions,
  const std::array<double, master_joints> & velocities,
  const Eigen::Quaterniond & R_base_tip) noexcept
{
  for (int i = 0; i < master_joints; ++i) { q_[i] = positions[static_cast<std::size_t>(i)]; }
  platform_velocity_ = velocities[platform];
  measured_ = q_.allFinite() && R_base_tip.coeffs().allFinite();
  if (!measured_) { return; }
  ambf_arms::tip_motion(chain_, q_, motion_);
  const Eigen::Quaterniond R_chain_tip(motion_.tip.linear());
  R_chain_base_ = (R_chain_tip * R_base_tip.conjugate()).normalized();
}

ambf_teleop::DeviceTorques MasterLaws::weight_efforts() const noexcept
{
  std::array<ambf_teleop::DeviceLink, master_joints> links;
  for (int i = 0; i < master_joints; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Eigen::Isometry3d frame = ambf_arms::forward(chain_, q_, i);
    links[k].joint_position = frame.translation();
    links[k].joint_axis = frame.linear().col(2);
    links[k].mass = parameters_.links[k].mass;
    links[k].centre_of_mass = frame * parameters_.links[k].centre;
  }
  return ambf_teleop::gravity_torques(links, R_chain_base_ * parameters_.gravity);
}

std::array<double, master_joints> MasterLaws::efforts(
  const ambf_teleop::Wrench & wrench) const noexcept
{
  std::array<double, master_joints> efforts{};
  if (!measured_) { return efforts; }
  const Eigen::Vector3d force = R_chain_base_ * wrench.force;
  const Eigen::Vector3d torque = R_chain_base_ * wrench.torque;
  ambf_teleop::DeviceTorques weight = ambf_teleop::DeviceTorques::Zero(master_joints);
  if (parameters_.has_weight()) { weight = weight_efforts(); }
  for (int i = 0; i < master_joints; ++i) {
    const auto column = motion_.jacobian.col(i);
    efforts[static_cast<std::size_t>(i)] =
      column.head<3>().dot(force) + column.tail<3>().dot(torque) + weight[i];
  }
  efforts[platform] +=
    ambf_teleop::platform_torque(parameters_.null_space, q_.tail<4>(), platform_velocity_);
  return efforts;
}

ambf_teleop::Wrench MasterLaws::weight() const noexcept
{
  if (!measured_ || !parameters_.has_weight()) { return {}; }
  const ambf_teleop::DeviceJacobian jacobian = motion_.jacobian;
  const auto in_chain =
    ambf_teleop::wrench_from_torques(jacobian, weight_efforts(), weight_damping);
  const Eigen::Quaterniond back = R_chain_base_.conjugate();
  return {back * in_chain.force, back * in_chain.torque};
}

}  // namespace ambf_device_nodes
