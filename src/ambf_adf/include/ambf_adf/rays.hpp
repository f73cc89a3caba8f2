// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/sensor.hpp"

namespace ambf_adf
{

/// A ray of a sensor in the sensor's frame [m].
struct RaySegment
{
  Eigen::Vector3d start, end;
};

/// The rays of a sensor in the order in which their readings are reported. Rays without length are left
/// out; contact sensors have none. The error names the mesh that cannot be read.
expected<std::vector<RaySegment>, MeshError> rays_of(const Sensor & sensor, MeshCache & meshes);

/// A ray of a sensor in the frame of the body that carries it [m].
struct BodyRay
{
  std::string body;  ///< qualified
  Eigen::Vector3d start, end;
};

/// The same rays in the frame of the body that carries the sensor; none where a mesh cannot be read.
std::vector<BodyRay> rays_on_body(
  const Sensor & sensor, const std::string & body, MeshCache & meshes);

/// Where a ray ends: at the hit, or at its full length. `depth`: 1 - hit fraction, 0 for a miss.
inline Eigen::Vector3d ray_end(const BodyRay & ray, double depth)
{
  return ray.start + (1.0 - depth) * (ray.end - ray.start);
}

}  // namespace ambf_adf
