// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_device_nodes/device_parameters.hpp"

#include <algorithm>
#include <stdexcept>

#include "ambf_devices/gain_check.hpp"

namespace ambf_device_nodes
{
namespace
{

/// With a slash before it and none after it.
std::string world_namespace(std::string name)
{
  while (!name.empty() && name.back() == '/') { name.pop_back(); }
  return name.empty() || name.front() == '/' ? name : "/" + name;
}

ambf_teleop::Pose declare_pose(Declared & declared, const char * name, const char * text)
{
  const auto [position, orientation] = declared.pose(name, text);
  return {position, orientation};
}

ambf_devices::HandDynamics declare_dynamics(Declared & declared)
{
  ambf_devices::HandDynamics hand;
  hand.linear.mass = declared.real(
    "device_mass", hand.linear.mass, 1e-3, 10.0,
    "of what the hand holds, along its lightest axis [kg]");
  hand.linear.damping = declared.real(
    "device_damping", hand.linear.damping, 0.0, 100.0,
    "of the mechanism itself, b in the bound K < 2 b / T [N s/m]");
  hand.angular.mass = declared.real(
    "device_inertia", hand.angular.mass, 1e-7, 1.0,
    "of the handle, about its lightest axis [kg m^2]");
  hand.angular.damping = declared.real(
    "device_angular_damping", hand.angular.damping, 0.0, 10.0, "of the wrist itself [N m s/rad]");
  return hand;
}

/// `default_stiffness` is halfway within the bound where the kind's own would be above.
ambf_teleop::FeedbackGains declare_gains(Declared & declared, double default_stiffness)
{
  ambf_teleop::FeedbackGains gains;
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
  gains.linear_stiffness = declared.axes(
    "linear_stiffness", Eigen::Vector3d::Constant(default_stiffness), 0.0, 1e6,
    "haptic gain along the axes of the device's base [N per proxy metre]; 0: not felt");
  gains.linear_damping = declared.axes("linear_damping", none, 0.0, 1e4, "haptic damping [N s/m]");
  gains.angular_stiffness =
    declared.axes("angular_stiffness", none, 0.0, 1e4, "haptic gain [N m/rad]");
  gains.angular_damping =
    declared.axes("angular_damping", none, 0.0, 1e3, "haptic damping [N m s/rad]");
  return gains;
}

ambf_teleop::ForceLimits declare_limits(Declared & declared)
{
  ambf_teleop::ForceLimits limits;
  limits.max_force = declared.real("max_force", 10.0, 0.0, 200.0, "largest force [N]");
  limits.max_torque = declared.real("max_torque", 0.5, 0.0, 20.0, "largest torque [N m]");
  limits.max_force_rate =
    declared.real("max_force_rate", 1000.0, 1.0, 1e6, "slew limit of the force [N/s]");
  limits.max_torque_rate =
    declared.real("max_torque_rate", 50.0, 0.1, 1e5, "slew limit of the torque [N m/s]");
  limits.dead_band =
    declared.real("dead_band", 0.0, 0.0, 100.0, "forces below it are not given [N]");
  limits.dead_band_torque =
    declared.real("dead_band_torque", 0.0, 0.0, 10.0, "torques below it are not given [N m]");
  return limits;
}

}  // namespace

DeviceParameters declare_device_parameters(rclcpp::Node & node, const KindDefaults & defaults)
{
  Declared declared(node);
  DeviceParameters p;
  p.device = declared.word(
    "device", defaults.device, "name of the device: its topics are <world_namespace>/<device>/...");
  Declared::check_token("device", p.device);
  p.world_namespace = world_namespace(declared.topic(
    "world_namespace", "/ambf/env", "namespace of the world's topics, below the node's own",
    [](const std::string & value) { return world_namespace(value) + "/Sample"; }));
  p.frame_id = declared.word("frame_id", "", "frame of the device's base; empty: <device>_base");
  if (p.frame_id.empty()) { p.frame_id = p.device + "_base"; }
  p.actions =
    declared.whole("actions", defaults.actions, 0, 32, "number of action buttons in the samples");
  p.publish_force = declared.flag(
    "publish_force", true,
    "publish what the device is given on <device>/Force while somebody listens");

  p.loop.rate = declared.real(
    "rate", defaults.rate, ambf_devices::slowest_rate, ambf_devices::fastest_rate,
    "of the device's loop [Hz]");
  p.loop.reopen_after = declared.real(
    "retry_period", 0.5, 0.01, 60.0, "pause between two attempts to find the device [s]");

  auto & cycle = p.loop.cycle;
  const double period = 1.0 / p.loop.rate;
  cycle.limits = declare_limits(declared);
  cycle.offsets.base =
    declare_pose(declared, "base_offset", "the device's base in the person's view");
  cycle.offsets.tip = declare_pose(declared, "tip_offset", "the handle at the device's tip");
  cycle.workspace_scale = declared.real(
    "workspace_scale", 1.0, 1e-3, 1e3,
    "metres of the proxy per metre of the hand; as in the world's binding");
  const auto hand = declare_dynamics(declared);
  cycle.gains = declare_gains(
    declared, std::min(
                defaults.linear_stiffness,
                0.5 * ambf_teleop::passive_stiffness(hand.linear.damping, 0.0, period) /
                  cycle.workspace_scale));
  cycle.passivity.enabled = declared.flag(
    "passivity", true, "the passivity controller damps gains that the rate cannot carry");
  cycle.passivity.max_damping =
    declared.real("passivity_max_damping", 5.0, 0.0, 1e3, "most that it may add [N s/m]");
  cycle.passivity_angular_damping = declared.real(
    "passivity_max_angular_damping", 0.05, 0.0, 10.0, "most that it may add to turns [N m s/rad]");
  cycle.fade_from = declared.real(
    "fade_from", 0.015, 0.0, 1.0, "age of the proxy state from which the force fades out [s]");
  cycle.timeout = declared.real(
    "timeout", 0.030, 0.001, 1.0, "age of proxy state or reading at which the force is zero [s]");
  if (cycle.fade_from > cycle.timeout) {
    throw std::invalid_argument("parameter 'fade_from' must not exceed 'timeout'");
  }
  cycle.reading.max_speed = declared.real(
    "max_speed", 5.0, 0.1, 100.0, "readings that move faster are refused as jumps [m/s]");
  cycle.reading.max_angular_speed =
    declared.real("max_angular_speed", 60.0, 0.1, 1000.0, "likewise for turning [rad/s]");
  cycle.reading.max_reach =
    declared.real("max_reach", 10.0, 0.01, 100.0, "readings further from the base are refused [m]");
  // A slow device is neither away between two readings, nor a fast one a flood.
  cycle.reading.longest_gap = std::max(cycle.reading.longest_gap, 3.0 * period);
  cycle.reading.shortest_period = std::min(cycle.reading.shortest_period, 0.25 * period);

  const auto verdict = ambf_devices::check_gains(cycle, hand, p.loop.rate);
  if (!verdict) {
    throw std::invalid_argument("parameters of the haptic gains: " + verdict.error());
  }
  cycle.passivity.max_damping = verdict->max_damping;
  cycle.passivity_angular_damping = verdict->max_angular_damping;
  cycle.bounds = ambf_devices::gain_bounds(cycle, hand, p.loop.rate);
  p.warning = verdict->warning;
  if (period >= cycle.timeout) {
    p.warning += std::string(p.warning.empty() ? "" : "; ") +
                 "no force at this 'rate': it would be held longer than "
                 "'timeout' from one cycle to the next";
  }
  return p;
}

}  // namespace ambf_device_nodes
