// SPDX-License-Identifier: BSD-3-Clause
#include "presence.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "watch.hpp"

namespace ambf_physics
{
namespace
{

constexpr std::ptrdiff_t kParticipant = 12;  // leading bytes of a GUID that name the participant

/// The process runs on this host; one that waits for its parent to notice its end does not. Of one in a
/// container with the host's name nothing can be said: its number means nothing here.
bool runs_here(const std::string & process)
{
  char host[256] = "";
  gethostname(host, sizeof(host) - 1);
  const auto colon = process.rfind(':');
  if (colon == std::string::npos || process.substr(0, colon) != host) { return false; }
  const int pid = std::atoi(process.c_str() + colon + 1);
  if (pid <= 0 || (kill(pid, 0) != 0 && errno == ESRCH)) { return false; }
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(stat, line);
  const auto name_end = line.rfind(") ");  // the name may contain anything
  return name_end == std::string::npos || line.compare(name_end + 2, 1, "Z") != 0;
}

bool same_participant(const auto & a, const auto & b)
{
  return std::equal(a.begin(), a.begin() + kParticipant, b.begin());
}

bool is_empty(const auto & gid)
{
  return std::all_of(gid.begin(), gid.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

Presence::Gid Presence::own_endpoint() const
{
  for (const auto & endpoint : subscriptions_of(node_, topic_)) {
    if (
      endpoint.node_name() == node_.get_name() &&
      endpoint.node_namespace() == node_.get_namespace()) {
      return endpoint.endpoint_gid();
    }
  }
  return {};
}

bool Presence::hello(
  const std::string & name, const std::string & process, const rclcpp::MessageInfo & info,
  std::int64_t now)
{
  Identity & identity = identities_[name];
  if (identity.process != process) { identity.seen_running = false; }
  identity.process = process;
  identity.seen_running = identity.seen_running || runs_here(process);
  const auto & rmw = info.get_rmw_message_info();
  std::copy_n(rmw.publisher_gid.data, identity.gid.size(), identity.gid.begin());
  identity.here = rmw.from_intra_process || is_empty(identity.gid) ||
                  same_participant(identity.gid, own_endpoint());
  identity.hello_at = now;
  return identity.here;
}

std::uint32_t Presence::counted_here(std::int64_t now, std::int64_t lease) const
{
  return static_cast<std::uint32_t>(
    std::count_if(identities_.begin(), identities_.end(), [&](const auto & entry) {
      const Identity & identity = entry.second;
      return identity.here && !is_empty(identity.gid) && now - identity.hello_at < lease;
    }));
}

std::set<std::string> Presence::vanished(const std::vector<std::string> & names) const
{
  std::set<std::string> vanished;
  const auto publishers = publishers_of(node_, topic_);
  const auto published = [&](const auto & is_its) {
    return std::any_of(publishers.begin(), publishers.end(), is_its);
  };
  const Gid own = own_endpoint();
  const auto here = std::count_if(
    publishers.begin(), publishers.end(),
    [&own](const auto & endpoint) { return same_participant(endpoint.endpoint_gid(), own); });
  const auto names_here =
    std::count_if(names.begin(), names.end(), [this](const std::string & name) {
      const auto it = identities_.find(name);
      return it != identities_.end() && it->second.here;
    });
  for (const auto & name : names) {
    const auto it = identities_.find(name);
    if (it == identities_.end()) { continue; }
    const Identity & identity = it->second;
    if (identity.seen_running && !runs_here(identity.process)) { vanished.insert(name); }
    if (!is_empty(identity.gid)) {
      if (!published(
            [&](const auto & endpoint) { return endpoint.endpoint_gid() == identity.gid; })) {
        vanished.insert(name);
      }
    } else if (identity.process.starts_with('/')) {
      if (!published(
            [&](const auto & endpoint) { return node_of(endpoint) == identity.process; })) {
        vanished.insert(name);
      }
    } else if (here < names_here && !published([&](const auto & endpoint) {
                 return endpoint.node_name() == name;
               })) {
      // Nothing but the name of its node tells one of this process from the others.
      vanished.insert(name);
    }
  }
  return vanished;
}

}  // namespace ambf_physics
