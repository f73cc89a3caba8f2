// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_proxies/hand_modes.hpp"
#include "hands_world.hpp"

namespace ambf_proxies::test
{
namespace
{

constexpr std::uint32_t a1 = 1u << 1, a2 = 1u << 2, next_button = 1u << 3, prev_button = 1u << 4;
constexpr Buttons buttons{1, 2, -1, 3, 4};

/// A hand with the buttons above, at rest.
class HandModes : public Hands
{
protected:
  HandModes()
  {
    Binding b = binding("falcon", "palm");
    b.buttons = buttons;
    bind({b});
    show(0);
  }

  /// One sample with these buttons down, and a step.
  void show(std::uint32_t down, double x = 0.0)
  {
    DeviceSample sample;
    sample.T_base_tip = at(x, 0, 0);
    sample.actions = down;
    sample.sequence = ++sequence;
    hands_.box(0)->post(sample);
    step();
  }
  void press(std::uint32_t button)
  {
    show(button);
    show(0);
  }
  void enter(HandMode mode)
  {
    while (reading(0).mode != mode) { press(next_button); }
  }
};

TEST_F(HandModes, ButtonsGoThroughAllModesInBothDirections)
{
  EXPECT_EQ(reading(0).mode, HandMode::Clutch);
  press(prev_button);
  EXPECT_EQ(reading(0).mode, HandMode::HapticAngularStiffness);
  for (int i = 0; i < hand_modes; ++i) { press(next_button); }
  EXPECT_EQ(reading(0).mode, HandMode::HapticAngularStiffness);
  press(next_button);
  EXPECT_EQ(reading(0).mode, HandMode::Clutch);
  show(next_button);
  show(next_button);
  EXPECT_EQ(reading(0).mode, HandMode::Gripper) << "held is pressed once";
}

TEST_F(HandModes, TheDeviceIsToldWhichActionsAreClutchesInThisMode)
{
  EXPECT_EQ(reading(0).proxy.clutch_actions, a1 | a2);
  const Vector3d start = reference(0).position;
  show(a1, 0.01);
  EXPECT_EQ(reference(0).position, start) << "the clutch holds the reference";
  show(0, 0.01);
  enter(HandMode::Gripper);
  EXPECT_EQ(reading(0).proxy.clutch_actions, 0u);
  show(a1, 0.01);
  show(a1, 0.02);
  EXPECT_NEAR(reference(0).position.x() - start.x(), 0.01, 1e-12) << "no clutch any more";
}

TEST_F(HandModes, TheGripperIsOpenedAndClosedByATenthAPress)
{
  enter(HandMode::Gripper);
  const auto target = [this] {
    show(0);
    return hands_.joint_targets()[0].position;
  };
  EXPECT_NEAR(target(), -0.01, 1e-12);  // half open, of -0.05 to 0.03
  press(a2);
  EXPECT_NEAR(target(), -0.01 + 0.1 * 0.08, 1e-12);
  for (int i = 0; i < 20; ++i) { press(a1); }
  EXPECT_NEAR(target(), -0.05, 1e-12);
}

TEST_F(HandModes, LiveGainsChangeTheHoldAsPressesSayAndNotBeyondWhatTheStepBears)
{
  Binding tool = binding("falcon", "tool");
  tool.buttons = buttons;
  bind({tool});
  show(0);
  enter(HandMode::ProxyLinearStiffness);
  for (int i = 0; i < 8; ++i) { press(a1); }
  // The hand a millimetre aside: the first step's force is (800 - 80) K and 40 N s/m on a jump of 1 mm.
  const auto pull = [this](double x) {
    const double before = world->state().bodies[7];
    show(0, x);
    return (world->state().bodies[7] - before) * 2.0 / 0.001;
  };
  EXPECT_NEAR(pull(0.001), 0.001 * 720.0 + 40.0 * 0.001 / 0.001, 1e-6);
  for (int i = 0; i < 2000; ++i) { press(a1); }
  EXPECT_GT(reading(0).samples, 4000u);
  enter(HandMode::ProxyLinearDamping);
  for (int i = 0; i < 5000; ++i) { press(a2); }
  // 2 B T / m stays below half of the bound 4: B below 2000 N s/m, and the world stays finite.
  for (int i = 0; i < 100; ++i) { show(0, 0.001 * (i % 2)); }
  EXPECT_TRUE(position(0).allFinite());
  EXPECT_LT((position(0) - Vector3d(0, 0, 1)).norm(), 0.1);
}

TEST_F(HandModes, HapticChangesAreToldToTheDevice)
{
  enter(HandMode::HapticLinearStiffness);
  press(a2);
  press(a2);
  enter(HandMode::HapticAngularStiffness);
  press(a1);
  EXPECT_EQ(reading(0).proxy.haptic_linear_change, 10.0);
  EXPECT_EQ(reading(0).proxy.haptic_angular_change, -1.0);
}

TEST_F(HandModes, AreSavedRestoredAndForgottenWithTheHand)
{
  enter(HandMode::ProxyLinearStiffness);
  press(a2);
  const auto saved = hands_.save();
  press(a2);
  enter(HandMode::HapticLinearStiffness);
  press(a2);
  ASSERT_TRUE(hands_.restore(saved));
  EXPECT_EQ(hands_.save(), saved);
  EXPECT_EQ(reading(0).mode, HandMode::ProxyLinearStiffness);
  EXPECT_EQ(reading(0).proxy.haptic_linear_change, 0.0);
  hands_.forget();
  EXPECT_EQ(reading(0).mode, HandMode::Clutch);
  rebuild();
  EXPECT_EQ(reading(0).mode, HandMode::Clutch);
}

TEST_F(HandModes, AButtonThatIsDownWhenTheHandComesWasNotPressedForThisWorld)
{
  hands_.forget();
  show(next_button);
  EXPECT_EQ(reading(0).mode, HandMode::Clutch);
  show(0);
  show(next_button);
  EXPECT_EQ(reading(0).mode, HandMode::Gripper);
}

TEST(HandChanges, LeaveAxesWithoutAGainToOthersAndNoGainBelowZero)
{
  ambf_teleop::ProxyGains gains;
  gains.linear_stiffness = {100.0, 0.0, 5.0};
  HandChanges changes;
  changes.proxy_linear_stiffness = -20.0;
  EXPECT_EQ(with_changes(gains, changes).linear_stiffness, Vector3d(80.0, 0.0, 0.0));
  EXPECT_TRUE(raises({}, changes));
  EXPECT_FALSE(raises(changes, {}));
}

}  // namespace
}  // namespace ambf_proxies::test
