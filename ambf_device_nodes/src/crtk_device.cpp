// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_node_support/component.hpp"
#include "crtk_driver.hpp"

namespace ambf_device_nodes
{
namespace
{

AutoHome auto_home_from(const std::string & word)
{
  static const std::map<std::string, AutoHome> words{
    {"never", AutoHome::Never}, {"once", AutoHome::Once}, {"always", AutoHome::Always}};
  const auto it = words.find(word);
  if (it == words.end()) {
    throw std::invalid_argument(
      "parameter 'auto_home': found '" + word + "', expected never, once or always");
  }
  return it->second;
}

CrtkParameters crtk_parameters(rclcpp::Node & node, const DeviceParameters & device)
{
  Declared declared(node);
  CrtkParameters p;
  p.rate = device.loop.rate;
  p.max_force = device.loop.cycle.limits.max_force;
  p.max_torque = device.loop.cycle.limits.max_torque;
  const auto below = [](const std::string & arm) { return arm + "/measured_cp"; };
  p.arm = declared.topic("arm", p.arm, "namespace of the arm's CRTK topics, like /MTMR", below);
  p.clutch_topic =
    declared.topic("clutch_topic", p.clutch_topic, "pedal of the position clutch; empty: none");
  p.camera_topic =
    declared.topic("camera_topic", p.camera_topic, "pedal of the camera clutch; empty: none");
  p.operator_topic = declared.topic("operator_topic", p.operator_topic, "head sensor; empty: none");
  p.action_topics =
    declared.topics("action_topics", {}, "Joy topics of the action buttons, first to last");
  p.force = declared.flag("gives_force", true, "false: only measured, never given a force");
  p.force_topic = declared.topic(
    "force_topic", p.force_topic, "below the arm: body/servo_cf or spatial/servo_cf",
    [&p](const std::string & topic) { return p.arm + "/" + topic; });
  p.absolute_force = declared.flag(
    "absolute_force", true,
    "ask the arm to take body forces in the axes of its base, as they are sent");
  p.gravity_compensation = declared.flag("gravity_compensation", true, "turn the arm's own on");
  p.auto_home = auto_home_from(declared.word(
    "auto_home", "once",
    "ask an arm that is found to enable and home (it moves): never, once, always"));
  p.rules.orientation = declared.flag("has_orientation", true, "false: a Falcon");
  p.rules.gripper = declared.flag("has_gripper", true, "listen to gripper/measured_js");
  p.rules.needs_operator =
    declared.flag("needs_operator", false, "the hand counts only while operator_present");
  p.rules.gripper_closed =
    declared.real("gripper_closed", 0.0, -7.0, 7.0, "its angle when closed [rad]");
  p.rules.gripper_open =
    declared.real("gripper_open", 1.05, -7.0, 7.0, "its angle when open [rad]");
  p.rules.lost_after =
    declared.real("lost_after", 1.0, 0.05, 60.0, "an arm is lost after this silence [s]");
  if (p.arm.empty() || p.force_topic.empty()) {
    throw std::invalid_argument("parameters 'arm' and 'force_topic' must not be empty");
  }
  if (p.rules.needs_operator && p.operator_topic.empty()) {
    throw std::invalid_argument(
      "parameter 'needs_operator' needs an 'operator_topic': who would say that one is there?");
  }
  if (p.rules.gripper_open == p.rules.gripper_closed) {
    throw std::invalid_argument("parameters 'gripper_open' and 'gripper_closed' must differ");
  }
  return p;
}

/// None: neither a null space nor a weight is asked for.
std::shared_ptr<MasterLaws> declare_laws(rclcpp::Node & node)
{
  Declared declared(node);
  MasterLawParameters p;
  p.null_space.stiffness = declared.real(
    "null_space_stiffness", 0.0, 0.0, 10.0,
    "of a dVRK master's wrist platform: turns it away from the wrist's singular posture, over "
    "servo_jf [N m/rad]");
  p.null_space.damping =
    declared.real("null_space_damping", 0.0, 0.0, 1.0, "of the wrist platform [N m s/rad]");
  p.null_space.max_torque = declared.real(
    "null_space_max_torque", p.null_space.max_torque, 0.0, 2.0, "on the wrist platform [N m]");
  const auto masses = declared.reals(
    "link_masses", {}, 0.0, 10.0,
    "of a dVRK master's seven links, whose weight the driver holds; none: the arm's own gravity "
    "compensation does [kg]");
  const auto centres = declared.reals(
    "link_centres", {}, -1.0, 1.0, "x y z of each link's centre of mass in its joint's frame [m]");
  p.gravity =
    declared.axes("gravity", p.gravity, -100.0, 100.0, "in the axes of measured_cp [m/s^2]");
  const std::size_t links = p.links.size();
  if (
    (!masses.empty() && masses.size() != links) ||
    (!centres.empty() && centres.size() != 3 * links) || masses.empty() != centres.empty()) {
    throw std::invalid_argument(
      "parameters 'link_masses' and 'link_centres': found " + std::to_string(masses.size()) +
      " and " + std::to_string(centres.size()) + " numbers, expected 7 and 21, or none of both");
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    p.links[i] = {masses[i], {centres[3 * i], centres[3 * i + 1], centres[3 * i + 2]}};
  }
  if (!p.has_null_space() && !p.has_weight()) { return nullptr; }
  return std::make_shared<MasterLaws>(p);
}

/// For arms that take wrenches: the weight as one, beside every force.
ambf_teleop::Wrench held_weight(const ambf_teleop::Pose &, const void * laws) noexcept
{
  return static_cast<const MasterLaws *>(laws)->weight();
}

}  // namespace

/// A dVRK master, or any arm that speaks CRTK.
class CrtkDevice : public DeviceNode
{
public:
  explicit CrtkDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("crtk_device", options, {.device = "MTMR", .linear_stiffness = 100.0})
  {
    auto crtk = crtk_parameters(*this, parameters());
    const auto laws = declare_laws(*this);
    if (laws && laws->parameters().has_weight() && !laws->parameters().has_null_space()) {
      hold_gravity({held_weight, laws.get()});  // which the driver keeps alive as long as its loop
    }
    start(std::make_unique<CrtkDriver>(*this, std::move(crtk), laws));
  }
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, CrtkDevice)
