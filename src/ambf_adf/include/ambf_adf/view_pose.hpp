// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "ambf_adf/scene_objects.hpp"

namespace ambf_adf
{

/// A frame at `from` that looks along its -x axis at `at`, with y to the right and z as near to `up`
/// as can be: AMBF's camera frame. Where `at` is the place itself it looks along -x of the parent; an
/// `up` along the view gives way to another axis.
Eigen::Isometry3d looking(
  const Eigen::Vector3d & from, const Eigen::Vector3d & at, const Eigen::Vector3d & up);

/// T_PC of a camera block in its parent's frame.
Eigen::Isometry3d camera_pose(const Camera & camera);

/// T_PL of a light block in its parent's frame: it shines along x, and down where the block gives no
/// direction.
Eigen::Isometry3d light_pose(const Light & light);

}  // namespace ambf_adf
