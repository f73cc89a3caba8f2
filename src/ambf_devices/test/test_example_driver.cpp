// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ambf_devices/device_cycle.hpp"
#include "joystick_driver.hpp"

namespace ambf_devices
{
namespace
{

TEST(ExampleDriver, ReadsMetresAndTakesForces)
{
  VendorStick stick;
  stick.x = 12.0;
  stick.trigger = true;
  JoystickDriver driver(stick);
  std::string why;
  ASSERT_TRUE(driver.open(0.0, why));
  DriverState state;
  EXPECT_EQ(driver.read(0.0, state), DriverStatus::Ok);
  EXPECT_DOUBLE_EQ(state.T_base_tip.position.x(), 0.012);
  EXPECT_TRUE(state.position_clutch);
  driver.write(0.0, {Eigen::Vector3d(0, 1.5, 0), Eigen::Vector3d::Zero()});
  EXPECT_EQ(stick.force[1], 1.5);
}

TEST(ExampleDriver, SaysWhatToDoWhenItIsNotThere)
{
  VendorStick stick;
  stick.plugged_in = false;
  JoystickDriver driver(stick);
  std::string why;
  EXPECT_FALSE(driver.open(0.0, why));
  EXPECT_FALSE(why.empty());
  DriverState state;
  EXPECT_EQ(driver.read(0.0, state), DriverStatus::Lost);
}

}  // namespace
}  // namespace ambf_devices
