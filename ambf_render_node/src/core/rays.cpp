// SPDX-License-Identifier: BSD-3-Clause
#include "rays.hpp"

#include "ambf_adf/rays.hpp"

namespace ambf_render
{

std::vector<BodyRay> rays_of(
  const ambf_adf::Sensor & sensor, const std::string & body, ambf_adf::MeshCache & meshes)
{
  std::vector<BodyRay> result;
  const Eigen::Isometry3d at = sensor.location.isometry();
  if (const auto rays = ambf_adf::rays_of(sensor, meshes)) {
    for (const auto & [start, end] : *rays) { result.push_back({body, at * start, at * end}); }
  }
  return result;
}

}  // namespace ambf_render
