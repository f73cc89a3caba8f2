// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/model.hpp"
#include "ambf_adf/world.hpp"
#include "ambf_dynamics/objects.hpp"

namespace ambf_simulation
{

/// A camera or a light: no part of the dynamics, carried by a body, by a camera, or by the world.
struct View
{
  ambf_adf::ObjectHeader header;
  std::string model;   ///< empty: of the world file
  std::string parent;  ///< qualified, or as written where unknown
  ambf_dynamics::BodyIndex body = ambf_dynamics::no_index;
  std::uint32_t camera = ambf_dynamics::no_index;               ///< the camera that carries it
  Eigen::Isometry3d described = Eigen::Isometry3d::Identity();  ///< T_PV at load
  Eigen::Isometry3d t_parent_view = Eigen::Isometry3d::Identity();
};

/// The world file's cameras and lights in the form that names and parents are resolved in.
ambf_adf::Model views_of(const ambf_adf::World & world);

/// T_WP of what carries a view: a body, a camera (a parent is looked up at most as often as there are
/// cameras), or the world.
Eigen::Isometry3d parent_pose(
  const View & view, const std::vector<View> & cameras, const std::vector<double> & bodies);

/// World poses of `views`, 7 numbers each (position, quaternion x y z w). `cameras` are the parents
/// that a view may have; a parent is looked up at most as often as there are cameras, so that two that
/// carry each other do no harm.
void world_poses(
  const std::vector<View> & views, const std::vector<View> & cameras,
  const std::vector<double> & bodies, std::vector<double> & out);
/// The same in the parents' frames.
void parent_poses(const std::vector<View> & views, std::vector<double> & out);

}  // namespace ambf_simulation
