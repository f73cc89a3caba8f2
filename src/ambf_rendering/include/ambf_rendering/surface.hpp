// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/shape.hpp"

namespace ambf_rendering
{

/// Triangles ready to be drawn: one vertex per place, normal and texture coordinate.
struct Surface
{
  struct Part
  {
    std::uint32_t first_triangle = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t material = 0;
  };
  std::vector<Eigen::Vector3f> positions;
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> texture_coordinates;
  std::vector<std::uint32_t> triangles;  ///< three vertices each
  std::vector<Part> parts;
};

/// Edges sharper than this are drawn as edges where a mesh file has no normals [rad].
inline constexpr double kCreaseAngle = 0.7;

/// A mesh file's triangles. Normals are the file's, or the mean of the neighbours' within the crease
/// angle, weighted with their angles at the vertex.
Surface to_surface(const ambf_adf::Mesh & mesh);

/// A primitive in its own frame. A plane is a square of `kPlaneSize` around its foot point.
Surface to_surface(const ambf_adf::Primitive & shape);
inline constexpr double kPlaneSize = 20.0;  // [m]

/// A box with a cross on each face: what is drawn where a mesh is missing or broken.
Surface placeholder();

}  // namespace ambf_rendering
