// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/pose_tracker.hpp"

#include <cmath>
#include <numbers>

#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{

using ambf_teleop::Pose;
using ambf_teleop::Twist;

tl::expected<Eigen::Quaterniond, std::string> parse_axes(const std::vector<std::string> & words)
{
  std::string found;
  for (const std::string & word : words) { found += (found.empty() ? "'" : ", '") + word + "'"; }
  const auto wrong = [&found](const std::string & expected) {
    return tl::unexpected(
      "found " + (found.empty() ? "nothing" : found) + ", expected " + expected);
  };
  const std::string three = "three of x, y, z, -x, -y, -z, like ['-z', 'x', 'y']";
  if (words.size() != 3) { return wrong(three); }
  Eigen::Matrix3d rows = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    const bool minus = words[i].starts_with('-');
    const std::string letter = words[i].substr(minus || words[i].starts_with('+') ? 1 : 0);
    const std::size_t axis =
      letter.size() == 1 ? std::string("xyz").find(letter) : std::string::npos;
    if (axis == std::string::npos) { return wrong(three); }
    rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(axis)) = minus ? -1.0 : 1.0;
  }
  if (std::abs(rows.determinant() - 1.0) > 1e-9) {
    return wrong(
      "each axis once, and a right-handed set: turn the sign of one of them, or exchange two");
  }
  return Eigen::Quaterniond(rows);
}

void PoseTracker::take_pose(const Pose & in_tracker, double time) noexcept
{
  const Eigen::Quaterniond & R = parameters_.R_base_tracker;
  // The body's own axes are turned with those of the world around it: a hand at rest has no turn.
  const Pose next{
    parameters_.scale * (R * in_tracker.position), R * in_tracker.orientation * R.conjugate()};
  const double dt = time - time_;
  if (!told_twist_) {
    if (!started_ || !(dt > 0.0) || dt > parameters_.longest_gap) {
      twist_ = {};
    } else {
      const double share = 1.0 - std::exp(-2.0 * std::numbers::pi * parameters_.twist_cutoff * dt);
      const Eigen::Vector3d linear = (next.position - pose_.position) / dt;
      const Eigen::Vector3d angular =
        ambf_teleop::rotation_vector(next.orientation * pose_.orientation.conjugate()) / dt;
      twist_.linear += share * (linear - twist_.linear);
      twist_.angular += share * (angular - twist_.angular);
      // What is not a number must not stay in the filter; the reading is refused for its pose.
      if (!twist_.linear.allFinite() || !twist_.angular.allFinite()) { twist_ = {}; }
    }
  }
  pose_ = next;
  time_ = time;
  started_ = is_finite(next);
}

void PoseTracker::take_twist(const Twist & in_tracker) noexcept
{
  told_twist_ = true;
  twist_ = {
    parameters_.scale * (parameters_.R_base_tracker * in_tracker.linear),
    parameters_.R_base_tracker * in_tracker.angular};
}

}  // namespace ambf_devices
