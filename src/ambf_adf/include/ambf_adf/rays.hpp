// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace ambf_adf
