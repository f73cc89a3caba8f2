// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <string>

#include <ambf_msgs/msg/world_state.hpp>
#include <simulation_interfaces/msg/simulation_state.hpp>
#include <simulation_interfaces/srv/get_simulation_state.hpp>
#include <simulation_interfaces/srv/get_simulator_features.hpp>
#include <simulation_interfaces/srv/reset_simulation.hpp>
#include <simulation_interfaces/srv/set_simulation_state.hpp>
#include <simulation_interfaces/srv/step_simulation.hpp>

#include "adapter_node.hpp"

// Features, simulation state, reset and stepping.
namespace ambf_simulation_interfaces
{

using ambf_msgs::msg::WorldState;
using ambf_msgs::srv::StepWorld;
using simulation_interfaces::msg::SimulationState;
using simulation_interfaces::msg::SimulatorFeatures;
using simulation_interfaces::srv::GetSimulationState;
using simulation_interfaces::srv::GetSimulatorFeatures;
using simulation_interfaces::srv::ResetSimulation;
using simulation_interfaces::srv::SetSimulationState;
using simulation_interfaces::srv::StepSimulation;
using Result = simulation_interfaces::msg::Result;

namespace
{

/// Steps of one call to the world.
constexpr std::uint64_t kLargestCall = 1'000'000;
/// An action of at most so many steps tells about each of them, a longer one so often, and at least each
/// thousandth step.
constexpr std::uint64_t kFeedbacks = 1000;
/// No state of the standard: the world is not there.
constexpr std::uint8_t kNobody = 255;
constexpr const char * kSteps =
  "steps are under way: wait for their end, cancel the goal, or set_simulation_state to 0 or 1";

StepWorld::Request::SharedPtr step_request(std::uint64_t steps)
{
  auto request = std::make_shared<StepWorld::Request>();
  request->agent = "simulation_interfaces";
  request->steps = static_cast<std::uint32_t>(steps);
  return request;
}

/// Why nothing can be done in one of the standard's states without a world.
std::string no_world(std::uint8_t state)
{
  return state == SimulationState::STATE_LOADING_WORLD ? "a world is being loaded: wait for its end"
                                                       : "no world is loaded: load_world first";
}

SimulatorFeatures features()
{
  SimulatorFeatures features;
  for (const auto feature :
       {SimulatorFeatures::SPAWNING,
        SimulatorFeatures::DELETING,
        SimulatorFeatures::ENTITY_TAGS,
        SimulatorFeatures::ENTITY_BOUNDS,
        SimulatorFeatures::ENTITY_BOUNDS_BOX,
        SimulatorFeatures::ENTITY_CATEGORIES,
        SimulatorFeatures::SPAWNING_RESOURCE_STRING,
        SimulatorFeatures::ENTITY_STATE_GETTING,
        SimulatorFeatures::ENTITY_STATE_SETTING,
        SimulatorFeatures::ENTITY_INFO_GETTING,
        SimulatorFeatures::ENTITY_INFO_SETTING,
        SimulatorFeatures::SPAWNABLES,
        SimulatorFeatures::SIMULATION_RESET,
        SimulatorFeatures::SIMULATION_RESET_TIME,
        SimulatorFeatures::SIMULATION_RESET_STATE,
        SimulatorFeatures::SIMULATION_RESET_SPAWNED,
        SimulatorFeatures::SIMULATION_STATE_GETTING,
        SimulatorFeatures::SIMULATION_STATE_SETTING,
        SimulatorFeatures::SIMULATION_STATE_PAUSE,
        SimulatorFeatures::STEP_SIMULATION_SINGLE,
        SimulatorFeatures::STEP_SIMULATION_MULTIPLE,
        SimulatorFeatures::STEP_SIMULATION_ACTION,
        SimulatorFeatures::WORLD_LOADING,
        SimulatorFeatures::WORLD_UNLOADING,
        SimulatorFeatures::WORLD_INFO_GETTING,
        SimulatorFeatures::AVAILABLE_WORLDS,
        SimulatorFeatures::SPAWNING_ENTITIES}) {
    features.features.push_back(feature);
  }
  features.spawn_formats = {"adf", "urdf", "sdf", "mjcf"};
  features.custom_info =
    "AMBF for ROS 2. An entity is a model, or one body of it as model/body. A world in lockstep "
    "counts as paused.";
  return features;
}

}  // namespace

Task<std::uint8_t> AdapterNode::simulation_state()
{
  if (loading_) { co_return SimulationState::STATE_LOADING_WORLD; }
  const auto reply = co_await world_->ask(
    world_->get_mode, std::make_shared<ambf_msgs::srv::GetWorldMode::Request>());
  if (!reply) { co_return kNobody; }
  if (loading_) { co_return SimulationState::STATE_LOADING_WORLD; }  // by now
  mode_ = reply->mode;
  if (mode_ == WorldState::MODE_REALTIME || mode_ == WorldState::MODE_FREE) {
    playing_ = mode_;
    co_return SimulationState::STATE_PLAYING;
  }
  if (unloaded_) { co_return SimulationState::STATE_NO_WORLD; }
  co_return mode_ == WorldState::MODE_PAUSED && reply->step == 0 ? SimulationState::STATE_STOPPED
                                                                 : SimulationState::STATE_PAUSED;
}

Task<Result> AdapterNode::set_mode(std::uint8_t mode)
{
  auto request = std::make_shared<ambf_msgs::srv::SetWorldMode::Request>();
  request->mode = mode;
  const auto reply = co_await world_->call(world_->set_mode, request);
  if (!reply) { co_return missing(); }
  co_return result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
}

Task<Result> AdapterNode::reset(std::uint8_t scope)
{
  constexpr std::uint8_t known = ResetSimulation::Request::SCOPE_TIME |
                                 ResetSimulation::Request::SCOPE_STATE |
                                 ResetSimulation::Request::SCOPE_SPAWNED;
  if (
    scope == ResetSimulation::Request::SCOPE_DEFAULT ||
    scope == ResetSimulation::Request::SCOPE_ALL) {
    scope = known;
  }
  if ((scope & ~known) != 0) {
    co_return result(
      Result::RESULT_FEATURE_UNSUPPORTED,
      "scope: found " + std::to_string(scope) +
        ", expected bits of time 1, state 2, spawned 4, or 255");
  }
  auto request = std::make_shared<ambf_msgs::srv::ResetWorld::Request>();
  request->scope = scope;
  const auto reply = co_await world_->call(world_->reset, request);
  if (!reply) { co_return missing(); }
  // As if it was launched again: what was said about its entities since then is gone, too.
  if (reply->ok && scope == known) { infos_.clear(); }
  co_return result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
}

Task<Result> AdapterNode::set_simulation_state(std::uint8_t wanted)
{
  if (wanted == SimulationState::STATE_QUITTING) {
    co_return result(
      Result::RESULT_FEATURE_UNSUPPORTED,
      "the simulator is ended where it was started: by its launch file");
  }
  if (wanted > SimulationState::STATE_PAUSED) {
    co_return result(
      SetSimulationState::Response::INCORRECT_TRANSITION,
      "state: found " + std::to_string(wanted) + ", expected 0 stopped, 1 playing or 2 paused");
  }
  const std::uint8_t now = co_await simulation_state();
  if (now == kNobody) { co_return missing(); }
  if (now == wanted) {
    co_return result(
      SetSimulationState::Response::ALREADY_IN_TARGET_STATE,
      "the simulation is in this state already");
  }
  if (now > SimulationState::STATE_PAUSED) {
    co_return result(Result::RESULT_INCORRECT_STATE, no_world(now));
  }
  Result done = co_await set_mode(
    wanted == SimulationState::STATE_PLAYING  ? playing_
    : wanted == SimulationState::STATE_PAUSED ? WorldState::MODE_LOCKSTEP
                                              : WorldState::MODE_PAUSED);
  // That ended steps that were under way. Answers come in order: after this one, they have heard of it.
  if (stepping_) { (void)co_await world_->call(world_->step, step_request(0)); }
  if (done.result == Result::RESULT_OK && wanted == SimulationState::STATE_STOPPED) {
    done = co_await reset(ResetSimulation::Request::SCOPE_ALL);
  }
  if (done.result != Result::RESULT_OK) {
    done.result = SetSimulationState::Response::STATE_TRANSITION_ERROR;
  }
  co_return done;
}

Task<Result> AdapterNode::at_rest()
{
  const std::uint8_t state = co_await simulation_state();
  if (state == kNobody) { co_return missing(); }
  if (!loading_ && !stepping_) { co_return result(Result::RESULT_OK); }
  co_return result(Result::RESULT_INCORRECT_STATE, loading_ ? no_world(state) : kSteps);
}

Task<Result> AdapterNode::take_steps(
  std::uint64_t steps, std::uint64_t portion, std::function<bool(std::uint64_t taken)> go_on)
{
  if (stepping_) { co_return result(Result::RESULT_OPERATION_FAILED, kSteps); }
  const Mark mark(stepping_);  // before the first wait, in which another call may come
  const std::uint8_t state = co_await simulation_state();
  if (state == kNobody) { co_return missing(); }
  if (state != SimulationState::STATE_PAUSED) {
    co_return result(
      Result::RESULT_OPERATION_FAILED,
      state > SimulationState::STATE_PAUSED
        ? no_world(state)
        : "the simulation is not paused: set_simulation_state to 2 first");
  }
  if (mode_ != WorldState::MODE_LOCKSTEP) {
    const Result done = co_await set_mode(WorldState::MODE_LOCKSTEP);
    if (done.result != Result::RESULT_OK) { co_return done; }
  }
  for (std::uint64_t taken = 0; taken < steps;) {
    const std::uint64_t count = std::min(steps - taken, portion);
    const auto reply =
      co_await world_->call(world_->step, step_request(count), WorldClient::kAnyTime);
    // An entity came or went before the first of these steps: none of them was taken.
    if (reply && reply->code == StepWorld::Response::CODE_STALE_REVISION) { continue; }
    if (!reply || !reply->ok) {
      co_return result(
        Result::RESULT_OPERATION_FAILED,
        "after " + std::to_string(taken) + " of " + std::to_string(steps) +
          " steps: " + (reply ? reply->message : missing().error_message));
    }
    taken += count;
    if (go_on && !go_on(taken)) { break; }
  }
  co_return result(Result::RESULT_OK);
}

void AdapterNode::add_simulation_services()
{
  serve<GetSimulatorFeatures>(
    "get_simulator_features", [](auto) -> Task<GetSimulatorFeatures::Response> {
      GetSimulatorFeatures::Response response;
      response.features = features();
      co_return response;
    });
  serve<GetSimulationState>(
    "get_simulation_state", [this](auto) -> Task<GetSimulationState::Response> {
      GetSimulationState::Response response;
      const std::uint8_t state = co_await simulation_state();
      response.result = state == kNobody ? missing() : result(Result::RESULT_OK);
      response.state.state = state == kNobody ? SimulationState::STATE_NO_WORLD : state;
      co_return response;
    });
  serve<SetSimulationState>(
    "set_simulation_state", [this](auto request) -> Task<SetSimulationState::Response> {
      SetSimulationState::Response response;
      response.result = co_await set_simulation_state(request->state.state);
      co_return response;
    });
  serve<ResetSimulation>(
    "reset_simulation", [this](auto request) -> Task<ResetSimulation::Response> {
      ResetSimulation::Response response;
      response.result = co_await at_rest();
      if (response.result.result == Result::RESULT_OK) {
        response.result = co_await reset(request->scope);
      }
      co_return response;
    });
  serve<StepSimulation>("step_simulation", [this](auto request) -> Task<StepSimulation::Response> {
    StepSimulation::Response response;
    response.result = co_await take_steps(request->steps, kLargestCall);
    co_return response;
  });
  action_ = rclcpp_action::create_server<SimulateSteps>(
    this, "simulate_steps",
    [](const auto &, const auto &) { return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE; },
    [](const auto &) { return rclcpp_action::CancelResponse::ACCEPT; },
    [this](const std::shared_ptr<Goal> goal) { simulate(goal); },
    rcl_action_server_get_default_options(), group_);
}

Job AdapterNode::simulate(std::shared_ptr<Goal> goal)
{
  auto done = std::make_shared<SimulateSteps::Result>();
  auto feedback = std::make_shared<SimulateSteps::Feedback>();
  const std::uint64_t steps = goal->get_goal()->steps;
  const auto tell = [&](std::uint64_t taken) {
    feedback->completed_steps = taken;
    feedback->remaining_steps = steps - taken;
    goal->publish_feedback(feedback);
    return !goal->is_canceling();
  };
  done->result =
    co_await take_steps(steps, std::clamp<std::uint64_t>(steps / kFeedbacks, 1, kFeedbacks), tell);
  if (done->result.result != Result::RESULT_OK) {
    goal->abort(done);
  } else if (feedback->completed_steps == steps) {
    goal->succeed(done);
  } else {
    done->result = result(
      Result::RESULT_OPERATION_FAILED, "canceled after " +
                                         std::to_string(feedback->completed_steps) + " of " +
                                         std::to_string(steps) + " steps");
    goal->canceled(done);
  }
}

}  // namespace ambf_simulation_interfaces
