// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace ambf_simulation
{

/// Wakes a waiting thread from a thread that must not block: raising costs an addition, and a system
/// call only when somebody waits. No wake-up is lost.
class StepSignal
{
public:
  void raise()
  {
    count_.fetch_add(1, std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_seq_cst)) {
      syscall(SYS_futex, address(), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    }
  }

  std::uint32_t count() const { return count_.load(std::memory_order_seq_cst); }

  /// Waits until the count is no longer `seen`, or `timeout` nanoseconds have passed.
  void wait(std::uint32_t seen, std::int64_t timeout)
  {
    if (timeout <= 0) { return; }
    const timespec limit{timeout / 1'000'000'000, timeout % 1'000'000'000};
    waiting_.store(true, std::memory_order_seq_cst);
    syscall(SYS_futex, address(), FUTEX_WAIT_PRIVATE, seen, &limit, nullptr, 0);
    waiting_.store(false, std::memory_order_seq_cst);
  }

private:
  std::uint32_t * address() { return reinterpret_cast<std::uint32_t *>(&count_); }

  static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
  std::atomic<std::uint32_t> count_{0};
  std::atomic<bool> waiting_{false};
};

}  // namespace ambf_simulation
