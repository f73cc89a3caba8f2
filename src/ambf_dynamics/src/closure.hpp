// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_dynamics/world.hpp"

namespace ambf_dynamics
{

/// A joint between two numbered bodies, as the placement sees it.
struct PlacedJoint
{
  const ambf_adf::Joint * joint = nullptr;
  int parent = -1;
  int child = -1;
  double parent_scale = 1.0;
  double child_scale = 1.0;
};

/// A body that the placement may move unless it is held.
struct PlacedBody
{
  Eigen::Isometry3d t_world_body = Eigen::Isometry3d::Identity();
  bool held = false;
};

/// Moves bodies until their joints fit: first along the tree of joints where a body is far off, then
/// all at once by Levenberg-Marquardt on the locked directions of every joint, which also closes
/// loops. Held bodies stay; a connected set without a held body keeps its first one.
ClosureReport close_joints(
  std::vector<PlacedBody> & bodies, const std::vector<PlacedJoint> & joints);

}  // namespace ambf_dynamics
