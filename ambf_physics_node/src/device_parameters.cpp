// SPDX-License-Identifier: BSD-3-Clause
#include "device_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "ambf_adf/names.hpp"
#include "ambf_adf/object.hpp"
#include "parameters.hpp"

namespace ambf_physics
{

namespace
{

using Strings = std::vector<std::string>;
using Numbers = std::vector<double>;

/// The keys of one device. An empty text or list, and NaN, stand for "not given".
class Keys
{
public:
  Keys(rclcpp::Node & node, const std::string & prefix) : node_(node), prefix_(prefix) {}

  std::optional<std::string> text(const std::string & key, const std::string & what)
  {
    const auto value = node_.declare_parameter<std::string>(prefix_ + key, "", described(what));
    return value.empty() ? std::nullopt : std::optional(value);
  }

  std::optional<Strings> texts(const std::string & key, const std::string & what)
  {
    auto value = node_.declare_parameter<Strings>(prefix_ + key, Strings{}, described(what));
    std::erase(value, "");  // launch files cannot pass an empty list
    return value.empty() ? std::nullopt : std::optional(value);
  }

  std::optional<double> number(const std::string & key, const std::string & what)
  {
    constexpr double absent = std::numeric_limits<double>::quiet_NaN();
    const auto value =
      node_.declare_parameter<double>(prefix_ + key, absent, described(what + "; NaN: not given"));
    if (std::isnan(value)) { return std::nullopt; }
    if (value < 0.0 || std::isinf(value)) {
      wrong(
        key, rclcpp::to_string(rclcpp::ParameterValue(value)),
        "a number that is not negative: " + what);
    }
    return value;
  }

  /// One number for all axes, or three.
  std::optional<Eigen::Vector3d> axes(const std::string & key, const std::string & what)
  {
    const auto v = numbers(key, what);
    if (v.empty()) { return std::nullopt; }
    if (v.size() != 1 && v.size() != 3) {
      wrong(key, std::to_string(v.size()) + " numbers", "one, or x y z");
    }
    if (*std::min_element(v.begin(), v.end()) < 0.0) {
      wrong(key, "a negative number", "numbers that are not negative: " + what);
    }
    return v.size() == 1 ? Eigen::Vector3d::Constant(v[0]) : Eigen::Vector3d(v[0], v[1], v[2]);
  }

  std::optional<ambf_teleop::Pose> pose(const std::string & key, const std::string & what)
  {
    const auto v = numbers(key, what);
    if (v.empty()) { return std::nullopt; }
    if (v.size() != 6) {
      wrong(key, std::to_string(v.size()) + " numbers", "x y z roll pitch yaw");
    }
    const ambf_adf::Pose pose{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    return ambf_teleop::Pose{{v[0], v[1], v[2]}, Eigen::Quaterniond(pose.rotation())};
  }

  /// Which of `words` is given, by position.
  std::optional<std::size_t> word(
    const std::string & key, const Strings & words, const std::string & what)
  {
    const auto given = text(key, what);
    if (!given) { return std::nullopt; }
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == *given) { return i; }
      list += (i == 0 ? "" : ", ") + words[i];
    }
    wrong(key, "'" + *given + "'", "one of " + list);
  }

private:
  static rcl_interfaces::msg::ParameterDescriptor described(const std::string & text)
  {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = text;
    descriptor.read_only = true;
    return descriptor;
  }

  Numbers numbers(const std::string & key, const std::string & what)
  {
    auto value = node_.declare_parameter<Numbers>(prefix_ + key, Numbers{}, described(what));
    for (const double number : value) {
      if (!std::isfinite(number)) { wrong(key, "a number that is not finite", "numbers"); }
    }
    return value;
  }

  [[noreturn]] void wrong(
    const std::string & key, const std::string & found, const std::string & expected)
  {
    throw std::invalid_argument(
      "parameter '" + prefix_ + key + "': found " + found + ", expected " + expected);
  }

  rclcpp::Node & node_;
  std::string prefix_;
};

std::optional<ambf_proxies::OnLoss> declare_on_loss(Keys & keys, const std::string & key)
{
  const auto i =
    keys.word(key, {"hold", "release"}, "what becomes of the proxy of a silent device");
  if (!i) { return std::nullopt; }
  return *i == 0 ? ambf_proxies::OnLoss::Hold : ambf_proxies::OnLoss::Release;
}

DeviceSettings declare_settings(rclcpp::Node & node, const std::string & device)
{
  using ambf_teleop::OrientationMapping;
  Keys keys(node, "device." + device + ".");
  DeviceSettings s;
  s.device = device;
  s.root_link = keys.text("root_link", "body that the hand holds: name, identifier or topic");
  s.cameras = keys.texts("cameras", "the first is the frame of reference; none: all");
  s.workspace_scale = keys.number("workspace_scale", "metres of the proxy per metre of the hand");
  if (
    const auto i =
      keys.word("orientation", {"relative", "absolute"}, "how turns of the hand turn the proxy")) {
    s.orientation = *i == 0 ? OrientationMapping::Relative : OrientationMapping::Absolute;
  }
  s.base_offset =
    keys.pose("base_offset", "the device's base in the person's view: x y z roll pitch yaw");
  s.tip_offset = keys.pose("tip_offset", "the handle at the device's tip: x y z roll pitch yaw");
  s.linear_stiffness =
    keys.axes("linear_stiffness", "hold on the proxy along x y z of the world [N/m]");
  s.linear_damping = keys.axes("linear_damping", "[N s/m]");
  s.angular_stiffness = keys.axes("angular_stiffness", "about x y z of the proxy [N m/rad]");
  s.angular_damping = keys.axes("angular_damping", "[N m s/rad]");
  s.max_force = keys.number("max_force", "largest force on the proxy [N]");
  s.max_torque = keys.number("max_torque", "largest torque on the proxy [N m]");
  if (const auto i = keys.word("gripper", {"joints", "nothing"}, "what the hand's gripper moves")) {
    s.drives_joints = *i == 0;
  }
  s.on_loss = declare_on_loss(keys, "on_loss");
  s.loss_timeout = keys.number("loss_timeout", "silence that counts as a loss [s]");
  return s;
}

}  // namespace

DeviceRules declare_device_parameters(rclcpp::Node & node)
{
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.read_only = true;
  DeviceRules p;
  p.from_file = declare_choice(
    node, "device_indices",
    "which devices of the world's input-device file to bind, from 0: \"0,2\", or all; empty: as "
    "n_devices says");
  descriptor.description = "how many devices of that file to bind, from the first one; -1: all";
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = -1;
  descriptor.integer_range[0].to_value = 1000;
  const auto count = node.declare_parameter<std::int64_t>("n_devices", 0, descriptor);
  descriptor.integer_range.clear();
  if (p.from_file.rule == ambf_adf::Choice::Rule::Default && count != 0) {
    p.from_file = count < 0 ? ambf_adf::Choice::all()
                            : ambf_adf::Choice::first(static_cast<std::size_t>(count));
  }
  Keys all(node, "");
  p.on_loss = declare_on_loss(all, "proxy_on_loss").value_or(p.on_loss);
  p.loss_timeout = all.number("proxy_loss_timeout", "silence of a device that counts as a loss [s]")
                     .value_or(p.loss_timeout);
  descriptor.description =
    "devices that parameters device.<name>.<key> bind, or change where the file has them";
  for (const auto & name : node.declare_parameter<Strings>("devices", Strings{}, descriptor)) {
    if (name.empty()) { continue; }  // launch files cannot pass an empty list
    if (ambf_adf::topic_token(name) != name) {
      throw std::invalid_argument(
        "parameter 'devices': found '" + name +
        "', expected letters, digits and single underscores, not starting with a digit");
    }
    p.settings.push_back(declare_settings(node, name));
  }
  return p;
}

}  // namespace ambf_physics
