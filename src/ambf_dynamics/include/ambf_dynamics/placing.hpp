// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include <Eigen/Geometry>

#include "ambf_dynamics/world.hpp"

namespace ambf_dynamics
{

struct Velocity
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< of the origin, world axes [m/s]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [rad/s]
};

/// Where a body is to be and how it is to move; what is absent stays.
struct Placement
{
  BodyIndex body = 0;
  std::optional<Eigen::Isometry3d> t_world_body;
  std::optional<Velocity> velocity;
};

/// Places bodies at once, outside any dynamics: all of them, or none; the error says why not.
///
/// Bodies that joints tie together are an assembly. One of them that is given a pose takes the others along:
/// joint positions stay, and velocities turn with the assembly (or become those of its one rigid motion where
/// a velocity is given). Poses for several of them must be one such motion, or name all of them. A body that
/// hangs on one that stands still (mass 0) is not moved that way: its joints are the way to move it.
[[gnu::visibility("default")]]
expected<void, std::string> place_bodies(World & world, std::span<const Placement> placements);

}  // namespace ambf_dynamics
