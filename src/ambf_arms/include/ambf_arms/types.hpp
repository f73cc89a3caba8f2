// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <Eigen/Core>
#include <tl/expected.hpp>

// Vectors of joints live on the stack: nothing that a control loop calls touches the heap.

namespace ambf_arms
{

/// Largest number of joints of an arm.
inline constexpr int max_joints = 16;
/// Largest number of moving frames between an arm's base and its tip, followers included.
inline constexpr int max_steps = 32;

/// One value per joint [rad or m, and what follows from them].
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_joints, 1>;
using JointMatrix =
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_joints, max_joints>;
/// Rows: linear x y z, angular x y z.
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, max_joints>;
/// A twist (linear, angular) or a wrench (force, torque).
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Why something was not done. Plain values, because loops hand them on.
enum class Refusal : std::uint8_t
{
  WrongSize,       ///< not one value per joint
  NotFinite,       ///< NaN or infinity
  ZeroQuaternion,  ///< a quaternion of length 0 is no orientation
  NotARotation,    ///< a matrix that is not orthonormal, or a mirror image
  InsideCannula,   ///< so close to the remote centre that the direction of the shaft is undefined
  BadLimits,       ///< limits that are not positive, or low above high
  BadRatio,        ///< not within ]0, 1]
  NoSolution,      ///< nothing that could be solved, e.g. an arm without joints
};

/// A whole sentence for people.
const char * to_string(Refusal refusal) noexcept;

template <class T>
using Result = tl::expected<T, Refusal>;

inline JointVector zeros(Eigen::Index joints) { return JointVector::Zero(joints); }

}  // namespace ambf_arms
