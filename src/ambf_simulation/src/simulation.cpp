// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/simulation.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace ambf_simulation
{

using ambf_adf::Errors;
using ambf_adf::expected;

namespace
{

/// The parts of a saved state beside the world's: of the hands, 16 numbers (T_PV) of each camera, of the plugins.
constexpr std::string_view hands_part = "hands";
constexpr std::string_view cameras_part = "cameras";
constexpr std::string_view plugins_part = "plugins";

std::vector<double> numbers_of(std::span<const std::byte> state, std::string_view part)
{
  const auto bytes = ambf_dynamics::saved_state::part(state, part);
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<ambf_dynamics::World> world, SimulationOptions options)
: content_(std::move(world), std::move(options.moved_topics)),
  hands_(std::move(options.device_source)),
  plugins_(std::move(options.plugins)),
  contacts_asked_for_(content_.world().parameters().report_contacts)
{
  refit();
}

void Simulation::refit()
{
  content_.link();
  commands_.rebuild(content_);
  hands_.rebuild(world(), content_.cameras(), [this](const std::string & qualified) {
    return content_.described_gains(qualified);
  });
  plugins_.rebuild(content_);
  auto parameters = world().parameters();
  const bool contacts = contacts_asked_for_ || !hands_.empty();
  if (parameters.report_contacts != contacts) {
    parameters.report_contacts = contacts;
    world().set_parameters(parameters);
  }
  share_state();
}

void Simulation::set_devices(DeviceRules rules)
{
  hands_.set_rules(std::move(rules));
  refit();
}

expected<void, Errors> Simulation::load_launch(LaunchContent content)
{
  auto before = content_.copy();
  auto bindings = hands_.file_bindings();
  auto saved = saved_;
  const auto state = save();
  auto put = put_launch(std::move(content));
  if (put) { return put; }
  // What was there comes back as it was.
  unload();
  content_.put_back(std::move(before));
  saved_ = std::move(saved);
  hands_.bind_file(std::move(bindings));
  refit();
  (void)restore(state, 0, 0);
  return put;
}

expected<void, Errors> Simulation::put_launch(LaunchContent content)
{
  // What the file asks for is known to be well-formed now: the old world makes place for it.
  unload();
  if (auto put = content_.put(content); !put) { return put; }
  std::vector<ambf_proxies::Binding> bindings;
  for (auto & device : content.devices) {
    content_.bring_along(device);
    bindings.push_back(std::move(device.binding));
  }
  hands_.bind_file(std::move(bindings));
  refit();
  return {};
}

void Simulation::unload()
{
  content_.unload();
  saved_.clear();
  hands_.bind_file({});
  commands_.clear();
  refit();
}

expected<std::string, Errors> Simulation::load(const LoadRequest & request, ambf_adf::Model model)
{
  auto loaded = content_.load(request, std::move(model));
  if (loaded) { refit(); }
  return loaded;
}

bool Simulation::remove(const std::string & name)
{
  const bool removed = content_.remove(name);
  if (removed) { refit(); }
  return removed;
}

void Simulation::reset(bool time, bool state, bool spawned)
{
  if (spawned) {
    content_.remove_spawned();
    refit();
  }
  if (state) {
    world().reset(time);
    commands_.clear();
    hands_.proxies().forget();
    plugins_.reset();
    content_.reset_views();
  } else if (time) {
    world().reset_time();
  }
  share_state();
}

void Simulation::apply_posted(std::int64_t now)
{
  commands_.apply_posted(content_, now);
  hands_.take_samples(world(), now);
}

ambf_dynamics::StepStatus Simulation::step(
  std::int64_t now, std::int64_t timeout, WatchdogAction action, bool supervised)
{
  if (supervised) { apply_posted(now); }
  commands_.supervise(world(), now, timeout, action);
  hands_.before_step(world(), content_.cameras(), commands_, now, supervised);
  plugins_.before_step(world());
  const ambf_dynamics::StepStatus status = world().step();
  if (status == ambf_dynamics::StepStatus::Ok) { plugins_.after_step(world()); }
  return status;
}

void Simulation::restart_clock(std::int64_t now)
{
  commands_.restart_watchdogs(now);
  hands_.restart_clock(now);
}

std::vector<std::byte> Simulation::save() const
{
  const auto hands = hands_.proxies().save();
  std::vector<double> cameras;
  for (const auto & view : content_.cameras()) {
    const double * t_parent_view = view.t_parent_view.matrix().data();
    cameras.insert(cameras.end(), t_parent_view, t_parent_view + 16);
  }
  const auto plugins = plugins_.save();
  const std::array<ambf_dynamics::SavedPart, 3> beside{
    {{hands_part, std::as_bytes(std::span(hands))},
     {cameras_part, std::as_bytes(std::span(cameras))},
     {plugins_part, plugins}}};
  return world().save(beside);
}

expected<std::string, Errors> Simulation::restore(
  std::span<const std::byte> bytes, std::int64_t now, std::uint32_t source)
{
  if (auto restored = world().restore(bytes); !restored) {
    return tl::unexpected(restored.error());
  }
  std::string left_out;
  if (!hands_.empty() && !hands_.proxies().restore(numbers_of(bytes, hands_part))) {
    hands_.proxies().forget();
    left_out = "the hands were saved by other devices and start anew";
  }
  if (!plugins_.restore(ambf_dynamics::saved_state::part(bytes, plugins_part))) {
    left_out += std::string(left_out.empty() ? "" : "; ") +
                "plugins that were not saved, or otherwise, start anew";
  }
  auto & views = cameras();
  if (const auto saved = numbers_of(bytes, cameras_part); saved.size() == 16 * views.size()) {
    for (std::size_t i = 0; i < views.size(); ++i) {
      views[i].t_parent_view.matrix() = Eigen::Map<const Eigen::Matrix4d>(saved.data() + 16 * i);
    }
  }
  commands_.adopt(world(), source, now);
  restart_clock(now);
  share_state();
  return left_out;
}

}  // namespace ambf_simulation
