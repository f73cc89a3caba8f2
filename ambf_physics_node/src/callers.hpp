// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

namespace ambf_physics
{

/// The callers of the service call that is under way: whether any of them can still read its reply.
///
/// A client that dies leaves its reply reader in the graph until its participant's lease ends, and
/// then the graph shows that nobody waits for the reply any more. A caller that the graph never showed
/// (another middleware may name reply topics otherwise) counts as present.
class Callers
{
public:
  Callers(rclcpp::Node & node, const std::string & service)
  : node_(node), reply_topic_("rr" + service + "Reply")
  {
  }

  void begin(const std::vector<std::shared_ptr<rmw_request_id_t>> & calls);
  void end() { callers_.clear(); }
  /// All of them were in the graph and have left it.
  bool all_gone();

private:
  using Participant = std::array<std::uint8_t, 12>;  ///< leading bytes of a GUID
  struct Caller
  {
    Participant participant{};
    bool seen = false;
  };

  rclcpp::Node & node_;
  std::string reply_topic_;
  std::vector<Caller> callers_;
};

}  // namespace ambf_physics
