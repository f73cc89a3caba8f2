// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "ambf_arms/chain.hpp"
#include "ambf_teleop/gravity.hpp"
#include "ambf_teleop/null_space.hpp"

namespace ambf_device_nodes
{

constexpr int master_joints = 7;

/// A link of a master, for its weight.
struct MasterLink
{
  double mass = 0.0;                                 ///< [kg]
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of mass, in the joint's frame [m]
};

struct MasterLawParameters
{
  ambf_teleop::NullSpaceGains null_space;  ///< of the wrist platform, joint 4
  std::array<MasterLink, master_joints> links;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< in the axes of measured_cp [m/s^2]

  bool has_null_space() const noexcept
  {
    return null_space.stiffness > 0.0 || null_space.damping > 0.0;
  }
  bool has_weight() const noexcept;
};

/// What a dVRK master's driver adds in joint space: the wrist platform's null-space torque and the
/// weight of the links, with the kinematics of ambf_arms. Poses and forces of measured_cp may have
/// another base than the chain: the tip, which both know, tells how it is turned. Nothing allocates.
class MasterLaws
{
public:
  explicit MasterLaws(const MasterLawParameters & parameters);

  /// What was measured last: from the loop's thread, as is everything here.
  void measure(
    const std::array<double, master_joints> & positions,
    const std::array<double, master_joints> & velocities,
    const Eigen::Quaterniond & R_base_tip) noexcept;

  /// Joint efforts for a wrench at the tip in the axes of measured_cp, the null space and the weight
  /// [N m].
  std::array<double, master_joints> efforts(const ambf_teleop::Wrench & wrench) const noexcept;

  /// The wrench that holds the weight, for arms that take no efforts: in the axes of measured_cp.
  ambf_teleop::Wrench weight() const noexcept;

  const MasterLawParameters & parameters() const noexcept { return parameters_; }

private:
  ambf_teleop::DeviceTorques weight_efforts() const noexcept;

  MasterLawParameters parameters_;
  ambf_arms::Chain chain_;
  ambf_arms::JointVector q_;
  double platform_velocity_ = 0.0;
  ambf_arms::TipMotion motion_;
  /// Axes of measured_cp in those of the chain's base.
  Eigen::Quaterniond R_chain_base_ = Eigen::Quaterniond::Identity();
  bool measured_ = false;
};

}  // namespace ambf_device_nodes
