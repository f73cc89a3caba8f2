// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A square cloth for the tests, with its mesh file.

#include <fstream>
#include <string>

#include "model_builder.hpp"
#include "temporary_file.hpp"

namespace ambf_dynamics::test
{

constexpr int cloth_side = 9;  // nodes per side, 5 cm apart

/// Written once per process.
inline const std::string & cloth_file()
{
  static const TemporaryFile file("ambf_cloth", ".obj");
  static const bool written = [] {
    constexpr int side = cloth_side;
    std::ofstream out(file.path);
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) { out << "v " << 0.05 * i << " " << 0.05 * j << " 0\n"; }
    }
    for (int i = 0; i + 1 < side; ++i) {
      for (int j = 0; j + 1 < side; ++j) {
        const int a = 1 + i * side + j;
        out << "f " << a << " " << a + side << " " << a + side + 1 << "\n";
        out << "f " << a << " " << a + side + 1 << " " << a + 1 << "\n";
      }
    }
    return out.good();
  }();
  EXPECT_TRUE(written) << file.path;
  return file.path;
}

inline ambf_adf::SoftBody cloth(const std::string & name, const Vector3d & at)
{
  ambf_adf::SoftBody s;
  s.header.identifier = s.header.name = s.header.qualified = name;
  s.location.position = at;
  s.mass = 0.2;
  s.collision_mesh.file = s.collision_mesh.path = cloth_file();
  s.collision_margin = 0.01;
  s.config.kDP = 0.01;
  s.config.piterations = 10;
  return s;
}

}  // namespace ambf_dynamics::test
