// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <SDL.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "any_stick_driver.hpp"
#include "spacenav_driver.hpp"

namespace ambf_device_nodes
{
namespace
{

using ambf_devices::DriverState;
using ambf_devices::DriverStatus;

ambf_devices::RateHandParameters simple_hand()
{
  ambf_devices::RateHandParameters hand;
  hand.modes = {*ambf_devices::parse_stick_mode("x=+1 y=+0 z=+2")};
  hand.buttons.position_clutch = 0;
  hand.gripper_axis = 5;
  hand.curve = 1.0;
  return hand;
}

/// SDL's own stand-in for a gamepad.
class VirtualPad : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    ASSERT_EQ(SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER), 0) << SDL_GetError();
  }
  static void TearDownTestSuite() { SDL_Quit(); }

  void plug_in()
  {
    index_ = SDL_JoystickAttachVirtual(
      SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    ASSERT_GE(index_, 0) << SDL_GetError();
    stick_ = SDL_JoystickOpen(index_);
    ASSERT_NE(stick_, nullptr);
  }

  void unplug()
  {
    if (stick_ == nullptr) { return; }
    SDL_JoystickClose(stick_);
    stick_ = nullptr;
    SDL_JoystickDetachVirtual(index_);
  }

  void TearDown() override { unplug(); }

  GamepadDriver driver_{{}, simple_hand(), 200.0};
  int index_ = -1;
  SDL_Joystick * stick_ = nullptr;
};

TEST_F(VirtualPad, MovesTheHandPullsTheGripperPressesTheClutch)
{
  plug_in();
  std::string why;
  ASSERT_TRUE(driver_.open(0.0, why)) << why;
  SDL_JoystickSetVirtualAxis(stick_, SDL_CONTROLLER_AXIS_LEFTX, 32767);
  SDL_JoystickSetVirtualAxis(stick_, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
  SDL_JoystickSetVirtualButton(stick_, SDL_CONTROLLER_BUTTON_A, 1);
  DriverState state;
  for (int i = 1; i <= 100; ++i) { ASSERT_EQ(driver_.read(0.01 * i, state), DriverStatus::Ok); }
  // The first update may still be that of the stick at rest.
  EXPECT_NEAR(state.T_base_tip.position.y(), 0.15, 0.002);
  EXPECT_NEAR(state.T_base_tip.position.x(), 0.0, 1e-12);
  EXPECT_LT(state.gripper, 0.01);
  EXPECT_TRUE(state.position_clutch);
}

TEST_F(VirtualPad, IsLostWhenUnpluggedAndFoundAgain)
{
  std::string why;
  EXPECT_FALSE(driver_.open(0.0, why));
  EXPECT_NE(why.find("no gamepad 0"), std::string::npos) << why;
  plug_in();
  ASSERT_TRUE(driver_.open(0.5, why)) << why;
  DriverState state;
  EXPECT_EQ(driver_.read(0.6, state), DriverStatus::Ok);
  unplug();
  EXPECT_EQ(driver_.read(0.7, state), DriverStatus::Lost);
  driver_.close();
  EXPECT_FALSE(driver_.open(1.2, why));
  plug_in();
  EXPECT_TRUE(driver_.open(1.7, why)) << why;
}

TEST_F(VirtualPad, AnotherNameOrNumberIsNotThere)
{
  plug_in();
  std::string why;
  GamepadDriver other({0, "Falcon"}, simple_hand(), 200.0);
  EXPECT_FALSE(other.open(0.0, why));
  EXPECT_NE(why.find("named 'Falcon'"), std::string::npos) << why;
  GamepadDriver second({1, ""}, simple_hand(), 200.0);
  EXPECT_FALSE(second.open(0.0, why));
}

TEST_F(VirtualPad, TakesOverFromTheKeyboardThatStoodInForIt)
{
  AnyStickDriver driver({}, simple_hand(), "test", 0.001, simple_hand(), 100.0);
  std::string why;
  ASSERT_TRUE(driver.open(0.0, why)) << why;
  EXPECT_NE(driver.capabilities().model.find("keyboard"), std::string::npos);
  DriverState state;
  EXPECT_EQ(driver.read(0.5, state), DriverStatus::Ok);
  KeyboardDriver second("second", 0.001, simple_hand(), 100.0);
  EXPECT_FALSE(second.open(0.5, why));
  EXPECT_NE(why.find("another device of this process"), std::string::npos) << why;

  plug_in();
  EXPECT_EQ(driver.read(1.1, state), DriverStatus::Lost);
  driver.close();
  ASSERT_TRUE(driver.open(1.2, why)) << why;
  EXPECT_EQ(driver.capabilities().model.find("keyboard"), std::string::npos);
  EXPECT_EQ(driver.read(1.3, state), DriverStatus::Ok);
  unplug();
  EXPECT_EQ(driver.read(1.4, state), DriverStatus::Lost);
  driver.close();
  ASSERT_TRUE(driver.open(1.5, why)) << why;
  EXPECT_NE(driver.capabilities().model.find("keyboard"), std::string::npos);
}

void press(int key, bool down)
{
  SDL_Event event{};
  event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
  event.key.keysym.sym = key;
  SDL_PushEvent(&event);
}

TEST(Keyboard, KeysMoveMousePullsAndFocusLostLetsGo)
{
  setenv("SDL_VIDEODRIVER", "dummy", 1);
  ambf_devices::RateHandParameters hand;
  hand.modes = {*ambf_devices::parse_stick_mode("x=+0 y=+1 z=+2 rx=+3 ry=+4 rz=+5")};
  hand.buttons.camera_clutch = 1;
  hand.curve = 1.0;
  KeyboardDriver driver("test", 0.001, hand, 100.0);
  std::string why;
  ASSERT_TRUE(driver.open(0.0, why)) << why;
  DriverState state;
  driver.read(0.01, state);

  press(SDLK_d, true);
  press(SDLK_c, true);
  driver.read(0.02, state);
  EXPECT_NEAR(state.T_base_tip.position.y(), 0.0015, 1e-9);
  EXPECT_TRUE(state.camera_clutch);
  press(SDLK_d, false);
  press(SDLK_l, true);
  driver.read(0.03, state);
  EXPECT_NEAR(state.T_base_tip.position.y(), 0.0015, 1e-9);
  EXPECT_NEAR(state.twist.angular.z(), -1.0, 1e-9);

  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.state = SDL_BUTTON_LMASK;
  event.motion.yrel = -5;
  SDL_PushEvent(&event);
  driver.read(0.04, state);
  EXPECT_NEAR(state.T_base_tip.position.z(), 0.005, 1e-9);

  event = {};
  event.type = SDL_WINDOWEVENT;
  event.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
  SDL_PushEvent(&event);
  driver.read(0.05, state);
  EXPECT_EQ(state.twist.angular.norm(), 0.0);
  EXPECT_FALSE(state.camera_clutch);

  event = {};
  event.type = SDL_QUIT;
  SDL_PushEvent(&event);
  EXPECT_EQ(driver.read(0.06, state), DriverStatus::Lost);
  driver.close();
  EXPECT_FALSE(driver.open(0.07, why));
}

TEST(SpaceNav, WithoutItsDaemonSaysSoAndMayBeTriedAgain)
{
  SpaceNavDriver driver(350.0, simple_hand(), 100.0);
  std::string why;
  if (driver.open(0.0, why)) { GTEST_SKIP() << "a spacenavd runs here"; }
  EXPECT_NE(why.find("spacenavd"), std::string::npos) << why;
  why.clear();
  EXPECT_FALSE(driver.open(0.5, why));
  EXPECT_FALSE(why.empty());
}

}  // namespace
}  // namespace ambf_device_nodes
