// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <set>

#include "ambf_adf/names.hpp"
#include "ambf_adf/paths.hpp"
#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

bool same_without_case(const std::string & a, const std::string & b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

/// What to do about a missing file: the same name in other capitals, or where it was looked for.
std::string missing_file_hint(const fs::path & path)
{
  if (const std::string trouble = problem_of_address(path.string()); !trouble.empty()) {
    return trouble;
  }
  std::error_code error;
  const fs::path folder = path.parent_path();
  if (!fs::is_directory(folder, error)) {
    return "the folder '" + folder.string() + "' does not exist; correct the path or add the file";
  }
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name != path.filename() && same_without_case(name, path.filename().string())) {
      return "there is '" + name + "': capitals matter";
    }
  }
  return "correct the name or add the file to '" + folder.string() + "'";
}

}  // namespace

std::string resolve_path(const FileContext & file, const std::string & path)
{
  return resolve_path(file.resource_base, path);
}

bool is_missing(const std::string & path)
{
  std::error_code error;
  return !path.empty() && !fs::is_regular_file(path, error);
}

void tell_missing(
  const MapReader & reader, Severity severity, std::string_view key, const std::string & path,
  const std::string & hint)
{
  const std::string trouble = problem_of_address(path);
  const auto tell = severity == Severity::Error ? &MapReader::error : &MapReader::warn;
  (reader.*tell)(
    ProblemKind::MissingFile, key, "'" + path + "', which is not there", "an ADF file",
    trouble.empty() ? hint : trouble);
}

std::nullopt_t left_out(
  const MapReader & reader, ProblemKind kind, std::string_view key, std::string found,
  std::string expected)
{
  reader.warn(
    kind, key, std::move(found), std::move(expected),
    "'" + reader.path() + "' is left out, as in AMBF");
  return std::nullopt;
}

ObjectHeader read_header(MapReader & reader, const Block & block, const FileContext & file)
{
  ObjectHeader header;
  header.identifier = block.identifier;
  header.where = block.mark;
  header.name = published_name(reader.text("name", ""));
  header.name = header.name.empty() ? published_name(block.identifier) : header.name + block.suffix;
  const std::string ns = reader.text("namespace", "");
  header.ns = join_namespace(file.ns, ns);
  if (ns.starts_with('/')) {
    header.ns = join_namespace(file.options.namespace_prefix, header.ns.substr(1));
  }
  header.qualified = header.ns + header.identifier;
  header.topic = topic_name(header.ns, header.name);
  header.passive = reader.boolean("passive", false);
  if (reader.has("publish frequency")) {
    MapReader rates = reader.map("publish frequency");
    header.publish_frequency.low =
      rates.number("low", header.publish_frequency.low, Range::NonNegative);
    header.publish_frequency.high =
      rates.number("high", header.publish_frequency.high, Range::NonNegative);
    rates.finish();
  }
  header.plugins = read_plugins(reader);
  header.raw_yaml = emit_yaml(*block.node);
  return header;
}

void finish_block(MapReader & reader, ObjectHeader & header)
{
  reader.finish();
  header.extensions = emit_yaml(reader.leftovers());
}

std::vector<Plugin> read_plugins(MapReader & reader)
{
  std::vector<Plugin> plugins;
  const YamlNode * node = reader.get("plugins");
  if (node != nullptr && node->is_map()) {
    reader.warn(
      ProblemKind::WrongType, "plugins", node->describe(), "a list of {name, filename, path}",
      "no plugin is loaded, as in AMBF");
    return plugins;
  }
  for (const auto & item : reader.list("plugins")) {
    if (item->is_null()) { continue; }
    MapReader entry(
      item.get(), reader.path().empty() ? "plugins" : reader.path() + "/plugins", reader.sink());
    Plugin plugin;
    const std::size_t first = reader.sink().problems.size();
    plugin.name = entry.text("name", "");
    plugin.filename = entry.text("filename", "");
    const bool texts = reader.sink().problems.size() == first;
    reader.sink().soften(first, "the plugin is left out, as in AMBF");
    plugin.path = entry.text("path", "");
    entry.finish();
    if (!texts) { continue; }
    if (plugin.filename.empty()) {
      entry.warn(
        ProblemKind::MissingKey, "filename", "nothing", "the name of a library",
        "the plugin is left out");
      continue;
    }
    plugins.push_back(std::move(plugin));
  }
  return plugins;
}

std::optional<Shaders> read_shaders(
  MapReader & reader, std::string_view key, const FileContext & file)
{
  if (!reader.has(key)) { return std::nullopt; }
  MapReader map = reader.map(key);
  Shaders shaders;
  shaders.path = resolve_path(file, map.text("path", ""));
  shaders.vertex = map.text("vertex", "");
  shaders.fragment = map.text("fragment", "");
  map.finish();
  return shaders;
}

namespace
{

double color_part(const MapReader & map, std::string_view key, double value)
{
  if (value < 0.0 || value > 1.0) {
    map.warn(
      ProblemKind::BadValue, key, value > 1.0 ? "a number above 1" : "a number below 0", "0 to 1",
      "the nearest is taken");
  }
  return std::clamp(value, 0.0, 1.0);
}

Eigen::Vector3d read_color(MapReader & map, std::string_view key, const Eigen::Vector3d & fallback)
{
  Eigen::Vector3d color = map.triple(key, {"r", "g", "b"}, fallback).value_or(fallback);
  if (color.minCoeff() < 0.0 || color.maxCoeff() > 1.0) {
    const MapReader parts = map.map(key);
    color = {
      color_part(parts, "r", color[0]), color_part(parts, "g", color[1]),
      color_part(parts, "b", color[2])};
  }
  return color;
}

}  // namespace

std::optional<Material> read_color_components(MapReader & reader)
{
  if (!reader.has("color components")) { return std::nullopt; }
  MapReader map = reader.map("color components");
  Material material;
  material.diffuse = read_color(map, "diffuse", material.diffuse);
  material.specular = read_color(map, "specular", material.specular);
  material.emission = read_color(map, "emission", material.emission);
  if (map.has("ambient")) {
    MapReader ambient = map.map("ambient");
    material.ambient_level = ambient.number("level");
    ambient.finish();
  }
  material.shininess = static_cast<unsigned>(std::clamp(map.integer("shininess", 64), 0, 1000));
  material.alpha = color_part(map, "transparency", map.number("transparency", 1.0));
  map.finish();
  return material;
}

std::optional<Material> read_material(MapReader & reader)
{
  const bool use = reader.boolean("use material", true);
  std::optional<Material> material;
  reader.known("color components");
  if (!reader.has("color rgba")) { material = read_color_components(reader); }
  if (reader.has("color rgba")) {
    MapReader map = reader.map("color rgba");
    material.emplace();
    const auto part = [&](const char * key, double fallback) {
      return color_part(map, key, map.number(key, fallback));
    };
    material->diffuse = {part("r", 0.7), part("g", 0.7), part("b", 0.7)};
    material->alpha = part("a", 1.0);
    material->ambient_level = 0.5;
    map.finish();
  }
  if (material) {
    reader.known("color");  // leftover of AMBF 1.0 beside the colour that counts
  } else {
    reader.ineffective(
      "color", "AMBF 2.0 does not look colours up by name; use 'color components'");
  }
  return use ? material : std::nullopt;
}

MeshFile read_mesh_file(
  MapReader & reader, std::string_view key, const std::string & name, const std::string & folder,
  const FileContext & file)
{
  MeshFile mesh;
  mesh.file = name;
  if (name.empty()) { return mesh; }
  mesh.path = resolve_path(file.resource_base, folder, name);
  const fs::path path = mesh.path;
  if (file.options.check_files) {
    std::error_code error;
    mesh.exists = fs::is_regular_file(path, error);
    if (!mesh.exists && fs::is_directory(path, error)) {
      reader.warn(
        ProblemKind::MissingFile, key, "'" + mesh.path + "', which is a folder", "a mesh file",
        "name the file");
    } else if (!mesh.exists) {
      reader.warn(
        ProblemKind::MissingFile, key, "'" + mesh.path + "', which is not there", "a mesh file",
        missing_file_hint(path));
    }
  }
  return mesh;
}

void warn_unknown_top_keys(
  const MapReader & top, const std::vector<std::string> & value_keys,
  const std::vector<std::string> & map_keys)
{
  for (const auto & entry : top.leftovers()) {
    if (top.is_known(entry.key) || entry.value->anchored || entry.value->is_null()) { continue; }
    const bool is_map = entry.value->is_map();
    const std::string hint = did_you_mean(entry.key, is_map ? map_keys : value_keys);
    if (!is_map || !hint.empty()) {
      top.sink().add(
        Severity::Warning, ProblemKind::UnknownKey, entry.mark, entry.key, "an unknown key", "",
        hint.empty() ? "it is kept for extensions and has no effect" : hint);
    }
  }
}

namespace
{

/// AMBF gives out the numbers 1 to 100.
constexpr int most_repetitions = 100;
/// A file with more missing blocks than this is broken in a way that hints do not help with.
constexpr int most_hints = 20;

/// The first free name of name1, name2 ...; nothing beyond AMBF's range.
std::optional<int> free_number(
  const std::string & name, const std::set<std::string> & seen, const YamlNode & root)
{
  for (int number = 1; number <= most_repetitions; ++number) {
    const std::string numbered = name + std::to_string(number);
    if (!seen.contains(numbered) && root.find(numbered) == nullptr) { return number; }
  }
  return std::nullopt;
}

using Words = std::vector<std::pair<std::string, Mark>>;

/// A block that the list does not name yet.
std::string nearest_block(const std::string & name, const YamlNode & root, const Words & listed)
{
  std::vector<std::string> keys;
  for (const auto & entry : root.entries) {
    const bool free = std::none_of(
      listed.begin(), listed.end(), [&](const auto & word) { return word.first == entry.key; });
    if (free && entry.value->is_map()) { keys.push_back(entry.key); }
  }
  return did_you_mean(name, keys);
}

}  // namespace

std::vector<Block> listed_blocks(MapReader & top, const YamlNode & root, std::string_view list)
{
  // Without these a model is not what its file says.
  const bool needed = list == "bodies" || list == "joints";
  std::vector<Block> blocks;
  std::set<std::string> seen;
  int hints = 0;
  const Words names = top.words(list);
  for (const auto & [name, mark] : names) {
    const YamlEntry * entry = root.find(name);
    if (entry != nullptr && entry->value->is_map() && seen.contains(name)) {
      const auto number = free_number(name, seen, root);
      const std::string numbered = name + std::to_string(number.value_or(0));
      if (!number) {
        top.sink().add(
          Severity::Warning, ProblemKind::DuplicateName, mark, std::string(list),
          "'" + name + "' more than 100 times", "each name once",
          "the rest of the list is left out; delete the repetitions");
        break;
      }
      seen.insert(numbered);
      blocks.push_back({numbered, entry->mark, entry->value.get(), std::to_string(*number)});
      top.sink().add(
        Severity::Warning, ProblemKind::DuplicateName, mark, std::string(list),
        "'" + name + "' again", "each name once",
        "it is loaded again as '" + numbered + "', as AMBF does; delete one of them");
    } else if (entry == nullptr) {
      std::string hint = hints++ < most_hints ? nearest_block(name, root, names) : std::string{};
      hint = hint.empty() ? "add the block or take the name out of the list" : hint;
      top.sink().add(
        needed ? Severity::Error : Severity::Warning, ProblemKind::MissingBlock, mark,
        std::string(list), "'" + name + "' without a block of that name",
        "a block '" + name + ":' in the file", needed ? hint : "it is left out; " + hint);
    } else if (entry->value->is_null() || (entry->value->is_sequence() && !needed)) {
      top.sink().add(
        Severity::Warning, ProblemKind::MissingBlock, entry->mark, name, entry->value->describe(),
        "a map, because the list '" + std::string(list) + "' names it",
        "'" + name + "' is left out, as in AMBF");
    } else if (!entry->value->is_map()) {
      top.sink().add(
        Severity::Error, ProblemKind::WrongType, entry->mark, name, entry->value->describe(),
        "a map, because the list '" + std::string(list) + "' names it");
    } else {
      top.known(name);
      seen.insert(name);
      blocks.push_back({name, entry->mark, entry->value.get(), ""});
    }
  }
  return blocks;
}

}  // namespace ambf_adf
