// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/rays.hpp"

#include <algorithm>
#include <variant>

#include <Eigen/Geometry>

namespace ambf_adf
{

namespace
{

using Eigen::AngleAxisd;
using Eigen::Vector3d;
using Segments = expected<std::vector<RaySegment>, MeshError>;

struct Layout
{
  double range;
  MeshCache & meshes;

  Segments operator()(const RayArray & array) const
  {
    std::vector<RaySegment> rays;
    for (const Ray & ray : array.rays) {
      rays.push_back({ray.offset, ray.offset + range * ray.direction});
    }
    return rays;
  }

  Segments operator()(const RayFan & fan) const
  {
    std::vector<RaySegment> rays;
    const int last = std::max(2, fan.resolution) - 1;
    for (int i = 0; i <= last; ++i) {
      const AngleAxisd yaw(
        fan.horizontal_angle * (static_cast<double>(i) / last - 0.5), Vector3d::UnitZ());
      for (int j = 0; j <= last; ++j) {
        const AngleAxisd pitch(
          fan.vertical_angle * (static_cast<double>(j) / last - 0.5), Vector3d::UnitY());
        const Vector3d direction = yaw * (pitch * Vector3d::UnitX());
        rays.push_back({fan.start_offset * direction, (fan.start_offset + range) * direction});
      }
    }
    return rays;
  }

  Segments operator()(const RayMesh & source) const
  {
    if (source.mesh.path.empty()) {
      return unexpected(MeshError{source.mesh.file, "no such file"});
    }
    const auto mesh = meshes.get(source.mesh.path);
    if (!mesh) { return unexpected(mesh.error()); }
    std::vector<RaySegment> rays;
    const auto & corners = (*mesh)->unified_triangles;
    for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
      const Vector3d & a = (*mesh)->unified[corners[k]];
      const Vector3d & b = (*mesh)->unified[corners[k + 1]];
      const Vector3d & c = (*mesh)->unified[corners[k + 2]];
      const Vector3d normal = (b - a).cross(c - b);
      if (normal.norm() < 1e-18) { continue; }
      const Vector3d middle = (a + b + c) / 3.0;
      rays.push_back({middle, middle + range * normal.normalized()});
    }
    return rays;
  }
};

}  // namespace

Segments rays_of(const Sensor & sensor, MeshCache & meshes)
{
  if (sensor.type == SensorType::Contact) { return std::vector<RaySegment>{}; }
  auto rays = std::visit(Layout{sensor.range, meshes}, sensor.rays);
  if (rays) {
    std::erase_if(
      *rays, [](const RaySegment & ray) { return (ray.end - ray.start).norm() < 1e-9; });
  }
  return rays;
}

std::vector<BodyRay> rays_on_body(
  const Sensor & sensor, const std::string & body, MeshCache & meshes)
{
  std::vector<BodyRay> result;
  const Eigen::Isometry3d at = sensor.location.isometry();
  if (const auto rays = rays_of(sensor, meshes)) {
    for (const auto & [start, end] : *rays) { result.push_back({body, at * start, at * end}); }
  }
  return result;
}

}  // namespace ambf_adf
