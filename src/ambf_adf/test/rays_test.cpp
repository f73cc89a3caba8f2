// SPDX-License-Identifier: BSD-3-Clause
// Rays of sensors: which they are and in which order.
#include <gtest/gtest.h>

#include <cmath>

#include "ambf_adf/rays.hpp"

namespace ambf_adf
{
namespace
{

using Eigen::Vector3d;

TEST(Rays, OfAFanAreInTheOrderOfTheSimulator)
{
  Sensor sensor;
  sensor.range = 2.0;
  sensor.location.position = {0, 0, 1};
  RayFan fan;
  fan.resolution = 3;
  fan.horizontal_angle = M_PI;
  fan.vertical_angle = 0.2;
  fan.start_offset = 0.5;
  sensor.rays = fan;
  MeshCache meshes;
  const auto rays = rays_on_body(sensor, "carrier", meshes);
  ASSERT_EQ(rays.size(), 9U);
  EXPECT_TRUE(rays[4].start.isApprox(Vector3d(0.5, 0, 1)));  // the middle one
  EXPECT_TRUE(rays[4].end.isApprox(Vector3d(2.5, 0, 1)));
  EXPECT_TRUE(rays[1].end.isApprox(Vector3d(0, -2.5, 1)));  // yaw is the slow index
  EXPECT_TRUE(ray_end(rays[4], 0.75).isApprox(Vector3d(1.0, 0, 1)));
  sensor.type = SensorType::Contact;
  EXPECT_TRUE(rays_on_body(sensor, "carrier", meshes).empty());
}

}  // namespace
}  // namespace ambf_adf
