#include "step_server.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "convert.hpp"
#include "qos.hpp"
#include "watch.hpp"

namespace ambf_physics
{

using Request = ambf_msgs::srv::StepWorld::Request;
using Response = ambf_msgs::srv::StepWorld::Response;

namespace
{

/// A call for more steps than this goes to the physics thread, so that the executor stays free.
constexpr std::uint64_t kInPlaceLimit = 100;
/// The physics thread waits for acknowledgements so long at a time.
constexpr std::chrono::milliseconds kPatience{5};

std::string hex(std::span<const std::uint8_t> bytes)
{
  std::string text;
  for (const auto byte : bytes) {
    for (const int digit : {byte >> 4, byte & 15}) {text += "0123456789abcdef"[digit];}
  }
  return text;
}

/// Who calls: by its name, and without one by its client.
std::string caller(const Request & request, const rmw_request_id_t & id)
{
  if (!request.agent.empty()) {return request.agent;}
  std::array<std::uint8_t, sizeof(id.writer_guid)> guid{};
  std::memcpy(guid.data(), id.writer_guid, guid.size());
  return "(no name) client " + hex(guid);
}

}  // namespace

StepServer::StepServer(
  rclcpp::Node & node, Simulation & simulation, Driver & driver, Publishing & publishing,
  const Parameters & parameters, SourceNames & sources, std::atomic<std::uint64_t> & rejected,
  const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group)
: node_(node), simulation_(simulation), driver_(driver), publishing_(publishing),
  parameters_(parameters), sources_(sources), rejected_(rejected),
  lease_(static_cast<std::int64_t>(parameters.agent_lease * 1e9)),
  agents_(node, publishing, parameters, world_namespace, group, mutex_),
  members_(node, parameters, world_namespace, group, mutex_)
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
    [this](const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info) {
      on_world_cmd(command, info);
    }, options);
  step_done_ = node.create_subscription<ambf_msgs::msg::StepDone>(
    base + "/StepDone", qos::events(),
    [this](const ambf_msgs::msg::StepDone & done) {on_step_done(done);}, options);
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
  const std::int64_t now = steady_now();
  if (!may_step(call, now)) {return;}
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
  if (!granted_.empty() && granted_.front().request->steps != call.request->steps) {
    reject(
      call, Response::CODE_BAD_REQUEST, "steps: found " + std::to_string(call.request->steps) +
      ", expected " + std::to_string(granted_.front().request->steps) +
      " as the other agents granted in this round");
    return;
  }
  if (agents_.roster().empty()) {sole_.claim(caller(*call.request, *call.id), now);}
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
    if (sole_.may(caller(*call.request, *call.id), now, lease_)) {return true;}
    reject(
      call, Response::CODE_NOT_JOINED, "agent '" + agent + "' steps a world that '" + sole_.holder() +
      "' is stepping; agents that share a world must join it");
    return false;
  }
  if (agents.joined(agent)) {return true;}
  reject(
    call, Response::CODE_NOT_JOINED, "agent '" + agent + "' has not joined; joined: " + joined(agents.names()));
  return false;
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
  if (!agents_.roster().empty()) {sole_.release();}
  agents_.roster().clear_grants(steady_now());
  // The order of commands must not depend on who called first.
  std::sort(round.calls.begin(), round.calls.end(), [](const Call & a, const Call & b) {
      return a.request->agent < b.request->agent;
    });
  start_round(std::move(round));
}

void StepServer::start_round(Round round)
{
  if (driver_.stopping()) {
    for (Call & call : round.calls) {refuse(call, Response::CODE_SHUTDOWN, "the simulator is shutting down");}
    return;
  }
  cancel_.store(false);
  cancel_reason_.clear();
  sole_.begin();
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
  driver_.step_in_place(
    round.steps, [&] {prepare(round);}, [&] {read_results(round);}, cancel_);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  stepping_ = false;
  finish_steps(round);
}

void StepServer::prepare(Round & round)
{
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
}

void StepServer::read_results(Round & round)
{
  const auto & world = simulation_.world();
  const auto & state = world.state();
  round.last = state.step;
  round.divergence = world.divergence().reason;
  for (Call & call : round.calls) {
    Response & response = call.response;
    response.step = state.step;
    response.sim_time = to_stamp(state.time);
    response.state_hash = state.hash;
    const bool fits = call.orders.revision == world.revision();
    round.edited |= !fits && !round.stale;
    if (fits) {observe(*call.request, state, response);}
  }
}

void StepServer::judge(Round & round)
{
  const std::uint64_t wanted = round.first + round.steps;
  for (Call & call : round.calls) {
    Response & response = call.response;
    const auto fail = [&](std::uint8_t code, const std::string & message) {
        response.code = code;
        response.message = message;
      };
    if (!round.divergence.empty()) {
      fail(Response::CODE_DIVERGED, "the world diverged and is paused: " + round.divergence);
    } else if (round.stale) {
      fail(Response::CODE_STALE_REVISION, "the world changed while the call waited: read the manifest again");
    } else if (round.last != wanted) {
      fail(
        Response::CODE_CANCELED, "canceled at step " + std::to_string(round.last) + " on the way to step " +
        std::to_string(wanted) + (cancel_reason_.empty() ? "" : ": " + cancel_reason_));
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
      barrier->timeout, call.request->barrier_timeout > 0.0 ?
      call.request->barrier_timeout : parameters_.barrier_timeout);
  }
  std::erase_if(
    barrier->waiting, [&](const std::string & name) {
      if (members_.contains(name)) {return false;}
      barrier->failed.push_back(name + " (has not announced itself on World/Barrier)");
      return true;
    });
  judge(round);
  const auto timeout = std::chrono::nanoseconds(static_cast<std::int64_t>(barrier->timeout * 1e9));
  if (!round.calls.empty()) {barrier->step = round.calls.front().response.step;}
  barrier->calls = std::move(round.calls);
  barrier->deadline = steady_now() + timeout.count();
  // Members may answer while the snapshot is still being sent: they are expected from now on.
  barrier_ = std::move(barrier);
  publishing_.publish_step();
  if (barrier_->complete()) {
    end_barrier();
  } else if (barrier_->acknowledgements) {
    driver_.post([this, number = barrier_->number] {wait_for_acknowledgements(number);});
  }
}

void StepServer::wait_for_acknowledgements(std::uint64_t barrier)
{
  const auto readers = publishing_.watched();
  const auto context = node_.get_node_base_interface()->get_context();
  for (bool done = false; !driver_.stopping() && context->is_valid(); ) {
    {
      std::lock_guard<std::recursive_mutex> lock(mutex_);
      if (!barrier_ || barrier_->number != barrier) {return;}  // its time is over, or it was abandoned
      if (done) {
        barrier_->acknowledgements = false;
        if (barrier_->complete()) {end_barrier();}
        return;
      }
    }
    done = Publishing::acknowledged(readers, kPatience);
  }
}

void StepServer::end_barrier()
{
  const auto barrier = std::exchange(barrier_, nullptr);
  for (const auto & name : barrier->waiting) {
    barrier->failed.push_back(name + " (no answer within " + std::to_string(barrier->timeout) + " s)");
  }
  if (barrier->acknowledgements) {
    barrier->failed.push_back("a reader (no acknowledgement within " + std::to_string(barrier->timeout) + " s)");
  }
  for (Call & call : barrier->calls) {
    if (!barrier->failed.empty() && call.response.ok) {
      call.response.ok = false;
      call.response.code = Response::CODE_BARRIER_TIMEOUT;
      call.response.message = "the steps were taken; missing in the barrier: " + joined(barrier->failed);
    }
    reply(call);
  }
  sole_.end(steady_now());
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

void StepServer::on_world_cmd(const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto edge = toggle_.take(command.enable_step_throttling, command.step_clock, command.n_skip_steps);
  const auto ignore = [&](const std::string & why) {
      rejected_.fetch_add(1);
      RCLCPP_WARN_THROTTLE(
        node_.get_logger(), steady_clock(), 1000, "World/Command: the toggle clock is ignored: %s", why.c_str());
    };
  if ((edge.throttle || edge.steps > 0) && !agents_.roster().empty()) {
    ignore("agents have joined: " + joined(agents_.roster().names()));
    return;
  }
  if (edge.throttle && *edge.throttle) {
    if (!mode_before_throttling_) {mode_before_throttling_ = driver_.mode();}
    driver_.set_mode(Mode::Lockstep);
  } else if (edge.throttle && mode_before_throttling_) {
    const Mode before = *std::exchange(mode_before_throttling_, std::nullopt);
    if (before != Mode::Lockstep) {leave_lockstep("World/Command ended step throttling");}
    driver_.set_mode(before);
  }
  if (edge.steps == 0) {return;}
  const std::int64_t now = steady_now();
  const std::string toggler = "World/Command of publisher " + hex(info.get_rmw_message_info().publisher_gid.data);
  if (driver_.mode() != Mode::Lockstep) {
    ignore(std::string("the world was set to ") + to_string(driver_.mode()) + " mode");
  } else if (!sole_.may(toggler, now, lease_)) {
    ignore("'" + sole_.holder() + "' is stepping the world");
  } else {
    sole_.claim(toggler, now);
    toggled_ += edge.steps;
    next_round();
  }
}

void StepServer::on_step_done(const ambf_msgs::msg::StepDone & done)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (!barrier_ || done.step != barrier_->step || barrier_->waiting.erase(done.member) == 0) {return;}
  if (!done.ok) {barrier_->failed.push_back(done.member + ": " + done.message);}
  if (barrier_->complete()) {end_barrier();}
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
  for (const auto & name : members_.take_gone()) {
    RCLCPP_WARN(node_.get_logger(), "barrier member '%s' is gone", name.c_str());
    if (barrier_ && barrier_->waiting.erase(name) != 0) {barrier_->failed.push_back(name + " (is gone)");}
  }
  if (barrier_ && (barrier_->complete() || now >= barrier_->deadline)) {end_barrier();}
  if (stepping_ || barrier_) {agents_.roster().excuse(now);}
  agents_.drop_dead(now);
}

void StepServer::leave_lockstep(const std::string & why)
{
  abandon(Response::CODE_CANCELED, why);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  sole_.release();
}

void StepServer::abandon(std::uint8_t code, const std::string & message)
{
  cancel_.store(true);
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  for (Call & call : std::exchange(granted_, {})) {refuse(call, code, message);}
  for (Call & call : std::exchange(queued_, {})) {refuse(call, code, message);}
  if (const auto barrier = std::exchange(barrier_, nullptr)) {
    for (Call & call : barrier->calls) {refuse(call, code, message);}
    sole_.end(steady_now());
  }
  toggled_ = 0;
  agents_.roster().clear_grants(steady_now());
  // A round that began between the two lines above has taken the order back: it is given again.
  cancel_.store(stepping_);
  cancel_reason_ = message;
}

}  // namespace ambf_physics
