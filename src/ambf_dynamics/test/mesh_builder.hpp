// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Mesh files written for tests.

#include <cmath>
#include <fstream>
#include <numbers>

#include "model_builder.hpp"
#include "temporary_file.hpp"

namespace ambf_dynamics::test
{

/// Closed meshes of quadrilaterals, one after the other, in one OBJ file.
class MeshWriter
{
public:
  explicit MeshWriter(const TemporaryFile & file) : out_(file.path) {}

  /// A flat ring around z: rectangular section from `inner` to `outer`, `height` high, centred.
  MeshWriter & ring(double inner, double outer, double height, int sides = 24)
  {
    for (int i = 0; i < sides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / sides;
      for (const auto & [r, z] :
           {std::pair{inner, -0.5}, {outer, -0.5}, {outer, 0.5}, {inner, 0.5}}) {
        out_ << "v " << r * std::cos(angle) << ' ' << r * std::sin(angle) << ' ' << z * height
             << '\n';
      }
    }
    for (int i = 0; i < sides; ++i) {
      for (int k = 0; k < 4; ++k) {
        const int next = (i + 1) % sides;
        face(4 * i + k, 4 * next + k, 4 * next + (k + 1) % 4, 4 * i + (k + 1) % 4);
      }
    }
    first_ += 4 * sides;
    return *this;
  }

  MeshWriter & box(const Vector3d & centre, const Vector3d & size)
  {
    for (int i = 0; i < 8; ++i) {
      const Vector3d corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
      out_ << "v " << (centre + corner.cwiseProduct(size)).transpose() << '\n';
    }
    for (const auto & f :
         {std::array{0, 2, 3, 1},
          {4, 5, 7, 6},
          {0, 1, 5, 4},
          {2, 6, 7, 3},
          {0, 4, 6, 2},
          {1, 3, 7, 5}}) {
      face(f[0], f[1], f[2], f[3]);
    }
    first_ += 8;
    return *this;
  }

private:
  void face(int a, int b, int c, int d)
  {
    out_ << "f " << first_ + a << ' ' << first_ + b << ' ' << first_ + c << ' ' << first_ + d
         << '\n';
  }
  std::ofstream out_;
  int first_ = 1;
};

inline ambf_adf::CollisionMesh concave(const TemporaryFile & file)
{
  ambf_adf::CollisionMesh mesh;
  mesh.mesh.file = mesh.mesh.path = file.path;
  mesh.type = ambf_adf::MeshCollisionType::Concave;
  return mesh;
}

}  // namespace ambf_dynamics::test
