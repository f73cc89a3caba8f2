// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

namespace ambf_physics
{

/// Who is behind the names that say hello on a topic, as far as the middleware and the operating system tell.
///
/// Fast DDS renews an automatic lease for readers of other participants only: of a publisher in this
/// process it says after one lease that it is gone, or, where the hello came without the middleware,
/// nothing at all. Such ones are looked for in the graph, which tells of this process at once.
class Presence
{
public:
  Presence(rclcpp::Node & node, std::string topic) : node_(node), topic_(std::move(topic)) {}

  /// Remembers who said hello; `process` is host:pid or the full name of a node, as far as it says so.
  /// True: it is in this process.
  bool hello(
    const std::string & name, const std::string & process, const rclcpp::MessageInfo & info,
    std::int64_t now);
  /// Those in this process whose lease the middleware may still count as held.
  std::uint32_t counted_here(std::int64_t now, std::int64_t lease) const;
  void forget(const std::string & name) { identities_.erase(name); }
  /// Those of `names` whose process or publisher is known to have vanished.
  std::set<std::string> vanished(const std::vector<std::string> & names) const;

private:
  using Gid = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;
  struct Identity
  {
    std::string process;
    Gid gid{};                  ///< of its publisher; zeros: the hello came without the middleware
    bool here = false;          ///< in this process
    bool seen_running = false;  ///< on this host, as `process`
    std::int64_t hello_at = 0;
  };

  /// An endpoint of this node, which tells its participant; zeros: the graph does not show it yet.
  Gid own_endpoint() const;

  rclcpp::Node & node_;
  std::string topic_;
  std::map<std::string, Identity> identities_;
};

}  // namespace ambf_physics
