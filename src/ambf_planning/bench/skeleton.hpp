// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A rib cage with a spine, made of tubes: more than 10,000 faces around a port, as in the thesis's advanced
// scene. Sizes are roughly those of a person; it has no clinical meaning.

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>

#include <Eigen/Geometry>

namespace ambf_planning::bench
{

class TubeWriter
{
public:
  explicit TubeWriter(const std::string & file) : out_(file) {}

  /// A tube along a curve c(0..1).
  void tube(
    const std::function<Eigen::Vector3d(double)> & curve, double radius, int rings, int sides)
  {
    for (int i = 0; i < rings; ++i) {
      const double s = static_cast<double>(i) / (rings - 1);
      const Eigen::Vector3d at = curve(s);
      const Eigen::Vector3d along = (curve(s + 1e-4) - curve(s - 1e-4)).normalized();
      const Eigen::Vector3d side = along.unitOrthogonal();
      const Eigen::Vector3d other = along.cross(side);
      for (int k = 0; k < sides; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / sides;
        const Eigen::Vector3d p = at + radius * (std::cos(angle) * side + std::sin(angle) * other);
        out_ << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
      }
    }
    for (int i = 0; i + 1 < rings; ++i) {
      for (int k = 0; k < sides; ++k) {
        const int a = first_ + i * sides + k;
        const int b = first_ + i * sides + (k + 1) % sides;
        out_ << "f " << a << ' ' << b << ' ' << b + sides << '\n';
        out_ << "f " << a << ' ' << b + sides << ' ' << a + sides << '\n';
        faces_ += 2;
      }
    }
    first_ += rings * sides;
  }
  int faces() const { return faces_; }

private:
  std::ofstream out_;
  int first_ = 1;
  int faces_ = 0;
};

/// The body lies on its back along y, spine at the bottom; the remote centre of an arm at the origin is between
/// two ribs at the top. Returns the number of faces.
inline int write_rib_cage(const std::string & file)
{
  TubeWriter out(file);
  constexpr double width = 0.14;   // [m] half
  constexpr double height = 0.10;  // [m] half
  constexpr double spacing = 0.036;
  const Eigen::Vector3d centre(0.0, 0.0, -height);
  for (int rib = -4; rib < 4; ++rib) {
    const double y = (rib + 0.5) * spacing;
    for (const double side : {-1.0, 1.0}) {
      // From the spine around to the breastbone.
      out.tube(
        [&](double s) {
          const double angle = -0.5 * std::numbers::pi + side * s * 0.93 * std::numbers::pi;
          return Eigen::Vector3d(
            centre +
            Eigen::Vector3d(
              width * std::cos(angle), y + 0.01 * std::sin(angle), height * std::sin(angle)));
        },
        0.005, 45, 10);
    }
  }
  out.tube(
    [&](double s) { return Eigen::Vector3d(0.0, (s - 0.5) * 0.36, -2.0 * height); }, 0.012, 60, 14);
  return out.faces();
}

}  // namespace ambf_planning::bench
