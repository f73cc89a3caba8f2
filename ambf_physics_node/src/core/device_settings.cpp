#include "core/device_settings.hpp"

#include <algorithm>
#include <utility>

#include "ambf_adf/parse.hpp"

namespace ambf_physics
{

using ambf_proxies::Binding;

void apply(const DeviceSettings & settings, Binding & binding)
{
  const auto set = [](const auto & from, auto & to) {if (from) {to = *from;}};
  if (settings.root_link) {
    binding.root_link = *settings.root_link;
    binding.problem.clear();
  }
  set(settings.cameras, binding.cameras);
  set(settings.workspace_scale, binding.mapping.workspace_scale);
  set(settings.orientation, binding.mapping.orientation);
  set(settings.base_offset, binding.offsets.base);
  set(settings.tip_offset, binding.offsets.tip);
  if (settings.linear_stiffness || settings.linear_damping || settings.angular_stiffness ||
    settings.angular_damping)
  {
    ambf_teleop::ProxyGains gains = binding.gains.value_or(ambf_teleop::ProxyGains{});
    set(settings.linear_stiffness, gains.linear_stiffness);
    set(settings.linear_damping, gains.linear_damping);
    set(settings.angular_stiffness, gains.angular_stiffness);
    set(settings.angular_damping, gains.angular_damping);
    binding.gains = gains;
  }
  set(settings.max_force, binding.max_force);
  set(settings.max_torque, binding.max_torque);
  set(settings.drives_joints, binding.drives_joints);
  set(settings.on_loss, binding.on_loss);
  set(settings.loss_timeout, binding.loss_timeout);
}

std::vector<Binding> all_bindings(std::vector<Binding> bindings, const DeviceRules & rules)
{
  for (const auto & one : rules.settings) {
    const auto same = [&](const Binding & b) {return b.device == one.device;};
    if (std::any_of(bindings.begin(), bindings.end(), same)) {continue;}
    bindings.emplace_back().device = one.device;
  }
  for (auto & binding : bindings) {
    binding.on_loss = rules.on_loss;
    binding.loss_timeout = rules.loss_timeout;
    for (const auto & one : rules.settings) {
      if (one.device == binding.device) {apply(one, binding);}
    }
  }
  for (auto it = bindings.begin(); it != bindings.end(); ++it) {
    if (std::any_of(bindings.begin(), it, [&](const Binding & b) {return b.device == it->device;})) {
      it->problem = "two devices have the name '" + it->device + "': only the first is used";
    }
  }
  return bindings;
}

ambf_adf::expected<std::vector<DeviceModel>, ambf_adf::Errors> read_device_models(
  const ambf_adf::InputDevices & devices, const ambf_adf::ParseOptions & options)
{
  std::vector<DeviceModel> result;
  ambf_adf::Errors errors;
  for (const auto & device : devices.devices) {
    DeviceModel & one = result.emplace_back();
    one.binding = ambf_proxies::binding_of(device);
    if (device.simulated_multibody.empty()) {continue;}
    std::error_code error;
    if (!std::filesystem::is_regular_file(device.simulated_multibody, error)) {
      one.binding.problem = "simulated multibody: found '" + device.simulated_multibody +
        "', which is not there, expected an ADF file";
      continue;
    }
    auto model = ambf_adf::parse_file(device.simulated_multibody, options);
    if (!model) {
      errors.insert(errors.end(), model.error().begin(), model.error().end());
      continue;
    }
    if (const auto root = ambf_proxies::root_body(*model, device.root_link)) {
      one.root = *root;
      if (device.location) {
        one.pose = ambf_adf::Pose::from(
          device.location->isometry() * model->bodies[*root].location.isometry().inverse());
      }
    } else {
      one.binding.problem = root.error();
    }
    one.model = std::move(*model);
  }
  if (!errors.empty()) {return tl::unexpected(std::move(errors));}
  return result;
}

}  // namespace ambf_physics
