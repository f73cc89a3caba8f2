// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_parameters.hpp"

#include <stdexcept>
#include <vector>

#include "ambf_node_support/declared.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_node_support::Declared;
using ambf_teleop::Alignment;

[[noreturn]] void refuse(
  const std::string & parameter, const std::string & found, const std::string & expected)
{
  throw std::invalid_argument(
    "parameter '" + parameter + "': found '" + found + "', expected " + expected);
}

Eigen::Quaterniond from_rpy(double roll, double pitch, double yaw)
{
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return AngleAxisd(yaw, Vector3d::UnitZ()) * AngleAxisd(pitch, Vector3d::UnitY()) *
         AngleAxisd(roll, Vector3d::UnitX());
}

ambf_teleop::Pose pose_of(Declared & declare, const std::string & name, const char * meaning)
{
  const auto [position, orientation] = declare.pose(name, meaning);
  return {position, orientation};
}

ViewParameters view_of(Declared & declare)
{
  ViewParameters view;
  const std::string kind = declare.word(
    "view", "none",
    "in which axes the hand moves the arm: none (those in which the arm is commanded), fixed "
    "(view_rpy), camera (of the world), endoscope (an arm)");
  view.of = declare.word("view_of", "", "name of that camera, or of the arm with the endoscope");
  const auto rpy = declare.reals(
    "view_rpy", std::vector<double>(3, 0.0), -1e3, 1e3,
    "fixed: roll, pitch, yaw [rad] of the view (x towards the person, y right, z up) where the arm "
    "is commanded");
  if (rpy.size() != 3) { refuse("view_rpy", std::to_string(rpy.size()) + " numbers", "3"); }
  view.R_reference_view = from_rpy(rpy[0], rpy[1], rpy[2]);
  if (kind == "none") {
    view.R_reference_view.setIdentity();
  } else if (kind == "fixed") {
    view.kind = ViewKind::Fixed;
  } else if (kind == "camera" || kind == "endoscope") {
    view.kind = kind == "camera" ? ViewKind::Camera : ViewKind::Endoscope;
    if (view.of.empty()) { refuse("view_of", "", "the name of the " + kind); }
  } else {
    refuse("view", kind, "none, fixed, camera or endoscope");
  }
  return view;
}

/// `aligns`: a master, which is turned as the tip is before it leads.
Alignment alignment_of(Declared & declare, bool aligns, bool two_hands)
{
  const std::string word = declare.word(
    "alignment", aligns ? "drive" : "none",
    "a hand that is turned otherwise than the tip: none (it leads from there), wait (until the "
    "person has turned it), drive (its motors turn it)");
  if (word == "none") { return Alignment::None; }
  if (two_hands) { refuse("alignment", word, "none for two hands that drag the picture"); }
  if (word == "wait") { return Alignment::Wait; }
  if (word == "drive") { return Alignment::Drive; }
  refuse("alignment", word, "none, wait or drive");
}

ambf_teleop::PsmTeleopParameters teleop_of(Declared & declare, const TeleopNodeParameters & node)
{
  const bool two_hands = !node.second_hand.empty();
  const bool aligns = !node.device && !two_hands;
  ambf_teleop::PsmTeleopParameters p;
  p.hand_has_motors = !node.device;
  p.alignment = alignment_of(declare, aligns, two_hands);
  p.scale = declare.real("scale", p.scale, 1e-6, 1e6, "metres of the tip per metre of the hand");
  p.rotation_locked = declare.flag("rotation_locked", false, "the hand turns nothing");
  p.translation_locked = declare.flag("translation_locked", false, "the hand moves nothing");
  p.start_orientation_tolerance = declare.real(
    "start_orientation_tolerance", p.start_orientation_tolerance, 0.0, 4.0,
    "a hand that is turned so much otherwise than the tip is aligned [rad]");
  const char * held =
    "somebody holds the hand who opens or rolls it by so much [rad]; 0: everybody does";
  p.start_gripper_threshold = declare.real(
    "start_gripper_threshold", aligns ? p.start_gripper_threshold : 0.0, 0.0, 7.0, held);
  p.start_roll_threshold =
    declare.real("start_roll_threshold", aligns ? p.start_roll_threshold : 0.0, 0.0, 7.0, held);
  p.ignore_jaw = declare.flag("ignore_jaw", two_hands, "the gripper moves nothing");
  p.jaw.rate = declare.real("jaw_rate", p.jaw.rate, 1e-6, 1e6, "of the gripper [rad/s]");
  p.jaw.rate_after_clutch = declare.real(
    "jaw_rate_after_clutch", p.jaw.rate_after_clutch, 1e-6, 1e6,
    "until jaw and gripper agree [rad/s]");
  p.jaw.gripper_zero = declare.real(
    "gripper_zero", 0.0, -7.0, 7.0, "angle of the gripper where the jaw is at 0 [rad]");
  p.jaw.gripper_max = declare.real(
    "gripper_max", p.jaw.gripper_max, -7.0, 7.0, "angle where the jaw is at jaw_max [rad]");
  p.jaw.jaw_min = declare.real(
    "jaw_min", -0.3490658504, -7.0, 0.0, "of a closed gripper [rad]; below 0 the jaw squeezes");
  p.jaw.jaw_max = declare.real("jaw_max", p.jaw.jaw_max, 0.0, 7.0, "of an open gripper [rad]");
  p.resume = declare.flag(
    "resume", true,
    "goes on by itself when hand and arm are back; false: somebody enables it, as on a dVRK");
  if (const auto wrong = ambf_teleop::what_is_wrong(p)) {
    throw std::invalid_argument("parameter " + *wrong);
  }
  return p;
}

void two_hands_of(Declared & declare, TeleopNodeParameters & p)
{
  p.second_hand = declare.token(
    "second_hand", "a second hand, on the right: both drag and turn the picture", true);
  p.spring = declare.real(
    "spring", 150.0, 0.0, 1e4, "two masters: keeps them as far apart as they were [N/m]");
  if (!p.second_hand.empty() && p.second_hand == p.hand) {
    refuse("second_hand", p.second_hand, "another name than that of 'hand'");
  }
}

}  // namespace

TeleopNodeParameters declare_teleop_parameters(rclcpp::Node & node)
{
  Declared declare(node);
  TeleopNodeParameters p;
  const std::string ns = node.get_namespace();
  p.below = ns == "/" ? "" : ns;
  p.hand = declare.token("hand", "name of the hand: a device, or a master such as MTMR");
  p.arm = declare.token("arm", "name of the arm that follows, such as PSM1");
  p.device = declare.choice<bool>(
    "hand_kind", "device", {{"device", true}, {"crtk", false}},
    "what the hand is, a device (its Sample topic in the world) or a master (its CRTK topics)");
  two_hands_of(declare, p);
  p.name =
    declare.word("name", "", "of the topics; empty: <hand>_<arm>, with the second hand between");
  if (p.name.empty()) {
    p.name = p.hand + "_" + (p.second_hand.empty() ? "" : p.second_hand + "_") + p.arm;
  }
  p.world = p.below + declare.word(
                        "world_namespace", "/ambf/env",
                        "namespace of the world's topics below the node's namespace");
  p.teleop = teleop_of(declare, p);
  p.offsets.base =
    pose_of(declare, "base_offset", "of the hand's base in the view: x y z roll pitch yaw");
  p.offsets.tip =
    pose_of(declare, "tip_offset", "of the handle at the device's tip: x y z roll pitch yaw");
  p.view = view_of(declare);
  p.camera = declare.flag(
    "camera", false,
    "a device leads while its camera clutch is pressed, instead of while it is not: for "
    "endoscopes");
  const std::string force = declare.word(
    "force", "none",
    "what a device feels: none, limits (what the arm cannot follow), contact (and the force at the "
    "tip)");
  if (force != "none" && force != "limits" && force != "contact") {
    refuse("force", force, "none, limits or contact");
  }
  if (force != "none" && !p.second_hand.empty()) {
    refuse("force", force, "none for two hands that drag the picture");
  }
  if (force != "none" && !p.device) {
    refuse(
      "force", force,
      "none for a master on CRTK topics; its crtk_device gives it force as a device of ours");
  }
  p.force = force == "none"     ? ForceKind::None
            : force == "limits" ? ForceKind::Limits
                                : ForceKind::Contact;
  p.contact_compliance = declare.real(
    "contact_compliance", 0.005, 0.0, 1.0,
    "contact: how far a force at the tip pushes what the hand is held to [m/N]; times the "
    "device's linear_stiffness it is the share of the force that is felt");
  p.contact_dead_band =
    declare.real("contact_dead_band", 0.2, 0.0, 1e3, "contact: what is not felt [N]");
  p.clutch_topic = declare.word(
    "clutch_topic", "/console/clutch", "pedal that holds the arm (sensor_msgs/Joy); empty: none");
  p.enable = declare.flag("enable", false, "begins enabled");
  p.rate = declare.real("rate", 200.0, 10.0, 2000.0, "of looking after hand and arm [Hz]");
  p.hand_timeout = declare.real(
    "hand_timeout", 0.03, 1e-3, 10.0, "a hand that is silent for so long does not lead [s]");
  p.arm_timeout = declare.real(
    "arm_timeout", 1.0, 1e-2, 60.0, "an arm that is silent for so long is not there [s]");
  return p;
}

}  // namespace ambf_arm_nodes
