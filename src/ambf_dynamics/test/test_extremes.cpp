// SPDX-License-Identifier: BSD-3-Clause
// Models at the edge of what a file may say: they run, or the divergence is reported, and no state that
// anybody reads holds a number that is none.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "model_builder.hpp"
#include "temporary_file.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

const JointType all_types[] = {
  JointType::Revolute,     JointType::Continuous,    JointType::Prismatic,    JointType::Fixed,
  JointType::LinearSpring, JointType::TorsionSpring, JointType::PointToPoint, JointType::ConeTwist,
  JointType::SixDof,       JointType::SixDofSpring};

ambf_adf::Joint any_joint(
  JointType type, const std::string & name, const std::string & parent, const std::string & child)
{
  auto j = joint(name, type, parent, child, Vector3d(0.1, 0, 0), Vector3d(-0.1, 0, 0));
  if (type == JointType::SixDof || type == JointType::SixDofSpring) { j.six_dof.emplace(); }
  if (type == JointType::ConeTwist) { j.cone_twist.emplace(); }
  return j;
}

/// base - a - b along x, joined by one type of joint.
ambf_adf::Model chain(JointType type, const ambf_adf::RigidBody & a, const ambf_adf::RigidBody & b)
{
  ambf_adf::Model model;
  model.bodies = {body("base", 0.0, Vector3d::Zero()), a, b};
  model.joints = {any_joint(type, "j0", "base", "a"), any_joint(type, "j1", "a", "b")};
  return model;
}

void expect_finite(const World & world, const std::string & what)
{
  const auto finite = [](double v) { return std::isfinite(v); };
  EXPECT_TRUE(std::all_of(world.state().bodies.begin(), world.state().bodies.end(), finite))
    << what;
  EXPECT_TRUE(std::all_of(world.state().joints.begin(), world.state().joints.end(), finite))
    << what;
}

class Extremes : public testing::TestWithParam<SolverKind>
{
protected:
  std::unique_ptr<World> make(const ambf_adf::Model & model) const
  {
    Parameters p;
    p.solver = GetParam();
    return world_of(model, p);
  }
  /// All kinds of commands on the joints, one after the other.
  void exercise(World & world, const std::string & what) const
  {
    for (const JointMode mode :
         {JointMode::Position, JointMode::Velocity, JointMode::Effort, JointMode::Release}) {
      for (JointIndex j = 0; j < world.joints().size(); ++j) {
        world.set_joint_command(j, mode, 0.2);
      }
      EXPECT_EQ(world.step(50), StepStatus::Ok) << what << ": " << world.divergence().reason;
      expect_finite(world, what);
    }
  }
};

TEST_P(Extremes, ChainsOfFixedBodiesStayWhereTheyAre)
{
  for (const JointType type : all_types) {
    const std::string what = to_string(type);
    auto world =
      make(chain(type, body("a", 0.0, Vector3d(0.2, 0, 0)), body("b", 0.0, Vector3d(0.4, 0, 0))));
    exercise(*world, what);
    EXPECT_LT((position(*world, 2) - Vector3d(0.4, 0, 0)).norm(), 1e-12) << what;
  }
}

TEST_P(Extremes, BodiesThatCannotTurnHangOnAnyJoint)
{
  for (const JointType type : all_types) {
    auto a = body("a", 1.0, Vector3d(0.2, 0, 0), Vector3d::Zero());
    auto b = body("b", 1.0, Vector3d(0.4, 0, 0), Vector3d::Zero());
    auto world = make(chain(type, a, b));
    exercise(*world, to_string(type));
  }
}

TEST_P(Extremes, TinyAndHugeMassesRunOnAnyJoint)
{
  for (const JointType type : all_types) {
    for (const double mass : {1e-9, 1e-3, 1e6}) {
      const std::string what = std::string(to_string(type)) + " of " + std::to_string(mass) + " kg";
      const auto one = [mass](const std::string & name, double x) {
        return body(name, mass, Vector3d(x, 0, 0), Vector3d::Constant(0.01 * mass));
      };
      auto world = make(chain(type, one("a", 0.2), one("b", 0.4)));
      // The weight must not decide: a push of the commands would.
      EXPECT_EQ(world->step(300), StepStatus::Ok) << what << ": " << world->divergence().reason;
      expect_finite(*world, what);
    }
  }
}

TEST_P(Extremes, EqualLimitsHoldLikeAFixedJoint)
{
  ambf_adf::Model model;
  model.bodies = {
    body("base", 0.0, Vector3d::Zero()),
    body("a", 1.0, Vector3d(0.2, 0, 0), Vector3d::Constant(0.01))};
  model.joints = {any_joint(JointType::Revolute, "j", "base", "a")};
  model.joints[0].limits = ambf_adf::JointLimits{0.0, 0.0};
  auto world = make(model);
  EXPECT_EQ(world->step(2000), StepStatus::Ok);
  EXPECT_LT(std::abs(joint_position(*world, 0)), 0.01);
  world->set_joint_command(0, JointMode::Position, 1.0);
  EXPECT_EQ(world->step(500), StepStatus::Ok);
  EXPECT_LT(std::abs(joint_position(*world, 0)), 0.01);
}

TEST_P(Extremes, TheSameJointManyTimesIsOneJoint)
{
  ambf_adf::Model model;
  model.bodies = {
    body("base", 0.0, Vector3d::Zero()),
    body("a", 1.0, Vector3d(0.2, 0, 0), Vector3d::Constant(0.01))};
  for (int i = 0; i < 6; ++i) {
    model.joints.push_back(any_joint(
      i % 2 ? JointType::PointToPoint : JointType::Revolute, "j" + std::to_string(i), "base", "a"));
  }
  auto world = make(model);
  EXPECT_EQ(world->step(1000), StepStatus::Ok) << world->divergence().reason;
  // Still at its pivot, 0.1 m from the centre of mass; iterating solvers drift by a fraction of a millimetre.
  EXPECT_NEAR((position(*world, 1) - Vector3d(0.1, 0, 0)).norm(), 0.1, 1e-3);
}

TEST_P(Extremes, GainsBelowZeroPushNothing)
{
  ambf_adf::Model model;
  model.bodies = {
    body("base", 0.0, Vector3d::Zero()),
    body("a", 1.0, Vector3d(0.2, 0, 0), Vector3d::Constant(0.01))};
  model.bodies[1].gravity = Vector3d::Zero();
  model.joints = {any_joint(JointType::Revolute, "j", "base", "a")};
  model.joints[0].controller_output = ambf_adf::ControlOutput::Effort;
  for (const auto & [p, d] :
       {std::pair{-5.0, 0.001}, {-5.0, 0.005}, {5.0, -0.005}, {-1000.0, 1.0}, {-5.0, -1.0}}) {
    model.joints[0].controller = ambf_adf::Pid{p, 0.0, d};
    auto world = make(model);
    world->set_joint_command(0, JointMode::Position, 0.5);
    EXPECT_EQ(world->step(500), StepStatus::Ok)
      << p << " " << d << ": " << world->divergence().reason;
    expect_finite(*world, "joint gains");
  }
  ambf_adf::CartesianController below;
  below.linear = below.angular = {-1000.0, 0.0, -1.0};
  for (const auto output : {ambf_adf::ControlOutput::Effort, ambf_adf::ControlOutput::Velocity}) {
    below.linear_output = below.angular_output = output;
    auto world = make(model);
    world->set_body_gains(1, below);
    BodyCommand pose;
    pose.mode = BodyMode::Pose;
    pose.position = Vector3d(0.3, 0, 0);
    world->set_body_command(1, pose);
    EXPECT_EQ(world->step(500), StepStatus::Ok) << world->divergence().reason;
    expect_finite(*world, "body gains");
  }
}

TEST_P(Extremes, CommandsBeyondAllReasonEndInAReportedDivergence)
{
  const double most = std::numeric_limits<double>::max();
  for (const JointType type : all_types) {
    auto model =
      chain(type, body("a", 1.0, Vector3d(0.2, 0, 0)), body("b", 1.0, Vector3d(0.4, 0, 0)));
    for (const JointMode mode : {JointMode::Position, JointMode::Velocity, JointMode::Effort}) {
      auto world = make(model);
      for (JointIndex j = 0; j < 2; ++j) { world->set_joint_command(j, mode, most); }
      if (world->step(100) == StepStatus::Diverged) {
        EXPECT_FALSE(world->divergence().reason.empty());
      }
      expect_finite(*world, to_string(type));
      world->reset();
      EXPECT_EQ(world->step(10), StepStatus::Ok) << to_string(type);
      expect_finite(*world, to_string(type));
    }
  }
}

TEST_P(Extremes, MeshesOfLinesOrPointsAloneCollideAsTheirHull)
{
  const TemporaryFile file("ambf_lines", ".obj");
  std::ofstream(file.path) << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 -1\nl 1 2 3 4 1 5\n";
  ambf_adf::CollisionMesh mesh;
  mesh.mesh.file = mesh.mesh.path = file.path;
  for (const double mass : {0.0, 100.0}) {
    ambf_adf::Model model;
    model.bodies = {
      body("wires", mass, Vector3d::Zero()),
      box("block", 1.0, Vector3d(0, 0, 0.1), Vector3d::Constant(0.1))};
    model.bodies[0].collision = mesh;
    model.bodies[0].gravity = Vector3d::Zero();
    auto world = make(model);
    EXPECT_EQ(world->step(500), StepStatus::Ok);
    expect_finite(*world, "lines");
    if (mass == 0.0) { EXPECT_GT(position(*world, 1).z(), 0.0); }
  }
}

TEST_P(Extremes, AModelPlacedNowhereIsRefused)
{
  auto world = make({});
  ambf_adf::Model model;
  model.bodies = {body("a", 1.0, Vector3d::Zero())};
  Eigen::Isometry3d nowhere = Eigen::Isometry3d::Identity();
  nowhere.translation().x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(world->add_model(model, nowhere));
  EXPECT_TRUE(world->bodies().empty());
  EXPECT_EQ(world->step(), StepStatus::Ok);
}

INSTANTIATE_TEST_SUITE_P(
  Solvers, Extremes,
  testing::Values(SolverKind::DirectJoints, SolverKind::SequentialImpulse, SolverKind::Dantzig),
  [](const auto & kind) {
    switch (kind.param) {
      case SolverKind::DirectJoints:
        return "DirectJoints";
      case SolverKind::SequentialImpulse:
        return "SequentialImpulse";
      default:
        return "Dantzig";
    }
  });

}  // namespace
}  // namespace ambf_dynamics::test
