#include "step_server.hpp"

#include <algorithm>
#include <utility>

#include "convert.hpp"
#include "qos.hpp"
#include "watch.hpp"

namespace ambf_physics
{

using ambf_dynamics::StepStatus;
using Request = ambf_msgs::srv::StepWorld::Request;
using Response = ambf_msgs::srv::StepWorld::Response;

namespace
{

/// A call for more steps than this goes to the physics thread, so that the executor stays free.
constexpr std::uint64_t kInPlaceLimit = 100;

}  // namespace

StepServer::StepServer(
  rclcpp::Node & node, Simulation & simulation, Driver & driver, Publishing & publishing,
  const Parameters & parameters, SourceNames & sources, std::atomic<std::uint64_t> & rejected,
  const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group)
: node_(node), simulation_(simulation), driver_(driver), publishing_(publishing),
  parameters_(parameters), sources_(sources), rejected_(rejected),
  agents_(node, publishing, parameters, world_namespace, group, mutex_)
{
  const std::string base = world_namespace + "/World";
  agents_.on_gone = [this](const auto & names, const std::string & why) {on_gone(names, why);};
  step_ = node.create_service<StepWorld>(
    base + "/step",
    [this](const std::shared_ptr<rmw_request_id_t> id, const Request::SharedPtr request) {
      on_step(id, request);
    }, rclcpp::ServicesQoS(), group);
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  command_ = node.create_subscription<ambf_msgs::msg::WorldCmd>(
    base + "/Command", qos::latest(),
    [this](const ambf_msgs::msg::WorldCmd & command) {on_world_cmd(command);}, options);
  step_done_ = node.create_subscription<ambf_msgs::msg::StepDone>(
    base + "/StepDone", qos::events(),
    [this](const ambf_msgs::msg::StepDone & done) {on_step_done(done);}, options);
  const auto lease = std::chrono::nanoseconds(static_cast<std::int64_t>(parameters.agent_lease * 1e9));
  member_ = node.create_subscription<ambf_msgs::msg::BarrierMember>(
    base + "/Barrier", qos::lease(lease),
    [this](const ambf_msgs::msg::BarrierMember & member) {
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      members_.insert(member.name);
    }, options);
  timer_ = node.create_wall_timer(std::chrono::milliseconds(20), [this] {housekeeping();}, group);
}

StepServer::~StepServer()
{
  abandon(Response::CODE_SHUTDOWN, "the simulator is shutting down");
}

void StepServer::reply(Call & call) {step_->send_response(*call.id, call.response);}

void StepServer::refuse(Call & call, std::uint8_t code, const std::string & message)
{
  call.response.ok = false;
  call.response.code = code;
  call.response.message = message;
  reply(call);
}

void StepServer::reject(Call & call, std::uint8_t code, const std::string & message)
{
  rejected_.fetch_add(1);
  refuse(call, code, message);
}

void StepServer::on_step(std::shared_ptr<rmw_request_id_t> id, Request::SharedPtr request)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  Call call;
  call.id = std::move(id);
  call.request = std::move(request);
  if (stepping_ || barrier_) {
    queued_.push_back(std::move(call));
    return;
  }
  auto checked = check_step(*call.request, *publishing_.roster(), driver_.mode());
  if (!checked) {
    reject(call, checked.error().code, checked.error().message);
    return;
  }
  call.orders = std::move(*checked);
  const std::int64_t now = steady_now();
  if (!may_step(call, now)) {return;}
  switch (agents_.roster().grant(call.request->agent, now)) {
    case AgentRoster::Grant::NotJoined:
      return;  // refused above
    case AgentRoster::Grant::Twice:
      reject(
        call, Response::CODE_BAD_REQUEST, "agent '" + call.request->agent +
        "' has granted already; waiting for: " + joined(agents_.roster().missing()));
      return;
    case AgentRoster::Grant::Waiting:
      granted_.push_back(std::move(call));
      return;
    case AgentRoster::Grant::Complete:
      granted_.push_back(std::move(call));
      start_granted();
      return;
  }
}

bool StepServer::may_step(Call & call, std::int64_t now)
{
  const std::string & agent = call.request->agent;
  const AgentRoster & agents = agents_.roster();
  if (agents.empty()) {
    const auto lease = static_cast<std::int64_t>(parameters_.agent_lease * 1e9);
    if (agent != sole_agent_ && now - sole_agent_seen_ < lease) {
      reject(
        call, Response::CODE_NOT_JOINED, "agent '" + agent + "' steps a world that '" + sole_agent_ +
        "' is stepping; agents that share a world must join it");
      return false;
    }
    sole_agent_ = agent;
    sole_agent_seen_ = now;
  } else if (!agents.joined(agent)) {
    reject(
      call, Response::CODE_NOT_JOINED, "agent '" + agent + "' has not joined; joined: " +
      joined(agents.names()));
    return false;
  }
  if (!granted_.empty() && granted_.front().request->steps != call.request->steps) {
    reject(
      call, Response::CODE_BAD_REQUEST, "steps: found " + std::to_string(call.request->steps) +
      ", expected " + std::to_string(granted_.front().request->steps) +
      " as the other agents granted in this round");
    return false;
  }
  return true;
}

bool StepServer::check_again(std::vector<Call> & calls)
{
  const auto roster = publishing_.roster();
  return std::erase_if(
    calls, [&](Call & call) {
      if (call.orders.revision == roster->revision) {return false;}
      auto checked = check_step(*call.request, *roster, driver_.mode());
      if (checked) {
        call.orders = std::move(*checked);
        return false;
      }
      agents_.roster().withdraw(call.request->agent);
      reject(
        call, checked.error().code, "the world changed while the call waited: " + checked.error().message);
      return true;
    }) == 0;
}

void StepServer::start_granted()
{
  if (!check_again(granted_)) {return;}
  Round round;
  round.calls = std::exchange(granted_, {});
  round.steps = round.calls.front().request->steps;
  agents_.roster().clear_grants(steady_now());
  // The order of commands must not depend on who called first.
  std::sort(round.calls.begin(), round.calls.end(), [](const Call & a, const Call & b) {
      return a.request->agent < b.request->agent;
    });
  start_round(std::move(round));
}

void StepServer::start_round(Round round)
{
  cancel_.store(false);
  cancel_reason_.clear();
  if (round.steps <= kInPlaceLimit) {
    take_steps(round);
    return;
  }
  stepping_ = true;
  auto shared = std::make_shared<Round>(std::move(round));
  driver_.post([this, shared] {take_steps(*shared);});
}

void StepServer::take_steps(Round & round)
{
  const StepStatus status = driver_.step_in_place(
    round.steps, [&] {
      const auto & world = simulation_.world();
      round.first = world.state().step;
      const std::int64_t now = driver_.watchdog_now();
      simulation_.apply_posted(now);
      for (const Call & call : round.calls) {round.stale |= call.orders.revision != world.revision();}
      if (round.stale) {cancel_.store(true);}
      if (cancel_.load()) {return;}  // nothing is stepped, so nothing is commanded
      for (const Call & call : round.calls) {
        const std::string & agent = call.request->agent;
        apply(call.orders, simulation_, sources_.number(agent.empty() ? "step" : agent), now);
      }
    }, &cancel_);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  stepping_ = false;
  finish_steps(round, status);
}

void StepServer::answer(Round & round, StepStatus status)
{
  const Ownership::Token token(simulation_.ownership);
  const auto & state = simulation_.world().state();
  const std::uint64_t wanted = round.first + round.steps;
  for (Call & call : round.calls) {
    Response & response = call.response;
    response.step = state.step;
    response.sim_time = to_stamp(state.time);
    response.state_hash = state.hash;
    observe(*call.request, state, response);
    response.ok = status == StepStatus::Ok && state.step == wanted && !round.stale;
    if (status == StepStatus::Diverged) {
      response.code = Response::CODE_DIVERGED;
      response.message = "the world diverged and is paused: " + simulation_.world().divergence().reason;
    } else if (round.stale) {
      response.code = Response::CODE_STALE_REVISION;
      response.message = "the world changed while the call waited: read the manifest again";
    } else if (!response.ok) {
      response.code = Response::CODE_CANCELED;
      response.message = "canceled at step " + std::to_string(state.step) + " on the way to step " +
        std::to_string(wanted) + (cancel_reason_.empty() ? "" : ": " + cancel_reason_);
    }
  }
}

void StepServer::finish_steps(Round & round, StepStatus status)
{
  auto barrier = std::make_unique<Barrier>();
  bool acked = false;
  for (const Call & call : round.calls) {
    barrier->waiting.insert(call.request->barrier.begin(), call.request->barrier.end());
    acked = acked || call.request->wait_for_acked;
    barrier->timeout = std::max(
      barrier->timeout, call.request->barrier_timeout > 0.0 ?
      call.request->barrier_timeout : parameters_.barrier_timeout);
  }
  std::erase_if(
    barrier->waiting, [&](const std::string & name) {
      if (members_.count(name) != 0) {return false;}
      barrier->failed.push_back(name + " (has not announced itself on World/Barrier)");
      return true;
    });
  answer(round, status);
  const auto timeout = std::chrono::nanoseconds(static_cast<std::int64_t>(barrier->timeout * 1e9));
  if (!round.calls.empty()) {barrier->step = round.calls.front().response.step;}
  barrier->calls = std::move(round.calls);
  barrier->deadline = steady_now() + timeout.count();
  // Members may answer while the snapshot is still being sent: they are expected from now on.
  barrier_ = std::move(barrier);
  if (!publishing_.publish_step(acked, timeout)) {
    barrier_->failed.push_back("a reader (no acknowledgement)");
  }
  if (barrier_->waiting.empty()) {end_barrier();}
}

void StepServer::end_barrier()
{
  const auto barrier = std::exchange(barrier_, nullptr);
  for (const auto & name : barrier->waiting) {
    barrier->failed.push_back(name + " (no answer within " + std::to_string(barrier->timeout) + " s)");
  }
  for (Call & call : barrier->calls) {
    if (!barrier->failed.empty() && call.response.ok) {
      call.response.ok = false;
      call.response.code = Response::CODE_BARRIER_TIMEOUT;
      call.response.message = "the steps were taken; missing in the barrier: " + joined(barrier->failed);
    }
    reply(call);
  }
  next_round();
}

void StepServer::next_round()
{
  if (stepping_ || barrier_) {return;}
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
  for (Call & call : std::exchange(queued_, {})) {on_step(call.id, call.request);}
}

void StepServer::on_world_cmd(const ambf_msgs::msg::WorldCmd & command)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto edge = toggle_.take(command.enable_step_throttling, command.step_clock, command.n_skip_steps);
  if (edge.throttle && *edge.throttle) {
    if (driver_.mode() != Mode::Lockstep) {mode_before_throttling_ = driver_.mode();}
    driver_.set_mode(Mode::Lockstep);
  } else if (edge.throttle) {
    abandon(Response::CODE_CANCELED, "World/Command ended step throttling");
    driver_.set_mode(mode_before_throttling_);
  }
  if (edge.steps == 0) {return;}
  const auto ignore = [&](const std::string & why) {
      rejected_.fetch_add(1);
      RCLCPP_WARN_THROTTLE(
        node_.get_logger(), steady_clock(), 1000, "World/Command: the toggle clock is ignored: %s", why.c_str());
    };
  if (driver_.mode() != Mode::Lockstep) {
    ignore(std::string("the world was set to ") + to_string(driver_.mode()) + " mode");
  } else if (!agents_.roster().empty()) {
    ignore("agents have joined: " + joined(agents_.roster().names()));
  } else {
    toggled_ += edge.steps;
    next_round();
  }
}

void StepServer::on_step_done(const ambf_msgs::msg::StepDone & done)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (!barrier_ || done.step != barrier_->step || barrier_->waiting.erase(done.member) == 0) {return;}
  if (!done.ok) {barrier_->failed.push_back(done.member + ": " + done.message);}
  if (barrier_->waiting.empty()) {end_barrier();}
}

void StepServer::on_gone(const std::vector<std::string> & names, const std::string & why)
{
  std::erase_if(granted_, [&](Call & call) {
      if (std::find(names.begin(), names.end(), call.request->agent) == names.end()) {return false;}
      refuse(call, Response::CODE_CANCELED, why);
      return true;
    });
  next_round();
}

void StepServer::housekeeping()
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::int64_t now = steady_now();
  if (barrier_ && now >= barrier_->deadline) {end_barrier();}
  agents_.drop_dead(now);
}

void StepServer::abandon(std::uint8_t code, const std::string & message)
{
  cancel_.store(true);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  for (Call & call : std::exchange(granted_, {})) {refuse(call, code, message);}
  for (Call & call : std::exchange(queued_, {})) {refuse(call, code, message);}
  if (const auto barrier = std::exchange(barrier_, nullptr)) {
    for (Call & call : barrier->calls) {refuse(call, code, message);}
  }
  toggled_ = 0;
  agents_.roster().clear_grants(steady_now());
  // A round that began between the two lines above has taken the order back: it is given again.
  cancel_.store(stepping_);
  cancel_reason_ = message;
}

}  // namespace ambf_physics
