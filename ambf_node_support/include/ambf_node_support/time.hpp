// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

#include <builtin_interfaces/msg/time.hpp>

namespace ambf_node_support
{

/// Of the steady clock [s]: for waiting and for ages, whatever the node's clock is.
inline double steady_seconds()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The time on the wall, also where the node uses simulation time.
inline builtin_interfaces::msg::Time wall_stamp()
{
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<std::int32_t>(now / 1'000'000'000);
  stamp.nanosec = static_cast<std::uint32_t>(now % 1'000'000'000);
  return stamp;
}

}  // namespace ambf_node_support
