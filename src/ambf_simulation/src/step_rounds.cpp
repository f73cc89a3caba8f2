// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/step_rounds.hpp"

#include <algorithm>

namespace ambf_simulation
{

namespace
{

/// A call for more steps than this gets a thread of its own.
constexpr std::uint64_t kInPlaceLimit = 100;
/// What ends a step call before its time.
constexpr const char * kEndsCalls =
  "; what ends it: set_mode to realtime, free or paused, reset, restore_state, load_world, or the "
  "end of whoever called";
/// How those that toggle the clock are called.
constexpr const char * kToggler = "World/Command of process ";

std::vector<std::string> callers_of(const std::vector<StepCall> & calls)
{
  std::vector<std::string> names;
  for (const StepCall & call : calls) { names.push_back(call.caller); }
  return names;
}

std::string words(const std::vector<std::string> & callers)
{
  return "a step call by '" + joined(callers) + "' ";
}

}  // namespace

void StepRounds::answer(std::uint64_t call, StepCode code, std::string message, bool rejected)
{
  actions_.push_back(step_action::Answer{call, {code, std::move(message)}, rejected});
}

// Granting: a round begins when everybody who shares the world has called.

StepActions StepRounds::call(
  StepCall call, std::optional<StepRefusal> refusal, const StepMoment & now)
{
  if (const auto why = obstacle(call, now)) {
    answer(call.id, StepCode::NotJoined, *why, true);
  } else if (busy()) {
    queued_.push_back(std::move(call));
  } else if (refusal) {
    answer(call.id, refusal->code, std::move(refusal->message), true);
  } else if (!granted_.empty() && granted_.front().steps != call.steps) {
    answer(
      call.id, StepCode::BadRequest,
      "steps: found " + std::to_string(call.steps) + ", expected " +
        std::to_string(granted_.front().steps) + " as the other agents granted in this round",
      true);
  } else {
    if (agents_.empty()) { sole_.claim(call.caller, now.time); }
    const auto grant = agents_.grant(call.agent, now.time);
    if (grant == AgentRoster::Grant::Twice) {
      answer(
        call.id, StepCode::BadRequest,
        "agent '" + call.agent + "' has granted already; waiting for: " + joined(agents_.missing()),
        true);
    } else {
      granted_.push_back(std::move(call));
      if (grant == AgentRoster::Grant::Complete) { next_round(now); }
    }
  }
  return take();
}

std::optional<std::string> StepRounds::obstacle(const StepCall & call, const StepMoment & now) const
{
  if (agents_.joined(call.agent)) { return std::nullopt; }
  if (!agents_.empty()) {
    return "agent '" + call.agent + "' has not joined; joined: " + joined(agents_.names());
  }
  if (call.joined) {
    return "agent '" + call.agent +
           "' is not known here: the world was restarted, or it dropped this agent; join again";
  }
  if (sole_.may(call.caller, now.time, lease_)) { return std::nullopt; }
  const std::string running = under_way();
  return "agent '" + call.agent + "' steps a world that '" + sole_.holder() +
         "' is stepping; agents that share a world must join it; " +
         (running.empty() ? "it is free when that one has been silent for 'agent_lease'" : running);
}

void StepRounds::next_round(const StepMoment & now)
{
  if (busy()) { return; }
  if (toggled_ > 0) {
    start({}, std::exchange(toggled_, 0), now);
  } else if (!granted_.empty() && (agents_.complete() || agents_.empty())) {
    step_action::Check check;
    for (const StepCall & call : granted_) { check.calls.push_back(call.id); }
    actions_.push_back(std::move(check));
  } else {
    for (const StepCall & call : std::exchange(queued_, {})) {
      actions_.push_back(step_action::ComeAgain{call.id});
    }
  }
}

StepActions StepRounds::checked(
  const std::map<std::uint64_t, StepRefusal> & refused, const StepMoment & now)
{
  const auto gone = std::erase_if(granted_, [&](const StepCall & call) {
    const auto it = refused.find(call.id);
    if (it == refused.end()) { return false; }
    agents_.withdraw(call.agent);
    answer(
      call.id, it->second.code, "the world changed while the call waited: " + it->second.message,
      true);
    return true;
  });
  // Some were refused: the others go on waiting for them.
  if (gone != 0 || granted_.empty()) { return take(); }
  if (!agents_.empty()) { sole_.release(); }
  agents_.clear_grants(now.time);
  auto calls = std::exchange(granted_, {});
  // The order of commands must not depend on who called first.
  std::sort(calls.begin(), calls.end(), [](const StepCall & a, const StepCall & b) {
    return a.agent < b.agent;
  });
  const std::uint64_t steps = calls.front().steps;
  start(std::move(calls), steps, now);
  return take();
}

// Stepping.

void StepRounds::start(std::vector<StepCall> calls, std::uint64_t steps, const StepMoment & now)
{
  if (now.stopping) {
    for (const StepCall & call : calls) {
      answer(call.id, StepCode::Shutdown, "the simulator is shutting down");
    }
    return;
  }
  stepping_ = true;
  steps_ = steps;
  stepped_ = std::move(calls);
  canceled_ = false;
  cancel_ = {StepCode::Canceled, ""};
  sole_.begin();
  with_agents_.clear();
  step_action::Start action;
  action.steps = steps;
  action.here = steps <= kInPlaceLimit;
  for (const StepCall & call : stepped_) {
    action.calls.push_back(call.id);
    if (agents_.joined(call.agent)) { with_agents_.insert(call.agent); }
  }
  actions_.push_back(std::move(action));
}

StepActions StepRounds::stepped(const StepsTaken & steps, const StepMoment & now)
{
  stepping_ = false;
  barrier_.emplace(++barriers_, steps.step);
  const StepRefusal end = judge(steps, now);
  for (const StepCall & call : std::exchange(stepped_, {})) {
    ends_.push_back({call.id, call.caller, end});
    barrier_->wait_for(call.barrier, members_);
    if (call.wait_for_acked) { barrier_->wait_for_readers(); }
    barrier_->allow(call.barrier_timeout > 0.0 ? call.barrier_timeout : barrier_timeout_, now.time);
  }
  with_agents_.clear();
  actions_.push_back(step_action::Publish{});
  return take();
}

StepRefusal StepRounds::judge(const StepsTaken & steps, const StepMoment & now) const
{
  if (!steps.divergence.empty()) {
    return {StepCode::Diverged, "the world diverged and is paused: " + steps.divergence};
  }
  if (steps.stale) {
    return {
      StepCode::StaleRevision, "the world changed while the call waited: read the manifest again"};
  }
  if (steps.taken != steps_) {
    return {
      now.stopping ? StepCode::Shutdown : cancel_.code,
      "canceled after " + std::to_string(steps.taken) + " of " + std::to_string(steps_) + " steps" +
        (cancel_.message.empty() ? "" : ": " + cancel_.message)};
  }
  if (steps.edited) {
    return {
      StepCode::StaleRevision,
      "the steps were taken, and models came or went meanwhile: read the manifest again"};
  }
  return {};
}

void StepRounds::cancel(const std::string & why)
{
  actions_.push_back(step_action::Warn{
    "a step call of " + std::to_string(steps_) + " steps by '" +
    joined(stepped_.empty() ? std::vector{sole_.holder()} : callers_of(stepped_)) +
    "' is canceled: " + why});
  canceled_ = true;
  cancel_.message = why;
  actions_.push_back(step_action::Stop{});
}

// The barrier: who must be done before the answers.

StepActions StepRounds::published(const StepMoment & now)
{
  if (!barrier_) { return take(); }
  barrier_->published();
  if (barrier_->waits_for_readers()) {
    actions_.push_back(step_action::AwaitReaders{barrier_->number()});
  }
  end_barrier_if(barrier_->complete(), now);
  return take();
}

StepActions StepRounds::acknowledged(std::uint64_t barrier, const StepMoment & now)
{
  if (waits_for_readers(barrier)) {
    barrier_->readers_done();
    end_barrier_if(barrier_->complete(), now);
  }
  return take();
}

StepActions StepRounds::member_done(
  const std::string & name, std::uint64_t step, bool ok, const std::string & message,
  const StepMoment & now)
{
  if (barrier_ && step == barrier_->step()) {
    barrier_->member_done(name, ok, message);
    end_barrier_if(barrier_->complete(), now);
  }
  return take();
}

StepActions StepRounds::members_gone(const std::set<std::string> & names, const StepMoment & now)
{
  for (const auto & name : names) {
    members_.erase(name);
    actions_.push_back(step_action::Warn{"barrier member '" + name + "' is gone"});
    if (barrier_) { barrier_->member_gone(name); }
  }
  if (barrier_) { end_barrier_if(barrier_->complete(), now); }
  return take();
}

void StepRounds::end_barrier_if(bool is_over, const StepMoment & now)
{
  if (!is_over) { return; }
  const auto missing = barrier_->missing(members_, now.revision);
  barrier_.reset();
  for (End & end : std::exchange(ends_, {})) {
    if (!missing.empty() && end.refusal.code == StepCode::Ok) {
      end.refusal = {
        StepCode::BarrierTimeout,
        "the steps were taken; missing in the barrier: " + joined(missing)};
    }
    answer(end.call, end.refusal.code, std::move(end.refusal.message));
  }
  sole_.end(now.time);
  next_round(now);
}

// What comes in between.

StepActions StepRounds::agents_gone(
  const std::vector<std::string> & names, const std::string & why, const StepMoment & now)
{
  for (std::vector<StepCall> * calls : {&granted_, &queued_}) {
    std::erase_if(*calls, [&](const StepCall & call) {
      if (std::find(names.begin(), names.end(), call.agent) == names.end()) { return false; }
      answer(call.id, StepCode::Canceled, why);
      return true;
    });
  }
  if (running() && !with_agents_.empty()) {
    for (const auto & name : names) { with_agents_.erase(name); }
    if (with_agents_.empty()) { cancel(why); }
  }
  next_round(now);
  return take();
}

StepActions StepRounds::tick(bool callers_gone, const StepMoment & now)
{
  if (barrier_) { end_barrier_if(barrier_->complete() || barrier_->overdue(now.time), now); }
  if (running() && callers_gone) { cancel("whoever called has gone"); }
  if (busy()) { agents_.excuse(now.time); }
  return take();
}

StepActions StepRounds::toggle(
  bool enable, bool clock, std::uint32_t n_skip_steps, const std::string & process,
  const StepMoment & now)
{
  const auto edge = toggle_.take(enable, clock, n_skip_steps);
  const auto ignore = [&](const std::string & why) {
    actions_.push_back(
      step_action::Warn{"World/Command: the toggle clock is ignored: " + why, true});
  };
  const std::string toggler = kToggler + process;
  std::string in_the_way;
  if (!agents_.empty()) {
    in_the_way = "agents have joined: " + joined(agents_.names());
  } else if (!sole_.may(toggler, now.time, lease_)) {
    in_the_way = "'" + sole_.holder() + "' is stepping the world";
  }
  // Anybody may switch a clock off that another toggles, and nobody one that is not a toggle clock.
  const bool of_others = agents_.empty() && sole_.holder().starts_with(kToggler);
  if (edge.throttle && !in_the_way.empty() && !of_others) {
    toggle_.undo_throttle();  // the same message is an edge again when nothing is in the way
    ignore(in_the_way);
    return take();
  }
  Mode mode = now.mode;
  if (edge.throttle && *edge.throttle) {
    mode_before_throttling_ = mode;
    mode = Mode::Lockstep;
    actions_.push_back(step_action::SetMode{mode});
  } else if (edge.throttle && mode_before_throttling_) {
    mode = *std::exchange(mode_before_throttling_, std::nullopt);
    if (mode != Mode::Lockstep) {
      abandon_all(StepCode::Canceled, "World/Command ended step throttling", now);
      sole_.release();
    }
    actions_.push_back(step_action::SetMode{mode});
  } else if (edge.throttle) {
    ignore(std::string("the world was set to ") + to_string(mode) + " mode by somebody else");
  }
  if (edge.steps == 0) { return take(); }
  if (mode != Mode::Lockstep) {
    ignore(std::string("the world was set to ") + to_string(mode) + " mode");
  } else if (!in_the_way.empty()) {
    ignore(in_the_way);
  } else {
    sole_.claim(toggler, now.time);
    toggled_ += edge.steps;
    next_round(now);
  }
  return take();
}

StepActions StepRounds::abandon(StepCode code, const std::string & message, const StepMoment & now)
{
  abandon_all(code, message, now);
  return take();
}

StepActions StepRounds::leave_lockstep(const std::string & why, const StepMoment & now)
{
  abandon_all(StepCode::Canceled, why, now);
  sole_.release();
  return take();
}

void StepRounds::abandon_all(StepCode code, const std::string & message, const StepMoment & now)
{
  for (const StepCall & call : std::exchange(granted_, {})) { answer(call.id, code, message); }
  for (const StepCall & call : std::exchange(queued_, {})) { answer(call.id, code, message); }
  for (const End & end : std::exchange(ends_, {})) { answer(end.call, code, message); }
  if (std::exchange(barrier_, std::nullopt)) { sole_.end(now.time); }
  toggled_ = 0;
  agents_.clear_grants(now.time);
  actions_.push_back(step_action::Abandoned{});
  if (stepping_) {
    canceled_ = true;
    cancel_ = {code, message};
    actions_.push_back(step_action::Stop{});
  }
}

std::string StepRounds::under_way() const
{
  std::string what;
  if (running()) {
    const auto callers =
      stepped_.empty() ? std::vector{sole_.holder()} : callers_of(stepped_);  // of the toggle clock
    what = "a step call of " + std::to_string(steps_) + " steps by '" + joined(callers) +
           "' is under way";
  } else if (!ends_.empty()) {
    std::vector<std::string> callers;
    for (const End & end : ends_) { callers.push_back(end.caller); }
    what = words(callers) + "has taken its steps and waits for " + barrier_->awaited();
  } else if (!granted_.empty()) {
    what = words(callers_of(granted_)) +
           "waits for the agents that have not granted: " + joined(agents_.missing());
  }
  return what.empty() ? what : what + kEndsCalls;
}

}  // namespace ambf_simulation
