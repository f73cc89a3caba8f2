// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "ambf_teleop/frames.hpp"

namespace ambf_devices
{

/// How a tracker's poses become those of a device.
struct TrackerParameters
{
  /// The tracker's axes in the device's base, which are those of AMBF's view: x towards the person, y
  /// to the right, z up.
  Eigen::Quaterniond R_base_tracker = Eigen::Quaterniond::Identity();
  double scale = 1.0;  ///< metres per unit of the tracker: 0.001 where it counts millimetres
  double twist_cutoff = 15.0;  ///< of the low pass on velocities that are differences of poses [Hz]
  double longest_gap = 0.1;    ///< after a longer silence the differences start anew [s]
};

/// Which axis of the tracker is x, y and z of the device, each with a sign: {"-z", "x", "y"}. The error
/// says what is wrong; a left-handed set is.
tl::expected<Eigen::Quaterniond, std::string> parse_axes(const std::vector<std::string> & words);

/// Where a tracked hand is and how fast, from poses alone where nobody says a velocity.
class PoseTracker
{
public:
  explicit PoseTracker(const TrackerParameters & parameters) : parameters_(parameters) {}

  /// A pose in the tracker's frame and units; `time` of its arrival or stamp [s].
  void take_pose(const ambf_teleop::Pose & in_tracker, double time) noexcept;

  /// A velocity in the tracker's axes and units: from now on differences are not taken any more.
  void take_twist(const ambf_teleop::Twist & in_tracker) noexcept;

  const ambf_teleop::Pose & pose() const noexcept { return pose_; }
  const ambf_teleop::Twist & twist() const noexcept { return twist_; }

private:
  TrackerParameters parameters_;
  ambf_teleop::Pose pose_;
  ambf_teleop::Twist twist_;
  double time_ = 0.0;
  bool started_ = false;
  bool told_twist_ = false;
};

}  // namespace ambf_devices
