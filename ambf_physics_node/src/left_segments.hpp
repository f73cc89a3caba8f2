// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>

namespace ambf_physics
{

/// Removes the shared memory that killed programs left: Fast DDS gives every program half a megabyte in /dev/shm, and
/// one that is killed leaves it there for ever. Returns how many were removed.
///
/// A living owner holds a lock on the file `<segment>_el`, and the kernel gives it back whatever end the owner has: a
/// segment whose lock can be taken belongs to nobody. This is also the rule of `fastdds shm clean`. What another user
/// left stays.
std::size_t remove_left_segments(const std::filesystem::path & folder = "/dev/shm");

}  // namespace ambf_physics
