// SPDX-License-Identifier: BSD-3-Clause
#include "parameters.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include <ament_index_cpp/get_package_share_directory.hpp>

namespace ambf_arm_nodes
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

}  // namespace

std::string to_path(const std::string & address)
{
  if (address.rfind("file://", 0) == 0) { return address.substr(7); }
  if (address.rfind("package://", 0) != 0) { return address; }
  const std::string rest = address.substr(10);
  const auto slash = rest.find('/');
  return ament_index_cpp::get_package_share_directory(rest.substr(0, slash)) +
         (slash == std::string::npos ? "" : rest.substr(slash));
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
  Parameters p;
  const std::string ns = node.get_namespace();
  p.below = ns == "/" ? "" : ns;
  const auto file = node.declare_parameter<std::string>(
    "arms_file", "",
    described("file that describes the arm: a path, file:// or package:// address"));
  if (file.empty()) {
    throw std::invalid_argument(
      "parameter 'arms_file': expected a file that describes an arm, for example "
      "package://ambf_description/arms/psm.yaml");
  }
  p.arms_file = to_path(file);
  p.arm = node.declare_parameter<std::string>(
    "arm", "", described("which arm of the file, by its name; empty: the only one"));
  p.name = node.declare_parameter<std::string>(
    "name", "", described("what clients call the arm; empty: as the file has it"));
  p.model = node.declare_parameter<std::string>(
    "model", "",
    described("model of the world that the arm is; empty: the one that the description fits"));
  p.tools = node.declare_parameter<std::string>(
    "tools", "package://ambf_description/tools",
    described("folder with the bodies of instruments and endoscopes, <name>_<number>.yaml each: an "
              "address that the "
              "simulator can read, too; empty: tools are exchanged without their bodies"));
  p.world = p.below + node.declare_parameter<std::string>(
                        "world_namespace", "/ambf/env",
                        described("namespace of the world's topics below the node's namespace"));
  const auto style = node.declare_parameter<std::string>(
    "name_style", "dvrk",
    described("names of topics: dvrk (/PSM1/measured_cp) or crtk (/CRTK/psm1/measured_cp)"));
  if (style != "dvrk" && style != "crtk") {
    throw std::invalid_argument(
      "parameter 'name_style': found '" + style + "', expected dvrk or crtk");
  }
  p.name_style = style == "crtk" ? NameStyle::Crtk : NameStyle::Dvrk;
  p.rate = node.declare_parameter<double>(
    "rate", 500.0,
    real(
      "how often data are published [Hz of wall time], and how often at most the world is "
      "commanded [Hz of simulated time]",
      1.0, 2000.0));
  p.force_timeout = node.declare_parameter<double>(
    "force_timeout", 0.0,
    real(
      "a force that is not renewed ends after this [s of simulated time]; 0: it is held for "
      "ever, as by a dVRK",
      0.0, 3600.0));
  p.force_watchdog = node.declare_parameter<double>(
    "force_watchdog", 0.03,
    real(
      "a force whose publisher is gone ends after this [s of wall time, in lockstep of simulated "
      "time]; 0: never",
      0.0, 3600.0));
  p.tracking_fault = node.declare_parameter<bool>(
    "tracking_fault", false,
    described("a joint that is too far from its set-point is a FAULT, as on a dVRK"));
  p.barrier = node.declare_parameter<bool>(
    "barrier", true,
    described("be a member of the world clock's barrier in lockstep, under the node's name"));
  p.heartbeat = node.declare_parameter<double>(
    "heartbeat", 1.0,
    real("operating_state is told so often even if nothing happens [Hz]; 0: never", 0.0, 5.0));
  p.tf_rate = node.declare_parameter<double>(
    "tf_rate", 50.0,
    real(
      "how often at most the frames of the arm are told on /tf [Hz of wall time]; 0: never", 0.0,
      2000.0));
  return p;
}

}  // namespace ambf_arm_nodes
