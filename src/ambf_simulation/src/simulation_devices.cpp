// SPDX-License-Identifier: BSD-3-Clause
// The hands' part of a Simulation: binding, and what is saved of them.

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "ambf_simulation/simulation.hpp"

namespace ambf_simulation
{

using ambf_adf::Errors;
using ambf_adf::expected;

namespace
{

/// Ends bytes that `save` made: how many numbers of hands and of cameras stand before it.
struct Tail
{
  std::uint64_t hands = 0;
  std::uint64_t views = 0;
  std::uint64_t mark = 0;
};
constexpr std::uint64_t kMark = 0x3173646e6168'6d61;  // "amhands1"

void append(std::vector<std::byte> & bytes, const void * from, std::size_t size)
{
  const auto * first = static_cast<const std::byte *>(from);
  bytes.insert(bytes.end(), first, first + size);
}

/// How many bytes are the world's, and what follows them: nothing, in states of worlds alone.
struct WorldPart
{
  std::size_t size = 0;
  Tail tail;
};

WorldPart world_part(std::span<const std::byte> bytes)
{
  Tail tail;
  if (bytes.size() >= sizeof tail) {
    std::memcpy(&tail, bytes.data() + bytes.size() - sizeof tail, sizeof tail);
  }
  const std::size_t whole = bytes.size() / sizeof(double);
  const bool ours = tail.mark == kMark && tail.hands <= whole && tail.views <= whole &&
                    (tail.hands + tail.views) * sizeof(double) + sizeof tail <= bytes.size();
  if (!ours) { return {bytes.size(), {}}; }
  return {bytes.size() - sizeof tail - (tail.hands + tail.views) * sizeof(double), tail};
}

std::vector<double> numbers_at(
  std::span<const std::byte> bytes, std::size_t first, std::size_t count)
{
  std::vector<double> numbers(count);
  std::ranges::copy(
    bytes.subspan(first, count * sizeof(double)),
    std::as_writable_bytes(std::span(numbers)).begin());
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
  auto bytes = world_->save();
  const auto hands = hands_.proxies().save();
  append(bytes, hands.data(), hands.size() * sizeof(double));
  for (const auto & view : cameras_) {
    append(bytes, view.t_parent_view.matrix().data(), 16 * sizeof(double));
  }
  const Tail tail{hands.size(), 16 * cameras_.size(), kMark};
  append(bytes, &tail, sizeof tail);
  return bytes;
}

expected<void, Errors> Simulation::restorable(std::span<const std::byte> bytes) const
{
  return world_->restorable(bytes.first(world_part(bytes).size));
}

expected<std::string, Errors> Simulation::restore(
  std::span<const std::byte> bytes, std::int64_t now, std::uint32_t source)
{
  const auto [world_size, tail] = world_part(bytes);
  if (auto restored = world_->restore(bytes.first(world_size)); !restored) {
    return tl::unexpected(restored.error());
  }
  std::string left_out;
  if (!hands_.empty() && !hands_.proxies().restore(numbers_at(bytes, world_size, tail.hands))) {
    hands_.proxies().forget();
    left_out = "the hands were saved by other devices and start anew";
  }
  if (tail.views == 16 * cameras_.size()) {
    const auto views = numbers_at(bytes, world_size + tail.hands * sizeof(double), tail.views);
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
      cameras_[i].t_parent_view.matrix() = Eigen::Map<const Eigen::Matrix4d>(views.data() + 16 * i);
    }
  }
  commands_.adopt(*world_, source, now);
  object_commands_.adopt(*world_, source, now);
  restart_clock(now);
  share_state();
  return left_out;
}

}  // namespace ambf_simulation
