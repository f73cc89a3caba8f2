// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <utility>

#include "ambf_adf/names.hpp"
#include "read_files.hpp"
#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

std::optional<Skybox> read_skybox(MapReader & top, const FileContext & file)
{
  if (!top.has("skybox")) { return std::nullopt; }
  MapReader map = top.map("skybox");
  Skybox sky;
  sky.path = resolve_path(file, map.text("path", ""));
  const std::pair<const char *, std::string *> faces[] = {
    {"right", &sky.right},   {"left", &sky.left},   {"top", &sky.top},
    {"bottom", &sky.bottom}, {"front", &sky.front}, {"back", &sky.back}};
  bool complete = true;
  for (const auto & [key, name] : faces) {
    *name = map.text(key, "");
    complete = complete && !name->empty();
  }
  sky.shaders = read_shaders(map, "shaders", file);
  map.finish();
  if (!complete) {
    map.warn(
      ProblemKind::MissingKey, "", "fewer than six images",
      "right, left, top, bottom, front and back", "no skybox is drawn");
    return std::nullopt;
  }
  return sky;
}

std::optional<Eigen::Vector3d> read_enclosure(MapReader & top)
{
  const auto enclosure = top.triple("enclosure", {"length", "width", "height"});
  const std::size_t first = top.sink().problems.size();
  const auto size = top.triple("enclosure size", {"length", "width", "height"});
  top.sink().soften(first, "AMBF does not read it");
  return enclosure ? enclosure : size;
}

ButtonMapping read_buttons(MapReader map)
{
  ButtonMapping buttons;
  buttons.a1 = map.integer("a1", buttons.a1);
  buttons.a2 = map.integer("a2", buttons.a2);
  buttons.g1 = map.integer("g1", buttons.g1);
  buttons.next_mode = map.integer("next mode", buttons.next_mode);
  buttons.prev_mode = map.integer("prev mode", buttons.prev_mode);
  map.finish();
  return buttons;
}

/// A count of 1 or more; any other counts as absent.
std::optional<int> read_count(MapReader & top, const char * key)
{
  const auto count = top.integer(key);
  if (count && *count < 1) {
    top.warn(ProblemKind::BadValue, key, std::to_string(*count), "1 or more", "the key is ignored");
    return std::nullopt;
  }
  return count;
}

}  // namespace

bool is_color(const YamlNode & node)
{
  return node.is_map() && node.find("r") && node.find("g") && node.find("b");
}

World read_world(
  const YamlNode & root, const SourceText & source, const ParseOptions & options,
  ProblemSink & sink)
{
  MapReader top(&root, "", sink);
  check_version(top);
  refuse_other_kind(root, FileKind::World, source.file, sink);
  World world;
  world.source_file = source.file;
  world.resource_base = source.resource_base;
  const std::string ns = top.text("namespace", options.default_namespace);
  world.ns = join_namespace(options.namespace_prefix, join_namespace("", ns).substr(1));
  const FileContext file{options, source.resource_base, world.ns, "", ""};
  world.gravity = top.vector("gravity", world.gravity);
  world.max_steps_per_cycle = read_count(top, "max iterations");
  world.solver_iterations = read_count(top, "solver iterations");
  world.environment = resolve_path(file, top.text("environment", ""));
  if (options.check_files && is_missing(world.environment)) {
    tell_missing(
      top, Severity::Error, "environment", world.environment, "correct the path or add the file");
  }
  world.enclosure = read_enclosure(top);
  world.skybox = read_skybox(top, file);
  world.shaders = read_shaders(top, "shaders", file);
  world.plugins = read_plugins(top);
  top.ineffective("conversion factor", "no version of AMBF reads it");
  for (const Block & block : listed_blocks(top, root, "cameras")) {
    world.cameras.push_back(read_camera(block, file, sink));
  }
  for (const Block & block : listed_blocks(top, root, "lights")) {
    world.lights.push_back(read_light(block, file, sink));
  }
  world.extensions = emit_yaml(top.leftovers());
  warn_unknown_top_keys(
    top,
    {"namespace", "max iterations", "solver iterations", "environment", "lights", "cameras",
     "plugins", "adf version"},
    {"gravity", "enclosure", "enclosure size", "skybox", "shaders"});
  return world;
}

std::optional<InputDevice> read_input_device(
  const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  if (!reader.has("hardware name")) {
    return left_out(
      reader, ProblemKind::MissingKey, "hardware name", "nothing", "the device's name, e.g. MTMR");
  }
  InputDevice device;
  device.header = read_header(reader, block, file);
  device.hardware_name = reader.text("hardware name", "");
  if (reader.has("haptic gain")) {
    MapReader gain = reader.map("haptic gain");
    device.haptic_gain_linear = gain.number("linear", 0.0);
    device.haptic_gain_angular = gain.number("angular", 0.0);
    gain.finish();
  }
  device.workspace_scaling =
    reader.number("workspace scaling", device.workspace_scaling, Range::Positive);
  device.simulated_multibody = resolve_path(file, reader.text("simulated multibody", ""));
  device.root_link = reader.text("root link", "");
  device.location = reader.pose("location");
  device.orientation_offset = reader.triple("orientation offset", {"r", "p", "y"});
  device.controller_gain = read_cartesian_controller(reader, "controller gain");
  device.enable_joint_control = reader.boolean("enable joint control", device.enable_joint_control);
  device.deadband = reader.number("deadband", device.deadband, Range::NonNegative);
  device.max_force = reader.number("max force", Range::NonNegative);
  device.max_jerk = reader.number("max jerk", Range::NonNegative);
  device.buttons = read_buttons(reader.map("button mapping"));
  for (const auto & [name, mark] : reader.words("pair cameras")) {
    device.pair_cameras.push_back(name);
  }
  device.visible = reader.boolean("visible", device.visible);
  device.visible_size = reader.number("visible size", device.visible_size, Range::NonNegative);
  reader.ineffective("cameras", "use 'pair cameras'");
  reader.ineffective("visible color", "AMBF does not read it");
  finish_block(reader, device.header);
  if (file.options.check_files && is_missing(device.simulated_multibody)) {
    tell_missing(
      reader, Severity::Warning, "simulated multibody", device.simulated_multibody,
      "the device moves nothing");
  }
  return device;
}

InputDevices read_input_devices(
  const YamlNode & root, const SourceText & source, const ParseOptions & options,
  const Choice & chosen, ProblemSink & sink)
{
  MapReader top(&root, "", sink);
  check_version(top);
  InputDevices devices;
  devices.source_file = source.file;
  const std::string ns = join_namespace(
    options.namespace_prefix, join_namespace("", options.default_namespace).substr(1));
  const FileContext file{options, source.resource_base, ns, "", ""};
  const auto blocks = listed_blocks(top, root, "input devices");
  const auto wanted = chosen.of(blocks.size(), Choice::first(blocks.size()).indices);
  const auto absent = std::find_if(
    wanted.begin(), wanted.end(), [&](std::size_t index) { return index >= blocks.size(); });
  if (absent != wanted.end()) {  // one word about the first is enough
    top.error(
      ProblemKind::BadValue, "input devices", "the index " + std::to_string(*absent),
      blocks.empty() ? "nothing: the list is empty" : "0 to " + std::to_string(blocks.size() - 1),
      "the list counts from 0 and has " + std::to_string(blocks.size()) + " devices");
    return devices;
  }
  for (const std::size_t index : wanted) {
    const Block & block = blocks[index];
    ProblemSink own{sink.file, {}};
    auto device = read_input_device(block, file, own);
    const auto warning = [](const Problem & p) { return p.severity == Severity::Warning; };
    std::copy_if(
      own.problems.begin(), own.problems.end(), std::back_inserter(sink.problems), warning);
    std::erase_if(own.problems, warning);
    if (!device) { continue; }
    if (own.problems.empty()) {
      devices.devices.push_back(std::move(*device));
    } else {
      devices.broken.push_back({std::move(*device), std::move(own.problems)});
    }
  }
  return devices;
}

ColorTable read_colors(const YamlNode & root, ProblemSink & sink)
{
  ColorTable table;
  for (const auto & entry : root.entries) {
    if (!is_color(*entry.value)) {
      sink.add(
        Severity::Warning, ProblemKind::WrongType, entry.mark, entry.key, entry.value->describe(),
        "{r, g, b, a} of 0 to 255", "the entry is ignored");
      continue;
    }
    MapReader map(entry.value.get(), entry.key, sink);
    Rgba color;
    int i = 0;
    for (const char * part : {"r", "g", "b", "a"}) {
      const int value = map.integer(part, 255);
      if (value < 0 || value > 255) {
        map.warn(
          ProblemKind::BadValue, part, std::to_string(value), "0 to 255", "the nearest is taken");
      }
      color[i++] = std::clamp(value, 0, 255) / 255.0;
    }
    map.finish();
    table.emplace(entry.key, color);
  }
  return table;
}

void check_version(MapReader & top)
{
  const YamlNode * version = top.get("adf version");
  const auto number = version && version->is_scalar() ? to_number(version->text) : std::nullopt;
  if (version != nullptr && number != 1.0) {
    top.error(
      ProblemKind::Version, "adf version", version->describe(), "1.0", "no other version exists");
  }
}

}  // namespace ambf_adf
