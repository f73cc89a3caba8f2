// SPDX-License-Identifier: BSD-3-Clause
#include "hands_world.hpp"

namespace ambf_proxies::test
{
namespace
{

TEST_F(Hands, AFreeProxyFollowsTheRecursionOfTheProxyLaw)
{
  // e'' = (2 - a - b) e' - (1 - b) e with a = K T^2 / m, b = B T / m: see ambf_teleop/stability.hpp.
  bind({binding("mtm")});
  hand(0, at(0, 0, 0));
  step();
  hand(0, at(0.02, 0, 0));
  const double a = 800.0 * 1e-6 / 2.0;
  const double b = 40.0 * 1e-3 / 2.0;
  double before = 0.0;  // the reference jumped: the damping sees it, as in eq. 3.6
  double error = 0.02;
  for (int i = 0; i < 400; ++i) {
    step();
    const double next = i == 0 ? error - a * error - b * (error - before)
                               : (2.0 - a - b) * error - (1.0 - b) * before;
    before = error;
    error = next;
    ASSERT_NEAR(0.02 - position(0).x(), error, 1e-12) << "step " << i;
  }
  EXPECT_LT(std::abs(error), 0.002);
}

TEST_F(Hands, TheReferenceMovesAsTheHandInTheFirstCameraTimesTheScale)
{
  Binding b = binding("mtm");
  b.cameras = {"side camera", "front camera"};
  b.mapping.workspace_scale = 5.0;
  bind({b});
  const Vector3d start = position(0);
  hand(0, at(0.3, 0.2, 0.1));
  step();
  EXPECT_EQ(gap(reference(0), {start, Quaterniond::Identity()}), 0.0);
  hand(0, at(0.31, 0.22, 0.07));
  step();
  const Vector3d expected = start + 5.0 * (cameras[1].orientation * Vector3d(0.01, 0.02, -0.03));
  EXPECT_LT((reference(0).position - expected).norm(), 1e-12);
  EXPECT_EQ(reading(0).proxy.device_sequence, sequence);
  EXPECT_EQ(reading(0).proxy.R_world_camera.coeffs(), cameras[1].orientation.coeffs());
}

TEST_F(Hands, BetweenTheSamplesOfASlowDeviceTheReferenceMovesEvenly)
{
  bind({binding("tracker")});
  double last = 0.0;
  for (int i = 0; i < 60; ++i) {
    if (i % 4 == 0) {
      hand(0, at(0.001 * i, 0, 0));  // 1 mm per step, told every fourth
    }
    step();
    const double x = reading(0).T_world_setpoint.position.x();
    if (i >= 8) { EXPECT_NEAR(x - last, 0.001, 1e-12) << "step " << i; }
    last = x;
  }
  EXPECT_NEAR(last, 0.056, 1e-12) << "three steps behind: it arrives when the next sample is due";
}

TEST_F(Hands, TheReferenceThatASlowDeviceIsToldBelongsToTheSampleThatItIsToldOf)
{
  // 50 Hz, 0.3 m/s, twice as large, and turning; with a clutch now and then.
  Binding slow = binding("slow");
  slow.mapping.workspace_scale = 2.0;
  slow.cameras = {"side camera"};
  bind({slow});
  Pose expected;
  Pose last;
  for (int i = 0; i < 1000; ++i) {
    if (i % 20 == 0) {
      const double t = 0.001 * i;
      const Pose pose{
        Vector3d(0.3 * t, 0.01 * t, 0.0),
        Quaterniond(Eigen::AngleAxisd(t, Vector3d(1, 2, 3).normalized()))};
      const bool clutch = i % 300 >= 240;
      hand(0, pose, 0.5, clutch);
      if (i == 0) {
        expected = {position(0), Quaterniond::Identity()};
      } else if (!clutch) {
        expected =
          ambf_teleop::extrapolate_reference(expected, last, pose, cameras[1].orientation, 2.0);
      }
      last = pose;
    }
    step();
    const auto told = reading(0).proxy;
    ASSERT_EQ(told.device_sequence, sequence);
    ASSERT_LT(gap(told.T_world_reference, expected), 1e-9) << "step " << i;
  }
}

TEST_F(Hands, WithoutNamedCamerasAllAreTheDevicesAndTheFirstIsItsFrame)
{
  bind({binding("mtm")});
  hand(0, at(0, 0, 0));
  step();
  hand(0, at(0, 0, 0), 0.5, false, true);
  step();
  hand(0, at(0.01, 0, 0), 0.5, false, true);
  const Pose before[] = {cameras[0], cameras[1]};
  step();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(hands_.camera_moved(static_cast<std::size_t>(i)));
    const Vector3d moved = before[i].orientation * Vector3d(0.01, 0, 0);
    EXPECT_LT(
      (cameras[static_cast<std::size_t>(i)].position - before[i].position - moved).norm(), 1e-15);
  }
  EXPECT_EQ(gap(reading(0).T_world_camera, cameras[0]), 0.0);
}

TEST_F(Hands, TheGripperMovesAllJointsBelowTheRootLinkBetweenTheirLimits)
{
  bind({binding("mtm", "palm")});
  const auto finger = [&](std::size_t joint) { return world->state().joints[3 * joint]; };
  for (const double opening : {1.0, 0.0, 0.25}) {
    for (int i = 0; i < 1000; ++i) {
      hand(0, at(0, 0, 0), opening);
      step();
    }
    const double target = -0.05 + opening * 0.08;
    EXPECT_NEAR(finger(0), target, 1e-4);
    EXPECT_NEAR(finger(1), target, 1e-4);
  }
}

TEST_F(Hands, AButtonClosesTheGripperAndAnotherIsAClutch)
{
  Binding b = binding("pad", "palm");
  b.buttons = {0, 1, 2};
  bind({b});
  DeviceSample sample;
  sample.sequence = 1;
  sample.actions = 0b100;
  hands_.box(0)->post(sample);
  step();
  ASSERT_EQ(hands_.joint_targets().size(), 2u);
  EXPECT_EQ(hands_.joint_targets()[0].position, -0.05);
  sample = {at(0.05, 0, 0), {}, 0.5, false, false, false, 0b001, 2, 0.0};
  hands_.box(0)->post(sample);
  const Pose held = reference(0);
  step();
  EXPECT_EQ(hands_.joint_targets()[0].position, 0.03);
  EXPECT_EQ(gap(reference(0), held), 0.0);
}

TEST_F(Hands, ACommandFromElsewhereActsBesideTheHand)
{
  bind({binding("mtm")});
  ambf_dynamics::BodyCommand push;
  push.mode = ambf_dynamics::BodyMode::Wrench;
  push.force = Vector3d(8.0, 0, 0);
  world->set_body_command(0, push);
  for (int i = 0; i < 3000; ++i) {
    hand(0, at(0, 0, 0));
    step();
  }
  // Spring against push: 8 N / 800 N/m. The first step, before the hold, moved the reference's start.
  EXPECT_NEAR(position(0).x() - reference(0).position.x(), 0.01, 1e-9);
}

TEST_F(Hands, HandsOnOneProxyAddTheirWrenches)
{
  bind({binding("mtm"), binding("falcon")});
  hand(0, at(0, 0, 0));
  hand(1, at(0, 0, 0));
  step();
  for (int i = 0; i < 3000; ++i) {
    hand(0, at(0.02, 0, 0));
    hand(1, at(-0.01, 0.01, 0));
    step();
  }
  EXPECT_LT((position(0) - Vector3d(0.005, 0.005, 1.0)).norm(), 1e-9) << "between both references";
}

TEST_F(Hands, TheContactWrenchIsTheForceThatPressesAgainstAWall)
{
  bind({binding("mtm")});
  hand(0, at(0, 0, 0));
  step();
  for (int i = 1; i <= 6000; ++i) {
    hand(0, at(0, 0, -std::min(0.001 * i, 0.91)));
    step();
  }
  // The tool's lower face meets the wall's upper one at z = 0.1; K e presses.
  const ProxyReading r = reading(0);
  const double pressed =
    800.0 * (r.proxy.T_world_proxy.position.z() - r.proxy.T_world_reference.position.z());
  EXPECT_GT(pressed, 5.0);
  EXPECT_NEAR(r.contact.force.z(), pressed, 0.02 * pressed) << "force in rest: reaction is action";
  EXPECT_LT(r.contact.torque.norm(), 0.02 * pressed * 0.05);
}

TEST_F(Hands, SilenceHoldsOrReleasesAsBound)
{
  Binding loose = binding("loose", "palm");
  loose.on_loss = OnLoss::Release;
  bind({binding("firm"), loose});
  hand(0, at(0, 0, 0));
  hand(1, at(0, 0, 0), 1.0);
  step();
  EXPECT_EQ(hands_.live(), 2u);
  bool released = false;
  for (int i = 0; i < 150; ++i) {
    step();
    for (const auto & target : hands_.joint_targets()) { released = released || target.release; }
  }
  EXPECT_EQ(hands_.live(), 0u);
  EXPECT_EQ(reading(0).state, HandState::Lost);
  EXPECT_TRUE(released);
  // Push both: the held one comes back, the released one drifts away.
  world->add_body_wrench(0, {Vector3d(20, 0, 0), Vector3d::Zero()});
  world->add_body_wrench(2, {Vector3d(20, 0, 0), Vector3d::Zero()});
  for (int i = 0; i < 2000; ++i) { step(); }
  EXPECT_LT(std::abs(position(0).x()), 1e-6);
  EXPECT_GT(position(2).x() - 4.0, 0.005);
  // Back, elsewhere: no reference jumps.
  const Pose held = reference(0);
  const Pose drifted = reading(1).proxy.T_world_proxy;
  hand(0, at(0.7, 0.7, 0.7));
  hand(1, at(0.7, 0.7, 0.7));
  step();
  EXPECT_EQ(gap(reference(0), held), 0.0);
  EXPECT_EQ(gap(reference(1), drifted), 0.0);
  EXPECT_EQ(hands_.live(), 2u);
}

TEST_F(Hands, InLockstepASilentHandIsNotLost)
{
  bind({binding("mtm")});
  hand(0, at(0, 0, 0));
  for (int i = 0; i < 500; ++i) { step(false); }
  EXPECT_EQ(reading(0).state, HandState::Live);
}

TEST_F(Hands, AJumpOfAMetreMovesNoReference)
{
  bind({binding("mtm")});
  hand(0, at(0, 0, 0));
  step();
  hand(0, at(0.001, 0, 0));
  step();
  const Pose held = reference(0);
  hand(0, at(1.001, 0, 0));
  step();
  EXPECT_EQ(gap(reference(0), held), 0.0);
  EXPECT_EQ(reading(0).jumps, 1u);
  hand(0, at(1.003, 0, 0));
  step();
  EXPECT_NEAR(reference(0).position.x(), held.position.x() + 0.002, 1e-12)
    << "it goes on from there";
}

TEST_F(Hands, BadSamplesAreLeftOutWithAReason)
{
  bind({binding("mtm")});
  hand(0, at(0, 0, 0));
  step();
  const Pose held = reference(0);
  hand(0, at(std::nan(""), 0, 0));
  step();
  hand(0, {Vector3d::Zero(), Quaterniond(1.2, 0, 0, 0)});
  step();
  hand(0, at(0, 0, 0), std::nan(""));
  step();
  EXPECT_EQ(gap(reference(0), held), 0.0);
  EXPECT_EQ(reading(0).samples, 1u);
  DeviceSample sample;
  EXPECT_EQ(problem_of(sample), nullptr);
  sample.gripper = INFINITY;
  EXPECT_NE(std::string(problem_of(sample)).find("gripper"), std::string::npos);
}

TEST_F(Hands, ABodyThatIsNotThereIsToldAndTheOthersGoOn)
{
  Binding blind = binding("blind");
  blind.cameras = {"frnt camera"};
  bind({binding("lost", "tol"), binding("heavy", "wall"), blind});
  EXPECT_NE(hands_.trouble(0).find("nearest: "), std::string::npos) << hands_.trouble(0);
  EXPECT_NE(hands_.trouble(1).find("mass 0"), std::string::npos) << hands_.trouble(1);
  EXPECT_NE(hands_.trouble(2).find("'frnt camera'"), std::string::npos) << hands_.trouble(2);
  for (std::size_t i = 0; i < 3; ++i) { hand(i, at(0, 0, 0)); }
  step();
  EXPECT_EQ(hands_.live(), 1u);
  EXPECT_EQ(reading(0).state, HandState::Unbound);
  EXPECT_EQ(reading(2).state, HandState::Live);
}

TEST_F(Hands, ARemovedProxyUnbindsItsDeviceOnly)
{
  bind({binding("a", "tool"), binding("b", "other")});
  hand(0, at(0, 0, 0));
  hand(1, at(0, 0, 0));
  step();
  ASSERT_TRUE(world->remove_object("/ambf/env/BODY tool"));
  rebuild();
  EXPECT_EQ(reading(0).state, HandState::Unbound);
  EXPECT_NE(hands_.trouble(0), "");
  const Pose held = reference(1);
  hand(0, at(0, 0, 0));
  hand(1, at(0.01, 0, 0));
  step();
  EXPECT_EQ(hands_.live(), 1u);
  EXPECT_NEAR(gap(reference(1), held), 0.01, 1e-12) << "its clutch went on from where it was";
}

TEST_F(Hands, ASampleThatWasTakenBeforeAStepIsUsedInIt)
{
  bind({binding("mtm", "palm")});
  hand(0, at(0, 0, 0));
  step();
  const double before = reference(0).position.x();
  hand(0, at(0.01, 0, 0), 1.0);
  hands_.take_samples(*world, now);
  EXPECT_EQ(reading(0).proxy.device_sequence, sequence) << "it has arrived";
  EXPECT_NEAR(reference(0).position.x() - before, 0.01, 1e-12) << "this is where it leads";
  --sequence;
  hand(0, at(0.01, 0, 0), 1.0);
  hands_.take_samples(*world, now);  // sent again: the same number counts once
  EXPECT_EQ(reading(0).samples, 2u);
  EXPECT_EQ(reading(0).T_world_setpoint.position.x(), before);
  step();
  EXPECT_NEAR(reading(0).T_world_setpoint.position.x() - before, 0.01, 1e-12);
  EXPECT_EQ(hands_.joint_targets().size(), 2u);
  step();
  EXPECT_EQ(hands_.joint_targets().size(), 0u) << "once";
}

TEST_F(Hands, WithoutGainsTheBodysOwnAreTaken)
{
  Binding plain = binding("mtm");
  plain.gains = {};
  hands_.bind({plain});
  hands_.rebuild(*world, camera_names, [](const std::string & qualified) {
    EXPECT_EQ(qualified, "/ambf/env/BODY tool");
    return gains();
  });
  hand(0, at(0, 0, 0));
  step();
  hand(0, at(0.01, 0, 0));
  step();
  // First step after a jump of the reference: (K e + B e / T) T / m.
  EXPECT_NEAR(reading(0).twist.linear.x(), (800.0 * 0.01 + 40.0 * 10.0) * 1e-3 / 2.0, 1e-9);
}

TEST_F(Hands, AStiffnessAloneLeavesTheProxyDampedAndTurnedWithTheHand)
{
  Binding part = binding("mtm");
  part.gains = {};
  part.gains.linear_stiffness = Vector3d(500.0, 500.0, 0.0);
  part.cameras = {"front camera"};
  bind({part});
  hand(0, at(0, 0, 0));
  step();
  const Quaterniond turn(Eigen::AngleAxisd(0.4, Vector3d(2, 0, 1).normalized()));
  for (int i = 0; i < 3000; ++i) {
    hand(0, {Vector3d(0.03, 0.0, 0.05), turn});
    step();
  }
  const Pose proxy = reading(0).proxy.T_world_proxy;
  EXPECT_LT((proxy.position - Vector3d(0.03, 0, 1.0)).norm(), 1e-4) << "z is left to others";
  EXPECT_LT(ambf_teleop::angle_between(proxy.orientation, turn), 1e-3);
}

TEST_F(Hands, ASavedRunContinuesBitForBit)
{
  Binding absolute = binding("absolute", "palm");
  absolute.mapping.orientation = ambf_teleop::OrientationMapping::Absolute;
  bind({binding("mtm"), absolute});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(-0.01, 0.01);
  const auto play = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      hand(0, at(some(random), some(random), some(random)), 0.5, i % 7 < 2, i % 11 < 3);
      hand(1, at(some(random), some(random), some(random)), some(random) * 50.0 + 0.5);
      step();
    }
    return world->state().hash;
  };
  play(200);
  const auto bytes = world->save();
  const auto numbers = hands_.save();
  const auto views = cameras;
  const auto generator = random;
  const auto number = sequence;
  const auto first = play(200);
  ASSERT_TRUE(world->restore(bytes));
  ASSERT_TRUE(hands_.restore(numbers));
  cameras = views;
  random = generator;
  sequence = number;
  EXPECT_EQ(play(200), first);
  bind({binding("mtm")});
  EXPECT_FALSE(hands_.restore(numbers)) << "saved by other devices";
}

}  // namespace
}  // namespace ambf_proxies::test
