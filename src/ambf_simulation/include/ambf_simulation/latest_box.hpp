// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace ambf_simulation
{

/// A wait-free mailbox for the newest value: one writer thread, one reader thread at a time. Three
/// buffers go round: the writer owns one, the reader owns one, the third is in the middle. Values
/// keep their capacity, so that writing vectors of the same length does not allocate.
template <typename T>
class LatestBox
{
public:
  /// The writer's buffer: fill it, then `publish`.
  T & back() { return buffers_[back_]; }

  void publish()
  {
    const std::uint8_t before =
      middle_.exchange(static_cast<std::uint8_t>(back_ | kFresh), std::memory_order_acq_rel);
    back_ = before & kIndex;
  }

  /// True when something was published since the last `take`; then `front` is that value.
  bool take()
  {
    if (!fresh()) { return false; }
    const std::uint8_t before = middle_.exchange(front_, std::memory_order_acq_rel);
    front_ = before & kIndex;
    return true;
  }

  bool fresh() const { return (middle_.load(std::memory_order_relaxed) & kFresh) != 0; }

  /// The reader's value: the one that the last successful `take` brought.
  T & front() { return buffers_[front_]; }
  const T & front() const { return buffers_[front_]; }

private:
  static constexpr std::uint8_t kFresh = 4;
  static constexpr std::uint8_t kIndex = 3;

  std::array<T, 3> buffers_{};
  std::uint8_t back_ = 0;
  std::uint8_t front_ = 1;
  std::atomic<std::uint8_t> middle_{2};
};

}  // namespace ambf_simulation
