// SPDX-License-Identifier: BSD-3-Clause
#include "callers.hpp"

#include <algorithm>

#include "watch.hpp"

namespace ambf_physics
{

void Callers::begin(const std::vector<std::shared_ptr<rmw_request_id_t>> & calls)
{
  callers_.clear();
  for (const auto & call : calls) {
    Caller caller;
    const auto * guid = reinterpret_cast<const std::uint8_t *>(call->writer_guid);
    std::copy_n(guid, caller.participant.size(), caller.participant.begin());
    callers_.push_back(caller);
  }
}

bool Callers::all_gone()
{
  if (callers_.empty()) { return false; }
  const auto readers =
    endpoints(node_, [&] { return node_.get_subscriptions_info_by_topic(reply_topic_, true); });
  bool gone = true;
  for (Caller & caller : callers_) {
    const bool here = std::any_of(readers.begin(), readers.end(), [&](const auto & reader) {
      return std::equal(
        caller.participant.begin(), caller.participant.end(), reader.endpoint_gid().begin());
    });
    caller.seen |= here;
    gone &= caller.seen && !here;
  }
  return gone;
}

}  // namespace ambf_physics
