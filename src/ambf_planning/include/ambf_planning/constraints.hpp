// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ambf_planning/arm_bodies.hpp"

namespace ambf_planning
{

/// A shaft that stays in its port: the straight line through the tip along `axis` passes the point.
struct RemoteCentre
{
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< {W} [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of the shaft, in the tip's frame
  double tolerance = 0.001;                         ///< [m]
};

/// A direction of the tip that stays near one of the world, e.g. to carry something upright.
struct TipDirection
{
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();       ///< in the tip's frame
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< {W}
  double tolerance = 0.1;                                ///< [rad]
};

/// The tip's whole orientation stays near one.
struct TipOrientation
{
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< {W}
  double tolerance = 0.1;                                           ///< [rad]
};

/// What holds at every posture of a motion.
struct Constraints
{
  std::vector<RemoteCentre> remote_centres;
  std::vector<TipDirection> directions;
  std::vector<TipOrientation> orientations;

  bool empty() const
  {
    return remote_centres.empty() && directions.empty() && orientations.empty();
  }
};

/// What is wrong with them, as a sentence.
std::optional<std::string> problem_of(const Constraints & constraints);

/// How far a posture is beyond the first constraint that it breaks, as a sentence; nothing: it keeps all.
std::optional<std::string> broken(
  const Constraints & constraints, const ArmBodies & arm, const JointVector & q);
bool keeps(const Constraints & constraints, const ArmBodies & arm, const JointVector & q);

/// Moves a posture to the nearest one nearby that keeps the constraints and the limits (Gauss-Newton with
/// damping); false: not found, `q` is what it came to.
bool project(const Constraints & constraints, const ArmBodies & arm, JointVector & q);

}  // namespace ambf_planning
