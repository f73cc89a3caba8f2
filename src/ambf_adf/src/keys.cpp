// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/keys.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "key_meanings.hpp"
#include "read_files.hpp"
#include "read_objects.hpp"

namespace ambf_adf
{
namespace
{

/// The samples name each map and list that the reader looks into; `{}` is enough, since it asks a
/// map for all of its keys whether they are there or not. Where a word decides what is asked next
/// (a joint's type), there is a sample for each such word.
using Samples = std::vector<const char *>;
using Read = std::function<void(const YamlNode & root, ProblemSink & sink)>;

struct Sort
{
  KeyBlock block;  ///< without its keys
  Samples samples;
  Read read;
};

/// Type of a key that the reader only looks for.
constexpr const char * untyped = "any value";

/// Key of the map that a sample stands for; paths are told without it.
constexpr const char * sample_name = "sample";

FileContext sample_context()
{
  static const ParseOptions options{"", "/ambf/env/", false};
  return FileContext{options, "", "", "", ""};
}

template <class Function>
Read block_reader(Function function)
{
  return [function](const YamlNode & root, ProblemSink & sink) {
    function(Block{sample_name, {}, &root, ""}, sample_context(), sink);
  };
}

/// For parts that several sorts of blocks have in common.
template <class Function>
Read part_reader(Function function)
{
  return [function](const YamlNode & root, ProblemSink & sink) {
    MapReader reader(&root, sample_name, sink);
    function(reader, Block{sample_name, {}, &root, ""}, sample_context());
  };
}

template <class Function>
Read file_reader(Function function)
{
  return [function](const YamlNode & root, ProblemSink & sink) {
    static const ParseOptions options{"", "/ambf/env/", false};
    function(root, SourceText{}, options, sink);
  };
}

const char * const shape_samples[] = {
  "{shape: BOX, geometry: {}, collision shape: BOX, collision geometry: {}, color rgba: {}, "
  "shaders: {}}",
  "{shape: SPHERE, geometry: {}, collision shape: SPHERE, collision geometry: {}}",
  "{shape: CYLINDER, geometry: {}, collision shape: CYLINDER, collision geometry: {}}",
  "{shape: CAPSULE, geometry: {}, collision shape: CAPSULE, collision geometry: {}}",
  "{shape: CONE, geometry: {}, collision shape: CONE, collision geometry: {}}",
  "{shape: PLANE, geometry: {}, collision shape: PLANE, collision geometry: {}}",
  "{shape: MESH, geometry: {}, collision shape: MESH, collision geometry: {}}",
  "{compound shape: [{shape: BOX, geometry: {}, color components: {ambient: {}}}, "
  "{shape: MESH, geometry: {}}], "
  "compound collision shape: [{shape: BOX, geometry: {}}, {shape: MESH, geometry: {}}], "
  "color components: {ambient: {}}}",
  "{mesh: a.obj, collision mesh: a.obj}"};

Samples with_shapes(const char * own)
{
  Samples samples{own};
  samples.insert(samples.end(), std::begin(shape_samples), std::end(shape_samples));
  return samples;
}

std::vector<Sort> file_sorts()
{
  return {
    {{"launch file",
      "",
      "Names the files that make up a world. `world:=` of the launch files and "
      "the parameter `world` of the physics node take one.",
      {},
      {}},
     {"{plugins: [{}], default multibodies: [all], arm configs: [{}]}"},
     [](const YamlNode & root, ProblemSink & sink) { read_launch(root, SourceText{}, sink); }},
    {{"world file", "", "Gravity, surroundings, cameras and lights.", {}, {}},
     {"{plugins: [{}], skybox: {shaders: {}}, shaders: {}}"},
     file_reader(read_world)},
    {{"model file",
      "",
      "A robot, a tool or things on a table. Its lists say which blocks of the "
      "file are loaded; a block that no list names is left out.",
      {},
      {}},
     {"{plugins: [{}], shaders: {}}"},
     file_reader(read_model)},
    {{"input-device file", "", "The hands of a world: one block for each device.", {}, {}},
     {"{}"},
     [](const YamlNode & root, ProblemSink & sink) {
       read_input_devices(root, SourceText{}, ParseOptions{}, Choice{}, sink);
     }},
    {{"colour file",
      "",
      "Colours by name: every key is a name, and its value a map with the "
      "keys below. Nothing in ADF 1.0 refers to them.",
      {},
      {}},
     {"{sample: {r: 1, g: 1, b: 1}}"},
     [](const YamlNode & root, ProblemSink & sink) { read_colors(root, sink); }}};
}

std::vector<Sort> part_sorts()
{
  return {
    {{"every object", "", "Keys that every block of a list may have.", {}, {}},
     {"{publish frequency: {}, plugins: [{}]}"},
     part_reader([](MapReader & reader, const Block & block, const FileContext & file) {
       read_header(reader, block, file);
     })},
    {{"shape and look",
      "",
      "What a rigid body, a soft body or a ghost object looks like, and what "
      "it collides with. Of several the first counts: a single shape, a compound, a mesh.",
      {},
      {}},
     Samples(std::begin(shape_samples), std::end(shape_samples)),
     part_reader([](MapReader & reader, const Block &, const FileContext & file) {
       read_visual(reader, file);
       read_collision(reader, std::nullopt, file);
       read_collision_groups(reader);
     })}};
}

std::vector<Sort> object_sorts()
{
  const std::vector<std::string> common{"every object"};
  const std::vector<std::string> shaped{"every object", "shape and look"};
  return {
    {{"rigid body",
      "bodies",
      "A body that moves as a whole. With a mass of 0 it stands still, or "
      "goes where commands put it.",
      shaped,
      {}},
     with_shapes("{mass: 1, friction: {}, damping: {}, controller: {linear: {}, angular: {}}, "
                 "pose hold: {}}"),
     block_reader(read_body)},
    {{"soft body",
      "soft bodies",
      "Cloth, thread or tissue: every vertex of the mesh is a node.",
      shaped,
      {}},
     with_shapes("{config: {fixed node positions: [{}]}, anchors: [{}]}"),
     block_reader(read_soft_body)},
    {{"ghost object",
      "ghost objects",
      "A region that senses which bodies overlap it and pushes "
      "nothing.",
      shaped,
      {}},
     with_shapes("{}"),
     block_reader(read_ghost_object)},
    {{"joint", "joints", "Ties two bodies together.", common, {}},
     {"{type: revolute, parent axis: {x: 1, y: 0, z: 0}, child axis: {x: 1, y: 0, z: 0}, "
      "joint limits: {}, controller: {}, mimic: {}}",
      "{type: cone twist, joint limits: {}}",
      "{type: six dof spring, joint limits: {linear: {}, angular: {}}, stiffness: {}, "
      "damping: {}, equilibrium point: {}}",
      "{type: six dof spring, stiffness: 1, damping: 1, equilibrium point: 0}"},
     block_reader(read_joint)},
    {{"sensor", "sensors", "Rays that notice or push, or the contacts of a body.", common, {}},
     {"{type: Proximity, array: [{}]}", "{type: Resistance, mesh: a.obj, friction: {}}",
      "{type: Contact, parametric: {}}"},
     block_reader(read_sensor)},
    {{"actuator",
      "actuators",
      "Takes hold of a body when it is commanded to, or when a jaw closes, for a grasp that "
      "does not depend on friction.",
      common,
      {}},
     {"{type: Constraint, grasp: {}}"},
     block_reader(read_actuator)},
    {{"camera",
      "cameras",
      "A view: a window, images, depth. In a world file or a model file.",
      common,
      {}},
     {"{location: {position: {x: 1, y: 0, z: 0}}, clipping plane: {}, stereo: {}, "
      "publish image resolution: {}, publish depth resolution: {}, publish depth noise: {}, "
      "preprocessing shaders: {}, depth compute shaders: {}, mouse control multipliers: {}}",
      "{location: {x: 1, y: 0, z: 0}}"},
     block_reader(read_camera)},
    {{"light", "lights", "A spot light. In a world file or a model file.", common, {}},
     {"{location: {position: {x: 1, y: 0, z: 0}}, attenuation: {}}",
      "{location: {x: 1, y: 0, z: 0}}"},
     block_reader(read_light)},
    {{"volume",
      "volumes",
      "A stack of images as a solid. It is read and written, not drawn.",
      common,
      {}},
     {"{images: {}, shaders: {}, color rgba: {}}", "{color components: {ambient: {}}}", "{}"},
     block_reader(read_volume)},
    {{"vehicle",
      "vehicles",
      "A chassis on wheels. It is read and written, and does not drive.",
      common,
      {}},
     {"{wheels: [{suspension: {}, steering limits: {}}]}"},
     block_reader(read_vehicle)},
    {{"input device", "input devices", "Which body a device's hand holds, and how.", common, {}},
     {"{hardware name: a, haptic gain: {}, controller gain: {linear: {}, angular: {}}, "
      "button mapping: {}}"},
     block_reader(read_input_device)}};
}

std::string without_numbers(std::string path)
{
  for (auto open = path.find('['); open != std::string::npos; open = path.find('[', open + 1)) {
    path.erase(open + 1, path.find(']', open) - open - 1);
  }
  return path;
}

/// The path of a key below its block; lists that are no part of the path in messages are added.
std::string path_of(const KeyUse & use)
{
  std::string map = without_numbers(use.path);
  if (map == sample_name) {
    map.clear();
  } else if (map.starts_with(std::string(sample_name) + "/")) {
    map.erase(0, std::string_view(sample_name).size() + 1);
  }
  if (map == "plugins") { map = "plugins[]"; }
  return map.empty() ? use.key : map + "/" + use.key;
}

/// Calls `visit` for each entry of the tables of meanings.
template <class Visit>
void for_each_meaning(Visit visit)
{
  for (const auto & table : {common_key_meanings(), body_key_meanings(), scene_key_meanings()}) {
    for (const KeyMeaning & meaning : table) { visit(meaning); }
  }
}

/// The entry of the block itself goes before the one of all blocks.
const KeyMeaning * find_meaning(const std::string & block, const std::string & path)
{
  const KeyMeaning * own = nullptr;
  const KeyMeaning * any = nullptr;
  for_each_meaning([&](const KeyMeaning & meaning) {
    if (path == meaning.path) {
      own = block == meaning.block ? &meaning : own;
      any = std::string_view(meaning.block) == "*" ? &meaning : any;
    }
  });
  return own != nullptr ? own : any;
}

/// Types, defaults and flags of all uses of a key in one.
void merge(KeyInfo & info, const KeyUse & use)
{
  const std::string type =
    use.type.starts_with("a map {position") ? std::string("a pose") : use.type;
  if (!type.empty() && info.type.find(type) == std::string::npos) {
    // "a number, 0 or more" says more than "a number" that another branch asked for.
    if (info.type.empty() || type.starts_with(info.type)) {
      info.type = type;
    } else {
      info.type += ", or " + type;
    }
  }
  info.fallback = use.fallback.empty() ? info.fallback : use.fallback;
  info.required = info.required || use.required;
}

/// Behind the last key of the same map, or the map itself; a key of the block comes last.
std::vector<KeyInfo>::iterator place_of(const std::string & path, std::vector<KeyInfo> & keys)
{
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) { return keys.end(); }
  std::string map = path.substr(0, slash);
  map = map.ends_with("[]") ? map.substr(0, map.size() - 2) : map;
  const auto last = std::find_if(keys.rbegin(), keys.rend(), [&](const KeyInfo & key) {
    return key.path == map || key.path.starts_with(map + "/") || key.path.starts_with(map + "[]/");
  });
  return last.base();
}

std::vector<KeyInfo> keys_of(const Sort & sort)
{
  std::vector<KeyInfo> keys;
  std::set<std::string> effective;
  for (const char * sample : sort.samples) {
    std::vector<KeyUse> uses;
    ProblemSink sink{"sample", {}, &uses};
    const auto root = compose_yaml(sample, "sample", sink.problems);
    if (!root) { continue; }
    sort.read(**root, sink);
    for (const KeyUse & use : uses) {
      const std::string path = path_of(use);
      // Vectors and poses are told as one.
      const auto whole = std::find_if(keys.begin(), keys.end(), [&](const KeyInfo & key) {
        const bool numbers = key.type.find("a pose") != std::string::npos ||
                             key.type.find("a map {") != std::string::npos;
        return numbers && path.starts_with(key.path + "/");
      });
      if (whole != keys.end()) { continue; }
      auto known = std::find_if(
        keys.begin(), keys.end(), [&](const KeyInfo & key) { return key.path == path; });
      if (known == keys.end()) {
        known = keys.insert(place_of(path, keys), {path, "", "", "", false, true, ""});
      }
      merge(*known, use);
      if (!use.no_effect.empty()) {
        known->effective = false;
        known->meaning = use.no_effect;
      } else if (!use.type.empty()) {
        effective.insert(path);
      }
    }
  }
  for (KeyInfo & key : keys) {
    key.effective = key.effective || effective.contains(key.path);
    key.type = key.type.empty() ? untyped : key.type;
    if (const KeyMeaning * meaning = find_meaning(sort.block.name, key.path)) {
      key.unit = meaning->unit;
      key.meaning = meaning->text;
    } else if (key.effective) {
      key.meaning.clear();
    }
  }
  return keys;
}

}  // namespace

std::vector<KeyBlock> key_reference()
{
  std::vector<KeyBlock> blocks;
  for (const auto & sorts : {file_sorts(), part_sorts(), object_sorts()}) {
    for (const Sort & sort : sorts) {
      KeyBlock block = sort.block;
      block.keys = keys_of(sort);
      for (const std::string & included : block.includes) {
        const auto part = std::find_if(
          blocks.begin(), blocks.end(), [&](const KeyBlock & b) { return b.name == included; });
        // What this sort reads in a way of its own is told here again.
        std::erase_if(block.keys, [&](const KeyInfo & key) {
          return std::any_of(part->keys.begin(), part->keys.end(), [&](const KeyInfo & other) {
            const bool same = other.type == key.type && other.fallback == key.fallback;
            return other.path == key.path && other.meaning == key.meaning &&
                   (same || key.type == untyped);
          });
        });
      }
      blocks.push_back(std::move(block));
    }
  }
  return blocks;
}

std::vector<std::string> unused_meanings()
{
  std::set<std::pair<std::string, std::string>> used;
  for (const auto & sorts : {file_sorts(), part_sorts(), object_sorts()}) {
    for (const Sort & sort : sorts) {
      for (const KeyInfo & key : keys_of(sort)) {
        if (const KeyMeaning * meaning = find_meaning(sort.block.name, key.path)) {
          used.emplace(meaning->block, meaning->path);
        }
      }
    }
  }
  std::vector<std::string> unused;
  for_each_meaning([&](const KeyMeaning & meaning) {
    if (!used.contains({meaning.block, meaning.path})) {
      unused.push_back(std::string(meaning.block) + ": " + meaning.path);
    }
  });
  return unused;
}

}  // namespace ambf_adf
