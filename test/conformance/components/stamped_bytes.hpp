// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// A message of any size whose first eight bytes hold the time of sending on the host's steady
// clock, which all processes of the host share.

#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>

#include "std_msgs/msg/u_int8_multi_array.hpp"

namespace ambf_conformance
{

using Bytes = std_msgs::msg::UInt8MultiArray;
inline constexpr std::size_t stamp_size = sizeof(std::int64_t);

inline std::int64_t steady_nanoseconds()
{
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
           std::chrono::steady_clock::now().time_since_epoch())
    .count();
}

/// The message must hold at least stamp_size bytes.
inline void stamp(Bytes & message)
{
  const auto now = steady_nanoseconds();
  std::memcpy(message.data.data(), &now, stamp_size);
}

/// Age in microseconds; negative when the message carries no stamp.
inline double age_in_microseconds(const Bytes & message)
{
  if (message.data.size() < stamp_size) { return -1.0; }
  std::int64_t sent = 0;
  std::memcpy(&sent, message.data.data(), stamp_size);
  return static_cast<double>(steady_nanoseconds() - sent) * 1e-3;
}

}  // namespace ambf_conformance
