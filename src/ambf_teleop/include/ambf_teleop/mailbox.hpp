// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace ambf_teleop
{

/// The newest value from one thread to another; neither ever waits. One thread posts, one at a time takes.
/// Three slots go round: the poster owns one, the taker owns one, the third lies between them. Slots keep
/// their capacity, so that vectors of the same length are written without allocating.
template <typename T>
class Mailbox
{
public:
  /// The poster's slot: fill it, then `publish`.
  T & back() { return slots_[back_]; }
  void publish()
  {
    back_ =
      between_.exchange(static_cast<std::uint8_t>(back_ | fresh_bit), std::memory_order_acq_rel) &
      index;
  }
  void post(const T & value)
  {
    back() = value;
    publish();
  }

  /// Something was published since the last `take`.
  bool fresh() const { return (between_.load(std::memory_order_relaxed) & fresh_bit) != 0; }
  /// True where it was; then `front` is the newest value.
  bool take()
  {
    if (!fresh()) { return false; }
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & index;
    return true;
  }
  /// The same, with a copy of the value.
  bool take(T & value)
  {
    if (!take()) { return false; }
    value = front();
    return true;
  }
  /// The taker's slot: what the last successful `take` brought.
  T & front() { return slots_[front_]; }
  const T & front() const { return slots_[front_]; }

private:
  static constexpr std::uint8_t fresh_bit = 4;
  static constexpr std::uint8_t index = 3;

  std::array<T, 3> slots_{};
  std::uint8_t back_ = 0;
  std::uint8_t front_ = 1;
  std::atomic<std::uint8_t> between_{2};
};

}  // namespace ambf_teleop
