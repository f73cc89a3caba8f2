// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rmw/types.h"

namespace rosbag2_transport::detail {

/// Finds what a topic's publishers sent and we never got, from gaps in their sequence numbers.
///
/// A publisher counts from the first of its messages that arrives: what it sent before it knew us
/// was not sent to us.
class LossLedger {
public:
  struct Publisher {
    std::array<std::uint8_t, RMW_GID_STORAGE_SIZE> id{};
    std::uint64_t last = 0;
    std::uint64_t lost = 0, gaps = 0;
  };

  void note(const rmw_gid_t & publisher, std::uint64_t sequence) {
    if (sequence == RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED) { return; }
    Publisher * known = find(publisher);
    if (!known) {
      Publisher fresh;
      std::memcpy(fresh.id.data(), publisher.data, fresh.id.size());
      fresh.last = sequence;
      publishers_.push_back(fresh);
      return;
    }
    if (sequence > known->last + 1) {
      known->lost += sequence - known->last - 1;
      ++known->gaps;
    } else if (sequence < known->last && known->lost > 0) {
      --known->lost;  // late, not lost
    }
    known->last = std::max(known->last, sequence);
  }

  std::uint64_t lost() const { return sum(&Publisher::lost); }
  std::uint64_t gaps() const { return sum(&Publisher::gaps); }
  const std::vector<Publisher> & publishers() const { return publishers_; }

private:
  Publisher * find(const rmw_gid_t & publisher) {
    // Few publishers share a topic: a search in a row of them beats hashing.
    for (auto & known : publishers_) {
      if (std::memcmp(known.id.data(), publisher.data, known.id.size()) == 0) { return &known; }
    }
    return nullptr;
  }
  std::uint64_t sum(std::uint64_t Publisher::*figure) const {
    std::uint64_t total = 0;
    for (const auto & publisher : publishers_) { total += publisher.*figure; }
    return total;
  }

  std::vector<Publisher> publishers_;
};

}  // namespace rosbag2_transport::detail
