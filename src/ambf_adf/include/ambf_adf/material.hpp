// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include <Eigen/Core>

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

}  // namespace ambf_adf
