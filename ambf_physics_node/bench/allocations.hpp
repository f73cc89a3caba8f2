// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// Where memory of one size was given out lately. The bodies of a snapshot are allocated once, by the node
/// that fills them: a reader that finds its data at one of these places got no copy.
namespace allocations
{

void watch(std::size_t size);
std::size_t count();
bool given_out_lately(const void * memory);

}  // namespace allocations
