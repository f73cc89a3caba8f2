// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ambf_adf/material.hpp"
#include "ambf_adf/object.hpp"

namespace ambf_adf
{

enum class Axis
{
  X,
  Y,
  Z
};

/// All shapes are centred on their own origin. Lengths in metres; `scale` of the body does not
/// apply.
struct Box
{
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  ///< full lengths along x, y, z [m]
  friend bool operator==(const Box &, const Box &) = default;
};

struct Sphere
{
  double radius = 1.0;
  friend bool operator==(const Sphere &, const Sphere &) = default;
};

struct Cylinder
{
  double radius = 1.0;
  double height = 1.0;
  Axis axis = Axis::Z;
  friend bool operator==(const Cylinder &, const Cylinder &) = default;
};

struct Capsule
{
  double radius = 1.0;
  double height = 2.0;  ///< total length with both caps: the cylindrical part is height - 2 radius
  Axis axis = Axis::Z;
  friend bool operator==(const Capsule &, const Capsule &) = default;
};

struct Cone
{
  double radius = 1.0;
  double height = 1.0;  ///< base at -height/2, tip at +height/2 along the axis
  Axis axis = Axis::Z;
  friend bool operator==(const Cone &, const Cone &) = default;
};

/// Half space { p : normal . p <= offset } in the shape's frame.
struct Plane
{
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit
  double offset = 0.0;                                ///< [m]
  friend bool operator==(const Plane &, const Plane &) = default;
};

enum class MeshCollisionType
{
  Concave,     ///< triangles as they are (default)
  ConvexMesh,  ///< one convex triangle mesh per sub-mesh
  ConvexHull,  ///< hull of the vertices
  PointCloud,  ///< a sphere of radius `collision margin` at each vertex
};

/// A mesh file. Vertices are in the body frame after multiplication with the body's `scale`.
struct MeshFile
{
  std::string file;  ///< as written ("base_link.STL")
  /// Where to read it: absolute or relative to the resource base of the model; "" if unresolvable.
  std::string path;
  bool exists = false;  ///< false: looked for and not there, or looking was switched off
  friend bool operator==(const MeshFile & a, const MeshFile & b)
  {
    return a.file == b.file &&
           a.path == b.path;  // whether it exists is the machine's, not the model's
  }
};

/// A mesh as a part among shapes (extension of ours: shape `MESH`).
struct MeshPart
{
  MeshFile mesh;  ///< relative to the ADF file, not to the resolution paths
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();      ///< on the vertices; below 0: mirrored
  MeshCollisionType type = MeshCollisionType::Concave;  ///< where it collides
  friend bool operator==(const MeshPart &, const MeshPart &) = default;
};

using Primitive = std::variant<Box, Sphere, Cylinder, Capsule, Cone, Plane, MeshPart>;

/// A primitive placed in the body frame.
struct PlacedShape
{
  Primitive shape;
  Pose offset;       ///< shape frame in the body (mesh) frame
  std::string name;  ///< label of a part of a compound; no meaning
  /// Colour of this part alone (extension of ours: `color components` of a part); absent: the body's.
  std::optional<Material> material = {};
  friend bool operator==(const PlacedShape &, const PlacedShape &) = default;
};

struct CollisionMesh
{
  MeshFile mesh;
  MeshCollisionType type = MeshCollisionType::Concave;
  friend bool operator==(const CollisionMesh &, const CollisionMesh &) = default;
};

struct NoShape
{
  friend bool operator==(const NoShape &, const NoShape &) = default;
};

/// One or several primitives. A single shape is a list of one; `compound` keeps which form it was.
struct ShapeList
{
  std::vector<PlacedShape> shapes;
  bool compound = false;
  friend bool operator==(const ShapeList &, const ShapeList &) = default;
};

/// Precedence when a block gives several: single shape, compound, mesh.
using Collision = std::variant<NoShape, ShapeList, CollisionMesh>;
using VisualGeometry = std::variant<NoShape, ShapeList, MeshFile>;

}  // namespace ambf_adf
