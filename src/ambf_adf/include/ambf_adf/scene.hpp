#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_adf/parse.hpp"

namespace ambf_adf
{

struct AddOptions
{
  /// Prepended to every namespace of the model, e.g. "/left".
  std::string namespace_prefix;
  /// Moves everything that has no parent (bodies, cameras ...) by T_WM.
  std::optional<Pose> pose;
  /// On a conflict append the first free number of 1, 2, 3 ... to the identifiers and names of the
  /// whole model; off: a conflict is an error.
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
  /// such files, too. Cameras, lights, ghosts and volumes keep an unknown parent as written, because
  /// it may still come.
  expected<Model, Errors> add(Model model, const AddOptions& options = {});

  /// Forgets one object or, by model name as returned in Model::name, a whole model.
  bool remove_object(std::string_view qualified);
  bool remove_model(std::string_view model_name);

  /// Look-up as AMBF does, local first: exact identifier or qualified identifier in the model, then
  /// exact in the scene, then identifier in any namespace, then a unique part of a qualified
  /// identifier. Empty optional: nothing, or more than one (then `candidates` lists them).
  std::optional<std::string> find(
    std::string_view reference, const Model* local = nullptr,
    std::vector<std::string>* candidates = nullptr) const;

  std::size_t size() const { return objects_.size(); }

private:
  struct Entry
  {
    std::string identifier;
    std::string topic;
    std::string model;
    bool is_body = false;
  };
  std::map<std::string, Entry, std::less<>> objects_;   ///< by qualified identifier
  std::map<std::string, std::string, std::less<>> topics_;  ///< topic -> qualified identifier
  std::vector<std::string> models_;
};

/// Everything a launch file asks for.
struct LoadedWorld
{
  Launch launch;
  World world;
  std::optional<Model> environment;
  std::vector<Model> models;  ///< unique names, references resolved
  InputDevices devices;
  Problems warnings;
};

struct LoadOptions
{
  ParseOptions parse;
  /// Which entries of `multibody configs` to load, from 0 (AMBF's `-l`); empty optional: all.
  std::optional<std::vector<std::size_t>> models;
  /// Further ADF files (AMBF's `-a`), loaded before the launch file's.
  std::vector<std::filesystem::path> extra_models;
};

/// Reads a launch file with its world, environment, models and devices. All or nothing: any error in
/// any file is an error, and all of them are listed. An absent device or colour file is a warning.
expected<LoadedWorld, Errors> load_launch(
  const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace ambf_adf
