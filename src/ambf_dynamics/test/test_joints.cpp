// SPDX-License-Identifier: BSD-3-Clause
// Joints: where the placement formula says, whichever body is called parent, with limits, for all types.

#include <cmath>
#include <numbers>
#include <random>

#include "ambf_adf/placement.hpp"
#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;
using std::numbers::pi;

struct Draw
{
  std::mt19937 engine;
  explicit Draw(unsigned seed) : engine(seed) {}
  double real(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Vector3d vector(double size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
  Vector3d unit()
  {
    Vector3d v = vector(1.0);
    while (v.norm() < 0.1) { v = vector(1.0); }
    return v.normalized();
  }
};

// Two bodies anywhere, with inertial offsets and scales, and a joint of any axis between them.
ambf_adf::Model random_pair(Draw & draw, JointType type, double q, bool fixed_parent)
{
  ambf_adf::Model model;
  auto parent = body(
    "parent", fixed_parent ? 0.0 : draw.real(0.5, 3.0), draw.vector(1.0), Vector3d(0.1, 0.2, 0.25));
  parent.location.rpy = draw.vector(1.5);
  parent.inertial_offset->position = draw.vector(0.2);
  parent.inertial_offset->rpy = draw.vector(1.0);
  parent.scale = draw.real(0.5, 2.0);
  auto child = body("child", draw.real(0.5, 3.0), Vector3d::Zero(), Vector3d(0.1, 0.12, 0.2));
  child.inertial_offset->position = draw.vector(0.2);
  child.inertial_offset->rpy = draw.vector(1.0);
  child.scale = draw.real(0.5, 2.0);
  auto j = joint("j", type, "parent", "child", draw.vector(0.3), draw.vector(0.3));
  j.parent_axis = draw.unit();
  j.child_axis = draw.unit();
  j.child_offset = draw.real(-pi, pi);
  j.joint_offset = draw.real(-pi, pi);
  const Eigen::Isometry3d t =
    parent.location.isometry() * ambf_adf::child_in_parent(j, q, parent.scale, child.scale);
  child.location = ambf_adf::Pose::from(t);
  model.bodies = {parent, child};
  model.joints = {j};
  return model;
}

TEST(JointProperty, ReadsTheValueThatThePlacementFormulaPutIn)
{
  Draw draw(11);
  for (int i = 0; i < 200; ++i) {
    const bool slides = i % 2 == 1;
    const double q = slides ? draw.real(-0.5, 0.5) : draw.real(-pi + 0.01, pi - 0.01);
    const auto model =
      random_pair(draw, slides ? JointType::Prismatic : JointType::Revolute, q, i % 3 == 0);
    AddedModel added;
    auto world = world_of(model, {}, &added);
    EXPECT_LT(added.closure.position_error_before, 1e-9);
    EXPECT_NEAR(joint_position(*world, 0), q, 1e-7) << "case " << i;
    // Teleport the child along the joint.
    const double other = slides ? draw.real(-0.5, 0.5) : draw.real(-pi + 0.01, pi - 0.01);
    world->set_body_state(
      1, model.bodies[0].location.isometry() *
           ambf_adf::child_in_parent(
             model.joints[0], other, model.bodies[0].scale, model.bodies[1].scale));
    EXPECT_NEAR(
      std::remainder(joint_position(*world, 0) - other, slides ? 1e9 : 2.0 * pi), 0.0, 1e-7);
  }
}

TEST(JointProperty, SwappingParentAndChildChangesNothing)
{
  Draw draw(5);
  for (int i = 0; i < 40; ++i) {
    const bool slides = i % 2 == 1;
    const auto model =
      random_pair(draw, slides ? JointType::Prismatic : JointType::Revolute, 0.3, i % 4 == 0);
    auto swapped = model;
    swapped.joints[0] = ambf_adf::swap_parent_and_child(model.joints[0]);
    auto a = world_of(model);
    auto b = world_of(swapped);
    EXPECT_NEAR(joint_position(*a, 0), joint_position(*b, 0), 1e-9);
    for (auto * world : {a.get(), b.get()}) {
      world->set_joint_command(0, JointMode::Effort, 0.5);
      ASSERT_EQ(world->step(200), StepStatus::Ok);
    }
    // Same motion up to rounding of different row orders.
    EXPECT_NEAR(joint_position(*a, 0), joint_position(*b, 0), 1e-6);
    EXPECT_LT((position(*a, 1) - position(*b, 1)).norm(), 1e-6);
  }
}

TEST(JointProperty, EffortOnAFreePairConservesMomentum)
{
  Draw draw(17);
  Parameters p;
  p.gravity.setZero();
  for (int i = 0; i < 20; ++i) {
    const auto model =
      random_pair(draw, i % 2 ? JointType::Prismatic : JointType::Revolute, 0.1, false);
    auto world = world_of(model, p);
    world->set_joint_command(0, JointMode::Effort, 1.0);
    world->step(100);
    // Momentum of the centres of mass: v_com = v_origin + w x (R c).
    Vector3d momentum = Vector3d::Zero();
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector3d arm =
        orientation(*world, k) * world->bodies()[k].inertial_offset.translation();
      momentum += world->bodies()[k].mass *
                  (linear_velocity(*world, k) + angular_velocity(*world, k).cross(arm));
    }
    EXPECT_LT(momentum.norm(), 1e-9);
    EXPECT_GT(std::abs(joint_velocity(*world, 0)), 1e-3);
    EXPECT_NEAR(joint_effort(*world, 0), 1.0, 1e-12);
  }
}

ambf_adf::Model swing(JointType type)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  model.bodies.push_back(body("arm", 1.0, Vector3d(0.3, 0, 0), Vector3d::Constant(0.01)));
  model.joints.push_back(joint("j", type, "base", "arm", Vector3d::Zero(), Vector3d(-0.3, 0, 0)));
  return model;
}

TEST(Joint, StopsAtItsLimitsAndStaysThere)
{
  auto model = swing(JointType::Revolute);
  model.joints[0].limits = ambf_adf::JointLimits{-0.2, 0.4};  // gravity turns it to +pi/2
  auto world = world_of(model);
  double furthest = 0.0;
  for (int i = 0; i < 2000; ++i) {
    world->step();
    furthest = std::max(furthest, joint_position(*world, 0));
  }
  EXPECT_LT(furthest, 0.4 + 1e-4);
  EXPECT_NEAR(joint_position(*world, 0), 0.4, 1e-4);
  EXPECT_LT(std::abs(joint_velocity(*world, 0)), 1e-6);
  // The limit carries the weight: m g l cos(q).
  EXPECT_NEAR(joint_effort(*world, 0), -9.8 * 0.3 * std::cos(0.4), 1e-3);
}

TEST(Joint, StopsAtItsLimitsWithAnyStep)
{
  for (const double h : {0.001, 0.005, 0.02}) {
    auto model = swing(JointType::Revolute);
    model.joints[0].limits = ambf_adf::JointLimits{-1.0, 1.0};
    Parameters p;
    p.gravity.setZero();
    p.step_size = h;
    auto world = world_of(model, p);
    world->set_joint_command(0, JointMode::Effort, 5.0);  // 50 rad/s^2
    double furthest = 0.0;
    for (int i = 0; i < 1000; ++i) {
      world->step();
      furthest = std::max(furthest, joint_position(*world, 0));
    }
    EXPECT_NEAR(furthest, 1.0, 1e-3 + 0.1 * h)
      << h;  // a turn of dq h is not quite an angle of dq h
  }
}

TEST(Joint, CountsFullTurns)
{
  auto model = swing(JointType::Continuous);
  Parameters p;
  p.gravity.setZero();
  auto world = world_of(model, p);
  world->set_joint_command(0, JointMode::Velocity, 10.0);
  world->step(3000);
  EXPECT_NEAR(joint_position(*world, 0), 30.0, 0.1);  // 10 ms to get up to speed at 100 N m
  world->set_joint_command(0, JointMode::Velocity, -10.0);
  world->step(6000);
  EXPECT_NEAR(joint_position(*world, 0), -30.0, 0.3);
}

// As AMBF reports it: the angle of a hinge without limits, where limits do not say how far it has turned.
TEST(Joint, RevoluteWithoutLimitsReportsTheAngleWithinPi)
{
  Parameters p;
  p.gravity.setZero();
  for (const bool limited : {false, true}) {
    auto model = swing(JointType::Revolute);
    if (limited) { model.joints[0].limits = ambf_adf::JointLimits{-100.0, 100.0}; }
    auto world = world_of(model, p);
    world->set_joint_command(0, JointMode::Velocity, 10.0);
    for (int i = 0; i < 3000; ++i) {
      world->step();
      if (!limited) { ASSERT_LE(std::abs(joint_position(*world, 0)), std::numbers::pi); }
      ASSERT_GE(joint_velocity(*world, 0), 0.0);  // no jump, where the angle wraps
    }
    const double turned = joint_position(*world, 0);
    EXPECT_NEAR(limited ? turned : turned + 10.0 * std::numbers::pi, 30.0, 0.1);
    // What is saved goes on, and a reset begins anew.
    const auto saved = world->save();
    world->step(10);
    ASSERT_TRUE(world->restore(saved));
    EXPECT_EQ(joint_position(*world, 0), turned);
    world->reset();
    EXPECT_NEAR(joint_position(*world, 0), 0.0, 1e-9);
  }
}

// A stream of commands through pi is followed without a jump, in either way of writing it.
TEST(Joint, FollowsAStreamOfPositionsAcrossTheWrap)
{
  Parameters p;
  p.gravity.setZero();
  for (const JointType type : {JointType::Revolute, JointType::Continuous}) {
    for (const bool wrapped : {false, true}) {
      auto world = world_of(swing(type), p);
      double fastest = 0.0;
      double slowest = 10.0;
      double worst = 0.0;
      for (int i = 0; i < 5000; ++i) {
        const double target = 0.002 * i;
        const double sent = wrapped ? std::remainder(target, 2.0 * std::numbers::pi) : target;
        world->set_joint_command(0, JointMode::Position, sent);
        world->step();
        if (i < 500) { continue; }
        fastest = std::max(fastest, joint_velocity(*world, 0));
        slowest = std::min(slowest, joint_velocity(*world, 0));
        const double off =
          std::remainder(joint_position(*world, 0) - target, 2.0 * std::numbers::pi);
        worst = std::max(worst, std::abs(off));
      }
      EXPECT_NEAR(fastest, 2.0, 1e-3) << int(type) << wrapped;
      EXPECT_NEAR(slowest, 2.0, 1e-3) << int(type) << wrapped;
      EXPECT_LT(worst, 0.01);
      const double turns = joint_position(*world, 0) - 0.002 * 4999;
      EXPECT_NEAR(turns, type == JointType::Continuous ? 0.0 : -4.0 * std::numbers::pi, 0.01);
    }
  }
}

TEST(Joint, WithoutLimitsTakesTheShortestWayToAPosition)
{
  Parameters p;
  p.gravity.setZero();
  for (const JointType type : {JointType::Revolute, JointType::Continuous}) {
    auto model = swing(type);
    auto world = world_of(model, p);
    world->set_joint_command(0, JointMode::Position, 3.0);
    world->step(3000);
    world->set_joint_command(0, JointMode::Position, -3.0);  // 0.283 rad further on, and not 6 back
    for (int i = 0; i < 3000; ++i) {
      world->step();
      ASSERT_GT(std::abs(joint_position(*world, 0)), 2.9);
    }
    const double reported = type == JointType::Continuous ? -3.0 + 2.0 * std::numbers::pi : -3.0;
    EXPECT_NEAR(joint_position(*world, 0), reported, 1e-3);
  }
}

TEST(Joint, FixedJointsHoldAndReadZero)
{
  auto model = swing(JointType::Fixed);
  auto world = world_of(model);
  world->step(1000);
  EXPECT_LT((position(*world, 1) - Vector3d(0.3, 0, 0)).norm(), 1e-6);
  EXPECT_EQ(joint_position(*world, 0), 0.0);
  EXPECT_EQ(world->set_joint_command(0, JointMode::Position, 1.0), CommandResult::NotCommandable);
}

TEST(Joint, TorsionSpringRestsWhereItsTorqueBalancesTheWeight)
{
  auto model = swing(JointType::TorsionSpring);
  model.joints[0].stiffness = 20.0;
  model.joints[0].damping = 1.0;
  model.joints[0].equilibrium = 0.0;
  auto world = world_of(model);
  world->step(6000);
  const double q = joint_position(*world, 0);
  EXPECT_NEAR(20.0 * q, 9.8 * 0.3 * std::cos(q), 1e-3);
}

TEST(Joint, DampingOfPlainJointsCanBeSwitchedOff)
{
  auto model = swing(JointType::Revolute);
  model.joints[0].damping = 0.5;
  Parameters with;
  Parameters without;
  without.joint_damping = false;
  auto a = world_of(model, with);
  auto b = world_of(model, without);
  a->step(10000);
  b->step(10000);
  EXPECT_LT(std::abs(joint_velocity(*a, 0)), 1e-3);
  EXPECT_GT(std::abs(joint_velocity(*b, 0)) + std::abs(joint_position(*b, 0) - pi / 2.0), 0.1);
}

TEST(Joint, ConeTwistAndSixDofKeepTheirRanges)
{
  auto cone = swing(JointType::ConeTwist);
  cone.joints[0].cone_twist = ambf_adf::ConeTwistLimits{Vector3d(0.3, 0.3, 0.3)};
  auto world = world_of(cone);
  ASSERT_EQ(world->step(3000), StepStatus::Ok) << world->divergence().reason;
  EXPECT_NEAR(position(*world, 1).norm(), 0.3, 1e-2);
  EXPECT_GT(position(*world, 1).z(), -0.3 * std::sin(0.6));  // limited, not hanging

  auto six = swing(JointType::SixDof);
  ambf_adf::SixDofParameters p;
  p.low.linear.setZero();
  p.high.linear.setZero();
  p.low.angular = Vector3d(-0.01, -0.01, -0.5);  // the joint frame's z is the axis: y of the bodies
  p.high.angular = Vector3d(0.01, 0.01, 0.5);
  six.joints[0].six_dof = p;
  auto other = world_of(six);
  ASSERT_EQ(other->step(3000), StepStatus::Ok) << other->divergence().reason;
  EXPECT_NEAR(position(*other, 1).norm(), 0.3, 1e-2);
  EXPECT_NEAR(position(*other, 1).z(), -0.3 * std::sin(0.5), 0.01);  // hangs in its limit
}

TEST(Joint, SixDofSpringSettlesAtItsEquilibrium)
{
  auto model = swing(JointType::SixDofSpring);
  ambf_adf::SixDofParameters p;
  p.low.linear.setZero();
  p.high.linear.setZero();
  p.low.angular = Vector3d(0, 0, -1.5);
  p.high.angular = Vector3d(0, 0, 1.5);
  p.stiffness = {Vector3d::Zero(), Vector3d::Constant(30.0)};
  p.damping = {Vector3d::Constant(1.0), Vector3d::Constant(2.0)};
  p.equilibrium.angular = Vector3d::Zero();
  model.joints[0].six_dof = p;
  auto world = world_of(model);
  ASSERT_EQ(world->step(5000), StepStatus::Ok) << world->divergence().reason;
  EXPECT_LT(angular_velocity(*world, 1).norm(), 1e-2);
  // k q = m g l cos(q): q = 0.0977
  const double q = std::asin(-position(*world, 1).z() / 0.3);
  EXPECT_NEAR(30.0 * q, 9.8 * 0.3 * std::cos(q), 0.05);
}

TEST(Joint, SixDofSpringsSwingAtTheirFrequencies)
{
  // About each axis alone: w = sqrt(k / I), and the implicit step damps by a ratio of w h / 2.
  const Vector3d stiffness(20.0, 30.0, 40.0);
  for (int axis = 0; axis < 3; ++axis) {
    ambf_adf::Model model;
    model.bodies.push_back(body("ground", 0.0, Vector3d::Zero()));
    model.bodies.push_back(body("top", 1.0, Vector3d::Zero(), Vector3d::Constant(0.1)));
    model.joints.push_back(joint(
      "spring", JointType::SixDofSpring, "ground", "top", Vector3d::Zero(), Vector3d::Zero(),
      Vector3d::UnitZ()));
    ambf_adf::SixDofParameters p;
    p.low.linear = p.high.linear = Vector3d::Zero();
    p.low.angular = Vector3d::Constant(-1.5);
    p.high.angular = Vector3d::Constant(1.5);
    p.stiffness = {Vector3d::Zero(), stiffness};
    p.damping = {Vector3d::Zero(), Vector3d::Zero()};
    model.joints[0].six_dof = p;
    auto world = world_of(model);
    const double w = std::sqrt(stiffness[axis] / 0.1);
    Vector3d kick = Vector3d::Zero();
    kick[axis] = 0.5 * w;  // amplitude 0.5 rad
    world->set_body_state(1, Eigen::Isometry3d::Identity(), Vector3d::Zero(), kick);
    const int quarter = static_cast<int>(std::lround(0.25 * 2.0 * std::numbers::pi / w / 0.001));
    ASSERT_EQ(world->step(static_cast<std::uint32_t>(quarter)), StepStatus::Ok);
    EXPECT_NEAR(Eigen::AngleAxisd(orientation(*world, 1)).angle(), 0.5, 0.01) << "axis " << axis;
    ASSERT_EQ(world->step(static_cast<std::uint32_t>(3 * quarter)), StepStatus::Ok);
    const double decay = std::exp(-0.5 * w * 0.001 * 2.0 * std::numbers::pi);
    EXPECT_NEAR(angular_velocity(*world, 1)[axis], kick[axis] * decay, 0.01 * kick[axis])
      << "axis " << axis;
    EXPECT_LT(position(*world, 1).norm(), 1e-9);
  }
}

TEST(Closure, PlacesAnOpenChainOntoItsJoints)
{
  auto model = swing(JointType::Revolute);
  model.bodies[1].location.position += Vector3d(0.2, 0.1, -0.05);
  model.bodies[1].location.rpy = Vector3d(0.3, 0.0, 0.2);
  AddedModel added;
  auto world = world_of(model, {}, &added);
  EXPECT_GT(added.closure.position_error_before, 0.1);
  EXPECT_TRUE(added.closure.moved);
  EXPECT_EQ(added.closure.worst_joint, "j");
  EXPECT_LT(added.closure.position_error_after, 1e-7);
  EXPECT_LT(added.closure.angle_error_after, 1e-6);
}

}  // namespace
}  // namespace ambf_dynamics::test
