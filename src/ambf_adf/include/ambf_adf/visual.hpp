// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "ambf_adf/shape.hpp"

namespace ambf_adf
{

/// Red, green, blue in 0..1.
using Rgb = Eigen::Vector3d;

/// Surface colour. Defaults are AMBF's for keys that a `color components` map leaves out.
struct Material
{
  std::optional<double> ambient_level;  ///< ambient colour as a factor on diffuse; absent: grey 0.3
  Rgb diffuse = Rgb::Constant(0.7);
  Rgb specular = Rgb::Constant(1.0);
  Rgb emission = Rgb::Constant(0.0);
  unsigned shininess = 64;
  double alpha = 1.0;  ///< `transparency`: 1 opaque, 0 invisible

  Rgb ambient() const { return ambient_level ? Rgb(*ambient_level * diffuse) : Rgb::Constant(0.3); }
  friend bool operator==(const Material &, const Material &) = default;
};

/// GLSL programs; paths are resolved like mesh paths.
struct Shaders
{
  std::string path;
  std::string vertex;
  std::string fragment;
  friend bool operator==(const Shaders &, const Shaders &) = default;
};

struct Visual
{
  VisualGeometry geometry;
  bool visible = true;
  /// Absent: the mesh's own materials (also for `use material: false`).
  std::optional<Material> material;
  std::optional<Shaders> shaders;
  /// Weld equal vertices of the visual mesh.
  bool remove_duplicates = false;
  friend bool operator==(const Visual &, const Visual &) = default;
};

}  // namespace ambf_adf
