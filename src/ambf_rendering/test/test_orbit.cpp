// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <cmath>

#include "ambf_adf/view_pose.hpp"
#include "ambf_rendering/orbit.hpp"

namespace
{

using Eigen::Vector3d;

TEST(OrbitControl, TurningKeepsTheTargetAndTheHorizon)
{
  ambf_rendering::Orbit orbit;
  orbit.pose = ambf_adf::looking({2, 1, 1}, {0, 0, 0.5}, {0, 0, 1});
  orbit.distance = (Vector3d(2, 1, 1) - Vector3d(0, 0, 0.5)).norm();
  for (int i = 0; i < 100; ++i) { ambf_rendering::turn(orbit, 0.1, 0.3); }
  EXPECT_TRUE(orbit.target().isApprox(Vector3d(0, 0, 0.5), 1e-9));
  EXPECT_NEAR(orbit.pose.linear()(2, 1), 0.0, 1e-9);  // the right axis stays level
  EXPECT_LT(std::abs(orbit.pose.linear()(2, 0)), 1.0);
}

TEST(OrbitControl, ZoomAndPanMoveAsAskedFor)
{
  ambf_rendering::Orbit orbit;
  orbit.pose = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, {0, 0, 1});
  orbit.distance = 2.0;
  ambf_rendering::zoom(orbit, std::log(2.0));
  EXPECT_TRUE(orbit.pose.translation().isApprox(Vector3d(1, 0, 0)));
  ambf_rendering::pan(orbit, 0.5, 0.0);
  EXPECT_TRUE(orbit.pose.translation().isApprox(Vector3d(1, -0.5, 0)));
  ambf_rendering::frame(orbit, {0, 0, 0}, 0.5, 1.0);
  EXPECT_NEAR(orbit.target().norm(), 0.0, 1e-12);
}

}  // namespace
