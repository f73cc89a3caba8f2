// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_adf/parse.hpp"

namespace ambf_adf
{

enum class ObjectKind
{
  Body,
  SoftBody,
  GhostObject,
  Joint,
  Sensor,
  Actuator,
  Vehicle,
  Volume,
  Camera,
  Light,
};

struct AddOptions
{
  /// Prepended to every namespace of the model, e.g. "/left".
  std::string namespace_prefix;
  /// Where the model goes below the default namespace: with "arms", /ambf/env/psm/ becomes
  /// /ambf/env/arms/psm/. Slashes at its ends, and the default namespace before it, do not count.
  std::string below;
  /// The model's name takes the place of its own namespace: that of a model "left",
  /// /ambf/env/psm/, becomes /ambf/env/left/.
  bool place_by_name = false;
  /// Moves everything that has no parent (bodies, cameras ...) by T_WM.
  std::optional<Pose> pose;
  /// On a conflict append a number to identifier and name of every object that is in conflict: the
  /// first of 1, 2, 3 ... that makes all of them free, so one model has one number (AMBF's remap
  /// index). Off: a conflict is an error.
  bool allow_rename = true;
};

/// The names of everything in a world. Adding a model makes its qualified identifiers and topics
/// unique and turns every reference into the qualified identifier of its target.
class Scene
{
public:
  /// Returns the model with unique names and resolved references, and remembers its names; on error
  /// the scene is unchanged. A joint, sensor, actuator, vehicle or soft anchor whose body is found
  /// neither in the model nor in the scene is left out with a warning (Model::warnings): AMBF loads
  /// such files, too. Cameras, lights, ghosts and volumes keep an unknown parent as written,
  /// because it may still come.
  expected<Model, Errors> add(Model model, const AddOptions & options = {});

  /// Forgets one object or, by model name as returned in Model::name, a whole model.
  bool remove_object(std::string_view qualified);
  bool remove_model(std::string_view model_name);

  /// The qualified identifiers that a reference may mean: an exact qualified identifier, else the
  /// same identifier in any namespace, else those that contain the reference. One result = found.
  std::vector<std::string> find(std::string_view reference, ObjectKind kind) const;

  std::size_t size() const { return objects_.size(); }

private:
  struct Entry
  {
    ObjectKind kind = ObjectKind::Body;
    std::string identifier;
    std::string topic;
    std::string model;
  };
  /// By qualified identifier; kinds have their own name spaces, as in AMBF.
  std::multimap<std::string, Entry, std::less<>> objects_;
  std::set<std::string, std::less<>> topics_;
  std::set<std::string, std::less<>> models_;

  friend class ModelLinker;
};

/// Looks for parents of cameras, lights, ghosts and volumes that were not loaded when the model was
/// added. Returns the references that are still unknown.
std::vector<std::string> link_parents(const Scene & scene, Model & model);

/// What was chosen from a launch file.
struct LoadedWorld
{
  Launch launch;
  World world;
  std::optional<Model> environment;
  /// Unique names, references resolved; in the order of the choice, but a model whose ghosts hang
  /// on bodies of later ones comes behind these.
  std::vector<Model> models;
  InputDevices devices;
  std::vector<std::size_t> chosen;  ///< entries of `multibody configs` that were loaded
  Problems warnings;
};

struct LoadOptions
{
  ParseOptions parse;
  /// Reads a model file; `parse_file` where nothing is given. Others read other formats, too.
  std::function<expected<Model, Errors>(const std::filesystem::path &, const ParseOptions &)>
    read_model;
  /// Which entries of `multibody configs` to load (AMBF's `-l`). By default what the launch file
  /// says (`default multibodies`); else none if other models are named; else AMBF's default, which
  /// is entry 1, or the only one.
  Choice models;
  /// Further ADF files (AMBF's `-a`), loaded before the launch file's.
  std::vector<std::filesystem::path> extra_models;
  /// Other models than `extra_models` are loaded beside the launch file, by whoever calls.
  bool models_beside = false;
  /// Which devices of the input-device file to load (AMBF's `-i`); by default none.
  Choice devices;
};

/// Reads a launch file with its world, environment, models and devices. All or nothing: any error
/// in any file is an error, and all of them are listed. Entries that are not chosen are not looked
/// at. An absent device or colour file is a warning.
expected<LoadedWorld, Errors> load_launch(
  const std::filesystem::path & file, const LoadOptions & options = {});

}  // namespace ambf_adf
