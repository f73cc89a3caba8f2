// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <tuple>
#include <utility>

#include "ambf_adf/paths.hpp"
#include "read_files.hpp"
#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

/// Extension of ours, `default multibodies`: what is loaded where nobody chooses. AMBF does not
/// know the key and loads its entry 1.
Choice read_default(MapReader & top)
{
  const char * const key = "default multibodies";
  const YamlNode * node = top.get(key);
  if (node == nullptr) { return {}; }
  std::string text = node->is_scalar() ? node->text : "";
  if (!node->is_scalar()) {
    for (const auto & [word, mark] : top.words(key)) { text += (text.empty() ? "" : ",") + word; }
  }
  const auto choice = parse_choice(text);
  if (!choice || choice->rule == Choice::Rule::Default) {
    top.error(ProblemKind::BadValue, key, node->describe(), "all, or indices from 0, e.g. [0, 2]");
    return {};
  }
  return *choice;
}

/// Extension of ours, `arm configs`: paths, or maps that say more. The world itself does not read the
/// files: an arm that cannot be had is the business of whoever serves arms.
std::vector<ArmConfig> read_arms(MapReader & top, const FileContext & file)
{
  const char * const key = "arm configs";
  std::vector<ArmConfig> arms;
  std::size_t index = 0;
  for (const auto & item : top.list(key)) {
    const std::string place = std::string(key) + "[" + std::to_string(index++) + "]";
    ArmConfig arm;
    if (item->is_scalar()) {
      arm.file = resolve_path(file, item->text);
    } else {
      MapReader entry(item.get(), place, top.sink());
      arm.file = resolve_path(file, entry.text("config", ""));
      arm.arm = entry.text("arm", "");
      arm.name = entry.text("name", "");
      arm.model = entry.text("model", "");
      entry.finish();
    }
    if (arm.file.empty()) {
      top.warn(
        ProblemKind::MissingKey, place, "an entry without a path", "the path of a file with an arm",
        "the arm is left out");
      continue;
    }
    if (is_missing(arm.file)) {
      tell_missing(top, Severity::Warning, place, arm.file, "the arm is left out");
    }
    arms.push_back(std::move(arm));
  }
  return arms;
}

const char * name_of(FileKind kind)
{
  switch (kind) {
    case FileKind::Model:
      return "a model file (bodies, joints ...)";
    case FileKind::World:
      return "a world file (environment, cameras, lights ...)";
    case FileKind::Launch:
      return "a launch file (world config, multibody configs)";
    case FileKind::InputDevices:
      return "an input-device file";
    case FileKind::Colors:
      return "a colour file";
    case FileKind::Unknown:
      break;
  }
  return "a file of no known kind";
}

/// What to do with a file that was given in the wrong place.
std::string where_it_belongs(FileKind kind, const std::string & file)
{
  switch (kind) {
    case FileKind::Model:
      return "give it as a model: models:=\"['" + file + "']\", or ambf_simulator -a " + file;
    case FileKind::World:
      return "name it in a launch file: 'world config: " + file + "'";
    case FileKind::Launch:
      return "give it as the world: world:=" + file + ", or ambf_simulator --launch_file " + file;
    case FileKind::InputDevices:
      return "name it in a launch file: 'input devices config: " + file + "'";
    case FileKind::Colors:
      return "name it in a launch file: 'color config: " + file + "'";
    case FileKind::Unknown:
      break;
  }
  return "";
}

}  // namespace

void refuse_other_kind(
  const YamlNode & root, FileKind wanted, const std::string & file, ProblemSink & sink)
{
  const FileKind kind = kind_of(root);
  const auto has = [&](std::initializer_list<const char *> keys) {
    return std::any_of(
      keys.begin(), keys.end(), [&](const char * key) { return root.find(key) != nullptr; });
  };
  const bool has_objects = has({"bodies", "joints", "soft bodies", "ghost objects", "volumes"});
  // Cameras and lights alone may be a model or a world, and a file without any known key anything.
  const bool fits = kind == wanted || kind == FileKind::Unknown ||
                    (wanted == FileKind::World && kind == FileKind::Model && !has_objects) ||
                    (wanted == FileKind::Model &&
                     (kind == FileKind::Colors || (kind == FileKind::World && has_objects)));
  if (fits) { return; }
  sink.add(
    Severity::Error, ProblemKind::WrongKind, root.mark, "", name_of(kind), name_of(wanted),
    where_it_belongs(kind, file));
}

Launch read_launch(const YamlNode & root, const SourceText & source, ProblemSink & sink)
{
  const ParseOptions options;
  const FileContext file{options, source.resource_base, "", "", ""};
  MapReader top(&root, "", sink);
  check_version(top);
  refuse_other_kind(root, FileKind::Launch, source.file, sink);
  Launch launch;
  launch.source_file = source.file;
  launch.world = resolve_path(file, top.text("world config", ""));
  launch.input_devices = resolve_path(file, top.text("input devices config", ""));
  launch.colors = resolve_path(file, top.text("color config", ""));
  if (launch.world.empty()) {
    top.warn(
      ProblemKind::MissingKey, "world config", "nothing", "the path of a world file",
      "a default world is used");
  }
  for (const auto & [key, path, severity] :
       {std::tuple{"world config", launch.world, Severity::Error},
        {"input devices config", launch.input_devices, Severity::Warning},
        {"color config", launch.colors, Severity::Warning}}) {
    if (is_missing(path)) {
      tell_missing(top, severity, key, path, "correct the path or add the file");
    }
  }
  std::size_t index = 0;
  for (const auto & [path, mark] : top.words("multibody configs")) {
    launch.multibodies.push_back(resolve_path(file, path));
    if (is_missing(launch.multibodies.back())) {
      const std::string trouble = problem_of_address(launch.multibodies.back());
      sink.add(
        Severity::Warning, ProblemKind::MissingFile, mark,
        "multibody configs[" + std::to_string(index) + "]",
        "'" + launch.multibodies.back() + "', which is not there", "an ADF file",
        trouble.empty() ? "the other entries can be used" : trouble);
    }
    ++index;
  }
  launch.default_models = read_default(top);
  launch.arms = read_arms(top, file);
  launch.plugins = read_plugins(top);
  top.finish();
  return launch;
}

FileKind kind_of(const YamlNode & root)
{
  const auto any = [&](std::initializer_list<const char *> keys) {
    return std::any_of(
      keys.begin(), keys.end(), [&](const char * key) { return root.find(key) != nullptr; });
  };
  if (any({"world config", "multibody configs", "input devices config"})) {
    return FileKind::Launch;
  }
  if (any({"input devices"})) { return FileKind::InputDevices; }
  if (any({"environment", "enclosure", "enclosure size", "max iterations", "skybox"})) {
    return FileKind::World;
  }
  if (any(
        {"bodies", "joints", "soft bodies", "ghost objects", "sensors", "actuators", "vehicles",
         "volumes", "cameras", "lights", "high resolution path", "low resolution path",
         "ignore inter-collision", "namespace", "plugins"})) {
    return FileKind::Model;
  }
  const bool colors = !root.entries.empty() &&
                      std::all_of(root.entries.begin(), root.entries.end(), [](const auto & entry) {
                        return is_color(*entry.value);
                      });
  return colors ? FileKind::Colors : FileKind::Unknown;
}

}  // namespace ambf_adf
