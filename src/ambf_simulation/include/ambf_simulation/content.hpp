// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"
#include "ambf_simulation/device_settings.hpp"
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

/// What a world holds: models, cameras and lights, with their names. Belongs to the owner of the world, except
/// what reads files. Whoever changes it calls `link` when all of the change is done.
class Content
{
public:
  /// Objects' topics below the first of `moved_topics` are told below the second.
  Content(
    std::unique_ptr<ambf_dynamics::World> world, std::pair<std::string, std::string> moved_topics);

  /// Reads everything that an ADF launch file lists, meshes included. Any thread: the world goes on meanwhile.
  ambf_adf::expected<LaunchContent, ambf_adf::Errors> read_launch(
    const std::filesystem::path & file, const ambf_adf::LoadOptions & options,
    const DeviceRules & devices) const;
  /// Reads a model and its meshes. Any thread: the world goes on meanwhile.
  ambf_adf::expected<ambf_adf::Model, ambf_adf::Errors> read(const LoadRequest & request) const;

  /// Puts what was read, without the devices, into an empty world. Where that fails, a part of it is there.
  ambf_adf::expected<void, ambf_adf::Errors> put(LaunchContent & content);
  /// Adds the multi-body that a device brings along, and tells its binding which body the hand holds, or why not.
  void bring_along(DeviceModel & device);
  /// Adds what was read; returns its name. All or nothing.
  ambf_adf::expected<std::string, ambf_adf::Errors> load(
    const LoadRequest & request, ambf_adf::Model model);
  /// A model by name, or one object by its qualified identifier, topic or name.
  bool remove(const std::string & name);
  /// Removes models that were added at run time.
  void remove_spawned();
  /// Takes everything out. The next step is number 1.
  void unload();
  /// After models came or went: finds parents that were missing, and who carries which camera and light.
  void link();
  /// Cameras and lights back to where their descriptions have them.
  void reset_views();

  /// All that `unload` takes out, to be put back.
  struct Copy
  {
    ambf_adf::Scene scene;
    std::vector<LoadedModel> models;
    ambf_adf::World world_file;
    std::string launch_file;
    std::vector<ambf_adf::Plugin> launch_plugins;
    ambf_adf::Problems warnings;
    ambf_dynamics::Parameters parameters;
  };
  Copy copy() const;
  void put_back(Copy copy);

  ambf_dynamics::World & world() { return *world_; }
  const ambf_dynamics::World & world() const { return *world_; }
  const std::vector<LoadedModel> & models() const { return models_; }
  const ambf_adf::World & world_file() const { return world_file_; }
  /// The launch file; empty: none.
  const std::string & launch_file() const { return launch_file_; }
  const std::vector<ambf_adf::Plugin> & launch_plugins() const { return launch_plugins_; }
  /// What the launch file's reader had to say, and keys of devices that have no effect.
  const ambf_adf::Problems & warnings() const { return warnings_; }
  /// In manifest order, as the lights.
  std::vector<View> & cameras() { return cameras_; }
  const std::vector<View> & cameras() const { return cameras_; }
  std::vector<View> & lights() { return lights_; }
  const std::vector<View> & lights() const { return lights_; }
  /// The controller gains that a body's description gives.
  ambf_proxies::PartialGains described_gains(const std::string & qualified) const;

private:
  ambf_adf::expected<std::string, ambf_adf::Errors> add(ambf_adf::Model model, bool spawned);
  bool remove_object(const std::string & qualified);
  /// Qualified identifier of the one object that has this qualified identifier, topic or name; "" if
  /// there is none, or more than one.
  std::string find_object(const std::string & name) const;
  std::set<std::string> topics() const;  ///< of all objects
  void rebuild_views();

  std::unique_ptr<ambf_dynamics::World> world_;
  std::pair<std::string, std::string> moved_topics_;
  ambf_adf::Scene scene_;
  std::vector<LoadedModel> models_;
  ambf_adf::World world_file_;
  std::string launch_file_;
  std::vector<ambf_adf::Plugin> launch_plugins_;
  ambf_adf::Problems warnings_;
  std::vector<View> cameras_;
  std::vector<View> lights_;
};

}  // namespace ambf_simulation
