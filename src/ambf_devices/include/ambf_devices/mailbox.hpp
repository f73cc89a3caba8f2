// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace ambf_devices
{

/// The newest value from one thread to another, neither ever waits: one thread posts, one takes.
/// Three slots go round; the poster owns one, the taker owns one, the third lies between them.
template <typename T>
class Mailbox
{
public:
  void post(const T & value)
  {
    slots_[back_] = value;
    back_ = between_.exchange(static_cast<std::uint8_t>(back_ | fresh), std::memory_order_acq_rel) &
            index;
  }

  /// True if something was posted since the last call; then it is in `value`.
  bool take(T & value)
  {
    if ((between_.load(std::memory_order_relaxed) & fresh) == 0) { return false; }
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & index;
    value = slots_[front_];
    return true;
  }

private:
  static constexpr std::uint8_t fresh = 4;
  static constexpr std::uint8_t index = 3;

  std::array<T, 3> slots_{};
  std::uint8_t back_ = 0;
  std::uint8_t front_ = 1;
  std::atomic<std::uint8_t> between_{2};
};

}  // namespace ambf_devices
