// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <rclcpp/node.hpp>

#include "ambf_adf/choice.hpp"
#include "ambf_simulation/commands.hpp"
#include "ambf_simulation/mode.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// Everything that can be set on the node, read once at start.
struct Parameters
{
  std::string world;                 ///< ADF launch file
  ambf_adf::Choice model_indices;    ///< of the launch file's `multibody configs`
  std::vector<std::string> models;   ///< further ADF model files
  std::vector<std::string> plugins;  ///< libraries
  std::string world_namespace;       ///< below the node's namespace
  Mode mode = Mode::Realtime;
  double step_size = 0.001;
  double real_time_factor = 1.0;
  int max_steps_per_cycle = 0;  ///< 0: as the world file says
  std::string solver;
  int solver_iterations = 10;
  int sub_steps = 1;
  std::string publish;  ///< all, listed, none
  std::vector<std::string> publish_list;
  double min_rate = 0.0;  ///< 0: as the description says
  double max_rate = 0.0;
  double snapshot_rate = 1000.0;
  double tf_rate = 60.0;
  double joint_state_rate = 100.0;
  bool publish_clock = true;
  double clock_rate = 1000.0;
  bool report_contacts = false;
  bool report_rays = false;
  bool report_wrenches = true;
  double watchdog_timeout = 0.5;
  WatchdogAction watchdog_action = WatchdogAction::Release;
  double agent_lease = 2.0;
  double barrier_timeout = 1.0;
  std::string delay_fallback;  ///< hold, drop
  int state_depth = 1;
  int command_depth = 10;
  double spin_us = 50.0;
  int realtime_priority = 0;
  bool lock_memory = false;
  int physics_core = -1;
};

/// Declares all parameters with description and range; throws std::invalid_argument with the reason
/// for a value that means nothing.
Parameters declare_parameters(rclcpp::Node & node);

/// Whether an object of these names has State and Command topics.
bool has_topics(const Parameters & parameters, const auto & names)
{
  if (names.passive || parameters.publish == "none") { return false; }
  if (parameters.publish == "all") { return true; }
  return std::ranges::any_of(parameters.publish_list, [&](const std::string & name) {
    return name == names.name || name == names.topic || name == names.qualified;
  });
}

/// Declares a parameter that chooses entries of a list: "0,3", [0, 3], 0, "all"; "" is the default.
ambf_adf::Choice declare_choice(
  rclcpp::Node & node, const std::string & name, const std::string & text);

}  // namespace ambf_physics
