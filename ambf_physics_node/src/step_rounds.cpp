// SPDX-License-Identifier: BSD-3-Clause
// The rounds of the step server: steps, what is told of them, and who must be done before the reply.

#include <algorithm>
#include <utility>

#include "convert.hpp"
#include "step_server.hpp"

namespace ambf_physics
{

using Response = ambf_msgs::srv::StepWorld::Response;

namespace
{

/// A call for more steps than this goes to the physics thread, so that the executor stays free.
constexpr std::uint64_t kInPlaceLimit = 100;
/// The physics thread waits for acknowledgements so long at a time.
constexpr std::chrono::milliseconds kPatience{5};
/// What ends a step call before its time.
const std::string kEndsCalls =
  "; what ends it: set_mode to realtime, free or paused, reset, restore_state, load_world, or the "
  "end of whoever called";

}  // namespace

void StepServer::start_round(Round round)
{
  if (runner_.stopping()) {
    for (Call & call : round.calls) {
      refuse(call, Response::CODE_SHUTDOWN, "the simulator is shutting down");
    }
    return;
  }
  cancel_.store(false);
  cancel_reason_.clear();
  cancel_code_ = Response::CODE_CANCELED;
  sole_.begin();
  // A call without steps leaves them for one that has some.
  if (round.steps > 0) { round.members = std::exchange(member_orders_, {}); }
  if (round.steps <= kInPlaceLimit) {
    take_steps(round);
    return;
  }
  stepping_ = true;
  running_ = {round.steps, {}, {}};
  std::vector<std::shared_ptr<rmw_request_id_t>> calls;
  for (const Call & call : round.calls) {
    calls.push_back(call.id);
    running_.callers.push_back(call.caller);
    if (agents_.roster().joined(call.request->agent)) {
      running_.agents.insert(call.request->agent);
    }
  }
  if (calls.empty()) { running_.callers.push_back(sole_.holder()); }  // of the toggle clock
  callers_.begin(calls);
  auto shared = std::make_shared<Round>(std::move(round));
  runner_.post([this, shared] { take_steps(*shared); });
}

std::string StepServer::under_way()
{
  const auto callers = [](const std::vector<Call> & calls) {
    std::vector<std::string> names;
    for (const Call & call : calls) { names.push_back(call.caller); }
    return "a step call by '" + joined(names) + "' ";
  };
  std::string what;
  if (stepping_ && !cancel_.load()) {
    what = "a step call of " + std::to_string(running_.steps) + " steps by '" +
           joined(running_.callers) + "' is under way";
  } else if (barrier_ && !barrier_->calls.empty()) {
    const std::vector<std::string> members(barrier_->waiting.begin(), barrier_->waiting.end());
    what = callers(barrier_->calls) + "has taken its steps and waits for " +
           (members.empty() ? "its readers" : "the barrier: " + joined(members));
  } else if (!granted_.empty()) {
    what = callers(granted_) +
           "waits for the agents that have not granted: " + joined(agents_.roster().missing());
  }
  return what.empty() ? what : what + kEndsCalls;
}

void StepServer::cancel_running(const std::string & why)
{
  RCLCPP_WARN(
    node_.get_logger(), "a step call of %lu steps by '%s' is canceled: %s",
    static_cast<unsigned long>(running_.steps), joined(running_.callers).c_str(), why.c_str());
  cancel_reason_ = why;
  cancel_.store(true);
}

void StepServer::take_steps(Round & round)
{
  round.taken = runner_.step_in_place(
    round.steps, [&] { prepare(round); }, [&] { read_results(round); }, cancel_);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  stepping_ = false;
  callers_.end();
  finish_steps(round);
}

void StepServer::prepare(Round & round)
{
  const auto & world = simulation_.world();
  const std::int64_t now = runner_.watchdog_now();
  simulation_.apply_posted(now);
  for (const Call & call : round.calls) { round.stale |= call.orders.revision != world.revision(); }
  if (round.stale) { cancel_.store(true); }
  if (cancel_.load()) { return; }  // nothing is stepped, so nothing is commanded
  // In the order of their names, and before those who call: what a caller commands itself goes last.
  for (const auto & [member, orders] : round.members) {
    if (orders.revision != world.revision()) {
      continue;
    }  // it hears of the change and says it anew
    apply(orders, simulation_, sources_.number(member), now);
  }
  for (const Call & call : round.calls) {
    const std::string & agent = call.request->agent;
    apply(call.orders, simulation_, sources_.number(agent.empty() ? "step" : agent), now);
  }
}

void StepServer::read_results(Round & round)
{
  const auto & world = simulation_.world();
  const auto & state = world.state();
  round.divergence = world.divergence().reason;
  for (Call & call : round.calls) {
    Response & response = call.response;
    response.step = state.step;
    response.sim_time = to_stamp(state.time);
    response.state_hash = simulation_.hash();
    const bool fits = call.orders.revision == world.revision();
    round.edited |= !fits && !round.stale;
    if (fits) { observe(*call.request, state, response); }
  }
}

void StepServer::judge(Round & round)
{
  for (Call & call : round.calls) {
    Response & response = call.response;
    const auto fail = [&](std::uint8_t code, const std::string & message) {
      response.code = code;
      response.message = message;
    };
    if (!round.divergence.empty()) {
      fail(Response::CODE_DIVERGED, "the world diverged and is paused: " + round.divergence);
    } else if (round.stale) {
      fail(
        Response::CODE_STALE_REVISION,
        "the world changed while the call waited: read the manifest again");
    } else if (round.taken != round.steps) {
      fail(
        runner_.stopping() ? Response::CODE_SHUTDOWN : cancel_code_,
        "canceled after " + std::to_string(round.taken) + " of " + std::to_string(round.steps) +
          " steps" + (cancel_reason_.empty() ? "" : ": " + cancel_reason_));
    } else if (round.edited) {
      fail(
        Response::CODE_STALE_REVISION,
        "the steps were taken, and models came or went meanwhile: read the manifest again");
    } else {
      response.ok = true;
    }
  }
}

void StepServer::finish_steps(Round & round)
{
  auto barrier = std::make_unique<Barrier>();
  barrier->number = ++barriers_;
  for (const Call & call : round.calls) {
    barrier->waiting.insert(call.request->barrier.begin(), call.request->barrier.end());
    barrier->acknowledgements |= call.request->wait_for_acked;
    barrier->timeout = std::max(
      barrier->timeout, call.request->barrier_timeout > 0.0 ? call.request->barrier_timeout
                                                            : parameters_.barrier_timeout);
  }
  std::erase_if(barrier->waiting, [&](const std::string & name) {
    if (members_.contains(name)) { return false; }
    barrier->failed.push_back(name + " (has not announced itself on World/Barrier)");
    return true;
  });
  judge(round);
  const auto timeout = std::chrono::nanoseconds(static_cast<std::int64_t>(barrier->timeout * 1e9));
  if (!round.calls.empty()) { barrier->step = round.calls.front().response.step; }
  barrier->calls = std::move(round.calls);
  barrier->deadline = steady_now() + timeout.count();
  // Members may answer while the snapshot is still being sent: they are expected from now on.
  barrier_ = std::move(barrier);
  publishing_.publish_step();
  if (barrier_->complete()) {
    end_barrier();
  } else if (barrier_->acknowledgements) {
    runner_.post([this, number = barrier_->number] { wait_for_acknowledgements(number); });
  }
}

void StepServer::wait_for_acknowledgements(std::uint64_t barrier)
{
  const auto readers = publishing_.watched();
  const auto context = node_.get_node_base_interface()->get_context();
  for (bool done = false; !runner_.stopping() && context->is_valid();) {
    {
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      if (!barrier_ || barrier_->number != barrier) {
        return;
      }  // its time is over, or it was abandoned
      if (done) {
        barrier_->acknowledgements = false;
        if (barrier_->complete()) { end_barrier(); }
        return;
      }
    }
    done = Publishing::acknowledged(readers, kPatience);
  }
}

void StepServer::end_barrier()
{
  const auto barrier = std::exchange(barrier_, nullptr);
  const std::uint32_t revision = publishing_.roster()->revision;
  for (const auto & name : barrier->waiting) {
    const std::uint32_t known = members_.revision(name);
    const std::string behind = known == 0 || known == revision
                                 ? ""
                                 : "; it knows manifest " + std::to_string(known) +
                                     ", and the world has " + std::to_string(revision);
    barrier->failed.push_back(
      name + " (no answer within " + std::to_string(barrier->timeout) + " s" + behind + ")");
  }
  if (barrier->acknowledgements) {
    barrier->failed.push_back(
      "a reader (no acknowledgement within " + std::to_string(barrier->timeout) + " s)");
  }
  for (Call & call : barrier->calls) {
    if (!barrier->failed.empty() && call.response.ok) {
      call.response.ok = false;
      call.response.code = Response::CODE_BARRIER_TIMEOUT;
      call.response.message =
        "the steps were taken; missing in the barrier: " + joined(barrier->failed);
    }
    reply(call);
  }
  sole_.end(steady_now());
  next_round();
}

void StepServer::next_round()
{
  if (stepping_ || barrier_) { return; }
  if (toggled_ > 0) {
    Round round;
    round.steps = std::exchange(toggled_, 0);
    start_round(std::move(round));
    return;
  }
  if (!granted_.empty() && (agents_.roster().complete() || agents_.roster().empty())) {
    start_granted();
    return;
  }
  for (Call & call : std::exchange(queued_, {})) { on_step(call.id, call.request); }
}

}  // namespace ambf_physics
