// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

namespace ambf_device_nodes
{

/// SDL is one for the process: several devices of a container take turns.
inline std::recursive_mutex & sdl_mutex()
{
  static std::recursive_mutex mutex;
  return mutex;
}

using SdlLock = std::lock_guard<std::recursive_mutex>;

}  // namespace ambf_device_nodes
