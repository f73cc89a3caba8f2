// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ambf_simulation
{

/// Who shares the world clock. Pure bookkeeping: times come in as arguments, nothing waits here.
///
/// The world may advance when every joined agent has granted. Without joined agents, whoever calls is
/// alone and its grant counts at once. Agents are dropped when the middleware says that they died.
class AgentRoster
{
public:
  enum class Grant : std::uint8_t
  {
    Complete,   ///< everybody has granted: step now
    Waiting,    ///< others are still to come
    NotJoined,  ///< agents have joined, and this caller is none of them
    Twice,      ///< this agent's earlier grant is still waiting
  };

  /// `budget`: wall seconds that the others wait for this agent; 0: for ever. False: the name is taken.
  bool join(const std::string & name, double budget, std::int64_t now);
  bool leave(const std::string & name);
  /// The agent was heard of: its hello, or any call of its.
  void seen(const std::string & name, std::int64_t now);
  /// `here`: an agent of this process, of which leases say nothing: only `gone` of take_dead buries it.
  void hello(const std::string & name, std::int64_t now, bool here = false);

  Grant grant(const std::string & name, std::int64_t now);
  /// After a death or a leave the remaining grants may be complete.
  bool complete() const;
  /// Takes back the grants, after the step.
  void clear_grants(std::int64_t now);
  /// Takes back one grant: its call was refused after all.
  void withdraw(const std::string & name);

  /// A round is under way: whoever has never said hello waits for us and is not silent.
  void excuse(std::int64_t now);

  /// `alive` publishers hold a lease on the agents' topic, a count that fell at `now`. The middleware
  /// does not say whose, see take_dead.
  void lease_lost(std::uint32_t alive, std::int64_t now);
  /// A lease was lost and it is not known yet whose.
  bool suspicious() const { return alive_.has_value(); }
  /// Agents that are known to be dead by now, or that never said hello and have neither called nor
  /// waited for us within `lease` nanoseconds; they are removed. After a lost lease those are dead that `gone` names (whose process or publisher is
  /// known to have vanished). Otherwise an agent that speaks afterwards lives, and once as many as live
  /// have spoken the silent rest is dead. Agents that have granted wait for us and cannot speak: when
  /// another lease has passed, and as many leases were lost as agents have neither spoken nor granted, it
  /// was theirs.
  std::vector<std::string> take_dead(
    std::int64_t now, std::int64_t lease, const std::set<std::string> & gone = {});
  /// Agents that have used up their delay budget in this round while somebody waits for them.
  std::vector<std::string> over_budget(std::int64_t now) const;

  bool empty() const { return agents_.empty(); }
  bool joined(const std::string & name) const { return agents_.count(name) != 0; }
  std::vector<std::string> names() const;
  /// Those that have not granted in this round.
  std::vector<std::string> missing() const;

private:
  struct Agent
  {
    double budget = 0.0;
    std::int64_t mute_since = 0;  ///< of one without hello: it joined, or called, or was answered
    std::int64_t last_seen = 0;
    bool said_hello = false;
    bool granted = false;
    bool here = false;

    bool holds_lease() const { return said_hello && !here; }
  };

  /// A round that nobody waits in has not begun.
  void forget_empty_round();

  std::map<std::string, Agent> agents_;
  std::optional<std::int64_t> first_grant_;
  std::optional<std::uint32_t> alive_;
  std::int64_t lease_lost_at_ = 0;
};

}  // namespace ambf_simulation
