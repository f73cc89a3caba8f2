// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/model.hpp"
#include "bullet.hpp"

namespace ambf_dynamics
{

/// A collision shape with everything that it refers to. Shared between bodies that are alike.
struct BuiltShape
{
  std::vector<std::unique_ptr<btCollisionShape>> parts;
  std::unique_ptr<btTriangleMesh> triangles;
  std::vector<std::unique_ptr<btTriangleMesh>> part_triangles;  ///< of meshes among other shapes
  std::unique_ptr<btCollisionShape> root;                       ///< in the inertial frame I
  bool empty = false;                                           ///< nothing to collide with
  bool filled = false;  ///< a concave mesh that collides as convex hulls of its parts
  /// Filled ones: what the surface is made from, see ShapeFactory::surface.
  std::shared_ptr<const ambf_adf::Mesh> source;
  Eigen::Affine3d t_inertial_mesh = Eigen::Affine3d::Identity();  ///< with the scale
  std::unique_ptr<btTriangleMesh> surface_triangles;
  std::unique_ptr<btBvhTriangleMeshShape> surface;
};

/// What a block needs to become a shape. Rigid bodies and ghost objects both have it.
struct ShapeRequest
{
  const ambf_adf::Collision * collision = nullptr;
  double scale = 1.0;
  double margin = 0.001;
  bool moving = false;  ///< concave meshes of moving bodies are decomposed into convex parts
  Eigen::Isometry3d t_body_inertial = Eigen::Isometry3d::Identity();
};

/// Makes and shares shapes; reads meshes through one cache.
class ShapeFactory
{
public:
  /// Never fails: what cannot be read becomes an empty shape with a warning.
  std::shared_ptr<BuiltShape> make(
    const ShapeRequest & request, const std::string & owner, ambf_adf::Problems & warnings);

  /// Mean of the vertices of a collision mesh times scale (AMBF's estimate of the centre of mass);
  /// nothing for other shapes.
  std::optional<Eigen::Vector3d> mean_vertex(const ambf_adf::Collision & collision, double scale);
  ambf_adf::MeshCache & meshes() { return meshes_; }
  /// The triangles of a filled shape, in the frame of its root and without a margin. Made when first asked for.
  const btBvhTriangleMeshShape & surface(BuiltShape & filled) const;

private:
  ambf_adf::MeshCache meshes_;
  std::map<std::string, std::weak_ptr<BuiltShape>> shared_;
};

/// Splits a mesh into connected parts and returns the points of a convex hull of at most
/// `max_vertices` for each, at most `max_parts`.
std::vector<std::vector<Eigen::Vector3d>> convex_parts(
  const ambf_adf::Mesh & mesh, std::size_t max_parts = 32, std::size_t max_vertices = 64);

/// At most `max_vertices` of the points: the extreme ones in evenly spread directions.
std::vector<Eigen::Vector3d> reduced_hull(
  const std::vector<Eigen::Vector3d> & points, std::size_t max_vertices);

/// Principal moments [kg m^2] for a shape with the given mass: exact for one primitive, else those of
/// the bounding box (as Bullet and AMBF do).
Eigen::Vector3d estimate_inertia(const BuiltShape & shape, double mass);

}  // namespace ambf_dynamics
