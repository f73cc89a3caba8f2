// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"
#include "ambf_proxies/binding.hpp"
#include "ambf_teleop/stability.hpp"
#include "hands_world.hpp"

namespace ambf_proxies::test
{
namespace
{

ambf_adf::InputDevice device_of(const std::string & keys)
{
  auto devices = ambf_adf::parse_input_devices_text(
    "input devices: [MTM R]\nMTM R:\n  hardware name: MTMR\n" + keys, "devices", "", {});
  EXPECT_TRUE(devices) << (devices ? "" : ambf_adf::to_string(devices.error()));
  return devices->devices.at(0);
}

TEST(Binding, TakesWhatTheFileSays)
{
  const Binding b = binding_of(device_of(R"(
  root link: BODY tool
  workspace scaling: 5
  orientation offset: {r: 0.0, p: 0.0, y: 1.5}
  controller gain: {linear: {P: 500, D: 10}, angular: {P: 50, D: 1}}
  enable joint control: false
  pair cameras: [side camera, front camera]
  button mapping: {a1: 1, a2: 2, g1: 5, next mode: 3, prev mode: 4}
)"));
  EXPECT_EQ(b.device, "MTMR");
  EXPECT_EQ(b.root_link, "BODY tool");
  EXPECT_EQ(b.mapping.workspace_scale, 5.0);
  EXPECT_NEAR(ambf_teleop::rotation_vector(b.mapping.proxy_tip).z(), 1.5, 1e-12);
  EXPECT_EQ(b.gains.linear_stiffness, Vector3d::Constant(500.0));
  EXPECT_EQ(b.gains.angular_damping, Vector3d::Constant(1.0));
  EXPECT_FALSE(b.drives_joints);
  EXPECT_EQ(b.cameras, (std::vector<std::string>{"side camera", "front camera"}));
  EXPECT_EQ(b.buttons.position_clutch, 1);
  EXPECT_EQ(b.buttons.camera_clutch, 2);
  EXPECT_EQ(b.buttons.close_gripper, 5);
  EXPECT_EQ(problem_of(b), "");
}

TEST(Binding, GainsThatTheFileDoesNotGiveStayOpen)
{
  const Binding b =
    binding_of(device_of("  root link: tool\n  controller gain: {linear: {P: 500, D: 10}}\n"));
  EXPECT_TRUE(b.gains.linear_damping);
  EXPECT_FALSE(b.gains.angular_stiffness) << "not zero: nobody said so";
}

TEST(PartialGains, AStiffnessAloneKeepsTheDampingRatio)
{
  PartialGains top;
  top.linear_stiffness = Vector3d(500.0, 4.0 * 500.0, 0.0);
  const PartialGains all = laid_over(top, default_gains(2.0, Vector3d::Constant(1e-3)));
  EXPECT_EQ(all.linear_stiffness, top.linear_stiffness);
  EXPECT_NEAR(all.linear_damping->x(), 2.0 * std::sqrt(2.0 * 500.0), 1e-9) << "critical";
  EXPECT_NEAR(all.linear_damping->y(), 4.0 * std::sqrt(2.0 * 500.0), 1e-9);
  EXPECT_EQ(all.linear_damping->z(), 0.0) << "left to others";
  EXPECT_EQ(all.angular_stiffness, default_gains(2.0, Vector3d::Constant(1e-3)).angular_stiffness);
  top.linear_damping = Vector3d::Constant(7.0);
  EXPECT_EQ(laid_over(top, all).linear_damping, top.linear_damping);
}

TEST(Binding, NegativeGainsAndLimitsAreRefused)
{
  Binding b;
  b.device = "d";
  b.root_link = "tool";
  EXPECT_EQ(problem_of(b), "");
  b.gains.angular_damping = Vector3d(0.0, -1.0, 0.0);
  EXPECT_NE(problem_of(b).find("not negative"), std::string::npos);
  b.gains = {};
  b.max_force = -2.0;
  EXPECT_NE(problem_of(b).find("max force"), std::string::npos);
}

TEST(Binding, NeedsAMultiBodyOrARootLink)
{
  const std::string words = problem_of(binding_of(device_of("  workspace scaling: 1\n")));
  EXPECT_NE(words.find("at least one is needed"), std::string::npos) << words;
}

TEST(RootBody, IsTheNamedOneOrTheOneWithTheFewestAbove)
{
  const auto model = ambf_adf::parse_text(tools, "tools", "", {});
  ASSERT_TRUE(model);
  EXPECT_EQ(*root_body(*model, "BODY palm"), 2u);
  EXPECT_EQ(*root_body(*model, "palm"), 2u);
  EXPECT_EQ(*root_body(*model, ""), 0u) << "the first of those with nothing above them";
  auto hand = *model;
  std::swap(hand.bodies[0], hand.bodies[3]);  // a finger first
  hand.bodies.resize(4);
  hand.bodies.erase(hand.bodies.begin() + 1);
  EXPECT_EQ(hand.bodies[*root_body(hand, "")].header.name, "palm");
  const auto wrong = root_body(*model, "plam");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().find("nearest: 'BODY palm'"), std::string::npos) << wrong.error();
}

TEST(DefaultGains, AreCriticallyDampedAndStableAtOneMillisecond)
{
  const Vector3d inertia(1e-4, 2e-4, 3e-4);
  ProxyGains gains = default_gains(0.3, inertia);
  EXPECT_NEAR(gains.linear_damping.x(), 2.0 * std::sqrt(0.3 * gains.linear_stiffness.x()), 1e-9);
  EXPECT_NEAR(
    gains.angular_damping.x(), 2.0 * std::sqrt(1e-4 * gains.angular_stiffness.x()), 1e-12);
  EXPECT_EQ(keep_stable(gains, 0.3, inertia, 0.001, 0.001), "");
}

TEST(KeepStable, BringsGainsBelowTheBoundAndSaysByHowMuch)
{
  ProxyGains gains;
  gains.linear_stiffness = Vector3d(100.0, 1e6, 100.0);
  gains.linear_damping = Vector3d(10.0, 500.0, 10.0);
  const std::string words = keep_stable(gains, 0.1, Vector3d::Constant(1e-3), 0.001, 0.001);
  // K T^2 / m + 2 B T / m = 10 + 10 = 20 for y.
  EXPECT_NE(words.find("linear gains along y"), std::string::npos) << words;
  EXPECT_NE(words.find("is 20, has to be below 4"), std::string::npos) << words;
  const auto check =
    ambf_teleop::check_proxy_gains(gains.linear_stiffness, gains.linear_damping, 0.1, 0.001, 0.001);
  EXPECT_TRUE(check.stable);
  EXPECT_NEAR(check.asked, 2.0, 1e-9) << "half of the bound";
  EXPECT_EQ(gains.linear_damping.x(), 10.0) << "what is stable stays";
}

}  // namespace
}  // namespace ambf_proxies::test
