// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/sample_filter.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{
namespace
{

constexpr double unit_tolerance = 1e-3;

bool all_finite(const DeviceReading & reading) noexcept
{
  return is_finite(reading.T_base_tip) && reading.twist.linear.allFinite() &&
         reading.twist.angular.allFinite() && std::isfinite(reading.gripper) &&
         std::isfinite(reading.time);
}

bool within_reach_of_a_hand(
  const ReadingLimits & limits, const DeviceReading & from, const DeviceReading & to) noexcept
{
  const double dt = to.time - from.time;
  const double moved = (to.T_base_tip.position - from.T_base_tip.position).norm();
  const double turned = angle_between(from.T_base_tip.orientation, to.T_base_tip.orientation);
  return moved <= limits.max_speed * dt + limits.jump_margin &&
         turned <= limits.max_angular_speed * dt + limits.jump_margin;
}

/// Metres, a radian counting as a hand's length.
double distance(const DeviceReading & a, const DeviceReading & b) noexcept
{
  constexpr double hand_length = 0.1;
  return (a.T_base_tip.position - b.T_base_tip.position).norm() +
         hand_length * angle_between(a.T_base_tip.orientation, b.T_base_tip.orientation);
}

void keep(ReadingFilter & filter, const DeviceReading & reading) noexcept
{
  filter.last = reading;
  filter.far_count = 0;
  filter.started = true;
}

}  // namespace

std::string_view to_string(ReadingVerdict verdict) noexcept
{
  switch (verdict) {
    case ReadingVerdict::Accepted:
      return "accepted";
    case ReadingVerdict::Relocated:
      return "accepted at a new place";
    case ReadingVerdict::NotFinite:
      return "a value is NaN or infinite";
    case ReadingVerdict::NotARotation:
      return "the quaternion is not of unit length";
    case ReadingVerdict::Jump:
      return "the device jumped further than a hand can move";
    case ReadingVerdict::OutOfReach:
      return "the position is out of the device's reach";
    case ReadingVerdict::TooEarly:
      return "readings come faster than the shortest period";
    case ReadingVerdict::OutOfOrder:
      return "sequence or time went backwards";
  }
  return "unknown";
}

ReadingVerdict accept_reading(
  ReadingFilter & filter, const ReadingLimits & limits, const DeviceReading & reading) noexcept
{
  if (!all_finite(reading)) { return ReadingVerdict::NotFinite; }
  if (std::abs(reading.T_base_tip.orientation.norm() - 1.0) > unit_tolerance) {
    return ReadingVerdict::NotARotation;
  }
  if (reading.T_base_tip.position.norm() > limits.max_reach) { return ReadingVerdict::OutOfReach; }
  DeviceReading clean = reading;
  clean.T_base_tip.orientation.normalize();
  clean.gripper = std::clamp(reading.gripper, 0.0, 1.0);
  if (!filter.started) {
    keep(filter, clean);
    return ReadingVerdict::Accepted;
  }

  const double dt = clean.time - filter.last.time;
  if (dt > limits.longest_gap && filter.far_count == 0) {
    // Also a driver that was started again and counts from zero.
    keep(filter, clean);
    return ReadingVerdict::Relocated;
  }
  if (!(dt > 0.0) || clean.sequence <= filter.last.sequence) { return ReadingVerdict::OutOfOrder; }
  if (dt < limits.shortest_period) { return ReadingVerdict::TooEarly; }
  // With time a place further away comes within reach; one that belongs to a jump stays refused.
  const bool at_the_far_place =
    filter.far_count > 0 && distance(clean, filter.far) < distance(clean, filter.last);
  if (
    !at_the_far_place && dt <= limits.longest_gap &&
    within_reach_of_a_hand(limits, filter.last, clean)) {
    keep(filter, clean);
    return ReadingVerdict::Accepted;
  }
  const bool stays_there = filter.far_count > 0 && clean.time > filter.far.time &&
                           within_reach_of_a_hand(limits, filter.far, clean);
  filter.far_count = stays_there ? filter.far_count + 1 : 1;
  filter.far = clean;
  if (filter.far_count < limits.relocated_after) { return ReadingVerdict::Jump; }
  keep(filter, clean);
  return ReadingVerdict::Relocated;
}

}  // namespace ambf_teleop
