// SPDX-License-Identifier: BSD-3-Clause
// The hands' part of a Simulation: binding, and what is saved of them.

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "ambf_simulation/simulation.hpp"

namespace ambf_simulation
{

using ambf_adf::Errors;
using ambf_adf::expected;

namespace
{

namespace saved_state = ambf_dynamics::saved_state;

/// The parts of a saved state beside the world's: of the hands, and 16 numbers (T_PV) of each camera.
constexpr std::string_view hands_part = "hands";
constexpr std::string_view cameras_part = "cameras";

std::vector<double> numbers_of(std::span<const std::byte> state, std::string_view part)
{
  const auto bytes = saved_state::part(state, part);
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

}  // namespace

void Simulation::set_devices(DeviceRules rules)
{
  device_rules_ = std::move(rules);
  bind_devices();
  refit();
}

void Simulation::add_devices(std::vector<DeviceModel> devices)
{
  const auto bring_along = [&](DeviceModel & device) -> expected<std::string, Errors> {
    ambf_adf::AddOptions options;
    options.pose = device.pose;
    auto named = scene_.add(std::move(*device.model), options);
    if (!named) { return tl::unexpected(named.error()); }
    device.binding.root_link =
      named->bodies.empty() ? "" : named->bodies[device.root].header.qualified;
    return add(std::move(*named), false);
  };
  std::vector<ambf_proxies::Binding> bindings;
  for (auto & device : devices) {
    if (device.model) {
      if (const auto brought = bring_along(device); !brought) {
        device.binding.root_problem = "simulated multibody: " + in_one_line(brought.error());
      }
    }
    bindings.push_back(std::move(device.binding));
  }
  file_bindings_ = std::move(bindings);
  bind_devices();
  refit();
}

void Simulation::bind_devices()
{
  auto bindings = all_bindings(file_bindings_, device_rules_);
  std::vector<std::uint32_t> sources;
  for (const auto & binding : bindings) {
    sources.push_back(
      device_source ? device_source(binding.device)
                    : static_cast<std::uint32_t>(sources.size() + 1));
  }
  hands_.bind(std::move(bindings), std::move(sources));
}

void Simulation::rebuild_hands()
{
  const auto described = [&](const std::string & qualified) -> ambf_proxies::PartialGains {
    for (const auto & loaded : models_) {
      for (const auto & body : loaded.model.bodies) {
        if (body.header.qualified == qualified && body.controller) {
          return ambf_proxies::gains_of(*body.controller);
        }
      }
    }
    return {};
  };
  hands_.rebuild(*world_, cameras_, described);
  auto parameters = world_->parameters();
  const bool contacts = contacts_asked_for_ || !hands_.empty();
  if (parameters.report_contacts != contacts) {
    parameters.report_contacts = contacts;
    world_->set_parameters(parameters);
  }
}

std::vector<std::byte> Simulation::save() const
{
  const auto hands = hands_.proxies().save();
  std::vector<double> cameras;
  for (const auto & view : cameras_) {
    const double * t_parent_view = view.t_parent_view.matrix().data();
    cameras.insert(cameras.end(), t_parent_view, t_parent_view + 16);
  }
  const std::array<ambf_dynamics::SavedPart, 2> beside{
    {{hands_part, std::as_bytes(std::span(hands))},
     {cameras_part, std::as_bytes(std::span(cameras))}}};
  return world_->save(beside);
}

expected<void, Errors> Simulation::restorable(std::span<const std::byte> bytes) const
{
  return world_->restorable(bytes);
}

expected<std::string, Errors> Simulation::restore(
  std::span<const std::byte> bytes, std::int64_t now, std::uint32_t source)
{
  if (auto restored = world_->restore(bytes); !restored) {
    return tl::unexpected(restored.error());
  }
  std::string left_out;
  if (!hands_.empty() && !hands_.proxies().restore(numbers_of(bytes, hands_part))) {
    hands_.proxies().forget();
    left_out = "the hands were saved by other devices and start anew";
  }
  if (const auto cameras = numbers_of(bytes, cameras_part); cameras.size() == 16 * cameras_.size()) {
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
      cameras_[i].t_parent_view.matrix() =
        Eigen::Map<const Eigen::Matrix4d>(cameras.data() + 16 * i);
    }
  }
  commands_.adopt(*world_, source, now);
  object_commands_.adopt(*world_, source, now);
  restart_clock(now);
  share_state();
  return left_out;
}

}  // namespace ambf_simulation
