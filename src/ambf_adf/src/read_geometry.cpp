// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>

#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

std::string upper(std::string_view text)
{
  std::string result(text);
  for (char & c : result) { c = (c >= 'a' && c <= 'z') ? static_cast<char>(c - 'a' + 'A') : c; }
  return result;
}

double length(MapReader & map, std::string_view key)
{
  map.require(key, "a length [m]");
  const auto value = map.number(key);
  if (value == 0.0) {
    map.warn(ProblemKind::BadValue, key, "a length of 0", "a length above 0", "the shape is flat");
  } else if (value && *value < 0.0) {
    map.warn(
      ProblemKind::BadValue, key, "a negative length", "a length above 0",
      "it is taken without its sign");
  }
  return std::abs(value.value_or(0.0));
}

Axis read_axis(MapReader & map)
{
  const std::string word = upper(map.text("axis", "Z"));
  if (word == "X") { return Axis::X; }
  if (word == "Y") { return Axis::Y; }
  if (word != "Z") {
    map.warn(ProblemKind::UnknownEnum, "axis", "'" + word + "'", "x, y or z", "z is taken");
  }
  return Axis::Z;
}

Capsule read_capsule(MapReader & map)
{
  Capsule capsule{length(map, "radius"), length(map, "height"), read_axis(map)};
  if (capsule.height < 2.0 * capsule.radius) {
    map.warn(
      ProblemKind::BadValue, "height", "a capsule shorter than its two caps",
      "the total length, at least 2 * radius", "a sphere is taken");
    capsule.height = 2.0 * capsule.radius;
  }
  return capsule;
}

Plane read_plane(MapReader & map)
{
  Plane plane;
  map.require("normal", "the plane's normal {x, y, z}");
  const Eigen::Vector3d normal = map.vector("normal", Eigen::Vector3d::UnitZ());
  plane.offset = map.number("offset", 0.0);
  if (normal.norm() < 1e-12) {
    map.warn(ProblemKind::BadValue, "normal", "a zero vector", "a direction", "z is taken");
  } else if (normal != plane.normal) {
    // Already unit vectors are kept to the last bit, so that writing and reading changes nothing.
    plane.normal = std::abs(normal.norm() - 1.0) < 1e-15 ? normal : normal.normalized();
  }
  return plane;
}

MeshCollisionType read_mesh_type(MapReader & reader, const char * key)
{
  const std::string word = reader.text(key, "");
  static const std::map<std::string, MeshCollisionType> types{
    {"CONCAVE_MESH", MeshCollisionType::Concave},
    {"TRIMESH", MeshCollisionType::Concave},
    {"CONVEX_MESH", MeshCollisionType::ConvexMesh},
    {"CONVEX_TRIANGLES", MeshCollisionType::ConvexMesh},
    {"CONVEX_HULL", MeshCollisionType::ConvexHull},
    {"HULL", MeshCollisionType::ConvexHull},
    {"POINT_CLOUD", MeshCollisionType::PointCloud}};
  const auto found = types.find(upper(word));
  if (found != types.end()) { return found->second; }
  if (!word.empty()) {
    std::vector<std::string> names;
    for (const auto & type : types) { names.push_back(type.first); }
    const std::string hint = did_you_mean(upper(word), names);
    reader.warn(
      ProblemKind::UnknownEnum, key, "'" + word + "'",
      "CONCAVE_MESH, CONVEX_MESH, CONVEX_HULL or POINT_CLOUD",
      hint.empty() ? "CONCAVE_MESH is taken" : hint);
  }
  return MeshCollisionType::Concave;
}

MeshPart read_mesh_part(MapReader & map, const FileContext & file)
{
  MeshPart part;
  map.require("mesh", "the name of a mesh file");
  const std::string name = map.text("mesh", "");
  if (!name.empty()) { part.mesh = read_mesh_file(map, "mesh", name, "", file); }
  part.scale = map.vector("scale", part.scale);
  for (double & factor : part.scale) {
    if (factor != 0.0) { continue; }
    map.warn(ProblemKind::BadValue, "scale", "a factor of 0", "other than 0", "1 is taken");
    factor = 1.0;
  }
  part.type = read_mesh_type(map, "type");
  return part;
}

/// The primitive that `shape_key` names with the numbers of `geometry_key`; nothing for '' and,
/// with a warning, for unknown words, as in AMBF.
std::optional<Primitive> read_primitive(
  MapReader & reader, std::string_view shape_key, std::string_view geometry_key,
  const FileContext & file)
{
  const std::string word = reader.text(shape_key, "");
  reader.known(geometry_key);
  if (word.empty()) { return std::nullopt; }
  const std::string kind = upper(word);
  static const std::vector<std::string> kinds{"BOX",  "SPHERE", "CYLINDER", "CAPSULE",
                                              "CONE", "PLANE",  "MESH"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    const std::string hint = did_you_mean(kind, kinds);
    reader.warn(
      ProblemKind::UnknownEnum, shape_key, "'" + word + "'",
      "BOX, SPHERE, CYLINDER, CAPSULE, CONE, PLANE or MESH",
      hint.empty() ? "the shape is ignored" : hint);
    return std::nullopt;
  }
  if (reader.require(geometry_key, "the sizes of the shape") == nullptr) { return std::nullopt; }
  MapReader map = reader.map(geometry_key);
  std::optional<Primitive> shape;
  if (kind == "BOX") {
    const double x = length(map, "x"), y = length(map, "y"), z = length(map, "z");
    shape = Box{{x, y, z}};
  } else if (kind == "SPHERE") {
    shape = Sphere{length(map, "radius")};
  } else if (kind == "CYLINDER") {
    shape = Cylinder{length(map, "radius"), length(map, "height"), read_axis(map)};
  } else if (kind == "CAPSULE") {
    shape = read_capsule(map);
  } else if (kind == "CONE") {
    shape = Cone{length(map, "radius"), length(map, "height"), read_axis(map)};
  } else if (kind == "PLANE") {
    shape = read_plane(map);
  } else {
    shape = read_mesh_part(map, file);
  }
  // Files carry the sizes of other kinds along (a box with a radius); that is no mistake worth a
  // word.
  return shape;
}

std::vector<PlacedShape> read_compound(
  MapReader & reader, std::string_view key, const FileContext & file)
{
  std::vector<PlacedShape> shapes;
  std::size_t index = 0;
  for (const auto & item : reader.list(key)) {
    MapReader part(
      item.get(), reader.path() + "/" + std::string(key) + "[" + std::to_string(index++) + "]",
      reader.sink());
    PlacedShape placed;
    placed.name = part.text("name", "");
    placed.offset = part.pose("offset").value_or(Pose{});
    if (!part.has("shape")) {
      part.require("shape", "BOX, SPHERE, CYLINDER, CAPSULE, CONE, PLANE or MESH");
    }
    const auto shape = read_primitive(part, "shape", "geometry", file);
    if (key == "compound shape") { placed.material = read_color_components(part); }
    part.finish();
    if (shape) {
      placed.shape = *shape;
      shapes.push_back(std::move(placed));
    }
  }
  return shapes;
}

/// A block's own folder replaces the file's.
std::string mesh_folder(MapReader & reader, std::string_view key, const std::string & file_folder)
{
  const std::string own = reader.text(key, "");
  return own.empty() ? file_folder : own;
}

}  // namespace

Visual read_visual(MapReader & reader, const FileContext & file)
{
  Visual visual;
  const std::string mesh = reader.text("mesh", "");
  const std::string folder = mesh_folder(reader, "high resolution path", file.high_resolution_path);
  const auto single = read_primitive(reader, "shape", "geometry", file);
  reader.known("compound shape");
  auto compound =
    single ? std::vector<PlacedShape>{} : read_compound(reader, "compound shape", file);
  if (single) {
    visual.geometry = ShapeList{{{*single, Pose{}, ""}}, false};
  } else if (!compound.empty()) {
    visual.geometry = ShapeList{std::move(compound), true};
  } else if (!mesh.empty()) {
    visual.geometry = read_mesh_file(reader, "mesh", mesh, folder, file);
  }
  visual.visible = reader.boolean("visible", true);
  visual.remove_duplicates = reader.boolean("mesh remove duplicates", false);
  visual.material = read_material(reader);
  visual.shaders = read_shaders(reader, "shaders", file);
  return visual;
}

Collision read_collision(
  MapReader & reader, const std::optional<Pose> & inertial_offset, const FileContext & file)
{
  const std::size_t first = reader.sink().problems.size();
  const auto own_offset = reader.pose("collision offset");
  if (!reader.has("collision shape")) {
    reader.sink().soften(first, "it is not used: it belongs to a single collision shape");
  }
  const auto single = read_primitive(reader, "collision shape", "collision geometry", file);
  reader.known("compound collision shape");
  auto compound =
    single ? std::vector<PlacedShape>{} : read_compound(reader, "compound collision shape", file);
  const MeshCollisionType type = read_mesh_type(reader, "collision mesh type");
  const bool own_mesh = reader.has("collision mesh");
  // The visual mesh's name stands in for an absent `collision mesh`; an empty one means none.
  const std::string mesh = own_mesh ? reader.text("collision mesh", "") : reader.text("mesh", "");
  const std::string folder = mesh_folder(reader, "low resolution path", file.low_resolution_path);
  if (single) {
    // AMBF's rule for files older than `collision offset`: the shape sits on the centre of mass.
    const Pose offset = own_offset ? *own_offset : inertial_offset.value_or(Pose{});
    return ShapeList{{{*single, offset, ""}}, false};
  }
  if (!compound.empty()) { return ShapeList{std::move(compound), true}; }
  if (!mesh.empty()) {
    return CollisionMesh{
      read_mesh_file(reader, own_mesh ? "collision mesh" : "mesh", mesh, folder, file), type};
  }
  return NoShape{};
}

std::vector<int> read_collision_groups(MapReader & reader)
{
  std::vector<int> groups;
  for (const int group : reader.integers("collision groups")) {
    if (group < 0 || group > 999) {
      reader.warn(
        ProblemKind::BadValue, "collision groups", std::to_string(group), "0 to 999",
        "the group is ignored");
    } else if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
      groups.push_back(group);
    }
  }
  return groups;
}

}  // namespace ambf_adf
