// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// Two hands that hold the picture at both sides, and drag and turn it: as one hand that moves the camera. The picture
/// goes with the hands, so the camera goes against them: the one hand is at minus the middle of the two, and rolled
/// against the line from the left one to the right one.
///
/// Their distance means nothing. A line that is nearly along the viewing axis has no roll, and keeps the last one.
class TwoHandedDrag
{
public:
  /// `out_of_picture`: the viewing axis towards the person, in the axes of the hands' view; unit length. The result turns
  /// about that axis only.
  Pose update(
    const Pose & T_user_left, const Pose & T_user_right,
    const Eigen::Vector3d & out_of_picture) noexcept;

private:
  bool started_ = false;
  Eigen::Vector3d across_ = Eigen::Vector3d::Zero();  ///< from left to right at the beginning
  double roll_ = 0.0;                                 ///< of the hands since then [rad]
};

/// A spring that keeps the hands as far apart as they were: the force on the right hand; the left one gets the opposite [N].
Eigen::Vector3d distance_spring(
  const Eigen::Vector3d & left, const Eigen::Vector3d & right, double rest_length,
  double stiffness) noexcept;

}  // namespace ambf_teleop
