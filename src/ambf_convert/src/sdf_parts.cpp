// SPDX-License-Identifier: BSD-3-Clause
#include "sdf_parts.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_convert
{
namespace
{

/// Rays of one sensor that ADF lists one by one.
constexpr std::uint64_t most_rays = 4096;

template <class Color>
ambf_adf::Rgb to_rgb(const Color & c)
{
  return {static_cast<double>(c.R()), static_cast<double>(c.G()), static_cast<double>(c.B())};
}

}  // namespace

bool is_path(const std::string & file)
{
  std::error_code error;
  return std::filesystem::is_regular_file(file, error);
}

std::optional<ambf_adf::Material> SdfParts::material_of(const sdf::Visual & visual)
{
  const auto * source = visual.Material();
  if (source == nullptr) { return std::nullopt; }
  if (!source->ScriptUri().empty() || source->PbrMaterial() != nullptr) {
    warn_("visual", visual.Name(), "a texture or a script of a material", "its colours are taken");
  }
  ambf_adf::Material material;
  material.diffuse = to_rgb(source->Diffuse());
  material.specular = to_rgb(source->Specular());
  material.emission = to_rgb(source->Emissive());
  material.alpha =
    static_cast<double>(source->Diffuse().A()) * (1.0 - static_cast<double>(visual.Transparency()));
  return material;
}

std::optional<ambf_adf::Primitive> SdfParts::shape_of(
  const sdf::Geometry & geometry, const std::string & kind, const std::string & name)
{
  switch (geometry.Type()) {
    case sdf::GeometryType::BOX:
      return ambf_adf::Box{to_eigen(geometry.BoxShape()->Size())};
    case sdf::GeometryType::SPHERE:
      return ambf_adf::Sphere{geometry.SphereShape()->Radius()};
    case sdf::GeometryType::CYLINDER:
      return ambf_adf::Cylinder{
        geometry.CylinderShape()->Radius(), geometry.CylinderShape()->Length(), ambf_adf::Axis::Z};
    case sdf::GeometryType::CAPSULE: {
      const double radius = geometry.CapsuleShape()->Radius();
      return ambf_adf::Capsule{
        radius, geometry.CapsuleShape()->Length() + 2.0 * radius, ambf_adf::Axis::Z};
    }
    case sdf::GeometryType::ELLIPSOID: {
      const Vector3d radii = to_eigen(geometry.EllipsoidShape()->Radii());
      warn_(kind, name, "an ellipsoid", "a ball of the mean radius is taken");
      return ambf_adf::Sphere{radii.mean()};
    }
    case sdf::GeometryType::PLANE:
      return ambf_adf::Plane{to_eigen(geometry.PlaneShape()->Normal()).normalized(), 0.0};
    case sdf::GeometryType::MESH: {
      const auto & mesh = *geometry.MeshShape();
      if (!mesh.Submesh().empty()) { warn_(kind, name, "a part of a mesh", "the whole is taken"); }
      // Addresses of files that were included are relative to those.
      return ambf_adf::MeshPart{
        find_mesh(mesh.Uri(), is_path(mesh.FilePath()) ? mesh.FilePath() : file_),
        to_eigen(mesh.Scale()),
        {}};
    }
    case sdf::GeometryType::EMPTY:
      return std::nullopt;
    default:
      warn_(kind, name, "a shape that ADF does not have", "it is left out");
      return std::nullopt;
  }
}

void SdfParts::read_sensor(
  Assembly & assembly, const sdf::Sensor & source, const std::string & link,
  const Isometry3d & t_link_sensor)
{
  if (const auto * camera = source.CameraSensor()) {
    ambf_adf::Camera result;
    result.header.name = source.Name();
    result.parent = link;
    look_along_x(result, t_link_sensor);
    const double wide = camera->ImageWidth(), high = camera->ImageHeight();
    result.field_view_angle =
      2.0 * std::atan(std::tan(0.5 * camera->HorizontalFov().Radian()) * high / wide);
    result.near_plane = camera->NearClip();
    result.far_plane = camera->FarClip();
    result.visible = false;
    result.image = {
      true, 1, {static_cast<int>(camera->ImageWidth()), static_cast<int>(camera->ImageHeight())}};
    assembly.cameras.push_back(std::move(result));
    return;
  }
  ambf_adf::Sensor result;
  result.header.name = source.Name();
  result.parent = link;
  result.location = pose_of(t_link_sensor);
  if (const auto * lidar = source.LidarSensor()) {
    result.range = lidar->RangeMax();
    result.rays = rays_of(source, *lidar);
    assembly.sensors.push_back(std::move(result));
  } else if (source.Type() == sdf::SensorType::CONTACT) {
    result.type = ambf_adf::SensorType::Contact;
    assembly.sensors.push_back(std::move(result));
  } else {
    warn_("sensor", source.Name(), "a sensor of the type " + source.TypeStr(), "it is left out");
  }
}

ambf_adf::RayArray SdfParts::rays_of(const sdf::Sensor & sensor, const sdf::Lidar & lidar)
{
  ambf_adf::RayArray array;
  const std::uint64_t across = std::max(1U, lidar.HorizontalScanSamples());
  const std::uint64_t up = std::max(1U, lidar.VerticalScanSamples());
  std::uint64_t skip = 1;
  while ((across / skip + 1) * up > most_rays) { ++skip; }
  if (skip > 1) {
    warn_(
      "sensor", sensor.Name(), "more than 4096 rays",
      "each of " + std::to_string(skip) + " is taken");
  }
  const auto angle = [](double from, double to, std::uint64_t i, std::uint64_t count) {
    return count < 2 ? from
                     : from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
  };
  for (std::uint64_t v = 0; v < up; ++v) {
    const double elevation =
      angle(lidar.VerticalScanMinAngle().Radian(), lidar.VerticalScanMaxAngle().Radian(), v, up);
    for (std::uint64_t h = 0; h < across; h += skip) {
      const double azimuth = angle(
        lidar.HorizontalScanMinAngle().Radian(), lidar.HorizontalScanMaxAngle().Radian(), h,
        across);
      array.rays.push_back(
        {Vector3d::Zero(),
         {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
          std::sin(elevation)}});
    }
  }
  return array;
}

void SdfParts::read_light(
  Assembly & assembly, const sdf::Light & source, const std::string & link,
  const Isometry3d & t_parent_light)
{
  ambf_adf::Light light;
  light.header.name = source.Name();
  light.parent = link;
  light.location = t_parent_light.translation();
  light.direction = t_parent_light.linear() * to_eigen(source.Direction());
  light.attenuation_constant = source.ConstantAttenuationFactor();
  light.attenuation_linear = source.LinearAttenuationFactor();
  light.attenuation_quadratic = source.QuadraticAttenuationFactor();
  light.shadow_quality = source.CastShadows() ? 3 : 0;
  if (source.Type() == sdf::LightType::SPOT) {
    light.cutoff_angle = 0.5 * source.SpotOuterAngle().Radian();
    light.spot_exponent = source.SpotFalloff();
  } else {
    light.cutoff_angle = source.Type() == sdf::LightType::DIRECTIONAL ? 1.2 : 1.5;
    warn_("light", source.Name(), "a light that is no spot", "a wide spot is taken");
  }
  assembly.lights.push_back(std::move(light));
}

}  // namespace ambf_convert
