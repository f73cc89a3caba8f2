// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ambf_simulation/agent_roster.hpp"
#include "ambf_simulation/mode.hpp"
#include "ambf_simulation/sole_stepper.hpp"
#include "ambf_simulation/step_barrier.hpp"
#include "ambf_simulation/toggle_clock.hpp"

namespace ambf_simulation
{

/// How a step call ended; the numbers are those of the service.
enum class StepCode : std::uint8_t
{
  Ok = 0,
  WrongMode = 1,
  BadRequest = 2,
  StaleRevision = 3,
  NotJoined = 4,
  BarrierTimeout = 5,
  Diverged = 6,
  Canceled = 7,
  Shutdown = 8,
};

struct StepRefusal
{
  StepCode code = StepCode::Ok;
  std::string message;
};

/// What the rounds need to know of a step call.
struct StepCall
{
  std::uint64_t id = 0;  ///< chosen by whoever answers it
  std::string agent;     ///< its name; empty: none
  std::string caller;    ///< the name, or the client
  bool joined = false;   ///< it says that it has joined
  std::uint64_t steps = 0;
  std::vector<std::string> barrier;
  double barrier_timeout = 0.0;  ///< [s]; 0: the default
  bool wait_for_acked = false;
};

/// How the steps of a round ended.
struct StepsTaken
{
  std::uint64_t step = 0;  ///< of the world
  std::uint64_t taken = 0;
  std::string divergence;  ///< empty: none
  bool stale = false;      ///< the world changed before the first step: nothing was done
  bool edited = false;     ///< the world changed while the steps were taken
};

/// How things are when an event comes.
struct StepMoment
{
  std::int64_t time = 0;       ///< steady clock [ns]
  std::uint32_t revision = 0;  ///< of the world that callers know
  Mode mode = Mode::Lockstep;
  bool stopping = false;  ///< the simulator ends
};

/// What is to be done, in this order, before the next event is told.
namespace step_action
{
/// Do the commands of these calls still fit the world? Tell by `checked`.
struct Check
{
  std::vector<std::uint64_t> calls;
};
/// The end of a call. `rejected`: its request was wrong.
struct Answer
{
  std::uint64_t call = 0;
  StepRefusal end;
  bool rejected = false;
};
/// Apply the commands of these calls, take the steps, and tell by `stepped`. `here`: before anything else;
/// otherwise on a thread of its own.
struct Start
{
  std::vector<std::uint64_t> calls;
  std::uint64_t steps = 0;
  bool here = true;
};
/// The round that was started is to end early.
struct Stop
{
};
/// Everything of the newest step is to be sent; then tell by `published`.
struct Publish
{
};
/// Wait on another thread until all readers have acknowledged, and tell by `acknowledged`.
struct AwaitReaders
{
  std::uint64_t barrier = 0;
};
/// Tell of this call by `call` again.
struct ComeAgain
{
  std::uint64_t call = 0;
};
/// What waited was ended: what members have commanded for the next round is void.
struct Abandoned
{
};
struct SetMode
{
  Mode mode = Mode::Lockstep;
};
/// For people. `rejected`: a command was not followed.
struct Warn
{
  std::string text;
  bool rejected = false;
};
}  // namespace step_action

using StepAction = std::variant<
  step_action::Check, step_action::Answer, step_action::Start, step_action::Stop,
  step_action::Publish, step_action::AwaitReaders, step_action::ComeAgain, step_action::Abandoned,
  step_action::SetMode, step_action::Warn>;
using StepActions = std::vector<StepAction>;

/// The rounds of the world clock: a round is granted by everybody who shares the world, applied, stepped, published,
/// waited for by the members of its barrier, and answered; then the next one begins.
///
/// A state machine without threads, locks or clocks: each event returns what is to be done. Whoever does it tells the
/// next event when all of that is done, with what comes of an action before the actions behind it.
///
///   call ... --Check--> checked --Start--> stepped --Publish--> published --Answer--> (next round)
///                                                       |  members, readers, tick
///                                                       `--> member_done, acknowledged, tick --Answer-->
class StepRounds
{
public:
  /// `lease`: how long who steps alone keeps the world in silence [ns]. `barrier_timeout`: by default [s].
  StepRounds(std::int64_t lease, double barrier_timeout)
  : lease_(lease), barrier_timeout_(barrier_timeout)
  {
  }

  /// A call came. `refusal`: what is wrong with its request, whoever sends it.
  StepActions call(StepCall call, std::optional<StepRefusal> refusal, const StepMoment & now);
  /// Of a Check: calls that no longer fit.
  StepActions checked(const std::map<std::uint64_t, StepRefusal> & refused, const StepMoment & now);
  StepActions stepped(const StepsTaken & steps, const StepMoment & now);
  StepActions published(const StepMoment & now);
  StepActions acknowledged(std::uint64_t barrier, const StepMoment & now);
  /// A member has handled a step, or has failed at it.
  StepActions member_done(
    const std::string & name, std::uint64_t step, bool ok, const std::string & message,
    const StepMoment & now);
  /// Members that vanished.
  StepActions members_gone(const std::set<std::string> & names, const StepMoment & now);
  /// Agents that left or were dropped, when they no longer count.
  StepActions agents_gone(
    const std::vector<std::string> & names, const std::string & why, const StepMoment & now);
  /// From time to time. `callers_gone`: nobody waits for the answers of the round that runs.
  StepActions tick(bool callers_gone, const StepMoment & now);
  /// A message of AMBF's toggle clock by `toggler`.
  StepActions toggle(
    bool enable, bool clock, std::uint32_t n_skip_steps, const std::string & toggler,
    const StepMoment & now);
  /// Ends everything that waits; a round that runs stops.
  StepActions abandon(StepCode code, const std::string & message, const StepMoment & now);
  /// The same when the world leaves lockstep: nobody steps it any more.
  StepActions leave_lockstep(const std::string & why, const StepMoment & now);
  /// The mode was chosen by somebody: the end of throttling will not bring back an older one.
  void mode_chosen() { mode_before_throttling_.reset(); }

  /// The call that is under way, and what ends it, in words; empty: there is none.
  std::string under_way() const;
  /// A round runs, and nobody has stopped it.
  bool running() const { return stepping_ && !canceled_; }
  bool waits_for_readers(std::uint64_t barrier) const
  {
    return barrier_ && barrier_->number() == barrier;
  }

  AgentRoster & agents() { return agents_; }
  BarrierMembers & members() { return members_; }

private:
  /// How a call ended, as far as its steps decide.
  struct End
  {
    std::uint64_t call = 0;
    std::string caller;
    StepRefusal refusal;
  };

  bool busy() const { return stepping_ || barrier_; }
  /// Why this caller may not step; nothing: it may.
  std::optional<std::string> obstacle(const StepCall & call, const StepMoment & now) const;
  void start(std::vector<StepCall> calls, std::uint64_t steps, const StepMoment & now);
  StepRefusal judge(const StepsTaken & steps, const StepMoment & now) const;
  void end_barrier_if(bool is_over, const StepMoment & now);
  void next_round(const StepMoment & now);
  void cancel(const std::string & why);
  void abandon_all(StepCode code, const std::string & message, const StepMoment & now);
  void answer(std::uint64_t call, StepCode code, std::string message, bool rejected = false);
  StepActions take() { return std::exchange(actions_, {}); }

  std::int64_t lease_;
  double barrier_timeout_;
  AgentRoster agents_;
  BarrierMembers members_;
  SoleStepper sole_;
  ToggleClock toggle_;
  std::optional<Mode> mode_before_throttling_;  ///< while World/Command throttles
  std::vector<StepCall> granted_;
  std::vector<StepCall> queued_;  ///< came while a round was under way
  std::uint64_t toggled_ = 0;     ///< steps that the toggle clock granted meanwhile
  bool stepping_ = false;
  std::vector<StepCall> stepped_;  ///< calls of the round that runs; none: of the toggle clock
  std::uint64_t steps_ = 0;        ///< of that round
  std::set<std::string>
    with_agents_;  ///< of its callers those that have joined and are still there
  bool canceled_ = false;
  StepRefusal cancel_;
  std::optional<StepBarrier> barrier_;  ///< of the round whose steps are taken
  std::vector<End> ends_;               ///< of its calls
  std::uint64_t barriers_ = 0;
  StepActions actions_;  ///< of the event that is being handled
};

}  // namespace ambf_simulation
