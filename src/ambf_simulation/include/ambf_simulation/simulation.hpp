// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"
#include "ambf_simulation/commands.hpp"
#include "ambf_simulation/device_settings.hpp"
#include "ambf_simulation/hands.hpp"
#include "ambf_teleop/mailbox.hpp"
#include "ambf_simulation/object_commands.hpp"
#include "ambf_simulation/ownership.hpp"
#include "ambf_simulation/readings.hpp"
#include "ambf_simulation/views.hpp"

namespace ambf_simulation
{

/// A model in the world with its resolved description.
struct LoadedModel
{
  ambf_adf::Model model;
  ambf_dynamics::ModelHandle handle;
  ambf_dynamics::ClosureReport closure;
  std::string topic_token;    ///< its name in topics; no other model has it
  bool spawned = false;       ///< added at run time: goes away with a reset of what was spawned
  std::uint32_t version = 0;  ///< of `model`: grows with every change after loading
};

/// What readers outside the ownership see of a step.
struct SharedState
{
  ambf_dynamics::State state;
  std::vector<Commander> commanders;  ///< per body
  std::uint64_t commanders_version = 0;
  std::vector<Commander> actuator_commanders;
  std::vector<Commander> soft_body_commanders;
  std::vector<Commander> camera_commanders;
  std::vector<Commander> light_commanders;
  std::vector<double> cameras;  ///< 7 each, world frame
  std::vector<double> lights;
  std::vector<double> camera_offsets;  ///< 7 each, in the parent's frame
  std::vector<double> light_offsets;
  Readings readings;                              ///< filled as far as somebody wants them
  std::vector<ambf_proxies::ProxyReading> hands;  ///< per device
  Hands::Overridden overridden;
  CommandTable::Counters counters;
  CommandTable::Conflict conflict;
};

struct LoadRequest
{
  std::filesystem::path file;  ///< where there is a `text`, that is what the file says now
  std::string text;
  std::string name;  ///< of the model, and its place; empty: the file's name, or "model"
  std::string resource_base;
  std::string namespace_prefix;  ///< of the node
  std::string below;             ///< where it goes below /ambf/env
  Eigen::Isometry3d t_world_model = Eigen::Isometry3d::Identity();
  bool place_base = false;  ///< t_world_model is where the first body without a parent comes to be
  bool allow_rename = true;
  bool keep_name = false;  ///< of the model, whatever becomes of its parts
  bool refuse_missing_files = false;
  bool spawned = true;
};

/// Warnings of these kinds, as errors.
ambf_adf::Errors raised(
  const ambf_adf::Problems & warnings, const std::vector<ambf_adf::ProblemKind> & kinds);

/// A launch file and everything that it names, read and ready to be loaded.
struct LaunchContent
{
  std::string file;
  ambf_adf::LoadedWorld loaded;
  std::vector<DeviceModel> devices;
  ambf_adf::Problems warnings;
};

/// The world with its names, its commands and its saved states: everything that the owner touches.
/// No member may be called without holding `ownership`, unless it says so.
class Simulation
{
public:
  explicit Simulation(std::unique_ptr<ambf_dynamics::World> world);

  Ownership ownership;

  /// Objects' topics below the first are told below the second; to be set before the world is loaded.
  std::pair<std::string, std::string> moved_topics;

  /// Number of the command source that a device's gripper is; to be set before devices are bound.
  std::function<std::uint32_t(const std::string &)> device_source;
  /// What is said about devices beside the input-device file; to be set before the world is loaded.
  void set_devices(DeviceRules rules);

  /// Reads everything that an ADF launch file lists, meshes included. Needs no ownership, so that the
  /// world goes on meanwhile.
  ambf_adf::expected<LaunchContent, ambf_adf::Errors> read_launch(
    const std::filesystem::path & file, const ambf_adf::LoadOptions & options);
  /// Puts it into the place of what there is, which comes back where that fails. All or nothing, except that a device with errors is left unbound.
  ambf_adf::expected<void, ambf_adf::Errors> load_launch(LaunchContent content);
  /// Takes everything out: models, saved states, the world file. The next step is number 1.
  void unload();
  /// Reads a model and its meshes. Needs no ownership, so that the world goes on meanwhile.
  ambf_adf::expected<ambf_adf::Model, ambf_adf::Errors> read(const LoadRequest & request);
  /// Adds what was read; returns its name. All or nothing.
  ambf_adf::expected<std::string, ambf_adf::Errors> load(
    const LoadRequest & request, ambf_adf::Model model);
  /// A model by name, or one object by its qualified identifier, topic or name.
  bool remove(const std::string & name);
  /// Back to the start. `spawned`: models that were added at run time go.
  void reset(bool time, bool state, bool spawned);

  /// Takes the commands that were posted to objects and bodies.
  void apply_posted(std::int64_t now);
  /// One step: posted commands, watchdogs, hands, dynamics. `now` is on the watchdog's clock; `timeout` 0
  /// switches the watchdogs off. `supervised`: the world keeps its own time, so that a device that falls
  /// silent is lost; otherwise what is posted waits for the next `apply_posted`.
  ambf_dynamics::StepStatus step(
    std::int64_t now, std::int64_t timeout, WatchdogAction action, bool supervised);
  /// The watchdogs' clock was exchanged (another mode): everything live counts from `now`.
  void restart_clock(std::int64_t now);

  /// Everything that the next step reads: world, hands, cameras. Does not alter the run.
  std::vector<std::byte> save() const;
  /// Whether `restore` would succeed; nothing changes.
  ambf_adf::expected<void, ambf_adf::Errors> restorable(std::span<const std::byte> bytes) const;
  /// Continues where `save` was called; commands that stand there count as those of `source`. Returns what was left out: hands that were saved by other
  /// devices start anew.
  ambf_adf::expected<std::string, ambf_adf::Errors> restore(
    std::span<const std::byte> bytes, std::int64_t now, std::uint32_t source);

  /// Copies the newest state into the readers' box.
  void share_state();
  void share_if_wanted();
  /// One reader thread at a time may take from it; needs no ownership.
  ambf_teleop::Mailbox<SharedState> & shared_state() { return shared_; }
  /// Somebody reads states, readings of sensors, actuators or ghosts, wrenches; need no ownership.
  std::atomic<bool> state_wanted{true};
  std::atomic<bool> readings_wanted{false};
  std::atomic<bool> wrenches_wanted{false};

  ambf_dynamics::World & world() { return *world_; }
  const ambf_dynamics::World & world() const { return *world_; }
  CommandTable & commands() { return commands_; }
  ObjectCommands & object_commands() { return object_commands_; }
  std::vector<View> & cameras() { return cameras_; }
  const std::vector<View> & cameras() const { return cameras_; }
  const std::vector<View> & lights() const { return lights_; }
  const std::vector<LoadedModel> & models() const { return models_; }
  const ambf_adf::World & world_file() const { return world_file_; }
  /// The launch file; empty: none.
  const std::string & launch_file() const { return launch_file_; }
  /// What the launch file's reader had to say, and keys of devices that have no effect.
  const ambf_adf::Problems & warnings() const { return warnings_; }
  const Hands & hands() const { return hands_; }

  std::map<std::string, std::vector<std::byte>> saved;  ///< by name

private:
  /// Qualified identifier of the one object that has this qualified identifier, topic or name; "" if
  /// there is none, or more than one.
  std::string find_object(const std::string & name) const;
  ambf_adf::expected<std::string, ambf_adf::Errors> add(ambf_adf::Model model, bool spawned);
  /// load_launch without the way back.
  ambf_adf::expected<void, ambf_adf::Errors> put_launch(LaunchContent content);
  std::set<std::string> topics() const;  ///< of all objects
  /// The proxies that devices bring along.
  void add_devices(std::vector<DeviceModel> devices);
  void bind_devices();
  /// After models came or went: parents that were missing, views, commands, hands, the readers' state.
  void refit();
  void rebuild_views();
  void rebuild_hands();

  /// What `unload` takes out.
  struct Content
  {
    ambf_adf::Scene scene;
    std::vector<LoadedModel> models;
    ambf_adf::World world_file;
    std::string launch_file;
    ambf_adf::Problems warnings;
    std::vector<ambf_proxies::Binding> file_bindings;
    std::map<std::string, std::vector<std::byte>> saved;
  };

  std::unique_ptr<ambf_dynamics::World> world_;
  ambf_adf::Scene scene_;
  std::vector<LoadedModel> models_;
  ambf_adf::World world_file_;
  std::vector<ambf_proxies::Binding> file_bindings_;  ///< of the input-device file
  DeviceRules device_rules_;
  std::string launch_file_;
  ambf_adf::Problems warnings_;
  std::vector<View> cameras_;  ///< in manifest order
  std::vector<View> lights_;
  CommandTable commands_;
  ObjectCommands object_commands_;
  Hands hands_;
  bool contacts_asked_for_ = false;  ///< by whoever made the world; hands need them anyway
  ambf_teleop::Mailbox<SharedState> shared_;
};

}  // namespace ambf_simulation
