// SPDX-License-Identifier: BSD-3-Clause
#include "parameters.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "ambf_adf/paths.hpp"
#include "ambf_node_support/declared.hpp"

namespace ambf_arm_nodes
{

std::string to_path(const std::string & parameter, const std::string & address)
{
  const auto path = ambf_adf::path_of_address(address);
  if (!path) { throw std::invalid_argument("parameter '" + parameter + "': " + path.error()); }
  return *path;
}

std::string topic_of(const Parameters & parameters, std::string name)
{
  if (parameters.name_style == NameStyle::Dvrk) { return parameters.below + "/" + name; }
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return parameters.below + "/CRTK/" + name;
}

Parameters declare_parameters(rclcpp::Node & node)
{
  ambf_node_support::Declared declared(node);
  Parameters p;
  const std::string ns = node.get_namespace();
  p.below = ns == "/" ? "" : ns;
  const auto file = declared.word(
    "arms_file", "", "file that describes the arm: a path, file:// or package:// address");
  if (file.empty()) {
    throw std::invalid_argument(
      "parameter 'arms_file': expected a file that describes an arm, for example "
      "package://ambf_description/arms/psm.yaml");
  }
  p.arms_file = to_path("arms_file", file);
  p.arm = declared.word("arm", "", "which arm of the file, by its name; empty: the only one");
  p.name = declared.word("name", "", "what clients call the arm; empty: as the file has it");
  p.model = declared.word(
    "model", "", "model of the world that the arm is; empty: the one that the description fits");
  p.tools = declared.word(
    "tools", "package://ambf_description/tools",
    "folder with the bodies of instruments and endoscopes, <name>_<number>.yaml each: an address "
    "that the simulator can read, too; empty: tools are exchanged without their bodies");
  p.world = p.below + declared.word(
                        "world_namespace", "/ambf/env",
                        "namespace of the world's topics below the node's namespace");
  p.name_style = declared.choice<NameStyle>(
    "name_style", "dvrk", {{"dvrk", NameStyle::Dvrk}, {"crtk", NameStyle::Crtk}},
    "names of topics, as /PSM1/measured_cp (dvrk) or /CRTK/psm1/measured_cp (crtk)");
  p.rate = declared.real(
    "rate", 500.0, 1.0, 2000.0,
    "how often data are published [Hz of wall time], and how often at most the world is commanded "
    "[Hz of simulated time]");
  p.force_timeout = declared.real(
    "force_timeout", 0.0, 0.0, 3600.0,
    "a force that is not renewed ends after this [s of simulated time]; 0: it is held for ever, as "
    "by a dVRK");
  p.force_watchdog = declared.real(
    "force_watchdog", 0.03, 0.0, 3600.0,
    "a force whose publisher is gone ends after this [s of wall time, in lockstep of simulated "
    "time]; 0: never");
  p.tracking_fault = declared.flag(
    "tracking_fault", false, "a joint that is too far from its set-point is a FAULT, as on a dVRK");
  p.barrier = declared.flag(
    "barrier", true, "be a member of the world clock's barrier in lockstep, under the node's name");
  p.heartbeat = declared.real(
    "heartbeat", 1.0, 0.0, 5.0,
    "how often operating_state is published even if nothing happens [Hz]; 0: never");
  p.tf_rate = declared.real(
    "tf_rate", 50.0, 0.0, 2000.0,
    "how often at most the frames of the arm are published on /tf [Hz of wall time]; 0: never");
  return p;
}

}  // namespace ambf_arm_nodes
