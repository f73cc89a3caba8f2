// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "assembly.hpp"
#include "mjcf_values.hpp"

namespace ambf_convert
{

/// What <asset> holds.
struct MjcfAssets
{
  struct MeshAsset
  {
    ambf_adf::MeshFile file;
    Vector3d scale = Vector3d::Ones();
    Isometry3d t_mesh_file = Isometry3d::Identity();  ///< refpos and refquat
  };
  std::map<std::string, MeshAsset> meshes;
  std::map<std::string, ambf_adf::Material> materials;

  void read(
    XmlSource & source, const XMLElement & element, const MjcfDefaults & defaults,
    const MjcfCompiler & compiler, const std::string & file);
};

/// Mass, centre and tensor that add up over shapes.
struct MassSum
{
  double mass = 0.0;
  Vector3d first = Vector3d::Zero();   ///< mass times place
  Matrix3d second = Matrix3d::Zero();  ///< tensor about the origin

  /// A part with a tensor about its own centre in its own axes.
  void add(double part_mass, const Isometry3d & t_body_part, const Matrix3d & tensor);
  Vector3d center() const { return first / mass; }
  Matrix3d about_center() const;
};

/// Shapes of a geom for a link, and its mass; `sum` null: nobody asks for it.
void read_geom(
  const MjcfElement & geom, const MjcfCompiler & compiler, const MjcfAssets & assets,
  const Isometry3d & t_body_frame, Link & link, MassSum * sum);

}  // namespace ambf_convert
