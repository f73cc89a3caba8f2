// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "read_objects.hpp"

namespace ambf_adf
{
namespace
{

/// Cameras and lights have a point; a pose is understood, too, and its orientation has no meaning.
Eigen::Vector3d read_point(MapReader & reader, std::string_view key)
{
  const YamlNode * node = reader.get(key);
  if (node != nullptr && node->is_map() && node->find("position") != nullptr) {
    return reader.pose(key).value_or(Pose{}).position;
  }
  return reader.vector(key, Eigen::Vector3d::Zero());
}

Resolution read_resolution(MapReader & reader, std::string_view key)
{
  Resolution resolution;
  MapReader map = reader.map(key);
  const double width = map.number("width", resolution.width);
  const double height = map.number("height", resolution.height);
  map.finish();
  constexpr double largest = 16384.0;
  if (width < 1.0 || height < 1.0 || width > largest || height > largest) {
    reader.warn(
      ProblemKind::BadValue, key, "an impossible image size", "1 to 16384 pixels",
      std::to_string(resolution.width) + " x " + std::to_string(resolution.height) + " is taken");
    return resolution;
  }
  resolution.width = static_cast<int>(width);
  resolution.height = static_cast<int>(height);
  return resolution;
}

int read_interval(MapReader & reader, std::string_view key, int fallback)
{
  const int interval = reader.integer(key, fallback);
  if (interval < 1) {
    reader.warn(
      ProblemKind::BadValue, key, std::to_string(interval), "1 or more frames", "1 is taken");
    return 1;
  }
  return interval;
}

void read_publishing(MapReader & reader, Camera & camera)
{
  camera.image.enabled = reader.boolean("publish image", camera.image.enabled);
  camera.image.interval = read_interval(reader, "publish image interval", camera.image.interval);
  camera.image.resolution = read_resolution(reader, "publish image resolution");
  camera.depth.enabled = reader.boolean("publish depth", camera.depth.enabled);
  camera.depth.interval = read_interval(reader, "publish depth interval", camera.depth.interval);
  camera.depth.resolution = camera.image.resolution;
  if (reader.has("publish depth resolution")) {
    camera.depth.resolution = read_resolution(reader, "publish depth resolution");
  }
  if (reader.has("publish depth noise")) {
    MapReader noise = reader.map("publish depth noise");
    camera.depth_noise.emplace();
    camera.depth_noise->mean = noise.number("mean", camera.depth_noise->mean);
    camera.depth_noise->standard_deviation =
      noise.number("std dev", camera.depth_noise->standard_deviation, Range::NonNegative);
    camera.depth_noise->standard_deviation =
      noise.number("std_dev", camera.depth_noise->standard_deviation, Range::NonNegative);
    camera.depth_noise->bias = noise.number("bias", camera.depth_noise->bias);
    noise.finish();
  }
}

void read_projection(MapReader & reader, Camera & camera)
{
  MapReader clipping = reader.map("clipping plane");
  camera.near_plane = clipping.number("near", camera.near_plane);
  camera.far_plane = clipping.number("far", camera.far_plane);
  clipping.finish();
  if (camera.near_plane <= 0.0 || camera.far_plane <= camera.near_plane) {
    reader.warn(
      ProblemKind::BadValue, "clipping plane", "planes that enclose nothing", "0 < near < far",
      "0.1 and 10 are taken");
    camera.near_plane = Camera{}.near_plane;
    camera.far_plane = Camera{}.far_plane;
  }
  camera.field_view_angle =
    reader.number("field view angle", camera.field_view_angle, Range::Positive);
  camera.orthographic_view_width = reader.number("orthographic view width", Range::Positive);
  if (reader.has("stereo")) {
    MapReader stereo = reader.map("stereo");
    camera.stereo.emplace();
    camera.stereo->mode = stereo.text("mode", camera.stereo->mode);
    camera.stereo->eye_separation = stereo.number("eye separation", camera.stereo->eye_separation);
    camera.stereo->focal_length = stereo.number("focal length", camera.stereo->focal_length);
    stereo.finish();
  }
}

/// Nothing for a wheel without body and mesh, as in AMBF.
std::optional<Wheel> read_wheel(
  MapReader wheel, const std::string & folder, const FileContext & file)
{
  Wheel w;
  w.body = wheel.text("body", "");
  const std::string mesh = wheel.text("mesh", "");
  w.mesh = read_mesh_file(wheel, "mesh", mesh, folder, file);
  w.width = wheel.number("width", w.width, Range::NonNegative);
  w.radius = wheel.number("radius", w.radius, Range::NonNegative);
  w.friction = wheel.number("friction", w.friction);
  MapReader suspension = wheel.map("suspension");
  w.suspension_stiffness = suspension.number("stiffness", w.suspension_stiffness);
  w.suspension_damping = suspension.number("damping", w.suspension_damping);
  w.suspension_compression = suspension.number("compression", w.suspension_compression);
  w.suspension_rest_length = suspension.number("rest length", w.suspension_rest_length);
  suspension.finish();
  w.roll_influence = wheel.number("roll influence", w.roll_influence);
  w.down_direction = wheel.vector("down direction", w.down_direction);
  w.axle_direction = wheel.vector("axel direction", w.axle_direction);
  w.axle_direction = wheel.vector("axle direction", w.axle_direction);
  w.offset = wheel.vector("offset", w.offset);
  w.front = wheel.boolean("front", w.front);
  MapReader steering = wheel.map("steering limits");
  w.steering_low = steering.number("low", w.steering_low);
  w.steering_high = steering.number("high", w.steering_high);
  steering.finish();
  w.max_engine_power = wheel.number("max engine power", w.max_engine_power);
  w.max_brake_power = wheel.number("max brake power", w.max_brake_power);
  wheel.finish();
  if (w.body.empty() && mesh.empty()) {
    return left_out(
      wheel, ProblemKind::MissingKey, "body", "a wheel without a body", "'body' or 'mesh'");
  }
  return w;
}

}  // namespace

Camera read_camera(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  Camera camera;
  camera.header = read_header(reader, block, file);
  camera.parent = reader.text("parent", "");
  camera.location = read_point(reader, "location");
  camera.look_at = reader.vector("look at", camera.look_at);
  camera.up = reader.vector("up", camera.up);
  if (camera.up.cross(camera.look_at - camera.location).norm() < 1e-9) {
    reader.warn(
      ProblemKind::BadValue, "look at", "a view along 'up', or to the camera's own place",
      "a direction across 'up'", "the camera looks along -x with z up");
  }
  read_projection(reader, camera);
  camera.monitor = reader.integer("monitor", camera.monitor);
  for (const auto & [name, mark] : reader.words("controlling devices")) {
    camera.controlling_devices.push_back(name);
  }
  camera.visible = reader.boolean("visible", camera.visible);
  read_publishing(reader, camera);
  camera.preprocessing_shaders = read_shaders(reader, "preprocessing shaders", file);
  camera.depth_compute_shaders = read_shaders(reader, "depth compute shaders", file);
  camera.multipass = reader.boolean("multipass", camera.multipass);
  MapReader mouse = reader.map("mouse control multipliers");
  camera.mouse.pan = mouse.number("pan", camera.mouse.pan);
  camera.mouse.rotate = mouse.number("rotate", camera.mouse.rotate);
  camera.mouse.scroll = mouse.number("scroll", camera.mouse.scroll);
  camera.mouse.arcball = mouse.number("arcball", camera.mouse.arcball);
  mouse.finish();
  finish_block(reader, camera.header);
  return camera;
}

Light read_light(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  Light light;
  light.header = read_header(reader, block, file);
  light.parent = reader.text("parent", "");
  light.location = read_point(reader, "location");
  light.direction = reader.vector("direction", light.direction);
  if (light.direction.norm() < 1e-12) {
    reader.warn(ProblemKind::BadValue, "direction", "a zero vector", "a direction", "-z is taken");
    light.direction = Light{}.direction;
  }
  light.spot_exponent = reader.number("spot exponent", light.spot_exponent);
  light.cutoff_angle = reader.number("cutoff angle", light.cutoff_angle);
  light.shadow_quality = reader.integer("shadow quality", light.shadow_quality);
  if (light.shadow_quality < 0 || light.shadow_quality > 5) {
    reader.warn(
      ProblemKind::BadValue, "shadow quality", std::to_string(light.shadow_quality), "0 to 5",
      "the nearest is taken");
    light.shadow_quality = light.shadow_quality < 0 ? 0 : 5;
  }
  MapReader attenuation = reader.map("attenuation");
  light.attenuation_constant = attenuation.number("constant", light.attenuation_constant);
  light.attenuation_linear = attenuation.number("linear", light.attenuation_linear);
  light.attenuation_quadratic = attenuation.number("quadratic", light.attenuation_quadratic);
  attenuation.finish();
  finish_block(reader, light.header);
  return light;
}

std::optional<Volume> read_volume(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  Volume volume;
  volume.header = read_header(reader, block, file);
  volume.parent = reader.text("parent", "");
  volume.location = reader.pose("location").value_or(Pose{});
  volume.scale = reader.number("scale", volume.scale, Range::Positive);
  volume.dimensions = reader.vector("dimensions", volume.dimensions);
  if (volume.dimensions.minCoeff() <= 0.0) {
    reader.warn(
      ProblemKind::BadValue, "dimensions", "a length of 0 or less", "lengths above 0 [m]",
      "1 x 1 x 1 is taken");
    volume.dimensions = Volume{}.dimensions;
  }
  volume.iso_surface_value = reader.number("iso-surface value", volume.iso_surface_value);
  volume.optical_density = reader.number("optical density", volume.optical_density);
  volume.quality = reader.number("quality", volume.quality);
  const char * lacking = nullptr;
  if (reader.has("images")) {
    MapReader images = reader.map("images");
    for (const char * key : {"path", "prefix", "format", "count"}) {
      lacking = lacking == nullptr && !images.has(key) ? key : lacking;
    }
    volume.images.emplace();
    volume.images->path = resolve_path(file, images.text("path", ""));
    volume.images->prefix = images.text("prefix", "");
    volume.images->format = images.text("format", "");
    volume.images->count = images.integer("count", 0);
    if (volume.images->count < 0) {
      images.warn(
        ProblemKind::BadValue, "count", std::to_string(volume.images->count), "0 or more",
        "0 is taken");
      volume.images->count = 0;
    }
    images.finish();
  } else {
    reader.warn(
      ProblemKind::MissingKey, "images", "a volume without images", "{path, prefix, format, count}",
      "there is nothing to show");
  }
  volume.shaders = read_shaders(reader, "shaders", file);
  volume.material = read_material(reader);
  finish_block(reader, volume.header);
  if (lacking != nullptr) {
    return left_out(
      reader, ProblemKind::MissingKey, "images", std::string("no '") + lacking + "'",
      "{path, prefix, format, count}");
  }
  return volume;
}

std::optional<Vehicle> read_vehicle(
  const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  Vehicle vehicle;
  vehicle.header = read_header(reader, block, file);
  vehicle.chassis = reader.text("chassis", "");
  std::string folder = reader.text("high resolution path", "");
  folder = folder.empty() ? file.high_resolution_path : folder;
  std::size_t index = 0;
  for (const auto & item : reader.list("wheels")) {
    const std::string path = block.identifier + "/wheels[" + std::to_string(index++) + "]";
    if (auto wheel = read_wheel(MapReader(item.get(), path, sink), folder, file)) {
      vehicle.wheels.push_back(std::move(*wheel));
    }
  }
  if (vehicle.wheels.empty()) {
    reader.warn(ProblemKind::MissingKey, "wheels", "a vehicle without wheels", "a list of wheels");
  }
  finish_block(reader, vehicle.header);
  if (vehicle.chassis.empty()) {
    return left_out(
      reader, ProblemKind::MissingKey, "chassis", "nothing", "the identifier of a body");
  }
  return vehicle;
}

}  // namespace ambf_adf
