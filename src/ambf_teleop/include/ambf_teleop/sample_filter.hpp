// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// What a driver read, in the device's base frame.
struct DeviceReading
{
  Pose T_base_tip;
  Twist twist;
  double gripper = 0.0;        ///< 0 closed .. 1 open
  double time = 0.0;           ///< steady clock [s]
  std::uint64_t sequence = 0;  ///< rises with every reading
};

struct ReadingLimits
{
  double max_speed = 5.0;                 ///< [m/s]; a hand stays below 3
  double max_angular_speed = 60.0;        ///< [rad/s]
  double jump_margin = 0.005;             ///< [m] and [rad], for noise and jitter of the clock
  double max_reach = 10.0;                ///< [m] from the base
  double shortest_period = 1.0 / 4000.0;  ///< [s]; readings that follow faster are left out
  double longest_gap = 0.1;               ///< [s]; after a longer silence the hand may be anywhere
  std::uint32_t relocated_after = 20;     ///< readings at a new place until it is believed
};

enum class ReadingVerdict : std::uint8_t
{
  Accepted,
  Relocated,     ///< accepted after a jump or a gap: anchor the clutches anew (forget_handle)
  NotFinite,     ///< NaN or infinity
  NotARotation,  ///< quaternion further than 1e-3 from unit length
  Jump,          ///< further than a hand can move since the last accepted reading
  OutOfReach,
  TooEarly,    ///< floods: faster than the shortest period
  OutOfOrder,  ///< sequence or time did not rise
};

constexpr bool usable(ReadingVerdict verdict) noexcept
{
  return verdict == ReadingVerdict::Accepted || verdict == ReadingVerdict::Relocated;
}

std::string_view to_string(ReadingVerdict verdict) noexcept;

struct ReadingFilter
{
  DeviceReading last;  ///< the last one accepted, orientation of unit length, gripper in 0..1
  DeviceReading far;   ///< the last one refused as a jump
  std::uint32_t far_count = 0;
  bool started = false;
};

/// Judges a reading. If usable, filter.last is its cleaned form; otherwise filter.last stays.
ReadingVerdict accept_reading(
  ReadingFilter & filter, const ReadingLimits & limits, const DeviceReading & reading) noexcept;

}  // namespace ambf_teleop
