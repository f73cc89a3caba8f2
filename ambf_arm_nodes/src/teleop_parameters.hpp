// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <rclcpp/node.hpp>

#include "ambf_teleop/frames.hpp"
#include "ambf_teleop/psm_teleop.hpp"

namespace ambf_arm_nodes
{

enum class ViewKind
{
  None,       ///< the hand's axes are those of the frame in which the arm is commanded
  Fixed,      ///< the view is turned in that frame as `R_reference_view` says
  Camera,     ///< of the world
  Endoscope,  ///< an arm's tip
};

/// What the person sees the arm through.
struct ViewParameters
{
  ViewKind kind = ViewKind::None;
  std::string of;  ///< camera or arm
  Eigen::Quaterniond R_reference_view = Eigen::Quaterniond::Identity();
};

/// What the person feels of the arm.
enum class ForceKind
{
  None,
  Limits,   ///< what the arm could not follow: ends of joints, workspace
  Contact,  ///< that, and the force at the tip
};

struct TeleopNodeParameters
{
  std::string name;   ///< of topics, <hand>_<arm> or <hand>_<second_hand>_<arm>
  std::string below;  ///< the node's own namespace, "" for the root
  std::string world;  ///< namespace of the world's topics
  std::string hand, arm;
  std::string second_hand;  ///< on the right of the picture, which both drag; empty: one hand leads
  double spring = 0.0;      ///< between the two [N/m]
  bool device = true;       ///< the hand is one of our devices; false: a master on CRTK topics
  ambf_teleop::PsmTeleopParameters teleop;
  ambf_teleop::DeviceOffsets offsets;
  ViewParameters view;
  bool camera = false;  ///< the hand leads while its camera clutch is pressed
  ForceKind force = ForceKind::None;
  double contact_compliance = 0.0;  ///< [m/N]
  double contact_dead_band = 0.0;   ///< [N]
  std::string clutch_topic;
  bool enable = false;
  double rate = 200.0;         ///< of what happens without the hand [Hz]
  double hand_timeout = 0.03;  ///< [s]
  double arm_timeout = 1.0;    ///< [s]
};

/// Throws what is wrong, in words.
TeleopNodeParameters declare_teleop_parameters(rclcpp::Node & node);

}  // namespace ambf_arm_nodes
