// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>

#include "ambf_adf/paths.hpp"
#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

SensorType read_type(MapReader & reader)
{
  const std::string word = lower(reader.text("type", ""));
  if (word == "proximity") { return SensorType::Proximity; }
  if (word == "resistance") { return SensorType::Resistance; }
  if (word == "contact") { return SensorType::Contact; }
  reader.error(
    ProblemKind::UnknownEnum, "type", "'" + word + "'", "Proximity, Resistance or Contact",
    did_you_mean(word, {"Proximity", "Resistance", "Contact"}));
  return SensorType::Proximity;
}

RayArray read_array(MapReader & reader)
{
  RayArray array;
  std::size_t index = 0;
  for (const auto & item : reader.list("array")) {
    MapReader entry(
      item.get(), reader.path() + "/array[" + std::to_string(index++) + "]", reader.sink());
    entry.require("offset", "the ray's start {x, y, z} [m]");
    entry.require("direction", "the ray's direction {x, y, z}");
    Ray ray;
    ray.offset = entry.vector("offset", ray.offset);
    ray.direction = entry.vector("direction", ray.direction);
    entry.finish();
    if (ray.direction.norm() < 1e-12) {
      entry.warn(
        ProblemKind::BadValue, "direction", "a zero vector", "a direction",
        "the ray is left out: it has no length");
      continue;
    }
    array.rays.push_back(ray);
  }
  return array;
}

constexpr int largest_resolution = 1000;

/// AMBF has no use for fewer than two rays; the caller leaves that sensor out.
RayFan read_fan(MapReader fan)
{
  RayFan result;
  result.resolution = fan.integer("resolution", result.resolution);
  result.horizontal_angle = fan.number("horizontal angle", result.horizontal_angle);
  result.vertical_angle = fan.number("vertical angle", result.vertical_angle);
  result.start_offset = fan.number("start offset", result.start_offset);
  fan.finish();
  if (result.resolution > largest_resolution) {
    fan.warn(
      ProblemKind::BadValue, "resolution", std::to_string(result.resolution), "2 to 1000",
      "1000 is taken");
    result.resolution = largest_resolution;
  }
  return result;
}

/// Patch meshes lie beside the ADF file or, in most files, in one of its mesh folders.
std::string locate_patch(const std::string & name, const FileContext & file)
{
  namespace fs = std::filesystem;
  std::error_code error;
  for (const std::string & folder :
       {std::string(), file.high_resolution_path, file.low_resolution_path}) {
    if (
      file.options.check_files &&
      fs::is_regular_file(resolve_path(file.resource_base, folder, name), error)) {
      // An address must keep its two slashes.
      const bool address = folder.find("://") != std::string::npos;
      return address ? folder + "/" + name : (fs::path(folder) / name).lexically_normal().string();
    }
  }
  return name;
}

RayLayout read_rays(MapReader & reader, const FileContext & file)
{
  for (const char * key : {"array", "mesh", "parametric"}) { reader.known(key); }
  if (reader.has("array")) { return read_array(reader); }
  if (reader.has("mesh")) {
    return RayMesh{
      read_mesh_file(reader, "mesh", locate_patch(reader.text("mesh", ""), file), "", file)};
  }
  if (reader.has("parametric")) { return read_fan(reader.map("parametric")); }
  return RayArray{};
}

Resistance read_resistance(MapReader & reader)
{
  Resistance r;
  MapReader friction = reader.map("friction");
  r.static_friction = friction.number("static", r.static_friction);
  r.static_damping = friction.number("damping", r.static_damping);
  r.dynamic_friction = friction.number("dynamic", r.dynamic_friction);
  r.variable_friction = friction.boolean("variable", r.variable_friction);
  friction.finish();
  r.contact_area = reader.number("contact area", r.contact_area);
  r.contact_stiffness = reader.number("contact stiffness", r.contact_stiffness);
  r.contact_damping = reader.number("contact damping", r.contact_damping);
  return r;
}

}  // namespace

std::optional<Sensor> read_sensor(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  if (!reader.has("type")) {
    return left_out(
      reader, ProblemKind::MissingKey, "type", "nothing", "Proximity, Resistance or Contact");
  }
  Sensor sensor;
  sensor.header = read_header(reader, block, file);
  sensor.type = read_type(reader);
  sensor.parent = reader.text("parent", "");
  sensor.location = reader.pose("location").value_or(Pose{});
  sensor.range = reader.number("range", sensor.range);
  sensor.visible = reader.boolean("visible", sensor.visible);
  sensor.visible_size = reader.number("visible size", sensor.visible_size, Range::NonNegative);
  sensor.rays = read_rays(reader, file);
  const bool rays = reader.has("array") || reader.has("mesh") || reader.has("parametric");
  if (!rays && sensor.type != SensorType::Contact) {
    return left_out(
      reader, ProblemKind::MissingKey, "array", "a sensor without rays",
      "'array', 'mesh' or 'parametric'");
  }
  const auto * fan = std::get_if<RayFan>(&sensor.rays);
  if (fan != nullptr && fan->resolution < 2) {
    return left_out(
      reader, ProblemKind::BadValue, "parametric",
      "a resolution of " + std::to_string(fan->resolution), "a resolution of 2 to 1000");
  }
  if (sensor.type == SensorType::Resistance) {
    sensor.resistance = read_resistance(reader);
  } else {
    for (const char * key : {"friction", "contact area", "contact stiffness", "contact damping"}) {
      reader.ineffective(key, "it belongs to sensors of type Resistance");
    }
  }
  if (sensor.type == SensorType::Contact) {
    sensor.distance_threshold = reader.number("distance threshold", sensor.distance_threshold);
  }
  finish_block(reader, sensor.header);
  if (sensor.parent.empty()) {
    return left_out(
      reader, ProblemKind::MissingKey, "parent", "nothing", "the identifier of a body");
  }
  if (sensor.range < 0.0) {
    return left_out(
      reader, ProblemKind::BadValue, "range", "a number below 0", "a length, 0 or more [m]");
  }
  return sensor;
}

namespace
{

std::optional<Grasp> read_grasp(MapReader & reader)
{
  if (!reader.has("grasp")) { return {}; }
  MapReader map = reader.map("grasp");
  Grasp grasp;
  grasp.sensor = map.text("sensor", "");
  for (const auto & [joint, mark] : map.words("joints")) { grasp.joints.push_back(joint); }
  const auto close = map.number("close at");
  const auto open = map.number("open at");
  map.finish();
  const auto left_out = [&](const char * key, const char * found, const char * expected) {
    map.warn(
      ProblemKind::BadValue, key, found, expected,
      "'grasp' is left out: the actuator takes what it is commanded to take");
    return std::optional<Grasp>{};
  };
  if (grasp.sensor.empty()) { return left_out("sensor", "nothing", "the identifier of a sensor"); }
  if (grasp.joints.empty()) { return left_out("joints", "no joint", "the joints of the jaw"); }
  if (!close) { return left_out("close at", "nothing", "a position of the joints [m or rad]"); }
  if (!open) { return left_out("open at", "nothing", "a position of the joints [m or rad]"); }
  grasp.close = *close;
  grasp.open = *open;
  if (grasp.close == grasp.open) {
    return left_out("open at", "the same position as 'close at'", "another position");
  }
  return grasp;
}

}  // namespace

std::optional<Actuator> read_actuator(
  const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  if (!reader.has("type")) {
    return left_out(reader, ProblemKind::MissingKey, "type", "nothing", "Constraint");
  }
  Actuator actuator;
  actuator.header = read_header(reader, block, file);
  const std::string type = reader.text("type", "");
  if (lower(type) != "constraint") {
    reader.error(ProblemKind::UnknownEnum, "type", "'" + type + "'", "Constraint");
  }
  actuator.parent = reader.text("parent", "");
  actuator.location = reader.pose("location").value_or(Pose{});
  actuator.visible = reader.boolean("visible", actuator.visible);
  actuator.visible_size = reader.number("visible size", actuator.visible_size, Range::NonNegative);
  actuator.max_impulse = reader.number("max impulse", actuator.max_impulse);
  actuator.tau = reader.number("tau", actuator.tau);
  actuator.grasp = read_grasp(reader);
  finish_block(reader, actuator.header);
  if (actuator.parent.empty()) {
    return left_out(
      reader, ProblemKind::MissingKey, "parent", "nothing", "the identifier of a body");
  }
  return actuator;
}

}  // namespace ambf_adf
