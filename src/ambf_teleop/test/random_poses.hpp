// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <random>

#include "ambf_teleop/frames.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop::test
{

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// `few` in the fast tier, `many` with AMBF_TEST_LONG=1.
inline int rounds(int few, int many)
{
  const char * wish = std::getenv("AMBF_TEST_LONG");
  return wish != nullptr && wish[0] == '1' ? many : few;
}

class RandomPoses
{
public:
  explicit RandomPoses(unsigned seed) : engine_(seed) {}

  double number(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  bool chance(double probability) { return number(0.0, 1.0) < probability; }
  Vector3d vector(double size)
  {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }
  Quaterniond rotation()
  {
    std::normal_distribution<double> normal;
    return Quaterniond(normal(engine_), normal(engine_), normal(engine_), normal(engine_))
      .normalized();
  }
  Pose pose(double size = 1.0) { return {vector(size), rotation()}; }
  /// A little further than `from`.
  Pose nearby(const Pose & from, double metres, double radians)
  {
    return {
      from.position + vector(metres),
      (from_rotation_vector(vector(radians)) * from.orientation).normalized()};
  }

private:
  std::mt19937_64 engine_;
};

/// Metres plus radians between two poses.
inline double gap(const Pose & a, const Pose & b)
{
  return (a.position - b.position).norm() + angle_between(a.orientation, b.orientation);
}

}  // namespace ambf_teleop::test
