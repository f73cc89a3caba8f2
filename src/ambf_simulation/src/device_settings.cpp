// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/device_settings.hpp"

#include <algorithm>
#include <utility>

#include "ambf_adf/names.hpp"
#include "ambf_adf/parse.hpp"

namespace ambf_simulation
{

using ambf_proxies::Binding;

namespace
{

Eigen::Matrix3d turn_of(const Eigen::Vector3d & rpy)
{
  return ambf_adf::Pose{Eigen::Vector3d::Zero(), rpy}.rotation();
}

}  // namespace

void apply(const DeviceSettings & settings, Binding & binding)
{
  const auto set = [](const auto & from, auto & to) {
    if (from) { to = *from; }
  };
  if (settings.root_link) {
    binding.root_link = *settings.root_link;
    binding.root_problem.clear();
  }
  set(settings.cameras, binding.cameras);
  set(settings.workspace_scale, binding.mapping.workspace_scale);
  set(settings.orientation, binding.mapping.orientation);
  set(settings.base_offset, binding.offsets.base);
  set(settings.tip_offset, binding.offsets.tip);
  ambf_proxies::PartialGains gains;
  gains.linear_stiffness = settings.linear_stiffness;
  gains.linear_damping = settings.linear_damping;
  gains.angular_stiffness = settings.angular_stiffness;
  gains.angular_damping = settings.angular_damping;
  binding.gains = laid_over(gains, binding.gains);
  set(settings.max_force, binding.max_force);
  set(settings.max_torque, binding.max_torque);
  set(settings.drives_joints, binding.drives_joints);
  set(settings.on_loss, binding.on_loss);
  set(settings.loss_timeout, binding.loss_timeout);
}

std::vector<Binding> all_bindings(std::vector<Binding> bindings, const DeviceRules & rules)
{
  for (const auto & one : rules.settings) {
    const auto same = [&](const Binding & b) { return b.device == one.device; };
    if (std::any_of(bindings.begin(), bindings.end(), same)) { continue; }
    bindings.emplace_back().device = one.device;
  }
  for (auto & binding : bindings) {
    binding.on_loss = rules.on_loss;
    binding.loss_timeout = rules.loss_timeout;
    for (const auto & one : rules.settings) {
      if (one.device == binding.device) { apply(one, binding); }
    }
  }
  for (auto it = bindings.begin(); it != bindings.end(); ++it) {
    if (std::any_of(
          bindings.begin(), it, [&](const Binding & b) { return b.device == it->device; })) {
      it->problem = "two devices have the name '" + it->device + "': only the first is used";
    }
  }
  return bindings;
}

std::string in_one_line(const ambf_adf::Errors & errors)
{
  std::string line;
  std::size_t told = 0;
  std::size_t more = 0;
  for (const auto & error : errors) {
    if (error.severity != ambf_adf::Severity::Error) { continue; }
    if (++told > 3) {
      ++more;
      continue;
    }
    line += (line.empty() ? "" : "; ") + to_string(error);
  }
  return more == 0 ? line : line + "; and " + std::to_string(more) + " more";
}

std::vector<DeviceModel> read_device_models(
  const ambf_adf::InputDevices & devices, const ambf_adf::ParseOptions & options)
{
  std::vector<DeviceModel> result;
  for (const auto & device : devices.devices) {
    DeviceModel & one = result.emplace_back();
    one.binding = ambf_proxies::binding_of(device);
    if (device.simulated_multibody.empty()) { continue; }
    std::string & problem = one.binding.root_problem;
    std::error_code error;
    if (!std::filesystem::is_regular_file(device.simulated_multibody, error)) {
      problem = "simulated multibody: found '" + device.simulated_multibody +
                "', which is not there, expected an ADF file";
      continue;
    }
    auto model = ambf_adf::parse_file(device.simulated_multibody, options);
    if (!model) {
      problem = "simulated multibody: " + in_one_line(model.error());
      continue;
    }
    if (const auto root = ambf_proxies::root_body(*model, device.root_link)) {
      one.root = *root;
      const ambf_adf::Pose & described = model->bodies[*root].location;
      if (device.location || device.orientation_offset) {
        // SDE-BO, then SDE-TO post-multiplied: a hand that turns the proxy relatively starts from it.
        Eigen::Isometry3d start = device.location.value_or(described).isometry();
        if (device.orientation_offset) { start.linear() *= turn_of(*device.orientation_offset); }
        one.pose = ambf_adf::Pose::from(start * described.isometry().inverse());
      }
    } else {
      problem = root.error();
    }
    one.model = std::move(*model);
  }
  for (const auto & broken : devices.broken) {
    DeviceModel & one = result.emplace_back();
    one.binding = ambf_proxies::binding_of(broken.device);
    one.binding.problem = in_one_line(broken.errors);
  }
  return result;
}

ambf_adf::Problems keys_without_effect(
  const ambf_adf::InputDevices & devices, const DeviceRules & rules)
{
  ambf_adf::Problems result;
  for (const auto & device : devices.devices) {
    const std::string & block = device.header.identifier;
    const auto tell = [&](
                        const char * key, const std::string & expected, const std::string & hint) {
      result.push_back(
        {ambf_adf::Severity::Warning, ambf_adf::ProblemKind::IneffectiveKey, devices.source_file,
         device.header.where, block + "/" + key, "a key without effect", expected, hint});
    };
    const std::string name = ambf_adf::topic_token(device.header.name);
    if (device.simulated_multibody.empty()) {
      if (device.location) {
        tell(
          "location", "'simulated multibody' beside it",
          "the root link stays where the world has it");
      }
      const bool absolute =
        std::any_of(rules.settings.begin(), rules.settings.end(), [&](const DeviceSettings & s) {
          return s.device == name && s.orientation == ambf_teleop::OrientationMapping::Absolute;
        });
      if (device.orientation_offset && !device.orientation_offset->isZero() && !absolute) {
        tell(
          "orientation offset", "'simulated multibody' beside it, which then starts turned",
          "or absolute orientation: parameter 'device." + name + ".orientation:=absolute'");
      }
    }
    if (device.max_jerk) {
      tell(
        "max jerk", "no such key",
        "the device node's parameter 'max_force_rate' limits how fast a force may change");
    }
    if (device.visible) {
      tell("visible", "no such key", "the render node draws hands, if it is asked to");
    }
  }
  return result;
}

}  // namespace ambf_simulation
