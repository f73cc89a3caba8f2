// SPDX-License-Identifier: BSD-3-Clause
// Several people on one proxy and on the same cameras.

#include <array>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_teleop/collaboration.hpp"
#include "hands_world.hpp"

namespace ambf_proxies::test
{
namespace
{

using ambf_teleop::AxisSet;

TEST_F(Hands, NoClutchOfThreePeopleOnASharedProxyMovesAReference)
{
  std::vector<Binding> three{binding("a"), binding("b"), binding("c")};
  three[1].mapping.workspace_scale = 5.0;
  three[2].mapping.orientation = ambf_teleop::OrientationMapping::Absolute;
  three[2].mapping.realign_rate = 0.0;  // moves the reference on purpose; tested in ambf_teleop
  three[2].cameras = {"side camera"};
  bind(three);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> some(-1.0, 1.0);
  std::array<Pose, 3> pose{};
  std::array<std::array<bool, 2>, 3> clutch{};
  const auto send = [&](std::size_t i) { hand(i, pose[i], 0.5, clutch[i][0], clutch[i][1]); };
  for (std::size_t i = 0; i < 3; ++i) { send(i); }
  step();
  double worst = 0.0;
  for (int round = 0; round < rounds(3000, 100000); ++round) {
    // Everybody moves, then one presses or releases a clutch without moving.
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3d turn(some(random), some(random), some(random));
      pose[i].position += 0.01 * Vector3d(some(random), some(random), some(random));
      pose[i].orientation =
        (ambf_teleop::from_rotation_vector(0.05 * turn) * pose[i].orientation).normalized();
      send(i);
    }
    step();
    std::array<Pose, 3> before;
    for (std::size_t i = 0; i < 3; ++i) { before[i] = reference(i); }
    const auto who = static_cast<std::size_t>(round) % 3;
    auto & one = clutch[who][static_cast<std::size_t>(some(random) > 0.0)];
    one = !one;
    for (std::size_t i = 0; i < 3; ++i) { send(i); }
    step();
    for (std::size_t i = 0; i < 3; ++i) { worst = std::max(worst, gap(before[i], reference(i))); }
  }
  EXPECT_LT(worst, 1e-9);
}

TEST_F(Hands, GainsOfAllDevicesOnABodyCountTogether)
{
  // K T^2 / m + 2 B T / m of one is 1e6 * 1e-6 / 2 + 2 * 501 * 1e-3 / 2 > 1; four of them are unstable.
  std::vector<Binding> many;
  for (const char * name : {"a", "b", "c", "d"}) {
    many.push_back(binding(name));
    many.back().gains.linear_stiffness->x() = 1e6;
    many.back().gains.linear_damping->x() = 501.0;
    many.back().max_force = 1e9;
  }
  bind({many[0], many[1], many[2], binding("elsewhere", "other")});
  for (std::size_t i = 0; i < 4; ++i) { EXPECT_EQ(hands_.trouble(i), ""); }
  bind(many);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string & words = hands_.trouble(i);
    EXPECT_NE(words.find("linear gains along x of 'a', 'b', 'c', 'd' together"), std::string::npos)
      << words;
    EXPECT_NE(words.find("is 4, has to be below 4"), std::string::npos) << words;
    hand(i, at(0, 0, 0));
  }
  step();
  for (int i = 0; i < 2000; ++i) {
    for (std::size_t device = 0; device < 4; ++device) { hand(device, at(0.001, 0, 0)); }
    step();
  }
  EXPECT_LT((position(0) - Vector3d(0.001, 0, 1.0)).norm(), 1e-6) << "comes to rest";
}

TEST_F(Hands, AbsurdGainsOfOneDeviceLeaveTheOthersOnTheBodyTheirs)
{
  Binding sane = binding("sane");
  Binding plain = binding("plain");
  plain.gains = {};
  Binding absurd = binding("absurd");
  absurd.gains.linear_stiffness = Vector3d::Constant(1e9);
  absurd.gains.linear_damping = Vector3d::Constant(1e5);
  bind({sane, plain, absurd});
  EXPECT_EQ(hands_.trouble(0), "");
  EXPECT_EQ(hands_.trouble(1), "");
  const std::string & words = hands_.trouble(2);
  EXPECT_NE(words.find("linear gains along x, y, z of"), std::string::npos) << words;
  EXPECT_EQ(words.find("linear gains", words.find("linear gains") + 1), std::string::npos)
    << "once for three axes: " << words;
  // It never sends. The others hold as if they were alone: a step of the hand comes to rest.
  hand(0, at(0, 0, 0));
  hand(1, at(0, 0, 0));
  step();
  for (int i = 0; i < 1500; ++i) {
    hand(0, at(0.05, 0, 0));
    hand(1, at(0.05, 0, 0));
    step();
  }
  EXPECT_LT((position(0) - Vector3d(0.05, 0, 1.0)).norm(), 1e-4);
  // Nor does it shake the body when it comes.
  hand(2, at(0, 0, 0));
  for (int i = 0; i < 1500; ++i) {
    hand(0, at(0.05, 0, 0));
    hand(1, at(0.05, 0, 0));
    hand(2, at(0, 0, 0));
    step();
  }
  EXPECT_LT((position(0) - Vector3d(0.05, 0, 1.0)).norm(), 1e-4);
}

TEST_F(Hands, ACameraHasOneOwnerAndTheSecondIsTold)
{
  bind({binding("a"), binding("b", "other")});
  hand(0, at(0, 0, 0));
  hand(1, at(0, 0, 0));
  step();
  hand(0, at(0, 0, 0), 0.5, false, true);
  step();
  hand(1, at(0, 0, 0), 0.5, false, true);
  step();
  EXPECT_EQ(reading(1).camera_held_by, 0u);
  const Pose view = cameras[0];
  const Pose held = reference(1);
  hand(1, at(0.02, 0, 0), 0.5, false, true);
  step();
  EXPECT_EQ(gap(view, cameras[0]), 0.0) << "the second does not move it";
  EXPECT_EQ(gap(held, reference(1)), 0.0) << "and is held meanwhile";
  hand(0, at(0.03, 0, 0), 0.5, false, true);
  for (int i = 0; i < 3; ++i) {
    step();  // it was silent for two: its hand is led on over as many
  }
  EXPECT_LT((cameras[0].position - view.position - Vector3d(0.03, 0, 0)).norm(), 1e-12);
  // The owner dies: the camera is free again.
  for (int i = 0; i < 200; ++i) {
    hand(1, at(0.02, 0, 0), 0.5, false, true);
    step();
  }
  EXPECT_EQ(reading(0).state, HandState::Lost);
  EXPECT_EQ(reading(1).camera_held_by, ambf_teleop::nobody);
}

/// Gains whose axes are those of the set: three linear, three angular bits.
ProxyGains only(AxisSet axes)
{
  ProxyGains gains;
  for (int i = 0; i < 3; ++i) {
    const double linear = ((axes >> i) & 1) != 0 ? 1.0 : 0.0;
    const double angular = ((axes >> (3 + i)) & 1) != 0 ? 1.0 : 0.0;
    gains.linear_stiffness[i] = 800.0 * linear;
    gains.linear_damping[i] = 40.0 * linear;
    gains.angular_stiffness[i] = 20.0 * angular;
    gains.angular_damping[i] = angular;
  }
  return gains;
}

ambf_teleop::FeedbackGains haptic(AxisSet axes)
{
  const ProxyGains gains = only(axes);
  return {0.1 * gains.linear_stiffness, {0, 0, 0}, 0.1 * gains.angular_stiffness, {0, 0, 0}};
}

struct Row
{
  const char * mode;
  std::array<AxisSet, 2> commands;
  std::array<AxisSet, 2> feels;
};

class ModeTable : public Hands, public ::testing::WithParamInterface<Row>
{
};

/// Dissertation section 3.5: each axis of each person is tried by itself, in the physics for what
/// it commands and in the device's own loop for what it feels.
TEST_P(ModeTable, CommandedAndFeltAxesAreExactlyThoseOfTheGains)
{
  const Row & row = GetParam();
  std::array<ambf_teleop::AxisUse, 2> use;
  for (std::size_t who = 0; who < 2; ++who) {
    use[who] = axis_use(only(row.commands[who]), haptic(row.feels[who]));
    EXPECT_EQ(use[who].commands, row.commands[who]);
    EXPECT_EQ(use[who].feels, row.feels[who]);
    for (int axis = 0; axis < 6; ++axis) {
      std::vector<Binding> both{binding("a"), binding("b")};
      both[0].gains = only(row.commands[0]);
      both[1].gains = only(row.commands[1]);
      for (auto & b : both) { b.offsets.base.orientation = Quaterniond::Identity(); }
      world->reset();
      bind(both);
      hands_.forget();
      Pose moved = at(0, 0, 0);
      Vector3d unit = Vector3d::Unit(axis % 3);
      if (axis < 3) {
        moved.position = 0.01 * unit;
      } else {
        moved.orientation = ambf_teleop::from_rotation_vector(0.05 * unit);
      }
      hand(0, at(0, 0, 0));
      hand(1, at(0, 0, 0));
      step();
      hand(0, who == 0 ? moved : at(0, 0, 0));
      hand(1, who == 1 ? moved : at(0, 0, 0));
      step();
      const auto twist = reading(who).twist;
      const double speed = axis < 3 ? twist.linear[axis] : twist.angular[axis - 3];
      const bool commanded = ((row.commands[who] >> axis) & 1) != 0;
      EXPECT_EQ(speed > 1e-4, commanded) << row.mode << " person " << who << " axis " << axis;

      // What this person feels when the proxy is elsewhere along the axis.
      ambf_devices::CycleParameters parameters;
      parameters.gains = haptic(row.feels[who]);
      parameters.limits.max_force_rate = parameters.limits.max_torque_rate = 1e9;
      parameters.passivity.enabled = false;
      ambf_devices::DeviceCycle cycle(parameters);
      ambf_devices::DriverState still;
      cycle.tick(0.0, true, still);
      ambf_teleop::ProxySample proxy;
      proxy.T_world_proxy = moved;
      proxy.device_sequence = 1;
      cycle.take_proxy(proxy, 0.0005);
      const auto felt = cycle.tick(0.001, true, still).wrench;
      for (int other = 0; other < 6; ++other) {
        const double force = other < 3 ? felt.force[other] : felt.torque[other - 3];
        const bool expected = other == axis && ((row.feels[who] >> axis) & 1) != 0;
        EXPECT_EQ(force > 1e-3, expected) << row.mode << " person " << who << " axis " << other;
      }
    }
  }
  EXPECT_EQ(to_string(ambf_teleop::collaboration_mode(use)), row.mode);
}

constexpr AxisSet all = 0x3f, linear = 0x07, angular = 0x38, xy = 0x03, rest = 0x3c;

INSTANTIATE_TEST_SUITE_P(
  Section35, ModeTable,
  ::testing::Values(
    Row{"SISO", {all, all}, {all, all}}, Row{"SIAO", {all, all}, {linear, angular}},
    Row{"AISO", {linear, angular}, {all, all}}, Row{"AIAO", {xy, rest}, {linear, angular}},
    Row{"SINO", {all, all}, {0, 0}}, Row{"AINO", {linear, angular}, {0, 0}}),
  [](const auto & row) { return std::string(row.param.mode); });

}  // namespace
}  // namespace ambf_proxies::test
