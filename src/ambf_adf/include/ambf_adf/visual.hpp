// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "ambf_adf/shape.hpp"

namespace ambf_adf
{

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
