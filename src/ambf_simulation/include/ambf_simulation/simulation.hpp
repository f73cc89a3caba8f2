// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ambf_simulation/commands.hpp"
#include "ambf_simulation/content.hpp"
#include "ambf_simulation/hands.hpp"
#include "ambf_simulation/ownership.hpp"
#include "ambf_simulation/plugins.hpp"
#include "ambf_simulation/shared_state.hpp"

namespace ambf_simulation
{

struct SimulationOptions
{
  /// Objects' topics below the first are told below the second.
  std::pair<std::string, std::string> moved_topics;
  /// Number of the command source that a device's gripper is; by default devices are numbered from 1.
  DeviceSource device_source;
  /// Libraries of plugins for every world, beside those that descriptions name.
  std::vector<std::string> plugins;
};

/// A world with what it holds, who commands it, its hands and its saved states: everything that the owner
/// touches. No member may be called without holding `ownership`, unless it says so.
class Simulation
{
public:
  explicit Simulation(std::unique_ptr<ambf_dynamics::World> world, SimulationOptions options = {});

  Ownership & ownership() { return ownership_; }

  /// What is said about devices beside the input-device file; to be set before the world is loaded.
  void set_devices(DeviceRules rules);

  /// Reads everything that an ADF launch file lists, meshes included. Needs no ownership.
  ambf_adf::expected<LaunchContent, ambf_adf::Errors> read_launch(
    const std::filesystem::path & file, const ambf_adf::LoadOptions & options) const
  {
    return content_.read_launch(file, options, hands_.rules());
  }
  /// Puts it into the place of what there is, which comes back where that fails. All or nothing, except that a
  /// device with errors is left unbound.
  ambf_adf::expected<void, ambf_adf::Errors> load_launch(LaunchContent content);
  /// Takes everything out: models, saved states, the world file. The next step is number 1.
  void unload();
  /// Reads a model and its meshes. Needs no ownership.
  ambf_adf::expected<ambf_adf::Model, ambf_adf::Errors> read(const LoadRequest & request) const
  {
    return content_.read(request);
  }
  /// Adds what was read; returns its name. All or nothing.
  ambf_adf::expected<std::string, ambf_adf::Errors> load(
    const LoadRequest & request, ambf_adf::Model model);
  /// A model by name, or one object by its qualified identifier, topic or name.
  bool remove(const std::string & name);
  /// Back to the start. `spawned`: models that were added at run time go.
  void reset(bool time, bool state, bool spawned);

  /// Takes the commands that were posted to objects and bodies, and the samples of devices.
  void apply_posted(std::int64_t now);
  /// One step: posted commands, watchdogs, hands, plugins, dynamics, plugins. `now` is on the watchdog's clock; `timeout` 0
  /// switches the watchdogs off. `supervised`: the world keeps its own time, so that a device that falls
  /// silent is lost; otherwise what is posted waits for the next `apply_posted`.
  ambf_dynamics::StepStatus step(
    std::int64_t now, std::int64_t timeout, WatchdogAction action, bool supervised);
  /// The watchdogs' clock was exchanged (another mode): everything live counts from `now`.
  void restart_clock(std::int64_t now);

  /// Everything that the next step reads: world, hands, cameras, plugins. Does not alter the run.
  std::vector<std::byte> save() const;
  /// Whether `restore` would succeed; nothing changes.
  ambf_adf::expected<void, ambf_adf::Errors> restorable(std::span<const std::byte> bytes) const
  {
    return world().restorable(bytes);
  }
  /// Continues where `save` was called; commands that stand there count as those of `source`. Returns what was
  /// left out: hands that were saved by other devices, or plugins that were not there, start anew.
  ambf_adf::expected<std::string, ambf_adf::Errors> restore(
    std::span<const std::byte> bytes, std::int64_t now, std::uint32_t source);
  /// States that were kept under a name, until the world is unloaded.
  std::map<std::string, std::vector<std::byte>> & saved() { return saved_; }

  /// Copies the newest state into the readers' box.
  void share_state() { share(content_, commands_, hands_, plugins_, wanted_, shared_); }
  void share_if_wanted()
  {
    if (wanted_.state.load(std::memory_order_relaxed)) { share_state(); }
  }
  /// One reader thread at a time may take from it; needs no ownership.
  ambf_teleop::Mailbox<SharedState> & shared_state() { return shared_; }
  /// What readers want of it; needs no ownership.
  WantedState & wanted() { return wanted_; }

  const Content & content() const { return content_; }
  ambf_dynamics::World & world() { return content_.world(); }
  const ambf_dynamics::World & world() const { return content_.world(); }
  std::vector<View> & cameras() { return content_.cameras(); }
  Commands & commands() { return commands_; }
  const Hands & hands() const { return hands_; }
  Plugins & plugins() { return plugins_; }
  const Plugins & plugins() const { return plugins_; }
  /// Of everything that the next step reads of world and plugins.
  std::uint64_t hash() const { return plugins_.hash(world().state().hash); }

private:
  /// load_launch without the way back.
  ambf_adf::expected<void, ambf_adf::Errors> put_launch(LaunchContent content);
  /// After models or devices came or went: everything that knows them by their numbers.
  void refit();

  Ownership ownership_;
  Content content_;
  Commands commands_;
  Hands hands_;
  Plugins plugins_;
  std::map<std::string, std::vector<std::byte>> saved_;
  WantedState wanted_;
  ambf_teleop::Mailbox<SharedState> shared_;
  bool contacts_asked_for_ = false;  ///< by whoever made the world; hands need them anyway
};

}  // namespace ambf_simulation
