// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics: closed forms to rounding, limits, goals that make no sense, numeric solver.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "ambf_arms/pose.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Worst
{
  double position = 0.0;
  double angle = 0.0;
  int clipped = 0;

  void add(const Chain & chain, const Eigen::Isometry3d & goal, const Solution & solution)
  {
    const Eigen::Isometry3d reached = forward(chain, solution.q);
    position = std::max(position, (reached.translation() - goal.translation()).norm());
    angle = std::max(angle, angle_between(reached.linear(), goal.linear()));
    clipped += solution.clipped != 0 ? 1 : 0;
  }
};

int samples() { return long_tier() ? 100000 : 2000; }

struct PsmCase
{
  Generation generation;
  const char * tool;
};

class WristedPsm : public testing::TestWithParam<PsmCase>
{
};

TEST_P(WristedPsm, EveryReachablePoseIsMetToRounding)
{
  const Tool & tool = *find_tool(GetParam().tool, GetParam().generation);
  const Chain chain = psm_chain(GetParam().generation, tool);
  const Bounds bounds = psm_bounds(GetParam().generation, tool);
  const PsmGeometry geometry = psm_geometry(GetParam().generation, tool);
  Bounds reachable = bounds;
  reachable.low[2] = geometry.cannula_stop - geometry.insertion_offset - geometry.shaft + 1e-9;
  Random random(1);
  Worst worst;
  double seed_error = 0.0;
  for (int i = 0; i < samples(); ++i) {
    const JointVector q = random.joints(reachable);
    const Eigen::Isometry3d goal = forward(chain, q);
    // Any seed: there is one solution but for full turns of the roll.
    const auto far = inverse(geometry, chain, bounds, goal, random.joints(reachable));
    ASSERT_TRUE(far.has_value());
    worst.add(chain, goal, *far);
    const auto near = inverse(geometry, chain, bounds, goal, q);
    ASSERT_TRUE(near.has_value());
    seed_error = std::max(seed_error, (near->q - q).cwiseAbs().maxCoeff());
  }
  std::printf(
    "%s: %d poses, %.1e m, %.1e rad\n", tool.full_name().c_str(), samples(), worst.position,
    worst.angle);
  EXPECT_LT(worst.position, 1e-9);
  EXPECT_LT(worst.angle, 1e-9);
  EXPECT_EQ(worst.clipped, 0);
  EXPECT_LT(seed_error, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
  Tools, WristedPsm,
  testing::Values(
    PsmCase{Generation::Classic, "400006"}, PsmCase{Generation::Si, "420205"},
    PsmCase{Generation::Classic, "400183"}, PsmCase{Generation::Si, "410298"}),
  [](const auto & instance) { return std::string("model_") + instance.param.tool; });

TEST(Psm, AGoalBeyondALimitIsClippedNotRefused)
{
  const Tool & tool = *find_tool("400006", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  const Bounds bounds = psm_bounds(Generation::Classic, tool);
  const PsmGeometry geometry = psm_geometry(Generation::Classic, tool);
  JointVector q(6);
  q << 0.2, 0.1, 0.15, 0.0, 0.3, -0.2;
  JointVector beyond = q;
  beyond[2] = 0.30;  // deeper than 0.24
  beyond[1] = 1.2;   // further than 0.925
  const auto solution = inverse(geometry, chain, bounds, forward(chain, beyond), q);
  ASSERT_TRUE(solution.has_value());
  EXPECT_EQ(solution->clipped, 0b110u);
  EXPECT_NEAR(solution->q[2], 0.24, 1e-12);
  EXPECT_NEAR(solution->q[1], bounds.high[1], 1e-12);
  EXPECT_NEAR(solution->q[4], 0.3, 1e-9);
  EXPECT_GT(solution->position_error, 0.05);
  EXPECT_FALSE(solution->exact());
}

TEST(Psm, RollStaysNearTheSeed)
{
  const Tool & tool = *find_tool("400006", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  const Bounds bounds = psm_bounds(Generation::Classic, tool);
  const PsmGeometry geometry = psm_geometry(Generation::Classic, tool);
  JointVector q(6);
  q << 0.2, 0.1, 0.15, 4.0, 0.3, -0.2;  // 4.0 and 4.0 - 2 pi are within +-4.54
  JointVector seed = q;
  seed[3] = 3.5;
  EXPECT_NEAR(inverse(geometry, chain, bounds, forward(chain, q), seed)->q[3], 4.0, 1e-9);
  seed[3] = -2.0;
  EXPECT_NEAR(
    inverse(geometry, chain, bounds, forward(chain, q), seed)->q[3], 4.0 - 2.0 * std::numbers::pi,
    1e-9);
  // The nearest turn of the seed would be 7.28 - ... beyond the limit: the one within is taken.
  q[3] = -4.4;
  seed[3] = 4.5;
  const auto solution = inverse(geometry, chain, bounds, forward(chain, q), seed);
  EXPECT_EQ(solution->clipped, 0u);
  EXPECT_NEAR(solution->q[3], -4.4 + 2.0 * std::numbers::pi, 1e-9);
}

TEST(Psm, InsideTheCannula)
{
  const Tool & tool = *find_tool("400006", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  const Bounds bounds = psm_bounds(Generation::Classic, tool);
  const PsmGeometry geometry = psm_geometry(Generation::Classic, tool);
  JointVector deep = zeros(6);
  deep[2] = 0.12;
  JointVector near = zeros(6);
  near[2] = 0.03;  // wrist 14 mm from the remote centre
  const double least = 0.045 + 0.4318 - 0.4162;
  const auto held = inverse(geometry, chain, bounds, forward(chain, near), deep);
  ASSERT_TRUE(held.has_value());
  EXPECT_NEAR(held->q[2], least, 1e-12);
  EXPECT_EQ(held->clipped, 0b100u);
  // Already inside: may stay, may leave, may not go further in.
  JointVector inside = zeros(6);
  inside[2] = 0.05;
  EXPECT_NEAR(inverse(geometry, chain, bounds, forward(chain, near), inside)->q[2], 0.05, 1e-12);
  inside[2] = 0.02;
  EXPECT_NEAR(inverse(geometry, chain, bounds, forward(chain, near), inside)->q[2], 0.03, 1e-12);
  // At the centre itself there is no direction to solve for.
  near[2] = 0.4318 - 0.4162 + 0.0005;
  const auto refused = inverse(geometry, chain, bounds, forward(chain, near), deep);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error(), Refusal::InsideCannula);
}

TEST(Psm, SingularWristKeepsTheSeedsDirection)
{
  const Tool & tool = *find_tool("400006", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  const Bounds bounds = psm_bounds(Generation::Classic, tool);
  const PsmGeometry geometry = psm_geometry(Generation::Classic, tool);
  // The yaw axis points at the remote centre.
  Eigen::Isometry3d goal = Eigen::Isometry3d::Identity();
  goal.linear().col(2) = Eigen::Vector3d(0, 0, -1);
  goal.linear().col(0) = Eigen::Vector3d(1, 0, 0);
  goal.linear().col(1) = Eigen::Vector3d(0, -1, 0);
  goal.linear() = goal.linear() * tool.tip().linear();
  goal.translation() = Eigen::Vector3d(0, 0, -0.1);
  JointVector seed = zeros(6);
  seed[2] = 0.1;
  const auto solution = inverse(geometry, chain, bounds, goal, seed);
  ASSERT_TRUE(solution.has_value());
  EXPECT_TRUE(solution->q.allFinite());
  EXPECT_NE(solution->clipped, 0u);
}

TEST(Ecm, PositionAndRollAreMetAndTheRestIsTurnedOntoTheShaft)
{
  EcmGeometry geometry;
  Random random(2);
  for (const Endoscope & scope : endoscopes()) {
    geometry.tip = scope.tip();
    const Chain chain = ecm_chain(geometry.tip);
    const Bounds bounds = ecm_bounds();
    Bounds reachable = bounds;
    reachable.low[2] = 0.0401;
    Worst worst;
    for (int i = 0; i < samples() / 10; ++i) {
      const JointVector q = random.joints(reachable);
      const Eigen::Isometry3d goal = forward(chain, q);
      const auto solution = inverse(geometry, chain, bounds, goal, random.joints(reachable));
      ASSERT_TRUE(solution.has_value());
      EXPECT_TRUE(solution->exact());
      worst.add(chain, goal, *solution);
    }
    EXPECT_LT(worst.position, 1e-9) << scope.name;
    EXPECT_LT(worst.angle, 1e-9) << scope.name;
    EXPECT_EQ(worst.clipped, 0) << scope.name;
  }
  geometry.tip = Eigen::Isometry3d::Identity();
  const Chain chain = ecm_chain();
  JointVector q(4);
  q << 0.3, -0.2, 0.1, 0.5;
  Eigen::Isometry3d tilted = forward(chain, q);
  tilted.linear() =
    Eigen::AngleAxisd(0.2, tilted.linear().col(0)).toRotationMatrix() * tilted.linear();
  const auto solution = inverse(geometry, chain, ecm_bounds(), tilted, q);
  ASSERT_TRUE(solution.has_value());
  EXPECT_LT((solution->q - q).norm(), 1e-9);
  EXPECT_LT(solution->position_error, 1e-12);
  EXPECT_NEAR(solution->angle_error, 0.2, 1e-9);
}

TEST(Mtm, EveryReachablePoseIsMetWithTheWristYawInTheMiddle)
{
  for (const Side side : {Side::Left, Side::Right}) {
    const Chain chain = mtm_chain();
    const Bounds bounds = mtm_bounds(side);
    const MtmGeometry geometry;
    Random random(3);
    Worst worst;
    int straight = 0, total = 0;
    for (int i = 0; i < samples(); ++i) {
      const JointVector q = random.joints(bounds);
      const Eigen::Isometry3d goal = forward(chain, q);
      const auto solution = inverse(geometry, chain, bounds, goal, random.joints(bounds));
      ASSERT_TRUE(solution.has_value());
      worst.add(chain, goal, *solution);
      ++total;
      straight += std::abs(solution->q[5]) < 1e-6 ? 1 : 0;
    }
    std::printf(
      "MTM: %d poses, %.1e m, %.1e rad, clipped %d, wrist yaw at zero in %d\n", total,
      worst.position, worst.angle, worst.clipped, straight);
    EXPECT_LT(worst.position, 1e-9);
    EXPECT_LT(worst.angle, 1e-9);
    EXPECT_EQ(worst.clipped, 0);
    // Elsewhere the handle is near the platform's axis, or the platform at its limit.
    EXPECT_GT(straight, total / 2);
  }
}

TEST(Mtm, ThePlatformFollowsSmoothly)
{
  const Chain chain = mtm_chain();
  const Bounds bounds = mtm_bounds(Side::Right);
  const MtmGeometry geometry;
  // The handle swings past the platform's axis, where the best angle jumps by half a turn.
  JointVector q = zeros(7);
  q << 0.1, 0.3, 0.0, 0.4, 0.0, 0.1, 0.0;
  JointVector last = q;
  double largest = 0.0;
  for (int i = 0; i <= 3000; ++i) {
    JointVector wanted = q;
    wanted[4] = 3.0 * i / 3000.0;
    const auto solution = inverse(geometry, chain, bounds, forward(chain, wanted), last);
    ASSERT_TRUE(solution.has_value());
    ASSERT_EQ(solution->clipped, 0u);
    if (i > 0) { largest = std::max(largest, std::abs(solution->q[3] - last[3])); }
    last = solution->q;
  }
  EXPECT_LT(largest, 0.05);
}

TEST(Mtm, OutOfReachStretchesTheArm)
{
  const Chain chain = mtm_chain();
  Bounds bounds = mtm_bounds(Side::Right);
  const MtmGeometry geometry;
  JointVector q = zeros(7);
  Eigen::Isometry3d goal = forward(chain, q);
  goal.translation() *= 5.0;
  const auto solution = inverse(geometry, chain, bounds, goal, q);
  ASSERT_TRUE(solution.has_value());
  EXPECT_GT(solution->position_error, 0.5);
  EXPECT_LT(solution->angle_error, 1e-9);  // the gimbal still turns as told
  EXPECT_TRUE(solution->q.allFinite());
}

TEST(Numeric, MeetsWhatASnakeToolCanReach)
{
  const Tool & tool = *find_tool("5MM_NEEDLE_DRIVER", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  const Bounds bounds = psm_bounds(Generation::Classic, tool);
  Bounds reachable = bounds;
  reachable.low[2] = 0.08;
  Random random(4);
  int met = 0, iterations = 0;
  const int total = samples() / 4;
  for (int i = 0; i < total; ++i) {
    const JointVector q = random.joints(reachable);
    JointVector seed = q + random.vector(6, -0.1, 0.1);
    seed[2] = q[2];
    const auto solution = inverse_numeric(chain, bounds, forward(chain, q), seed);
    ASSERT_TRUE(solution.has_value());
    met += solution->exact() ? 1 : 0;
    iterations += solution->iterations;
  }
  std::printf(
    "snake: %d of %d, %.1f iterations\n", met, total, static_cast<double>(iterations) / total);
  EXPECT_GE(met, total * 99 / 100);
}

TEST(Numeric, StaysWithinLimitsAndComesAsNearAsTheyAllow)
{
  // Two joints in a plane, links of one metre; the second may not bend beyond half a radian.
  const std::vector<DhRow> rows{{0, 1.0, 0, 0}, {0, 1.0, 0, 0}};
  const Chain chain = make_chain(rows, DhConvention::Standard);
  Bounds bounds;
  bounds.low = JointVector::Constant(2, -0.5);
  bounds.high = JointVector::Constant(2, 0.5);
  JointVector seed = JointVector::Constant(2, 0.1);
  JointVector beyond(2);
  beyond << 0.2, 1.5;
  const auto solution = inverse_numeric(chain, bounds, forward(chain, beyond), seed);
  ASSERT_TRUE(solution.has_value());
  EXPECT_LE(solution->q.cwiseAbs().maxCoeff(), 0.5);
  EXPECT_FALSE(solution->exact());
  EXPECT_NE(solution->clipped & 0b10u, 0u);
  const auto inside =
    inverse_numeric(chain, bounds, forward(chain, JointVector::Constant(2, -0.3)), seed);
  EXPECT_TRUE(inside->exact());
}

TEST(Numeric, RestartsFindGoalsFarFromTheSeed)
{
  const Chain chain = mtm_chain();
  const Bounds bounds = mtm_bounds(Side::Right);
  Random random(5);
  NumericOptions options;
  options.restarts = 20;
  int met = 0;
  for (int i = 0; i < 100; ++i) {
    const JointVector q = random.joints(bounds);
    met +=
      inverse_numeric(chain, bounds, forward(chain, q), random.joints(bounds), options)->exact()
        ? 1
        : 0;
  }
  EXPECT_GE(met, 95);
}

TEST(BadInput, IsRefusedByValue)
{
  const Tool & tool = *find_tool("400006", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  const Bounds bounds = psm_bounds(Generation::Classic, tool);
  const PsmGeometry psm = psm_geometry(Generation::Classic, tool);
  Eigen::Isometry3d goal = forward(chain, JointVector::Constant(6, 0.1));
  const JointVector seed = zeros(6);
  EXPECT_EQ(inverse(psm, chain, bounds, goal, zeros(5)).error(), Refusal::WrongSize);
  EXPECT_EQ(
    inverse(MtmGeometry{}, mtm_chain(), mtm_bounds(Side::Left), goal, seed).error(),
    Refusal::WrongSize);
  EXPECT_EQ(inverse_numeric(chain, bounds, goal, zeros(7)).error(), Refusal::WrongSize);
  EXPECT_EQ(inverse_numeric(Chain{}, Bounds{}, goal, zeros(0)).error(), Refusal::NoSolution);
  goal.translation().x() = nan;
  EXPECT_EQ(inverse(psm, chain, bounds, goal, seed).error(), Refusal::NotFinite);
  EXPECT_EQ(inverse_numeric(chain, bounds, goal, seed).error(), Refusal::NotFinite);
  EXPECT_EQ(
    inverse(EcmGeometry{}, ecm_chain(), ecm_bounds(), goal, zeros(4)).error(), Refusal::NotFinite);

  const Eigen::Vector3d p(1, 2, 3);
  EXPECT_EQ(make_pose(p, Eigen::Quaterniond(0, 0, 0, 0)).error(), Refusal::ZeroQuaternion);
  EXPECT_EQ(make_pose(p, Eigen::Quaterniond(nan, 0, 0, 0)).error(), Refusal::NotFinite);
  EXPECT_LT(
    (make_pose(p, Eigen::Quaterniond(2, 0, 0, 0))->matrix() -
     (Eigen::Translation3d(p) * Eigen::Isometry3d::Identity()).matrix())
      .norm(),
    1e-15);
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix(0, 0) = -1.0;
  EXPECT_EQ(make_pose(matrix).error(), Refusal::NotARotation);  // a mirror
  matrix(0, 0) = 1.1;
  EXPECT_EQ(make_pose(matrix).error(), Refusal::NotARotation);
  matrix(0, 0) = 1.0;
  matrix(0, 1) = 5e-4;  // rounding of a file
  const auto pose = make_pose(matrix);
  ASSERT_TRUE(pose.has_value());
  EXPECT_LT(
    (pose->linear().transpose() * pose->linear() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  for (int i = 0; i < 8; ++i) {
    EXPECT_GT(std::string(to_string(static_cast<Refusal>(i))).size(), 10u);
  }
}

}  // namespace
}  // namespace ambf_arms::test
