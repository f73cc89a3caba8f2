// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <stdexcept>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_device_nodes/run_alone.hpp"
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

}  // namespace

/// A dVRK master, or any arm that speaks CRTK.
class CrtkDevice : public DeviceNode
{
public:
  explicit CrtkDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("crtk_device", options, {.device = "MTMR", .linear_stiffness = 100.0})
  {
    start(std::make_unique<CrtkDriver>(*this, crtk_parameters(*this, parameters())));
  }
};

}  // namespace ambf_device_nodes

AMBF_DEVICE_COMPONENT(CrtkDevice)
