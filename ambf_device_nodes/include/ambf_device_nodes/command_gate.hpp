// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

namespace ambf_device_nodes
{

/// Who leads the hand: the first who commands, until silent for `silence`. Two who pull at once would
/// be a force that neither of them knows.
class CommandGate
{
public:
  using Gid = std::array<std::uint8_t, 16>;  ///< of a publisher

  enum class Verdict : std::uint8_t
  {
    Refused,  ///< another one leads
    Admitted,
    New,  ///< admitted, and not the one before
  };

  /// Times [s] on a steady clock.
  Verdict judge(const Gid & sender, double time, double silence)
  {
    const bool same = known_ && sender == sender_;
    if (known_ && !same && time - heard_ < silence) { return Verdict::Refused; }
    known_ = true;
    sender_ = sender;
    heard_ = time;
    return same ? Verdict::Admitted : Verdict::New;
  }

private:
  Gid sender_{};
  double heard_ = 0.0;
  bool known_ = false;
};

}  // namespace ambf_device_nodes
