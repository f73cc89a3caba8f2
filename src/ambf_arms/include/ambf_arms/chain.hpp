// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_arms/types.hpp"

namespace ambf_arms
{

/// A row of a Denavit-Hartenberg table. A joint that turns adds its value to theta, one that slides
/// to d.
struct DhRow
{
  double alpha = 0.0;  ///< [rad]
  double a = 0.0;      ///< [m]
  double d = 0.0;      ///< [m]
  double theta = 0.0;  ///< [rad]
  bool slides = false;
};

enum class DhConvention
{
  Standard,  ///< Rz(theta) Tz(d) Tx(a) Rx(alpha)
  Modified,  ///< Craig: Rx(alpha) Tx(a) Rz(theta) Tz(d)
};

/// Adds `ratio` times the value of an arm's joint to the value of a step.
struct Follows
{
  int joint = 0;
  double ratio = 1.0;
};

/// A moving frame: a constant transform, then a turn about its z axis or a slide along it. The value
/// is offset + sum(ratio * joint): one joint for a plain chain, several for links of parallelograms.
struct Step
{
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< of this frame in the one before
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< [m]
  bool slides = false;
  int n_follows = 0;
  std::array<Follows, 4> follows{};
  double offset = 0.0;

  double value(const JointVector & q) const noexcept
  {
    double sum = offset;
    for (int i = 0; i < n_follows; ++i) {
      const Follows & f = follows[static_cast<std::size_t>(i)];
      sum += f.ratio * q[f.joint];
    }
    return sum;
  }
};

/// From the base frame over moving frames to the tip. The functions below expect one value for each
/// of `joints`; `Arm` checks what comes from outside.
struct Chain
{
  int joints = 0;                                              ///< of the arm, not of the steps
  std::vector<Step> steps;                                     ///< at most max_steps
  Eigen::Matrix3d tip_rotation = Eigen::Matrix3d::Identity();  ///< of the tip in the last frame
  Eigen::Vector3d tip_position = Eigen::Vector3d::Zero();      ///< [m]
};

/// One joint for each row.
Chain make_chain(
  std::span<const DhRow> rows, DhConvention convention,
  const Eigen::Isometry3d & tip = Eigen::Isometry3d::Identity());

/// Appends a constant transform behind the tip.
void append(Chain & chain, const Eigen::Isometry3d & transform);

/// T_base_tip.
Eigen::Isometry3d forward(const Chain & chain, const JointVector & q) noexcept;
/// The frame that moves with step `step` (counted from 0).
Eigen::Isometry3d forward(const Chain & chain, const JointVector & q, int step) noexcept;

/// The tip with its Jacobian: velocity of the tip's origin and angular velocity, both in the axes of
/// the base. The other two follow from it.
struct TipMotion
{
  Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();
  Jacobian jacobian;
};
void tip_motion(const Chain & chain, const JointVector & q, TipMotion & out) noexcept;
/// Both rows in the axes of the tip.
void body_jacobian(const TipMotion & motion, Jacobian & out) noexcept;
/// In the axes of the base, of the point that passes the base's origin.
void spatial_jacobian(const TipMotion & motion, Jacobian & out) noexcept;

/// How freely the tip moves.
struct Manipulability
{
  double volume = 0.0;    ///< sqrt(det(J J^T)); with less than six joints sqrt(det(J^T J))
  double smallest = 0.0;  ///< singular value; 0 at a singular posture
  double largest = 0.0;
};
/// Of any Jacobian; lengths are divided by `length` [m] so that they compare with angles.
Manipulability manipulability(const Jacobian & jacobian, double length = 1.0) noexcept;

}  // namespace ambf_arms
