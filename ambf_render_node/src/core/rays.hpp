// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/sensor.hpp"

namespace ambf_render
{

/// A ray of a sensor in the frame of the body that carries it.
struct BodyRay
{
  std::string body;  ///< qualified
  Eigen::Vector3d start, end;
};

/// The rays of a sensor in the order of a snapshot's `ray_flags`; none where its mesh cannot be read.
std::vector<BodyRay> rays_of(
  const ambf_adf::Sensor & sensor, const std::string & body, ambf_adf::MeshCache & meshes);

/// Where a ray ends: at the hit, or at its full length. `depth`: 1 - hit fraction, 0 for a miss.
inline Eigen::Vector3d ray_end(const BodyRay & ray, double depth)
{
  return ray.start + (1.0 - depth) * (ray.end - ray.start);
}

}  // namespace ambf_render
