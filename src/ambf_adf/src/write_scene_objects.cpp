// SPDX-License-Identifier: BSD-3-Clause
#include "write_objects.hpp"

namespace ambf_adf
{
namespace
{

void put_resolution(AdfEmitter & out, const char * key, const Resolution & resolution)
{
  out.begin_flow_map(key);
  out.put("width", resolution.width);
  out.put("height", resolution.height);
  out.end_map();
}

void put_publishing(AdfEmitter & out, const Camera & camera)
{
  out.put("publish image", camera.image.enabled);
  out.put("publish image interval", camera.image.interval);
  put_resolution(out, "publish image resolution", camera.image.resolution);
  out.put("publish depth", camera.depth.enabled);
  out.put("publish depth interval", camera.depth.interval);
  put_resolution(out, "publish depth resolution", camera.depth.resolution);
  if (camera.depth_noise) {
    out.begin_flow_map("publish depth noise");
    out.put("mean", camera.depth_noise->mean);
    out.put("std_dev", camera.depth_noise->standard_deviation);
    out.put("bias", camera.depth_noise->bias);
    out.end_map();
  }
}

void put_wheel(AdfEmitter & out, const Wheel & w)
{
  out.begin_map();
  out.put_unless("body", w.body, std::string());
  out.put_unless("mesh", w.mesh.file, std::string());
  out.put("width", w.width);
  out.put("radius", w.radius);
  out.put("friction", w.friction);
  out.begin_flow_map("suspension");
  out.put("stiffness", w.suspension_stiffness);
  out.put("damping", w.suspension_damping);
  out.put("compression", w.suspension_compression);
  out.put("rest length", w.suspension_rest_length);
  out.end_map();
  out.put("roll influence", w.roll_influence);
  out.put("down direction", w.down_direction);
  out.put("axel direction", w.axle_direction);
  out.put("offset", w.offset);
  out.put("front", w.front);
  out.begin_flow_map("steering limits");
  out.put("low", w.steering_low);
  out.put("high", w.steering_high);
  out.end_map();
  out.put("max engine power", w.max_engine_power);
  out.put("max brake power", w.max_brake_power);
  out.end_map();
}

}  // namespace

void put_object(AdfEmitter & out, const Camera & camera, const WriteContext & file)
{
  put_header(out, camera.header, file);
  out.put_unless("parent", camera.parent, std::string());
  out.put("location", camera.location);
  out.put("look at", camera.look_at);
  out.put("up", camera.up);
  out.begin_flow_map("clipping plane");
  out.put("near", camera.near_plane);
  out.put("far", camera.far_plane);
  out.end_map();
  out.put("field view angle", camera.field_view_angle);
  out.put_optional("orthographic view width", camera.orthographic_view_width);
  if (camera.stereo) {
    out.begin_flow_map("stereo");
    out.put("mode", camera.stereo->mode);
    out.put("eye separation", camera.stereo->eye_separation);
    out.put("focal length", camera.stereo->focal_length);
    out.end_map();
  }
  out.put("monitor", camera.monitor);
  if (!camera.controlling_devices.empty()) {
    out.put("controlling devices", camera.controlling_devices);
  }
  out.put("visible", camera.visible);
  put_publishing(out, camera);
  put_shaders(out, "preprocessing shaders", camera.preprocessing_shaders, file);
  put_shaders(out, "depth compute shaders", camera.depth_compute_shaders, file);
  out.put_unless("multipass", camera.multipass, false);
  if (!(camera.mouse == MouseMultipliers{})) {
    out.begin_flow_map("mouse control multipliers");
    out.put("pan", camera.mouse.pan);
    out.put("rotate", camera.mouse.rotate);
    out.put("scroll", camera.mouse.scroll);
    out.put("arcball", camera.mouse.arcball);
    out.end_map();
  }
  out.put_entries(camera.header.extensions);
}

void put_object(AdfEmitter & out, const Light & light, const WriteContext & file)
{
  put_header(out, light.header, file);
  out.put_unless("parent", light.parent, std::string());
  out.put("location", light.location);
  out.put("direction", light.direction);
  out.put("spot exponent", light.spot_exponent);
  out.put("cutoff angle", light.cutoff_angle);
  out.put("shadow quality", light.shadow_quality);
  out.begin_flow_map("attenuation");
  out.put("constant", light.attenuation_constant);
  out.put("linear", light.attenuation_linear);
  out.put("quadratic", light.attenuation_quadratic);
  out.end_map();
  out.put_entries(light.header.extensions);
}

void put_object(AdfEmitter & out, const Volume & volume, const WriteContext & file)
{
  put_header(out, volume.header, file);
  out.put_unless("parent", volume.parent, std::string());
  out.put("location", volume.location);
  out.put("scale", volume.scale);
  out.put("dimensions", volume.dimensions);
  out.put("iso-surface value", volume.iso_surface_value);
  out.put("optical density", volume.optical_density);
  out.put("quality", volume.quality);
  if (volume.images) {
    out.begin_map("images");
    out.put("path", unresolve(file, volume.images->path));
    out.put("prefix", volume.images->prefix);
    out.put("format", volume.images->format);
    out.put("count", volume.images->count);
    out.end_map();
  }
  put_shaders(out, "shaders", volume.shaders, file);
  put_material(out, volume.material);
  out.put_entries(volume.header.extensions);
}

void put_object(AdfEmitter & out, const Vehicle & vehicle, const WriteContext & file)
{
  put_header(out, vehicle.header, file);
  out.put("chassis", vehicle.chassis);
  for (const auto & wheel : vehicle.wheels) {
    if (!wheel.mesh.file.empty()) {
      put_mesh_folder(out, "high resolution path", wheel.mesh, file.high_resolution_path, file);
      break;  // the vehicle's folder is that of all wheels
    }
  }
  out.begin_list("wheels");
  for (const auto & wheel : vehicle.wheels) { put_wheel(out, wheel); }
  out.end_list();
  out.put_entries(vehicle.header.extensions);
}

}  // namespace ambf_adf
