// SPDX-License-Identifier: BSD-3-Clause
#include "step_server.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

#include "convert.hpp"
#include "qos.hpp"
#include "watch.hpp"

namespace ambf_physics
{

using Request = ambf_msgs::srv::StepWorld::Request;
using Response = ambf_msgs::srv::StepWorld::Response;

static_assert(static_cast<int>(StepCode::WrongMode) == Response::CODE_WRONG_MODE);
static_assert(static_cast<int>(StepCode::BadRequest) == Response::CODE_BAD_REQUEST);
static_assert(static_cast<int>(StepCode::StaleRevision) == Response::CODE_STALE_REVISION);
static_assert(static_cast<int>(StepCode::NotJoined) == Response::CODE_NOT_JOINED);
static_assert(static_cast<int>(StepCode::BarrierTimeout) == Response::CODE_BARRIER_TIMEOUT);
static_assert(static_cast<int>(StepCode::Diverged) == Response::CODE_DIVERGED);
static_assert(static_cast<int>(StepCode::Canceled) == Response::CODE_CANCELED);
static_assert(static_cast<int>(StepCode::Shutdown) == Response::CODE_SHUTDOWN);

namespace
{

/// How often the callers of a long call are looked for in the graph [ns].
constexpr std::int64_t kCallersPeriod = 500'000'000;
/// The physics thread waits for acknowledgements so long at a time.
constexpr std::chrono::milliseconds kPatience{5};

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
  sources_(sources),
  rejected_(rejected),
  rounds_(static_cast<std::int64_t>(parameters.agent_lease * 1e9), parameters.barrier_timeout),
  agents_(node, parameters, world_namespace, group, mutex_, rounds_.agents()),
  members_(node, parameters, world_namespace, group, mutex_, rounds_.members()),
  callers_(
    node, node.get_node_topics_interface()->resolve_topic_name(world_namespace + "/World/step"))
{
  const std::string base = world_namespace + "/World";
  agents_.on_gone = [this](const auto & names, const std::string & why) {
    do_all(rounds_.agents_gone(names, why, now()));
  };
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

StepServer::~StepServer()
{
  const auto clock = hold();
  do_all(rounds_.abandon(StepCode::Shutdown, "the simulator is shutting down", now()));
}

StepMoment StepServer::now() const
{
  const auto roster = publishing_.roster();
  return {steady_now(), roster ? roster->revision : 0, runner_.mode(), runner_.stopping()};
}

void StepServer::do_all(StepActions actions)
{
  // What comes of an action goes before the actions behind it.
  std::reverse(actions.begin(), actions.end());
  while (!actions.empty()) {
    const StepAction action = std::move(actions.back());
    actions.pop_back();
    StepActions more = std::visit([this](const auto & what) { return carry_out(what); }, action);
    std::move(more.rbegin(), more.rend(), std::back_inserter(actions));
  }
}

StepActions StepServer::carry_out(const step_action::Check & action)
{
  const auto roster = publishing_.roster();
  std::map<std::uint64_t, StepRefusal> refused;
  for (const auto number : action.calls) {
    Call & call = calls_.at(number);
    // Indices of a call that waited may belong to an older world.
    if (call.orders.revision == roster->revision) { continue; }
    auto orders = check_step(*call.request, *roster, runner_.mode());
    if (orders) {
      call.orders = std::move(*orders);
    } else {
      refused[number] = std::move(orders.error());
    }
  }
  return rounds_.checked(refused, now());
}

StepActions StepServer::carry_out(const step_action::Answer & action)
{
  if (action.rejected) { rejected_.fetch_add(1); }
  auto call = calls_.extract(action.call);
  Response & response = call.mapped().response;
  response.ok = action.end.code == StepCode::Ok;
  response.code = static_cast<std::uint8_t>(action.end.code);
  response.message = action.end.message;
  step_->send_response(*call.mapped().id, response);
  return {};
}

StepActions StepServer::carry_out(const step_action::Start & action)
{
  cancel_.store(false);
  auto round = std::make_shared<Round>();
  std::vector<std::shared_ptr<rmw_request_id_t>> callers;
  for (const auto number : action.calls) {
    round->calls.push_back(calls_.extract(number));
    callers.push_back(round->calls.back().mapped().id);
  }
  round->steps = action.steps;
  // A call without steps leaves them for one that has some.
  if (round->steps > 0) { round->members = std::exchange(member_orders_, {}); }
  if (action.here) {
    take_steps(*round);
    return tell_stepped(*round);
  }
  callers_.begin(callers);
  runner_.post([this, round] {
    take_steps(*round);
    const auto clock = hold();
    callers_.end();
    do_all(tell_stepped(*round));
  });
  return {};
}

StepActions StepServer::tell_stepped(Round & round)
{
  for (auto & call : round.calls) { calls_.insert(std::move(call)); }
  return rounds_.stepped(round.taken, now());
}

StepActions StepServer::carry_out(const step_action::Stop &)
{
  cancel_.store(true);
  return {};
}

StepActions StepServer::carry_out(const step_action::Publish &)
{
  publishing_.publish_step();
  return rounds_.published(now());
}

StepActions StepServer::carry_out(const step_action::AwaitReaders & action)
{
  runner_.post([this, barrier = action.barrier] { wait_for_readers(barrier); });
  return {};
}

StepActions StepServer::carry_out(const step_action::ComeAgain & action)
{
  return tell_call(action.call);
}

StepActions StepServer::carry_out(const step_action::Abandoned &)
{
  member_orders_.clear();
  return {};
}

StepActions StepServer::carry_out(const step_action::SetMode & action)
{
  runner_.set_mode(action.mode);
  return {};
}

StepActions StepServer::carry_out(const step_action::Warn & action)
{
  if (action.rejected) {
    rejected_.fetch_add(1);
    RCLCPP_WARN_THROTTLE(node_.get_logger(), steady_clock(), 1000, "%s", action.text.c_str());
  } else {
    RCLCPP_WARN(node_.get_logger(), "%s", action.text.c_str());
  }
  return {};
}

void StepServer::on_step(std::shared_ptr<rmw_request_id_t> id, Request::SharedPtr request)
{
  const auto clock = hold();
  Call & call = calls_[++numbers_];
  call.id = std::move(id);
  call.request = std::move(request);
  do_all(tell_call(numbers_));
}

StepActions StepServer::tell_call(std::uint64_t number)
{
  Call & call = calls_.at(number);
  const Request & request = *call.request;
  std::optional<StepRefusal> refusal;
  auto orders = check_step(request, *publishing_.roster(), runner_.mode());
  if (orders) {
    call.orders = std::move(*orders);
  } else {
    refusal = std::move(orders.error());
  }
  StepCall told;
  told.id = number;
  told.agent = request.agent;
  told.caller = caller(request, *call.id);
  told.joined = request.joined;
  told.steps = request.steps;
  told.barrier = request.barrier;
  told.barrier_timeout = request.barrier_timeout;
  told.wait_for_acked = request.wait_for_acked;
  return rounds_.call(std::move(told), std::move(refusal), now());
}

void StepServer::take_steps(Round & round)
{
  round.taken.taken = runner_.step_in_place(
    round.steps, [&] { prepare(round); }, [&] { read_results(round); }, cancel_);
}

void StepServer::prepare(Round & round)
{
  const auto & world = simulation_.world();
  const std::int64_t time = runner_.watchdog_now();
  simulation_.apply_posted(time);
  const auto fits = [&](const StepOrders & orders) { return orders.revision == world.revision(); };
  round.taken.stale = !std::ranges::all_of(
    round.calls, [&](const auto & call) { return fits(call.mapped().orders); });
  if (round.taken.stale) { cancel_.store(true); }
  if (cancel_.load()) { return; }  // nothing is stepped, so nothing is commanded
  // In the order of their names, and before those who call: what a caller commands itself goes last. A member whose
  // commands do not fit any more hears of the change and says them anew.
  for (const auto & [member, orders] : round.members) {
    if (fits(orders)) { apply(orders, simulation_, sources_.number(member), time); }
  }
  for (const auto & node : round.calls) {
    const Call & call = node.mapped();
    const std::string & agent = call.request->agent;
    apply(call.orders, simulation_, sources_.number(agent.empty() ? "step" : agent), time);
  }
}

void StepServer::read_results(Round & round)
{
  const auto & world = simulation_.world();
  const auto & state = world.state();
  round.taken.step = state.step;
  round.taken.divergence = world.divergence().reason;
  for (auto & node : round.calls) {
    Call & call = node.mapped();
    Response & response = call.response;
    response.step = state.step;
    response.sim_time = to_stamp(state.time);
    response.state_hash = simulation_.hash();
    if (call.orders.revision == world.revision()) {
      observe(*call.request, state, response);
    } else {
      round.taken.edited |= !round.taken.stale;
    }
  }
}

void StepServer::wait_for_readers(std::uint64_t barrier)
{
  const auto readers = publishing_.watched();
  const auto context = node_.get_node_base_interface()->get_context();
  for (bool done = false; !runner_.stopping() && context->is_valid();) {
    {
      const auto clock = hold();
      // Its time may be over, or it was abandoned.
      if (!rounds_.waits_for_readers(barrier)) { return; }
      if (done) {
        do_all(rounds_.acknowledged(barrier, now()));
        return;
      }
    }
    done = Publishing::acknowledged(readers, kPatience);
  }
}

void StepServer::on_world_cmd(
  const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info)
{
  const auto clock = hold();
  // The publishers of one process are one: scripts step with one and switch off with another.
  const std::span<const std::uint8_t> gid(info.get_rmw_message_info().publisher_gid.data);
  do_all(rounds_.toggle(
    command.enable_step_throttling, command.step_clock, command.n_skip_steps, hex(gid.first(12)),
    now()));
}

void StepServer::on_step_done(const ambf_msgs::msg::StepDone & done)
{
  const auto clock = hold();
  keep_commands(done);
  do_all(rounds_.member_done(done.member, done.step, done.ok, done.message, now()));
}

void StepServer::keep_commands(const ambf_msgs::msg::StepDone & done)
{
  if (done.commands.empty() || runner_.mode() != Mode::Lockstep) { return; }
  Request request;
  request.body_cmds = done.commands;
  auto checked = check_step(request, *publishing_.roster(), Mode::Lockstep);
  if (checked) {
    member_orders_[done.member] = std::move(*checked);
  } else {
    carry_out(step_action::Warn{
      "World/StepDone of '" + done.member + "' is rejected: " + checked.error().message, true});
  }
}

void StepServer::housekeeping()
{
  const auto clock = hold();
  const StepMoment moment = now();
  do_all(rounds_.members_gone(members_.take_gone(), moment));
  bool callers_gone = false;
  if (rounds_.running() && moment.time - callers_checked_ > kCallersPeriod) {
    callers_checked_ = moment.time;
    callers_gone = callers_.all_gone();
  }
  do_all(rounds_.tick(callers_gone, moment));
  agents_.drop_dead(moment.time);
}

}  // namespace ambf_physics
