// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/agent_roster.hpp"

#include <algorithm>

namespace ambf_simulation
{

bool AgentRoster::join(const std::string & name, double budget, std::int64_t now)
{
  return agents_.try_emplace(name, Agent{budget, now, now}).second;
}

bool AgentRoster::leave(const std::string & name)
{
  const bool left = agents_.erase(name) != 0;
  forget_empty_round();
  return left;
}

void AgentRoster::seen(const std::string & name, std::int64_t now)
{
  if (const auto it = agents_.find(name); it != agents_.end()) { it->second.last_seen = now; }
}

void AgentRoster::hello(const std::string & name, std::int64_t now, bool here)
{
  if (const auto it = agents_.find(name); it != agents_.end()) {
    it->second.said_hello = true;
    it->second.here = here;
    it->second.last_seen = now;
  }
}

AgentRoster::Grant AgentRoster::grant(const std::string & name, std::int64_t now)
{
  if (agents_.empty()) { return Grant::Complete; }
  const auto it = agents_.find(name);
  if (it == agents_.end()) { return Grant::NotJoined; }
  it->second.last_seen = it->second.mute_since = now;
  if (it->second.granted) { return Grant::Twice; }
  it->second.granted = true;
  if (!first_grant_) { first_grant_ = now; }
  return complete() ? Grant::Complete : Grant::Waiting;
}

bool AgentRoster::complete() const
{
  return first_grant_.has_value() &&
         std::all_of(
           agents_.begin(), agents_.end(), [](const auto & entry) { return entry.second.granted; });
}

void AgentRoster::clear_grants(std::int64_t now)
{
  for (auto & [name, agent] : agents_) {
    if (agent.granted) { agent.mute_since = now; }
    agent.granted = false;
  }
  first_grant_.reset();
}

void AgentRoster::withdraw(const std::string & name)
{
  if (const auto it = agents_.find(name); it != agents_.end()) { it->second.granted = false; }
  forget_empty_round();
}

void AgentRoster::forget_empty_round()
{
  const bool waiting = std::any_of(
    agents_.begin(), agents_.end(), [](const auto & entry) { return entry.second.granted; });
  if (!waiting) { first_grant_.reset(); }
}

void AgentRoster::excuse(std::int64_t now)
{
  for (auto & [name, agent] : agents_) { agent.mute_since = now; }
}

void AgentRoster::lease_lost(std::uint32_t alive, std::int64_t now)
{
  alive_ = alive;
  lease_lost_at_ = now;
}

std::vector<std::string> AgentRoster::take_dead(
  std::int64_t now, std::int64_t lease, const std::set<std::string> & gone)
{
  std::vector<std::string> dead;
  const auto bury = [&](const auto & is_dead) {
    std::erase_if(agents_, [&](const auto & entry) {
      if (!is_dead(entry.first, entry.second)) { return false; }
      dead.push_back(entry.first);
      return true;
    });
    forget_empty_round();
  };
  bury([&](const std::string &, const Agent & agent) {
    return !agent.said_hello && !agent.granted && now - agent.mute_since > lease;
  });
  bury([&](const std::string & name, const Agent & agent) {
    return gone.count(name) != 0 && (alive_ || agent.here);
  });
  if (!alive_) { return dead; }
  std::size_t holding = 0;
  for (const auto & [name, agent] : agents_) { holding += agent.holds_lease() ? 1u : 0u; }
  if (holding <= *alive_) {
    alive_.reset();
    return dead;
  }
  const std::size_t lost = holding - *alive_;
  const auto silent = [&](const std::string &, const Agent & agent) {
    return agent.holds_lease() && agent.last_seen <= lease_lost_at_;
  };
  const auto idle = [&](const std::string & name, const Agent & agent) {
    return silent(name, agent) && !agent.granted;
  };
  std::size_t silent_count = 0, idle_count = 0;
  for (const auto & [name, agent] : agents_) {
    silent_count += silent(name, agent) ? 1u : 0u;
    idle_count += idle(name, agent) ? 1u : 0u;
  }
  if (silent_count <= lost) {
    bury(silent);
    alive_.reset();
  } else if (idle_count == lost && now - lease_lost_at_ > lease) {
    bury(idle);
    alive_.reset();
  }
  return dead;
}

std::vector<std::string> AgentRoster::over_budget(std::int64_t now) const
{
  std::vector<std::string> late;
  if (!first_grant_) { return late; }
  for (const auto & [name, agent] : agents_) {
    if (
      !agent.granted && agent.budget > 0.0 &&
      static_cast<double>(now - *first_grant_) > agent.budget * 1e9) {
      late.push_back(name);
    }
  }
  return late;
}

std::vector<std::string> AgentRoster::names() const
{
  std::vector<std::string> result;
  for (const auto & [name, agent] : agents_) { result.push_back(name); }
  return result;
}

std::vector<std::string> AgentRoster::missing() const
{
  std::vector<std::string> result;
  for (const auto & [name, agent] : agents_) {
    if (!agent.granted) { result.push_back(name); }
  }
  return result;
}

}  // namespace ambf_simulation
