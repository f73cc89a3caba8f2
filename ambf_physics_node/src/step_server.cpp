// SPDX-License-Identifier: BSD-3-Clause
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

/// How often the callers of a long call are looked for in the graph [ns].
constexpr std::int64_t kCallersPeriod = 500'000'000;

/// How those that toggle the clock are called.
const std::string kToggler = "World/Command of process ";

std::string hex(std::span<const std::uint8_t> bytes)
{
  std::string text;
  for (const auto byte : bytes) {
    for (const int digit : {byte >> 4, byte & 15}) { text += "0123456789abcdef"[digit]; }
  }
  return text;
}

/// Who calls: by its name, and without one by its client.
std::string caller(const Request & request, const rmw_request_id_t & id)
{
  if (!request.agent.empty()) { return request.agent; }
  std::array<std::uint8_t, sizeof(id.writer_guid)> guid{};
  std::memcpy(guid.data(), id.writer_guid, guid.size());
  return "(no name) client " + hex(guid);
}

}  // namespace

StepServer::StepServer(
  rclcpp::Node & node, Simulation & simulation, WorldRunner & runner, Publishing & publishing,
  const Parameters & parameters, SourceNames & sources, std::atomic<std::uint64_t> & rejected,
  const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group)
: node_(node),
  simulation_(simulation),
  runner_(runner),
  publishing_(publishing),
  parameters_(parameters),
  sources_(sources),
  rejected_(rejected),
  lease_(static_cast<std::int64_t>(parameters.agent_lease * 1e9)),
  agents_(node, parameters, world_namespace, group, mutex_),
  members_(node, parameters, world_namespace, group, mutex_),
  callers_(
    node, node.get_node_topics_interface()->resolve_topic_name(world_namespace + "/World/step"))
{
  const std::string base = world_namespace + "/World";
  agents_.on_gone = [this](const auto & names, const std::string & why) { on_gone(names, why); };
  step_ = node.create_service<StepWorld>(
    base + "/step",
    [this](const std::shared_ptr<rmw_request_id_t> id, const Request::SharedPtr request) {
      on_step(id, request);
    },
    rclcpp::ServicesQoS(), group);
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  command_ = node.create_subscription<ambf_msgs::msg::WorldCmd>(
    base + "/Command", qos::latest(),
    [this](const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info) {
      on_world_cmd(command, info);
    },
    options);
  step_done_ = node.create_subscription<ambf_msgs::msg::StepDone>(
    base + "/StepDone", qos::events(),
    [this](const ambf_msgs::msg::StepDone & done) { on_step_done(done); }, options);
  timer_ = node.create_wall_timer(std::chrono::milliseconds(20), [this] { housekeeping(); }, group);
}

StepServer::~StepServer() { abandon(Response::CODE_SHUTDOWN, "the simulator is shutting down"); }

void StepServer::reply(Call & call) { step_->send_response(*call.id, call.response); }

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
  call.caller = caller(*request, *id);
  call.id = std::move(id);
  call.request = std::move(request);
  const std::int64_t now = steady_now();
  if (!may_step(call, now)) { return; }
  if (stepping_ || barrier_) {
    queued_.push_back(std::move(call));
    return;
  }
  auto checked = check_step(*call.request, *publishing_.roster(), runner_.mode());
  if (!checked) {
    reject(call, checked.error().code, checked.error().message);
    return;
  }
  call.orders = std::move(*checked);
  if (!granted_.empty() && granted_.front().request->steps != call.request->steps) {
    reject(
      call, Response::CODE_BAD_REQUEST,
      "steps: found " + std::to_string(call.request->steps) + ", expected " +
        std::to_string(granted_.front().request->steps) +
        " as the other agents granted in this round");
    return;
  }
  if (agents_.roster().empty()) { sole_.claim(call.caller, now); }
  switch (agents_.roster().grant(call.request->agent, now)) {
    case AgentRoster::Grant::NotJoined:
      return;  // refused above
    case AgentRoster::Grant::Twice:
      reject(
        call, Response::CODE_BAD_REQUEST,
        "agent '" + call.request->agent +
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
  if (agents.empty() && call.request->joined) {
    reject(
      call, Response::CODE_NOT_JOINED,
      "agent '" + agent +
        "' is not known here: the world was restarted, or "
        "it dropped this agent; join again");
    return false;
  }
  if (agents.empty()) {
    if (sole_.may(call.caller, now, lease_)) { return true; }
    const std::string running = under_way();
    reject(
      call, Response::CODE_NOT_JOINED,
      "agent '" + agent + "' steps a world that '" + sole_.holder() +
        "' is stepping; agents that share a world must join it; " +
        (running.empty() ? "it is free when that one has been silent for 'agent_lease'" : running));
    return false;
  }
  if (agents.joined(agent)) { return true; }
  reject(
    call, Response::CODE_NOT_JOINED,
    "agent '" + agent + "' has not joined; joined: " + joined(agents.names()));
  return false;
}

bool StepServer::check_again(std::vector<Call> & calls)
{
  const auto roster = publishing_.roster();
  return std::erase_if(calls, [&](Call & call) {
           if (call.orders.revision == roster->revision) { return false; }
           auto checked = check_step(*call.request, *roster, runner_.mode());
           if (checked) {
             call.orders = std::move(*checked);
             return false;
           }
           agents_.roster().withdraw(call.request->agent);
           reject(
             call, checked.error().code,
             "the world changed while the call waited: " + checked.error().message);
           return true;
         }) == 0;
}

void StepServer::start_granted()
{
  if (!check_again(granted_)) { return; }
  Round round;
  round.calls = std::exchange(granted_, {});
  round.steps = round.calls.front().request->steps;
  if (!agents_.roster().empty()) { sole_.release(); }
  agents_.roster().clear_grants(steady_now());
  // The order of commands must not depend on who called first.
  std::sort(round.calls.begin(), round.calls.end(), [](const Call & a, const Call & b) {
    return a.request->agent < b.request->agent;
  });
  start_round(std::move(round));
}

void StepServer::on_world_cmd(
  const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto edge =
    toggle_.take(command.enable_step_throttling, command.step_clock, command.n_skip_steps);
  const auto ignore = [&](const std::string & why) {
    rejected_.fetch_add(1);
    RCLCPP_WARN_THROTTLE(
      node_.get_logger(), steady_clock(), 1000, "World/Command: the toggle clock is ignored: %s",
      why.c_str());
  };
  const std::int64_t now = steady_now();
  // The publishers of one process are one: scripts step with one and switch off with another.
  const std::span<const std::uint8_t> gid(info.get_rmw_message_info().publisher_gid.data);
  const std::string toggler = kToggler + hex(gid.first(12));
  std::string obstacle;
  if (!agents_.roster().empty()) {
    obstacle = "agents have joined: " + joined(agents_.roster().names());
  } else if (!sole_.may(toggler, now, lease_)) {
    obstacle = "'" + sole_.holder() + "' is stepping the world";
  }
  // Anybody may switch a clock off that another toggles, and nobody one that is not a toggle clock.
  const bool of_others = agents_.roster().empty() && sole_.holder().starts_with(kToggler);
  if (edge.throttle && !obstacle.empty() && !of_others) {
    toggle_.undo_throttle();  // the same message is an edge again when nothing is in the way
    ignore(obstacle);
    return;
  }
  if (edge.throttle && *edge.throttle) {
    mode_before_throttling_ = runner_.mode();
    runner_.set_mode(Mode::Lockstep);
  } else if (edge.throttle && mode_before_throttling_) {
    const Mode before = *std::exchange(mode_before_throttling_, std::nullopt);
    if (before != Mode::Lockstep) { leave_lockstep("World/Command ended step throttling"); }
    runner_.set_mode(before);
  } else if (edge.throttle) {
    ignore(
      std::string("the world was set to ") + to_string(runner_.mode()) + " mode by somebody else");
  }
  if (edge.steps == 0) { return; }
  if (runner_.mode() != Mode::Lockstep) {
    ignore(std::string("the world was set to ") + to_string(runner_.mode()) + " mode");
  } else if (!obstacle.empty()) {
    ignore(obstacle);
  } else {
    sole_.claim(toggler, now);
    toggled_ += edge.steps;
    next_round();
  }
}

void StepServer::on_step_done(const ambf_msgs::msg::StepDone & done)
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  keep_commands(done);
  if (!barrier_ || done.step != barrier_->step || barrier_->waiting.erase(done.member) == 0) {
    return;
  }
  if (!done.ok) { barrier_->failed.push_back(done.member + ": " + done.message); }
  if (barrier_->complete()) { end_barrier(); }
}

void StepServer::keep_commands(const ambf_msgs::msg::StepDone & done)
{
  if (done.commands.empty() || runner_.mode() != Mode::Lockstep) { return; }
  Request request;
  request.body_cmds = done.commands;
  auto checked = check_step(request, *publishing_.roster(), Mode::Lockstep);
  if (!checked) {
    rejected_.fetch_add(1);
    RCLCPP_WARN_THROTTLE(
      node_.get_logger(), steady_clock(), 1000, "World/StepDone of '%s' is rejected: %s",
      done.member.c_str(), checked.error().message.c_str());
    return;
  }
  member_orders_[done.member] = std::move(*checked);
}

void StepServer::on_gone(const std::vector<std::string> & names, const std::string & why)
{
  for (std::vector<Call> * calls : {&granted_, &queued_}) {
    std::erase_if(*calls, [&](Call & call) {
      if (std::find(names.begin(), names.end(), call.request->agent) == names.end()) {
        return false;
      }
      refuse(call, Response::CODE_CANCELED, why);
      return true;
    });
  }
  if (stepping_ && !cancel_.load() && !running_.agents.empty()) {
    for (const auto & name : names) { running_.agents.erase(name); }
    if (running_.agents.empty()) { cancel_running(why); }
  }
  next_round();
}

void StepServer::housekeeping()
{
  std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::int64_t now = steady_now();
  for (const auto & name : members_.take_gone()) {
    RCLCPP_WARN(node_.get_logger(), "barrier member '%s' is gone", name.c_str());
    if (barrier_ && barrier_->waiting.erase(name) != 0) {
      barrier_->failed.push_back(name + " (is gone)");
    }
  }
  if (barrier_ && (barrier_->complete() || now >= barrier_->deadline)) { end_barrier(); }
  if (stepping_ && !cancel_.load() && now - callers_checked_ > kCallersPeriod) {
    callers_checked_ = now;
    if (callers_.all_gone()) { cancel_running("whoever called has gone"); }
  }
  if (stepping_ || barrier_) { agents_.roster().excuse(now); }
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
  for (Call & call : std::exchange(granted_, {})) { refuse(call, code, message); }
  for (Call & call : std::exchange(queued_, {})) { refuse(call, code, message); }
  if (const auto barrier = std::exchange(barrier_, nullptr)) {
    for (Call & call : barrier->calls) { refuse(call, code, message); }
    sole_.end(steady_now());
  }
  toggled_ = 0;
  member_orders_.clear();
  agents_.roster().clear_grants(steady_now());
  // A round that began between the two lines above has taken the order back: it is given again.
  cancel_.store(stepping_);
  cancel_reason_ = message;
  cancel_code_ = code;
}

}  // namespace ambf_physics
