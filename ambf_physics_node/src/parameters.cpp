// SPDX-License-Identifier: BSD-3-Clause
#include "parameters.hpp"

#include <map>
#include <stdexcept>

namespace ambf_physics
{

namespace
{

using Descriptor = rcl_interfaces::msg::ParameterDescriptor;

Descriptor described(const std::string & text)
{
  Descriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = true;
  return descriptor;
}

Descriptor real(const std::string & text, double low, double high)
{
  Descriptor descriptor = described(text);
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = low;
  descriptor.floating_point_range[0].to_value = high;
  return descriptor;
}

Descriptor whole(const std::string & text, std::int64_t low, std::int64_t high)
{
  Descriptor descriptor = described(text);
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = low;
  descriptor.integer_range[0].to_value = high;
  return descriptor;
}

/// The value that a word stands for; the error lists the words.
template <typename T>
T word(
  rclcpp::Node & node, const std::string & name, const std::string & fallback,
  const std::string & text, const std::map<std::string, T> & choices)
{
  std::string list;
  for (const auto & [key, value] : choices) { list += (list.empty() ? "" : ", ") + key; }
  const auto given =
    node.declare_parameter<std::string>(name, fallback, described(text + ": " + list));
  const auto it = choices.find(given);
  if (it == choices.end()) {
    throw std::invalid_argument(
      "parameter '" + name + "': found '" + given + "', expected one of " + list);
  }
  return it->second;
}

std::map<std::string, std::string> words(std::initializer_list<const char *> names)
{
  std::map<std::string, std::string> result;
  for (const char * name : names) { result.emplace(name, name); }
  return result;
}

}  // namespace

ambf_adf::Choice declare_choice(
  rclcpp::Node & node, const std::string & name, const std::string & text)
{
  Descriptor descriptor = described(text);
  // One index alone reads as a number on the command line.
  descriptor.dynamic_typing = true;
  const auto given =
    node.declare_parameter(name, rclcpp::ParameterValue(std::string()), descriptor);
  std::string list;
  switch (given.get_type()) {
    case rclcpp::ParameterType::PARAMETER_STRING:
      list = given.get<std::string>();
      break;
    case rclcpp::ParameterType::PARAMETER_INTEGER:
      list = std::to_string(given.get<std::int64_t>());
      break;
    case rclcpp::ParameterType::PARAMETER_INTEGER_ARRAY:
      for (const auto index : given.get<std::vector<std::int64_t>>()) {
        list += (list.empty() ? "" : ",") + std::to_string(index);
      }
      break;
    default:
      list = rclcpp::to_string(given);
  }
  auto choice = ambf_adf::parse_choice(list);
  if (!choice) { throw std::invalid_argument("parameter '" + name + "': " + choice.error()); }
  return *choice;
}

Parameters declare_parameters(rclcpp::Node & node)
{
  using Strings = std::vector<std::string>;
  Parameters p;
  p.world = node.declare_parameter<std::string>(
    "world", "", described("ADF launch file of the world; empty: start with the models only"));
  p.model_indices = declare_choice(
    node, "model_indices",
    "which entries of the launch file's 'multibody configs' to load, from 0: \"0,3,5\", or all; "
    "empty: what the "
    "file says ('default multibodies'), else entry 1 as in AMBF, else none if there are 'models'");
  p.models = node.declare_parameter<Strings>(
    "models", Strings{}, described("further ADF model files, loaded in this order"));
  p.plugins = node.declare_parameter<Strings>(
    "plugins", Strings{},
    described("libraries of plugins that act in the step, beside those that descriptions name"));
  p.world_namespace = node.declare_parameter<std::string>(
    "world_namespace", "/ambf/env", described("namespace of the world's topics and services"));
  p.mode = word<Mode>(
    node, "mode", "realtime", "who owns time",
    {{"realtime", Mode::Realtime},
     {"free", Mode::Free},
     {"lockstep", Mode::Lockstep},
     {"paused", Mode::Paused}});
  p.step_size = node.declare_parameter<double>(
    "step_size", 0.001, real("simulated time of one step [s]", 1e-5, 0.1));
  p.real_time_factor = node.declare_parameter<double>(
    "real_time_factor", 1.0, real("simulated seconds per wall second in realtime mode", 1e-3, 1e3));
  p.max_steps_per_cycle = static_cast<int>(node.declare_parameter<std::int64_t>(
    "max_steps_per_cycle", 0,
    whole(
      "steps that realtime mode takes in one go to catch up; more is counted as slip; 0: 'max "
      "iterations' of the "
      "world file, or 50",
      0, 10000)));
  p.solver = word<std::string>(
    node, "solver", "direct_joints", "constraint solver",
    words({"direct_joints", "sequential_impulse", "dantzig"}));
  p.solver_iterations = static_cast<int>(node.declare_parameter<std::int64_t>(
    "solver_iterations", 10, whole("sweeps of the contact solver per integration step", 1, 10000)));
  p.sub_steps = static_cast<int>(node.declare_parameter<std::int64_t>(
    "sub_steps", 1, whole("integration steps per step", 1, 1000)));
  p.publish = word<std::string>(
    node, "publish", "all", "which objects have State and Command topics",
    words({"all", "listed", "none"}));
  p.publish_list = node.declare_parameter<Strings>(
    "publish_list", Strings{}, described("with publish:=listed, names or topics of the objects"));
  p.min_rate = node.declare_parameter<double>(
    "min_rate", 0.0, real("rate of idle State topics [Hz]; 0: as the description says", 0.0, 1e5));
  p.max_rate = node.declare_parameter<double>(
    "max_rate", 0.0,
    real("rate of commanded State topics [Hz]; 0: as the description says", 0.0, 1e5));
  p.snapshot_rate = node.declare_parameter<double>(
    "snapshot_rate", 1000.0, real("largest rate of World/Snapshot [Hz of wall time]", 1.0, 1e5));
  p.tf_rate = node.declare_parameter<double>(
    "tf_rate", 60.0, real("rate of /tf [Hz of wall time]; 0: none", 0.0, 1e4));
  p.joint_state_rate = node.declare_parameter<double>(
    "joint_state_rate", 100.0,
    real("rate of <model>/joint_states [Hz of wall time]; 0: none", 0.0, 1e4));
  p.publish_clock = node.declare_parameter<bool>(
    "publish_clock", true, described("publish simulation time on /clock"));
  p.clock_rate = node.declare_parameter<double>(
    "clock_rate", 1000.0, real("largest rate of /clock [Hz of wall time]", 1.0, 1e5));
  p.report_contacts = node.declare_parameter<bool>(
    "report_contacts", false, described("put contacts with their forces into the snapshot"));
  p.report_rays = node.declare_parameter<bool>(
    "report_rays", false, described("put the rays of sensors into the snapshot"));
  p.report_wrenches = node.declare_parameter<bool>(
    "report_wrenches", true,
    described("fill the wrench of RigidBodyState with the forces of joints and actuators"));
  p.watchdog_timeout = node.declare_parameter<double>(
    "watchdog_timeout", 0.5,
    real(
      "a command expires after this silence [s]; wall time in realtime mode; 0: never", 0.0, 1e6));
  p.watchdog_action = word<WatchdogAction>(
    node, "watchdog_action", "release", "what an expired command becomes",
    {{"release", WatchdogAction::Release},
     {"hold", WatchdogAction::Hold},
     {"brake", WatchdogAction::Brake}});
  p.agent_lease = node.declare_parameter<double>(
    "agent_lease", 2.0,
    real("a joined agent that died is dropped after this time [s]", 0.05, 3600.0));
  p.barrier_timeout = node.declare_parameter<double>(
    "barrier_timeout", 1.0, real("how long a reply waits for barrier members [s]", 0.0, 3600.0));
  p.delay_fallback = word<std::string>(
    node, "delay_fallback", "drop", "an agent that used up its delay budget is",
    words({"hold", "drop"}));
  p.state_depth = static_cast<int>(node.declare_parameter<std::int64_t>(
    "state_depth", 1, whole("queue depth of State and Snapshot publishers", 1, 10000)));
  p.command_depth = static_cast<int>(node.declare_parameter<std::int64_t>(
    "command_depth", 10,
    whole("queue depth of Command topics: so many messages may come at once", 1, 1000)));
  p.spin_us = node.declare_parameter<double>(
    "spin_us", 50.0, real("realtime pacing spins for this last part of a wait [us]", 0.0, 1000.0));
  p.realtime_priority = static_cast<int>(node.declare_parameter<std::int64_t>(
    "realtime_priority", 0,
    whole("SCHED_FIFO priority of the physics thread; 0: ordinary", 0, 99)));
  p.lock_memory = node.declare_parameter<bool>(
    "lock_memory", false, described("keep the process in memory (mlockall)"));
  p.physics_core = static_cast<int>(node.declare_parameter<std::int64_t>(
    "physics_core", -1, whole("processor core of the physics thread; -1: any", -1, 1023)));
  return p;
}

}  // namespace ambf_physics
