#include <algorithm>
#include <filesystem>
#include <set>

#include "ambf_adf/names.hpp"
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
  std::error_code error;
  const fs::path folder = path.parent_path();
  if (!fs::is_directory(folder, error)) {
    return "the folder '" + folder.string() + "' does not exist; correct the path or add the file";
  }
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (same_without_case(it->path().filename().string(), path.filename().string())) {
      return "there is '" + it->path().filename().string() + "': capitals matter";
    }
  }
  return "correct the name or add the file to '" + folder.string() + "'";
}

}  // namespace

std::string resolve_path(const FileContext & file, const std::string & path)
{
  if (path.empty()) {
    return {};
  }
  return (fs::path(file.resource_base) / path).lexically_normal().string();
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
  for (const auto & item : reader.list("plugins")) {
    if (item->is_null()) {
      continue;
    }
    MapReader entry(
      item.get(), reader.path().empty() ? "plugins" : reader.path() + "/plugins", reader.sink());
    Plugin plugin;
    plugin.name = entry.text("name", "");
    plugin.filename = entry.text("filename", "");
    plugin.path = entry.text("path", "");
    entry.finish();
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
  if (!reader.has(key)) {
    return std::nullopt;
  }
  MapReader map = reader.map(key);
  Shaders shaders;
  shaders.path = resolve_path(file, map.text("path", ""));
  shaders.vertex = map.text("vertex", "");
  shaders.fragment = map.text("fragment", "");
  map.finish();
  return shaders;
}

std::optional<Material> read_material(MapReader & reader)
{
  const bool use = reader.boolean("use material", true);
  std::optional<Material> material;
  if (reader.has("color components")) {
    MapReader map = reader.map("color components");
    material.emplace();
    material->diffuse = map.triple("diffuse", {"r", "g", "b"}).value_or(material->diffuse);
    material->specular = map.triple("specular", {"r", "g", "b"}).value_or(material->specular);
    material->emission = map.triple("emission", {"r", "g", "b"}).value_or(material->emission);
    if (map.has("ambient")) {
      MapReader ambient = map.map("ambient");
      material->ambient_level = ambient.number("level");
      ambient.finish();
    }
    material->shininess = static_cast<unsigned>(std::clamp(map.integer("shininess", 64), 0, 1000));
    material->alpha = map.number("transparency", 1.0);
    map.finish();
  }
  if (reader.has("color rgba")) {
    MapReader map = reader.map("color rgba");
    material.emplace();
    material->diffuse = {map.number("r", 0.7), map.number("g", 0.7), map.number("b", 0.7)};
    material->alpha = map.number("a", 1.0);
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
  if (name.empty()) {
    return mesh;
  }
  const fs::path path = (fs::path(file.resource_base) / folder / name).lexically_normal();
  mesh.path = path.string();
  if (file.options.check_files) {
    std::error_code error;
    mesh.exists = fs::is_regular_file(path, error);
    if (!mesh.exists) {
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
    if (top.is_known(entry.key) || entry.value->anchored || entry.value->is_null()) {
      continue;
    }
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
    if (!seen.contains(numbered) && root.find(numbered) == nullptr) {
      return number;
    }
  }
  return std::nullopt;
}

std::string nearest_key(const std::string & name, const YamlNode & root)
{
  std::vector<std::string> keys;
  for (const auto & entry : root.entries) {
    keys.push_back(entry.key);
  }
  return did_you_mean(name, keys);
}

}  // namespace

std::vector<Block> listed_blocks(MapReader & top, const YamlNode & root, std::string_view list)
{
  std::vector<Block> blocks;
  std::set<std::string> seen;
  int hints = 0;
  for (const auto & [name, mark] : top.words(list)) {
    const YamlEntry * entry = root.find(name);
    if (entry != nullptr && entry->value->is_map() && seen.contains(name)) {
      const auto number = free_number(name, seen, root);
      const std::string numbered = name + std::to_string(number.value_or(0));
      if (!number) {
        top.sink().add(
          Severity::Error, ProblemKind::DuplicateName, mark, std::string(list),
          "'" + name + "' more than 100 times", "each name once", "delete the repetitions");
        break;
      }
      seen.insert(numbered);
      blocks.push_back({numbered, entry->mark, entry->value.get(), std::to_string(*number)});
      top.sink().add(
        Severity::Warning, ProblemKind::DuplicateName, mark, std::string(list),
        "'" + name + "' again", "each name once",
        "it is loaded again as '" + numbered + "', as AMBF does; delete one of them");
    } else if (entry == nullptr) {
      const std::string hint = hints++ < most_hints ? nearest_key(name, root) : std::string{};
      top.sink().add(
        Severity::Error, ProblemKind::MissingBlock, mark, std::string(list),
        "'" + name + "' without a block of that name", "a block '" + name + ":' in the file",
        hint.empty() ? "add the block or take the name out of the list" : hint);
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
