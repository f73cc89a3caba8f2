// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ambf_simulation
{

/// Keeps to one of several senders on a topic until that one falls silent: two hands that take turns
/// would tear at the proxy. Senders are told apart by the middleware's identity; where it has none (all
/// zero: within one process), by numbers that go back.
class OneSender
{
public:
  enum class Verdict : std::uint8_t
  {
    Same,
    Another,  ///< the one before is silent: from now on this one
    Foreign,  ///< the other one is still there: left out
  };

  /// Times in nanoseconds on a clock that does not go back.
  Verdict judge(
    std::span<const std::uint8_t> sender, std::uint64_t sequence, std::int64_t now,
    std::int64_t silence)
  {
    const bool nameless =
      std::all_of(sender.begin(), sender.end(), [](auto byte) { return byte == 0; });
    const bool same = known_ &&
                      std::equal(sender.begin(), sender.end(), sender_.begin(), sender_.end()) &&
                      !(nameless && sequence < sequence_);
    const bool silent = !known_ || now - heard_ > silence;
    if (!same && !silent) { return Verdict::Foreign; }
    if (!same) { sender_.assign(sender.begin(), sender.end()); }
    known_ = true;
    sequence_ = sequence;
    heard_ = now;
    return same ? Verdict::Same : Verdict::Another;
  }

  std::span<const std::uint8_t> sender() const { return sender_; }

private:
  std::vector<std::uint8_t> sender_;
  std::uint64_t sequence_ = 0;
  std::int64_t heard_ = 0;
  bool known_ = false;
};

}  // namespace ambf_simulation
