// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

namespace ambf_rendering
{

/// A camera that people move: it looks along -x of its frame at a target in front of it.
struct Orbit
{
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< AMBF's camera frame in the world
  double distance = 1.0;                                   ///< of the target [m]

  Eigen::Vector3d target() const { return pose * Eigen::Vector3d(-distance, 0.0, 0.0); }
};

/// Moves the scene with the mouse: dx, dy in parts of the window's height.
void pan(Orbit & orbit, double dx, double dy);
/// Turns about the target: dx about the world's z, dy about the camera's right axis. The camera stops
/// short of looking straight up or down.
void turn(Orbit & orbit, double dx, double dy);
/// Towards the target by a factor of the distance; close to it, the target moves on.
void zoom(Orbit & orbit, double amount);
/// Looks at a ball so that it fills the view.
void frame(Orbit & orbit, const Eigen::Vector3d & centre, double radius, double field_view_angle);

}  // namespace ambf_rendering
