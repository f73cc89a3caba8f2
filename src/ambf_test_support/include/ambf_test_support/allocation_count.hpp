// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ambf_test_support
{

/// False where a sanitizer brings its own allocator: nothing is counted then.
extern const bool allocations_are_counted;

/// Calls of malloc and its relatives by anything in the process between the two. Linking this
/// library replaces them for the whole executable, so that those of shared libraries count, too.
void begin_counting_allocations();
long end_counting_allocations();

/// The same while `body` runs.
template <class Body>
long count_allocations(const Body & body)
{
  begin_counting_allocations();
  body();
  return end_counting_allocations();
}

}  // namespace ambf_test_support
