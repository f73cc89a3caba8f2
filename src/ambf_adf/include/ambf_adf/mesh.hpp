// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/visual.hpp"

namespace ambf_adf
{

/// A mesh file. Vertices of drawing (one per corner where normals or texture coordinates differ)
/// and unified vertices for physics (one per place), with a map between them. Units are the file's.
struct Mesh
{
  struct Part
  {
    std::string name;
    std::uint32_t first_triangle = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t material = 0;
  };
  struct MeshMaterial
  {
    Material color;
    std::string name;
    std::string
      diffuse_texture;  ///< as written in the file, relative to the mesh's folder; "" if none
  };

  std::vector<Eigen::Vector3f> vertices;  ///< drawing vertices, in file order
  std::vector<Eigen::Vector3f> normals;   ///< per drawing vertex, empty if the file has none
  std::vector<Eigen::Vector2f> texture_coordinates;  ///< per drawing vertex, empty if none
  std::vector<std::uint32_t> triangles;              ///< three drawing vertices each
  std::vector<Part> parts;                           ///< sub-meshes, in file order
  std::vector<MeshMaterial> materials;

  std::vector<Eigen::Vector3d> unified;   ///< one per distinct place, in order of first use
  std::vector<std::uint32_t> to_unified;  ///< drawing vertex -> unified vertex
  /// Vertex number of the file (as ADF's `fixed nodes` count) -> unified vertex.
  std::vector<std::uint32_t> file_to_unified;
  std::vector<std::uint32_t>
    unified_triangles;  ///< three unified vertices each, degenerate ones left out
  /// `l` elements of OBJ files as pairs of unified vertices (links of soft bodies).
  std::vector<std::uint32_t> unified_lines;

  Eigen::AlignedBox3d bounds;
};

struct MeshError
{
  std::string file;
  std::string reason;
};

/// Reads STL, OBJ (with polylines and materials), 3DS, DAE, PLY and what else assimp knows.
/// Vertices closer than `weld_distance` in every coordinate become one unified vertex; 0 welds
/// equal ones only.
expected<Mesh, MeshError> load_mesh(const std::filesystem::path & file, double weld_distance = 0.0);

/// Shares meshes between bodies and models. Reads a file again when its time stamp or size changed.
/// Safe to use from several threads.
class MeshCache
{
public:
  MeshCache();
  ~MeshCache();
  MeshCache(const MeshCache &) = delete;
  MeshCache & operator=(const MeshCache &) = delete;

  expected<std::shared_ptr<const Mesh>, MeshError> get(const std::filesystem::path & file);
  /// Forgets meshes that nobody else holds.
  void drop_unused();
  std::size_t size() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct MassProperties
{
  double volume = 0.0;  ///< [m^3], positive for outward-facing triangles
  double mass = 0.0;    ///< [kg]
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia =
    Eigen::Matrix3d::Zero();  ///< about the centre of mass, mesh axes [kg m^2]
};

struct PrincipalInertia
{
  Eigen::Vector3d moments;   ///< ascending [kg m^2]
  Eigen::Matrix3d rotation;  ///< columns = principal axes in mesh axes, right-handed
};

/// Do the triangles run through every edge equally often in both senses?
bool is_closed(const Mesh & mesh);

/// Mass, centre of mass and inertia of the solid inside a closed mesh of uniform density [kg/m^3],
/// exact for the polyhedron (signed tetrahedra). Inward-facing meshes are turned. Fails with a
/// reason for open meshes and for volumes that are zero.
expected<MassProperties, MeshError> mass_properties(
  const Mesh & mesh, double density, double scale = 1.0);

/// Principal moments and axes of an inertia matrix.
PrincipalInertia principal(const Eigen::Matrix3d & inertia);

}  // namespace ambf_adf
