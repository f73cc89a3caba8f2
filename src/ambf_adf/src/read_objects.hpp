// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "reader.hpp"

namespace ambf_adf
{

/// What the blocks of a file need to know about the file.
struct FileContext
{
  const ParseOptions & options;
  std::string resource_base;         ///< folder that relative paths refer to
  std::string ns;                    ///< resolved namespace of the file
  std::string high_resolution_path;  ///< as written
  std::string low_resolution_path;
};

/// A block of a header list.
struct Block
{
  std::string identifier;
  Mark mark;              ///< of the block's key
  const YamlNode * node;  ///< never null
  std::string suffix;     ///< number that a second listing of the block adds to identifier and name
};

/// A warning that ends with: the block is left out, as AMBF does. Returns an absent object.
std::nullopt_t left_out(
  const MapReader & reader, ProblemKind kind, std::string_view key, std::string found,
  std::string expected);

/// Reads name, namespace, passive, publish frequency and plugins.
ObjectHeader read_header(MapReader & reader, const Block & block, const FileContext & file);
/// Warns about unknown keys and keeps them in the header; call it after the last key has been read.
void finish_block(MapReader & reader, ObjectHeader & header);

std::vector<Plugin> read_plugins(MapReader & reader);
std::optional<Shaders> read_shaders(
  MapReader & reader, std::string_view key, const FileContext & file);
std::optional<Material> read_material(MapReader & reader);
/// The map `color components` alone.
std::optional<Material> read_color_components(MapReader & reader);
/// Joins a path with the folder of the file; absolute paths stay, addresses are looked up.
std::string resolve_path(const FileContext & file, const std::string & path);
/// A path is given, and no file is there.
bool is_missing(const std::string & path);
/// That an ADF file is not there; `hint` says what to do where the path itself is in order.
void tell_missing(
  const MapReader & reader, Severity severity, std::string_view key, const std::string & path,
  const std::string & hint);

/// A mesh named by `key` in `folder` (as written). Warns if it is not there.
MeshFile read_mesh_file(
  MapReader & reader, std::string_view key, const std::string & name, const std::string & folder,
  const FileContext & file);
Visual read_visual(MapReader & reader, const FileContext & file);
Collision read_collision(
  MapReader & reader, const std::optional<Pose> & inertial_offset, const FileContext & file);
std::vector<int> read_collision_groups(MapReader & reader);

/// The ones that may be absent are left out by AMBF, too; a warning says so.
RigidBody read_body(const Block & block, const FileContext & file, ProblemSink & sink);
SoftBody read_soft_body(const Block & block, const FileContext & file, ProblemSink & sink);
GhostObject read_ghost_object(const Block & block, const FileContext & file, ProblemSink & sink);
std::optional<Joint> read_joint(const Block & block, const FileContext & file, ProblemSink & sink);
std::optional<Sensor> read_sensor(
  const Block & block, const FileContext & file, ProblemSink & sink);
std::optional<Actuator> read_actuator(
  const Block & block, const FileContext & file, ProblemSink & sink);
Camera read_camera(const Block & block, const FileContext & file, ProblemSink & sink);
Light read_light(const Block & block, const FileContext & file, ProblemSink & sink);
std::optional<Volume> read_volume(
  const Block & block, const FileContext & file, ProblemSink & sink);
std::optional<Vehicle> read_vehicle(
  const Block & block, const FileContext & file, ProblemSink & sink);
std::optional<InputDevice> read_input_device(
  const Block & block, const FileContext & file, ProblemSink & sink);

/// `controller` with `linear` and `angular` gains, and `controller output type`.
std::optional<CartesianController> read_cartesian_controller(
  MapReader & reader, std::string_view key);
std::optional<ControlOutput> read_control_output(MapReader & reader);
Pid read_pid(MapReader & reader);

/// Warns about top-level keys that look like typing errors. Unlisted blocks are AMBF's way of
/// commenting out, and anchored values are macros: neither deserves a warning.
void warn_unknown_top_keys(
  const MapReader & top, const std::vector<std::string> & value_keys,
  const std::vector<std::string> & map_keys);

/// The blocks that a header list names. A body or joint without a block is an error; others are
/// left out with a warning, and so is every empty block. A name that is listed again is loaded again
/// under a new name, with a warning: AMBF does so.
std::vector<Block> listed_blocks(MapReader & top, const YamlNode & root, std::string_view list);

}  // namespace ambf_adf
