#include "rays.hpp"

#include <algorithm>
#include <variant>

#include <Eigen/Geometry>

namespace ambf_render
{

namespace
{

using Eigen::AngleAxisd;
using Eigen::Vector3d;

/// Start and end in the sensor's frame.
using Segments = std::vector<std::pair<Vector3d, Vector3d>>;

struct Layout
{
  double range;
  ambf_adf::MeshCache & meshes;

  Segments operator()(const ambf_adf::RayArray & array) const
  {
    Segments rays;
    for (const auto & ray : array.rays) {rays.emplace_back(ray.offset, ray.offset + range * ray.direction);}
    return rays;
  }
  Segments operator()(const ambf_adf::RayFan & fan) const
  {
    Segments rays;
    const int last = std::max(2, fan.resolution) - 1;
    for (int i = 0; i <= last; ++i) {
      const AngleAxisd yaw(fan.horizontal_angle * (static_cast<double>(i) / last - 0.5), Vector3d::UnitZ());
      for (int j = 0; j <= last; ++j) {
        const AngleAxisd pitch(fan.vertical_angle * (static_cast<double>(j) / last - 0.5), Vector3d::UnitY());
        const Vector3d direction = yaw * (pitch * Vector3d::UnitX());
        rays.emplace_back(fan.start_offset * direction, (fan.start_offset + range) * direction);
      }
    }
    return rays;
  }
  Segments operator()(const ambf_adf::RayMesh & source) const
  {
    Segments rays;
    const auto mesh = meshes.get(source.mesh.path);
    if (!mesh) {return rays;}
    const auto & corners = (*mesh)->unified_triangles;
    for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
      const Vector3d & a = (*mesh)->unified[corners[k]], & b = (*mesh)->unified[corners[k + 1]],
        & c = (*mesh)->unified[corners[k + 2]];
      const Vector3d normal = (b - a).cross(c - b), middle = (a + b + c) / 3.0;
      if (normal.norm() >= 1e-18) {rays.emplace_back(middle, middle + range * normal.normalized());}
    }
    return rays;
  }
};

}  // namespace

std::vector<BodyRay> rays_of(
  const ambf_adf::Sensor & sensor, const std::string & body, ambf_adf::MeshCache & meshes)
{
  std::vector<BodyRay> result;
  if (sensor.type == ambf_adf::SensorType::Contact) {return result;}
  const Eigen::Isometry3d at = sensor.location.isometry();
  for (const auto & [start, end] : std::visit(Layout{sensor.range, meshes}, sensor.rays)) {
    // The simulator leaves rays without length out of its flags.
    if ((end - start).norm() >= 1e-9) {result.push_back({body, at * start, at * end});}
  }
  return result;
}

}  // namespace ambf_render
