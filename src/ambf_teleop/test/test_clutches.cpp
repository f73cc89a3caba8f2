// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "ambf_teleop/camera_clutch.hpp"
#include "ambf_teleop/position_clutch.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr double jump_allowed = 1e-9;  // the requirement; rounding is four orders below it

MappingParameters mapping_of(RandomPoses & random)
{
  MappingParameters mapping;
  mapping.workspace_scale = random.number(0.1, 10.0);
  mapping.orientation =
    random.chance(0.5) ? OrientationMapping::Relative : OrientationMapping::Absolute;
  mapping.proxy_tip = random.rotation();
  mapping.realign_rate = 0.0;  // tested by itself: it moves the reference on purpose
  return mapping;
}

DeviceInput at(const Pose & handle, bool position_clutch = false, bool camera_clutch = false)
{
  return {handle, position_clutch, camera_clutch};
}

TEST(PositionClutch, PressAndReleaseDoNotMoveTheReference)
{
  RandomPoses random(10);
  for (int i = 0; i < rounds(500, 50000); ++i) {
    const MappingParameters mapping = mapping_of(random);
    const Quaterniond camera = random.rotation();
    PairFrames pair = start_pair(random.pose(2.0), random.rotation());
    update_reference(pair, mapping, at(random.pose()), camera, 0.001);
    Pose handle = random.pose();
    update_reference(pair, mapping, at(handle), camera, 0.001);
    const Pose held = pair.reference;
    update_reference(pair, mapping, at(handle, true), camera, 0.001);
    EXPECT_EQ(gap(held, pair.reference), 0.0);
    handle = random.pose();
    update_reference(pair, mapping, at(handle, true), camera, 0.001);
    EXPECT_EQ(gap(held, pair.reference), 0.0);
    update_reference(pair, mapping, at(handle), camera, 0.001);
    EXPECT_LT(gap(held, pair.reference), jump_allowed);
  }
}

TEST(PositionClutch, FirstUpdateTakesTheHandleWhereverItIs)
{
  RandomPoses random(11);
  const Pose location = random.pose();
  const Quaterniond tip = random.rotation();
  PairFrames pair = start_pair(location, tip);
  update_reference(pair, MappingParameters{}, at(random.pose()), random.rotation(), 0.001);
  EXPECT_LT(gap(pair.reference, location * Pose{Vector3d::Zero(), tip}), 1e-14);
}

TEST(PositionClutch, TranslationFollowsEquationNine)
{
  MappingParameters mapping;
  mapping.workspace_scale = 5.0;
  const Quaterniond camera = from_rotation_vector(Vector3d(0, 0, 0.5 * std::numbers::pi));
  PairFrames pair = start_pair({Vector3d(-0.5, 0, 0), Quaterniond::Identity()});
  update_reference(
    pair, mapping, at({Vector3d(0.1, 0, 0), Quaterniond::Identity()}), camera, 0.001);
  EXPECT_LT((pair.reference_origin.position - Vector3d(-0.1, 0, 0)).norm(), 1e-15);  // eq. 7
  update_reference(
    pair, mapping, at({Vector3d(0.11, 0.02, 0), Quaterniond::Identity()}), camera, 0.001);
  // 5 * ([-0.1 0 0] + Rz(90 deg) [0.01 0.02 0])
  EXPECT_LT((pair.reference.position - Vector3d(-0.6, 0.05, 0)).norm(), 1e-14);
}

TEST(PositionClutch, RotationIsTheHandsTurnSeenThroughTheCameraAndUnscaled)
{
  RandomPoses random(12);
  for (int i = 0; i < 200; ++i) {
    MappingParameters mapping;
    mapping.workspace_scale = 7.0;
    const Quaterniond camera = random.rotation();
    const Pose handle = random.pose();
    const Pose start = random.pose();
    PairFrames pair = start_pair(start);
    update_reference(pair, mapping, at(handle), camera, 0.001);
    const Vector3d turn = random.vector(1.0);
    const Pose turned{handle.position, from_rotation_vector(turn) * handle.orientation};
    update_reference(pair, mapping, at(turned), camera, 0.001);
    const Vector3d felt =
      rotation_vector(pair.reference.orientation * start.orientation.conjugate());
    EXPECT_LT((felt - camera * turn).norm(), 1e-13);
  }
}

TEST(PositionClutch, PrintedEquationTenHoldsForAnAlignedHandle)
{
  RandomPoses random(13);
  for (int i = 0; i < 200; ++i) {
    const Quaterniond camera = random.rotation();
    const Pose handle = random.pose();
    const Quaterniond aligned = camera * handle.orientation * camera.conjugate();
    PairFrames pair = start_pair({Vector3d::Zero(), aligned});
    update_reference(pair, MappingParameters{}, at(handle), camera, 0.001);
    const Pose later = random.pose();
    update_reference(pair, MappingParameters{}, at(later), camera, 0.001);
    const Quaterniond printed =
      aligned * camera * handle.orientation.conjugate() * later.orientation * camera.conjugate();
    EXPECT_LT(angle_between(pair.reference.orientation, printed), 1e-13);
  }
}

TEST(AbsoluteOrientation, IsEquationElevenOnceAligned)
{
  RandomPoses random(14);
  MappingParameters mapping;
  mapping.orientation = OrientationMapping::Absolute;
  mapping.proxy_tip = random.rotation();
  mapping.realign_rate = 1.0;
  const Quaterniond camera = random.rotation();
  PairFrames pair = start_pair(random.pose());
  Pose handle = random.pose();
  for (int i = 0; i < 4000; ++i) {  // 4 s at 1 rad/s take out the largest misalignment, pi
    handle = random.nearby(handle, 0.001, 0.002);
    update_reference(pair, mapping, at(handle), camera, 0.001);
  }
  const Quaterniond expected = camera * handle.orientation * mapping.proxy_tip;
  EXPECT_LT(angle_between(pair.reference.orientation, expected), 1e-12);
}

TEST(AbsoluteOrientation, RealignsNoFasterThanAskedAfterAClutch)
{
  RandomPoses random(15);
  MappingParameters mapping;
  mapping.orientation = OrientationMapping::Absolute;
  mapping.realign_rate = 0.5;
  PairFrames pair = start_pair(random.pose());
  const Quaterniond camera = random.rotation();
  Pose handle = random.pose();
  update_reference(pair, mapping, at(handle, true), camera, 0.001);
  handle = random.pose();
  update_reference(pair, mapping, at(handle, true), camera, 0.001);
  Pose last = pair.reference;
  for (int i = 0; i < 1000; ++i) {
    update_reference(pair, mapping, at(handle), camera, 0.001);
    EXPECT_LT(gap(pair.reference, last), 0.5 * 0.001 + 1e-12);
    last = pair.reference;
  }
}

TEST(PositionClutch, ChangedParametersDoNotMoveTheReference)
{
  RandomPoses random(16);
  for (int i = 0; i < 500; ++i) {
    PairFrames pair = start_pair(random.pose());
    const Quaterniond camera = random.rotation();
    const Pose handle = random.pose();
    update_reference(pair, mapping_of(random), at(random.pose()), camera, 0.001);
    update_reference(pair, mapping_of(random), at(handle), camera, 0.001);
    const Pose before = pair.reference;
    update_reference(pair, mapping_of(random), at(handle), camera, 0.001);
    EXPECT_LT(gap(before, pair.reference), jump_allowed);
  }
}

TEST(PositionClutch, ForgottenHandleComesBackWithoutAJump)
{
  RandomPoses random(17);
  PairFrames pair = start_pair(random.pose());
  const MappingParameters mapping;
  update_reference(pair, mapping, at(random.pose()), Quaterniond::Identity(), 0.001);
  update_reference(pair, mapping, at(random.pose()), Quaterniond::Identity(), 0.001);
  const Pose before = pair.reference;
  forget_handle(pair);
  update_reference(pair, mapping, at(random.pose()), Quaterniond::Identity(), 0.001);
  EXPECT_EQ(gap(before, pair.reference), 0.0);
}

TEST(PositionClutch, ExtrapolationAgreesWithTheUpdate)
{
  RandomPoses random(18);
  for (int i = 0; i < 200; ++i) {
    const MappingParameters mapping = mapping_of(random);
    const Quaterniond camera = random.rotation();
    PairFrames pair = start_pair(random.pose());
    const Pose then = random.pose();
    update_reference(pair, mapping, at(random.pose()), camera, 0.001);
    update_reference(pair, mapping, at(then), camera, 0.001);
    const Pose now = random.pose();
    const Pose ahead =
      extrapolate_reference(pair.reference, then, now, camera, mapping.workspace_scale);
    update_reference(pair, mapping, at(now), camera, 0.001);
    EXPECT_LT(gap(ahead, pair.reference), 1e-12);
  }
}

TEST(MappingParameters, ScaleMustBePositiveAndFinite)
{
  MappingParameters mapping;
  EXPECT_TRUE(is_valid(mapping));
  for (const double scale : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    mapping.workspace_scale = scale;
    EXPECT_FALSE(is_valid(mapping)) << scale;
  }
}

TEST(CameraClutch, StartsFromWhereTheCameraIsAndStaysWhereItWasReleased)
{
  RandomPoses random(20);
  for (int i = 0; i < rounds(500, 50000); ++i) {
    CameraFrames frames;
    CameraParameters parameters{random.number(-2.0, 2.0), CameraTurn::UserAxes};
    parameters.turn = random.chance(0.5) ? CameraTurn::UserAxes : CameraTurn::TipAxes;
    Pose camera = random.pose();
    Pose handle = random.pose();
    EXPECT_FALSE(update_camera(frames, parameters, at(handle), camera, false));
    EXPECT_TRUE(update_camera(frames, parameters, at(handle, false, true), camera, true));
    EXPECT_LT(gap(frames.camera, camera), jump_allowed);
    handle = random.pose();
    update_camera(frames, parameters, at(handle, false, true), camera, true);
    camera = frames.camera;
    EXPECT_FALSE(update_camera(frames, parameters, at(handle), camera, false));
    EXPECT_EQ(gap(frames.camera, camera), 0.0);
  }
}

TEST(CameraClutch, PressedAtTheVeryFirstUpdateDoesNotThrowTheCamera)
{
  RandomPoses random(21);
  CameraFrames frames;
  const Pose camera = random.pose();
  EXPECT_FALSE(update_camera(frames, {}, at(random.pose(), false, true), camera, true));
  EXPECT_EQ(gap(frames.camera, camera), 0.0);
}

TEST(CameraClutch, TurnsAsTheHandTurnsInTheView)
{
  RandomPoses random(22);
  for (int i = 0; i < 200; ++i) {
    CameraFrames frames;
    const Pose camera = random.pose();
    const Pose handle = random.pose();
    update_camera(frames, {}, at(handle), camera, false);
    const Vector3d turn = random.vector(1.0);
    const Pose turned{handle.position, from_rotation_vector(turn) * handle.orientation};
    update_camera(frames, {}, at(turned, false, true), camera, true);
    const Vector3d in_camera =
      rotation_vector(camera.orientation.conjugate() * frames.camera.orientation);
    EXPECT_LT((in_camera - turn).norm(), 1e-13);
  }
}

TEST(CameraClutch, TipAxesAreEquationTwoAsPrinted)
{
  RandomPoses random(23);
  CameraFrames frames;
  const CameraParameters printed{1.0, CameraTurn::TipAxes};
  const Pose camera = random.pose();
  const Pose handle = random.pose();
  update_camera(frames, printed, at(handle), camera, false);
  const Pose later = random.pose();
  update_camera(frames, printed, at(later, false, true), camera, true);
  const Quaterniond expected =
    camera.orientation * handle.orientation.conjugate() * later.orientation;
  EXPECT_LT(angle_between(frames.camera.orientation, expected), 1e-13);
}

TEST(CameraClutch, TranslatesAlongItsOwnAxesByTheScale)
{
  CameraFrames frames;
  const CameraParameters parameters{3.0, CameraTurn::UserAxes};
  const Pose camera{
    Vector3d(1, 2, 3), from_rotation_vector(Vector3d(0, 0, 0.5 * std::numbers::pi))};
  update_camera(frames, parameters, at({}), camera, false);
  const Pose moved{Vector3d(0.1, 0, 0), Quaterniond::Identity()};
  update_camera(frames, parameters, at(moved, false, true), camera, true);
  EXPECT_LT((frames.camera.position - Vector3d(1, 2.3, 3)).norm(), 1e-14);
}

TEST(CameraOwner, IsTheFirstWhoAsksUntilItLetsGo)
{
  CameraOwner owner;
  EXPECT_TRUE(claim_camera(owner, 0, true));
  EXPECT_FALSE(claim_camera(owner, 1, true));
  EXPECT_TRUE(claim_camera(owner, 0, true));
  EXPECT_FALSE(claim_camera(owner, 1, false));
  EXPECT_TRUE(claim_camera(owner, 0, true));
  EXPECT_FALSE(claim_camera(owner, 0, false));
  EXPECT_TRUE(claim_camera(owner, 1, true));
}

/// Three people on one proxy and one camera; hands move all the time, clutches go as they like.
/// Whatever the others do, a person's reference moves by the own hand's motion and by nothing else.
TEST(SharedProxy, NoClutchOfThreeUsersMovesAnyReference)
{
  RandomPoses random(30);
  struct User
  {
    MappingParameters mapping;
    CameraParameters camera_parameters;
    PairFrames pair;
    CameraFrames camera;
    DeviceInput input;
  };
  std::array<User, 3> users;
  for (User & user : users) {
    user.mapping = mapping_of(random);
    user.camera_parameters.scale = random.number(-1.0, 1.0);
    user.pair = start_pair(random.pose());
    user.input.T_user_handle = random.pose(0.3);
  }
  Pose camera = random.pose();
  CameraOwner owner;
  int clutch_events = 0;
  int camera_steps = 0;
  for (int tick = 0; tick < rounds(5000, 500000); ++tick) {
    Pose camera_next = camera;
    for (std::uint32_t i = 0; i < users.size(); ++i) {
      User & user = users[i];
      const Pose handle_before = user.input.T_user_handle;
      const Pose reference_before = user.pair.reference;
      const bool anchored_before = user.pair.anchored;
      if (random.chance(0.02)) {
        user.input.position_clutch = !user.input.position_clutch;
        ++clutch_events;
      }
      if (random.chance(0.02)) {
        user.input.camera_clutch = !user.input.camera_clutch;
        ++clutch_events;
      }
      user.input.T_user_handle = random.nearby(handle_before, 0.001, 0.01);

      const bool owned = claim_camera(owner, i, user.input.camera_clutch);
      if (update_camera(user.camera, user.camera_parameters, user.input, camera, owned)) {
        camera_next = user.camera.camera;
        ++camera_steps;
      }
      update_reference(user.pair, user.mapping, user.input, camera.orientation, 0.001);

      const bool held = user.input.position_clutch || user.input.camera_clutch;
      const Pose expected = held || !anchored_before
                              ? reference_before
                              : extrapolate_reference(
                                  reference_before, handle_before, user.input.T_user_handle,
                                  camera.orientation, user.mapping.workspace_scale);
      ASSERT_LT(gap(expected, user.pair.reference), jump_allowed) << "tick " << tick;
    }
    camera = camera_next;
  }
  EXPECT_GT(clutch_events, 300);
  EXPECT_GT(camera_steps, 300);
}

}  // namespace
}  // namespace ambf_teleop::test
