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

constexpr const char * kAgent = "simulation_interfaces";
/// Steps of one call to the world.
constexpr std::uint64_t kLargestCall = 1'000'000;
/// An action of at most so many steps tells about each of them, a longer one about each thousandth.
constexpr std::uint64_t kFeedbacks = 1000;
/// No state of the standard: the world is not there.
constexpr std::uint8_t kNobody = 255;

SimulatorFeatures features()
{
  SimulatorFeatures features;
  for (const auto feature : {
        SimulatorFeatures::SPAWNING, SimulatorFeatures::DELETING, SimulatorFeatures::ENTITY_TAGS,
        SimulatorFeatures::ENTITY_BOUNDS, SimulatorFeatures::ENTITY_BOUNDS_BOX,
        SimulatorFeatures::ENTITY_CATEGORIES, SimulatorFeatures::SPAWNING_RESOURCE_STRING,
        SimulatorFeatures::ENTITY_STATE_GETTING, SimulatorFeatures::ENTITY_STATE_SETTING,
        SimulatorFeatures::ENTITY_INFO_GETTING, SimulatorFeatures::ENTITY_INFO_SETTING,
        SimulatorFeatures::SPAWNABLES, SimulatorFeatures::SIMULATION_RESET,
        SimulatorFeatures::SIMULATION_RESET_TIME, SimulatorFeatures::SIMULATION_RESET_STATE,
        SimulatorFeatures::SIMULATION_RESET_SPAWNED, SimulatorFeatures::SIMULATION_STATE_GETTING,
        SimulatorFeatures::SIMULATION_STATE_SETTING, SimulatorFeatures::SIMULATION_STATE_PAUSE,
        SimulatorFeatures::STEP_SIMULATION_SINGLE, SimulatorFeatures::STEP_SIMULATION_MULTIPLE,
        SimulatorFeatures::STEP_SIMULATION_ACTION, SimulatorFeatures::WORLD_LOADING,
        SimulatorFeatures::WORLD_UNLOADING, SimulatorFeatures::WORLD_INFO_GETTING,
        SimulatorFeatures::AVAILABLE_WORLDS, SimulatorFeatures::SPAWNING_ENTITIES})
  {
    features.features.push_back(feature);
  }
  features.spawn_formats = {"adf"};
  features.custom_info =
    "AMBF for ROS 2. An entity is a model, or one body of it as model/body. A world in lockstep counts as paused.";
  return features;
}

}  // namespace

Task<std::uint8_t> AdapterNode::simulation_state()
{
  if (unloaded_ && world_->manifest().models.empty()) {co_return SimulationState::STATE_NO_WORLD;}
  const auto mode = co_await world_->call(
    world_->get_mode, std::make_shared<ambf_msgs::srv::GetWorldMode::Request>());
  if (!mode) {co_return kNobody;}
  if (mode->mode == WorldState::MODE_REALTIME || mode->mode == WorldState::MODE_FREE) {
    playing_ = mode->mode;
    stopped_ = false;
    co_return SimulationState::STATE_PLAYING;
  }
  // Somebody else may have stepped a world that was stopped here.
  stopped_ = stopped_ && mode->step == 0;
  co_return stopped_ ? SimulationState::STATE_STOPPED : SimulationState::STATE_PAUSED;
}

Task<Result> AdapterNode::set_mode(std::uint8_t mode)
{
  auto request = std::make_shared<ambf_msgs::srv::SetWorldMode::Request>();
  request->mode = mode;
  const auto reply = co_await world_->call(world_->set_mode, request);
  if (!reply) {co_return missing();}
  co_return result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
}

Task<Result> AdapterNode::reset(std::uint8_t scope)
{
  constexpr std::uint8_t known =
    ResetSimulation::Request::SCOPE_TIME | ResetSimulation::Request::SCOPE_STATE |
    ResetSimulation::Request::SCOPE_SPAWNED;
  if (scope == ResetSimulation::Request::SCOPE_DEFAULT || scope == ResetSimulation::Request::SCOPE_ALL) {
    scope = known;
  }
  if ((scope & ~known) != 0) {
    co_return result(
      Result::RESULT_FEATURE_UNSUPPORTED, "scope: found " + std::to_string(scope) +
      ", expected bits of time 1, state 2, spawned 4, or 255");
  }
  auto request = std::make_shared<ambf_msgs::srv::ResetWorld::Request>();
  request->scope = scope;
  const auto reply = co_await world_->call(world_->reset, request);
  if (!reply) {co_return missing();}
  co_return result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
}

Task<Result> AdapterNode::set_simulation_state(std::uint8_t wanted)
{
  const std::uint8_t now = co_await simulation_state();
  if (now == kNobody) {co_return missing();}
  if (now == SimulationState::STATE_NO_WORLD) {
    co_return result(Result::RESULT_INCORRECT_STATE, "no world is loaded: load_world first");
  }
  if (now == wanted) {
    co_return result(SetSimulationState::Response::ALREADY_IN_TARGET_STATE, "the simulation is in this state already");
  }
  Result done;
  switch (wanted) {
    case SimulationState::STATE_PLAYING:
      done = co_await set_mode(playing_);
      break;
    case SimulationState::STATE_PAUSED:
      done = co_await set_mode(WorldState::MODE_LOCKSTEP);
      break;
    case SimulationState::STATE_STOPPED:
      done = co_await set_mode(WorldState::MODE_LOCKSTEP);
      if (done.result == Result::RESULT_OK) {done = co_await reset(ResetSimulation::Request::SCOPE_ALL);}
      break;
    case SimulationState::STATE_QUITTING:
      co_return result(
        Result::RESULT_FEATURE_UNSUPPORTED, "the simulator is ended where it was started: by its launch file");
    default:
      co_return result(
        SetSimulationState::Response::INCORRECT_TRANSITION, "state: found " + std::to_string(wanted) +
        ", expected 0 stopped, 1 playing or 2 paused");
  }
  if (done.result != Result::RESULT_OK) {
    co_return result(SetSimulationState::Response::STATE_TRANSITION_ERROR, done.error_message);
  }
  stopped_ = wanted == SimulationState::STATE_STOPPED;
  co_return done;
}

Task<Result> AdapterNode::take_steps(std::uint64_t steps)
{
  const auto call = [&](std::uint64_t count) {
      auto request = std::make_shared<ambf_msgs::srv::StepWorld::Request>();
      request->agent = kAgent;
      request->steps = static_cast<std::uint32_t>(count);
      return request;
    };
  for (std::uint64_t taken = 0; taken < steps; ) {
    const std::uint64_t count = std::min(steps - taken, kLargestCall);
    const auto reply = co_await world_->call(world_->step, call(count));
    if (!reply) {co_return missing();}
    if (!reply->ok) {
      co_return result(
        Result::RESULT_OPERATION_FAILED, "after " + std::to_string(taken) + " of " + std::to_string(steps) +
        " steps: " + reply->message);
    }
    taken += count;
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
      response.result = co_await reset(request->scope);
      co_return response;
    });
  serve<StepSimulation>(
    "step_simulation", [this](auto request) -> Task<StepSimulation::Response> {
      StepSimulation::Response response;
      response.result = co_await start_stepping();
      if (response.result.result == Result::RESULT_OK) {
        response.result = co_await take_steps(request->steps);
      }
      co_return response;
    });
  action_ = rclcpp_action::create_server<SimulateSteps>(
    this, "simulate_steps",
    [](const auto &, const auto &) {return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;},
    [](const auto &) {return rclcpp_action::CancelResponse::ACCEPT;},
    [this](const std::shared_ptr<Goal> goal) {simulate(goal);},
    rcl_action_server_get_default_options(), group_);
}

Task<Result> AdapterNode::start_stepping()
{
  if (simulating_) {co_return under_way();}
  co_return co_await ready_to_step();
}

AdapterNode::Result AdapterNode::under_way()
{
  return result(Result::RESULT_OPERATION_FAILED, "a simulate_steps goal is under way");
}

Task<Result> AdapterNode::ready_to_step()
{
  const std::uint8_t state = co_await simulation_state();
  if (state == kNobody) {co_return missing();}
  if (state != SimulationState::STATE_PAUSED) {
    co_return result(
      Result::RESULT_OPERATION_FAILED, "the simulation is not paused: set_simulation_state to 2 first");
  }
  // The world's own pause does not step; its lockstep does.
  co_return co_await set_mode(WorldState::MODE_LOCKSTEP);
}

Job AdapterNode::simulate(std::shared_ptr<Goal> goal)
{
  auto done = std::make_shared<SimulateSteps::Result>();
  auto feedback = std::make_shared<SimulateSteps::Feedback>();
  const std::uint64_t steps = goal->get_goal()->steps;
  if (simulating_) {
    done->result = under_way();
    goal->abort(done);
    co_return;
  }
  simulating_ = true;  // before the first wait, in which another goal may come
  done->result = co_await ready_to_step();
  const std::uint64_t portion = std::clamp<std::uint64_t>(steps / kFeedbacks, 1, kFeedbacks);
  while (feedback->completed_steps < steps && done->result.result == Result::RESULT_OK && !goal->is_canceling()) {
    const std::uint64_t count = std::min(portion, steps - feedback->completed_steps);
    done->result = co_await take_steps(count);
    if (done->result.result != Result::RESULT_OK) {break;}
    feedback->completed_steps += count;
    feedback->remaining_steps = steps - feedback->completed_steps;
    goal->publish_feedback(feedback);
  }
  simulating_ = false;
  if (done->result.result != Result::RESULT_OK) {
    goal->abort(done);
  } else if (feedback->completed_steps == steps) {
    goal->succeed(done);
  } else {
    done->result = result(
      Result::RESULT_OPERATION_FAILED, "canceled after " + std::to_string(feedback->completed_steps) + " of " +
      std::to_string(steps) + " steps");
    goal->canceled(done);
  }
}

}  // namespace ambf_simulation_interfaces
