#include "step_server.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convert.hpp"
#include "qos.hpp"

namespace ambf_physics
{

using ambf_dynamics::StepStatus;
using Request = ambf_msgs::srv::StepWorld::Request;
using Response = ambf_msgs::srv::StepWorld::Response;

namespace
{

/// A call for more steps than this goes to the physics thread, so that the executor stays free.
constexpr std::uint32_t kInPlaceLimit = 1000;

std::string joined(const std::vector<std::string> & names)
{
  std::string text;
  for (const auto & name : names) {text += (text.empty() ? "" : ", ") + name;}
  return text;
}

}  // namespace

StepServer::StepServer(
  rclcpp::Node & node, Simulation & simulation, Driver & driver, Publishing & publishing,
  const Parameters & parameters, SourceNames & sources, std::atomic<std::uint64_t> & rejected,
  const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group)
: node_(node), simulation_(simulation), driver_(driver), publishing_(publishing),
  parameters_(parameters), sources_(sources), rejected_(rejected),
  presence_(node, node.get_node_topics_interface()->resolve_topic_name(world_namespace + "/World/Agents"))
{
  const std::string base = world_namespace + "/World";
  step_ = node.create_service<StepWorld>(
    base + "/step",
    [this](const std::shared_ptr<rmw_request_id_t> id, const Request::SharedPtr request) {
      on_step(id, request);
    }, rclcpp::ServicesQoS(), group);
  join_ = node.create_service<ambf_msgs::srv::JoinWorld>(
    base + "/join",
    [this](
      const ambf_msgs::srv::JoinWorld::Request::SharedPtr request,
      ambf_msgs::srv::JoinWorld::Response::SharedPtr response) {
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      response->lease = parameters_.agent_lease;
      if (const auto roster = publishing_.roster()) {response->manifest_revision = roster->revision;}
      if (request->name.empty()) {
        response->message = "name: found nothing, expected the agent's name";
      } else if (!std::isfinite(request->delay_budget) || request->delay_budget < 0.0) {
        response->message = "delay_budget: expected seconds of wall time, 0 for ever";
      } else if (!agents_.join(request->name, request->delay_budget, steady_now())) {
        response->message = "an agent named '" + request->name + "' has joined already";
      } else {
        response->ok = true;
        remember_names();
        RCLCPP_INFO(node_.get_logger(), "agent '%s' joined", request->name.c_str());
      }
    }, rclcpp::ServicesQoS(), group);
  leave_ = node.create_service<ambf_msgs::srv::LeaveWorld>(
    base + "/leave",
    [this](
      const ambf_msgs::srv::LeaveWorld::Request::SharedPtr request,
      ambf_msgs::srv::LeaveWorld::Response::SharedPtr response) {
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      response->ok = agents_.leave(request->name);
      if (!response->ok) {
        response->message = "no agent '" + request->name + "'; joined: " + joined(agents_.names());
        return;
      }
      std::erase_if(granted_, [&](Call & call) {
          if (call.request->agent != request->name) {return false;}
          refuse(call, Response::CODE_CANCELED, "the agent left");
          return true;
        });
      RCLCPP_INFO(node_.get_logger(), "agent '%s' left", request->name.c_str());
      remember_names();
      next_round();
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
      members_[member.name] = steady_now();
    }, options);
  auto watched = options;
  watched.event_callbacks.liveliness_callback = [this, lease](rclcpp::QOSLivelinessChangedInfo & info) {
      if (info.alive_count_change >= 0 && info.not_alive_count_change <= 0) {return;}
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      const std::int64_t now = steady_now();
      const auto here = static_cast<int>(presence_.counted_here(now, lease.count()));
      agents_.lease_lost(static_cast<std::uint32_t>(std::max(info.alive_count - here, 0)), now);
    };
  watched.event_callbacks.matched_callback = [this](rclcpp::MatchedInfo & info) {
      if (info.current_count_change >= 0) {return;}
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      publisher_lost_ = true;
    };
  hello_ = node.create_subscription<ambf_msgs::msg::AgentHello>(
    base + "/Agents", qos::lease(lease),
    [this](const ambf_msgs::msg::AgentHello & hello, const rclcpp::MessageInfo & info) {
      on_hello(hello, info);
    }, watched);
  timer_ = node.create_wall_timer(std::chrono::milliseconds(20), [this] {housekeeping();}, group);
}

StepServer::~StepServer()
{
  abandon(Response::CODE_SHUTDOWN, "the simulator is shutting down");
}

std::vector<std::string> StepServer::agents() const
{
  std::lock_guard<std::mutex> lock(names_mutex_);
  return names_;
}

std::vector<std::string> StepServer::dropped_agents() const
{
  std::lock_guard<std::mutex> lock(names_mutex_);
  return dropped_;
}

void StepServer::remember_names()
{
  std::lock_guard<std::mutex> lock(names_mutex_);
  names_ = agents_.names();
}

void StepServer::reply(Call & call) {step_->send_response(*call.id, call.response);}

void StepServer::refuse(Call & call, std::uint8_t code, const std::string & message)
{
  call.response.ok = false;
  call.response.code = code;
  call.response.message = message;
  reply(call);
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
    rejected_.fetch_add(1);
    refuse(call, checked.error().code, checked.error().message);
    return;
  }
  call.orders = std::move(*checked);
  const std::string & agent = call.request->agent;
  const std::int64_t now = steady_now();
  if (agents_.empty()) {
    const auto lease = static_cast<std::int64_t>(parameters_.agent_lease * 1e9);
    if (agent != sole_agent_ && now - sole_agent_seen_ < lease) {
      rejected_.fetch_add(1);
      refuse(
        call, Response::CODE_NOT_JOINED, "agent '" + agent + "' steps a world that '" + sole_agent_ +
        "' is stepping; agents that share a world must join it");
      return;
    }
    sole_agent_ = agent;
    sole_agent_seen_ = now;
  }
  if (!agents_.empty() && !agents_.joined(agent)) {
    rejected_.fetch_add(1);
    refuse(
      call, Response::CODE_NOT_JOINED, "agent '" + agent + "' has not joined; joined: " +
      joined(agents_.names()));
    return;
  }
  if (!granted_.empty() && granted_.front().request->steps != call.request->steps) {
    rejected_.fetch_add(1);
    refuse(
      call, Response::CODE_BAD_REQUEST, "steps: found " + std::to_string(call.request->steps) +
      ", expected " + std::to_string(granted_.front().request->steps) +
      " as the other agents granted in this round");
    return;
  }
  switch (agents_.grant(agent, now)) {
    case AgentRoster::Grant::NotJoined:
      return;  // refused above
    case AgentRoster::Grant::Twice:
      rejected_.fetch_add(1);
      refuse(
        call, Response::CODE_BAD_REQUEST, "agent '" + agent + "' has granted already; waiting for: " +
        joined(agents_.missing()));
      return;
    case AgentRoster::Grant::Waiting:
      granted_.push_back(std::move(call));
      return;
    case AgentRoster::Grant::Complete:
      granted_.push_back(std::move(call));
      start_round(std::exchange(granted_, {}));
      return;
  }
}

void StepServer::start_round(std::vector<Call> calls)
{
  agents_.clear_grants();
  // The order of commands must not depend on who called first.
  std::sort(calls.begin(), calls.end(), [](const Call & a, const Call & b) {
      return a.request->agent < b.request->agent;
    });
  cancel_.store(false);
  if (calls.front().request->steps <= kInPlaceLimit) {
    take_steps(std::move(calls));
    return;
  }
  stepping_ = true;
  auto shared = std::make_shared<std::vector<Call>>(std::move(calls));
  driver_.post([this, shared] {take_steps(std::move(*shared));});
}

void StepServer::take_steps(std::vector<Call> calls)
{
  const std::uint64_t count = calls.front().request->steps;
  std::uint64_t first = 0;
  const StepStatus status = driver_.step_in_place(
    count, [&] {
      first = simulation_.world().state().step;
      const std::int64_t now = driver_.watchdog_now();
      simulation_.apply_posted(now);
      for (const Call & call : calls) {
        const std::string & agent = call.request->agent;
        apply(call.orders, simulation_, sources_.number(agent.empty() ? "step" : agent), now);
      }
    }, &cancel_);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  stepping_ = false;
  finish_steps(std::move(calls), status, first + count);
}

void StepServer::finish_steps(std::vector<Call> calls, StepStatus status, std::uint64_t wanted)
{
  auto barrier = std::make_unique<Barrier>();
  bool acked = false;
  for (const Call & call : calls) {
    barrier->waiting.insert(call.request->barrier.begin(), call.request->barrier.end());
    acked = acked || call.request->wait_for_acked;
    barrier->timeout = std::max(
      barrier->timeout, call.request->barrier_timeout > 0.0 ?
      call.request->barrier_timeout : parameters_.barrier_timeout);
  }
  for (auto it = barrier->waiting.begin(); it != barrier->waiting.end(); ) {
    if (members_.count(*it) != 0) {
      ++it;
    } else {
      barrier->failed.push_back(*it + " (has not announced itself on World/Barrier)");
      it = barrier->waiting.erase(it);
    }
  }
  {
    // Members may answer while the snapshot is still being sent: expect them first.
    const Ownership::Token token(simulation_.ownership);
    const auto & state = simulation_.world().state();
    barrier->step = state.step;
    for (Call & call : calls) {
      Response & response = call.response;
      response.step = state.step;
      response.sim_time = to_stamp(state.time);
      response.state_hash = state.hash;
      observe(*call.request, state, response);
      response.ok = status == StepStatus::Ok && state.step == wanted;
      if (status == StepStatus::Diverged) {
        response.code = Response::CODE_DIVERGED;
        response.message = "the world diverged and is paused: " + simulation_.world().divergence().reason;
      } else if (!response.ok) {
        response.code = Response::CODE_CANCELED;
        response.message = "canceled after " + std::to_string(state.step) + " of " +
          std::to_string(wanted) + " steps";
      }
    }
  }
  barrier->calls = std::move(calls);
  barrier->deadline = steady_now() + static_cast<std::int64_t>(barrier->timeout * 1e9);
  barrier_ = std::move(barrier);
  const auto timeout = std::chrono::nanoseconds(static_cast<std::int64_t>(barrier_->timeout * 1e9));
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
  if (!granted_.empty() && (agents_.complete() || agents_.empty())) {
    start_round(std::exchange(granted_, {}));
    return;
  }
  for (Call & call : std::exchange(queued_, {})) {on_step(call.id, call.request);}
}

void StepServer::on_world_cmd(const ambf_msgs::msg::WorldCmd & command)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto answer = toggle_.take(command.enable_step_throttling, command.step_clock, command.n_skip_steps);
  if (answer.throttle) {
    if (*answer.throttle) {
      if (driver_.mode() != Mode::Lockstep) {mode_before_throttling_ = driver_.mode();}
      driver_.set_mode(Mode::Lockstep);
    } else {
      driver_.set_mode(mode_before_throttling_);
    }
  }
  if (answer.steps == 0 || stepping_ || barrier_) {return;}
  if (!agents_.empty()) {
    rejected_.fetch_add(1);
    RCLCPP_WARN_THROTTLE(
      node_.get_logger(), *node_.get_clock(), 1000,
      "World/Command: the toggle clock is ignored while agents have joined: %s",
      joined(agents_.names()).c_str());
    return;
  }
  driver_.step_in_place(answer.steps, nullptr, &cancel_);
  publishing_.publish_step(false, std::chrono::nanoseconds(0));
}

void StepServer::on_hello(const ambf_msgs::msg::AgentHello & hello, const rclcpp::MessageInfo & info)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::int64_t now = steady_now();
  agents_.hello(hello.name, now, presence_.hello(hello, info, now));
}

void StepServer::on_step_done(const ambf_msgs::msg::StepDone & done)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (!barrier_ || done.step != barrier_->step || barrier_->waiting.erase(done.member) == 0) {return;}
  if (!done.ok) {barrier_->failed.push_back(done.member + ": " + done.message);}
  if (barrier_->waiting.empty()) {end_barrier();}
}

void StepServer::housekeeping()
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::int64_t now = steady_now();
  if (barrier_ && now >= barrier_->deadline) {end_barrier();}
  const auto lease = static_cast<std::int64_t>(parameters_.agent_lease * 1e9);
  auto gone = agents_.take_dead(
    now, lease, agents_.suspicious() || std::exchange(publisher_lost_, false) ?
    presence_.vanished(agents_.names()) : std::set<std::string>{});
  if (parameters_.delay_fallback == "drop") {
    for (const auto & name : agents_.over_budget(now)) {
      agents_.leave(name);
      gone.push_back(name);
    }
  }
  for (const auto & name : gone) {
    RCLCPP_WARN(node_.get_logger(), "agent '%s' is gone and no longer holds the world", name.c_str());
    std::erase_if(granted_, [&](const Call & call) {return call.request->agent == name;});
    std::lock_guard<std::mutex> names(names_mutex_);
    dropped_.push_back(name);
  }
  if (gone.empty()) {return;}
  remember_names();
  next_round();
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
  agents_.clear_grants();
  if (!stepping_) {cancel_.store(false);}
}

}  // namespace ambf_physics
