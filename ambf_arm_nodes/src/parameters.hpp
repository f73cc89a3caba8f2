// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <rclcpp/node.hpp>

namespace ambf_arm_nodes
{

enum class NameStyle
{
  Dvrk,  ///< /PSM1/measured_cp
  Crtk,  ///< /CRTK/psm1/measured_cp
};

/// What can be set, once and at the start.
struct Parameters
{
  std::string arms_file;  ///< path
  std::string arm;        ///< which of the file; "": the only one
  std::string name;       ///< for clients; "": as the file has it
  std::string model;      ///< of the world; "": found by the description
  std::string tools;      ///< address of the folder with the bodies of tools; "": none
  std::string world;      ///< namespace of the world's topics, with the node's before it
  std::string below;      ///< the node's own namespace, "" for the root
  NameStyle name_style = NameStyle::Dvrk;
  double rate = 500.0;  ///< [Hz]
  double force_timeout = 0.0;
  double force_watchdog = 0.03;
  bool tracking_fault = false;
  bool barrier = true;
  double heartbeat = 1.0;  ///< [Hz]
  double tf_rate = 50.0;   ///< [Hz]
};

/// Throws what is wrong, in words.
Parameters declare_parameters(rclcpp::Node & node);

/// Where the topics of an arm are, by its name.
std::string topic_of(const Parameters & parameters, std::string name);

/// The path of an address that a parameter gives. Throws where it leads nowhere.
std::string to_path(const std::string & parameter, const std::string & address);

}  // namespace ambf_arm_nodes
