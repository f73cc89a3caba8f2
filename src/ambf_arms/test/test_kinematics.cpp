// SPDX-License-Identifier: BSD-3-Clause
// Forward kinematics and Jacobians against KDL's solvers, golden values and differences.

#include <gtest/gtest.h>

#include <numbers>

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include "ambf_arms/pose.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

constexpr double quarter = 0.5 * std::numbers::pi;

/// KDL's own reading of DH rows (its DH and DH_Craig1989 factories). KDL's joint is in front of the
/// constant transform of a segment, so that of a Craig row goes to the segment before it.
KDL::Chain kdl_chain(std::span<const DhRow> rows, DhConvention convention)
{
  KDL::Chain out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DhRow & row = rows[i];
    const KDL::Joint joint(row.slides ? KDL::Joint::TransZ : KDL::Joint::RotZ);
    if (convention == DhConvention::Standard) {
      out.addSegment(KDL::Segment(joint, KDL::Frame::DH(row.a, row.alpha, row.d, row.theta)));
      continue;
    }
    const KDL::Frame before = KDL::Frame::DH_Craig1989(row.a, row.alpha, row.d, row.theta);
    out.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), before));
    out.addSegment(KDL::Segment(joint, KDL::Frame::Identity()));
  }
  return out;
}

std::vector<DhRow> random_rows(Random & random, int joints)
{
  std::vector<DhRow> rows;
  for (int i = 0; i < joints; ++i) {
    rows.push_back(
      {random.within(-3, 3), random.within(-1, 1), random.within(-1, 1), random.within(-3, 3),
       random.within(0, 1) < 0.3});
  }
  return rows;
}

KDL::JntArray to_kdl(const JointVector & q)
{
  KDL::JntArray out(static_cast<unsigned>(q.size()));
  out.data = q;
  return out;
}

Eigen::Isometry3d from_kdl(const KDL::Frame & frame)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned k = 0; k < 3; ++k) {
      t.linear()(i, k) = frame.M(static_cast<int>(i), static_cast<int>(k));
    }
    t.translation()[i] = frame.p(static_cast<int>(i));
  }
  return t;
}

class Convention : public testing::TestWithParam<DhConvention>
{
};

TEST_P(Convention, ForwardKinematicsAndJacobianAreKdls)
{
  Random random(7);
  for (int sample = 0; sample < 300; ++sample) {
    const auto rows = random_rows(random, 1 + sample % 8);
    const Chain chain = make_chain(rows, GetParam());
    KDL::Chain other = kdl_chain(rows, GetParam());
    const JointVector q = random.vector(chain.joints, -3, 3);
    KDL::Frame frame;
    KDL::ChainFkSolverPos_recursive fk(other);
    ASSERT_EQ(fk.JntToCart(to_kdl(q), frame), 0);
    TipMotion motion;
    tip_motion(chain, q, motion);
    EXPECT_LT((motion.tip.matrix() - from_kdl(frame).matrix()).norm(), 1e-12);
    EXPECT_LT((forward(chain, q).matrix() - motion.tip.matrix()).norm(), 1e-14);
    KDL::Jacobian jacobian(static_cast<unsigned>(chain.joints));
    KDL::ChainJntToJacSolver solver(other);
    ASSERT_EQ(solver.JntToJac(to_kdl(q), jacobian), 0);
    EXPECT_LT((motion.jacobian - jacobian.data).norm(), 1e-11);
    // KDL moves the reference point and the axes itself.
    KDL::Jacobian body(jacobian.columns());
    KDL::changeBase(jacobian, frame.M.Inverse(), body);
    Jacobian ours;
    body_jacobian(motion, ours);
    EXPECT_LT((ours - body.data).norm(), 1e-11);
    KDL::Jacobian spatial(jacobian.columns());
    KDL::changeRefPoint(jacobian, -frame.p, spatial);
    spatial_jacobian(motion, ours);
    EXPECT_LT((ours - spatial.data).norm(), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(
  Both, Convention, testing::Values(DhConvention::Standard, DhConvention::Modified),
  [](const auto & instance) {
    return instance.param == DhConvention::Standard ? "standard" : "modified";
  });

TEST(Jacobians, AreTheDerivativesOfTheForwardKinematics)
{
  Random random(8);
  const Tool & snake = *find_tool("400117", Generation::Classic);
  const std::vector<std::pair<Chain, Bounds>> arms{
    {psm_chain(Generation::Si, *find_tool("420205", Generation::Si)),
     psm_bounds(Generation::Si, *find_tool("420205", Generation::Si))},
    {psm_chain(Generation::Classic, snake), psm_bounds(Generation::Classic, snake)},
    {ecm_chain(), ecm_bounds()},
    {mtm_chain(), mtm_bounds(Side::Left)}};
  for (const auto & [chain, bounds] : arms) {
    for (int sample = 0; sample < 50; ++sample) {
      const JointVector q = random.joints(bounds);
      TipMotion motion;
      tip_motion(chain, q, motion);
      Jacobian body, spatial;
      body_jacobian(motion, body);
      spatial_jacobian(motion, spatial);
      constexpr double h = 1e-6;
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        JointVector up = q, down = q;
        up[i] += h;
        down[i] -= h;
        const Eigen::Isometry3d a = forward(chain, down), b = forward(chain, up);
        Vector6 difference;
        difference << (b.translation() - a.translation()) / (2 * h),
          rotation_vector(b.linear() * a.linear().transpose()) / (2 * h);
        // Second-order differences: h^2 and rounding / h.
        EXPECT_LT((difference - motion.jacobian.col(i)).norm(), 1e-8);
        const Eigen::Matrix3d turn = motion.tip.linear().transpose();
        EXPECT_LT((turn * difference.head<3>() - body.col(i).head<3>()).norm(), 1e-8);
        EXPECT_LT((turn * difference.tail<3>() - body.col(i).tail<3>()).norm(), 1e-8);
        const Eigen::Vector3d at_base =
          difference.head<3>() -
          Eigen::Vector3d(difference.tail<3>()).cross(motion.tip.translation());
        EXPECT_LT((at_base - spatial.col(i).head<3>()).norm(), 1e-8);
      }
    }
  }
}

// Values of sawIntuitiveResearchKit's files, whose right angles are 1.5708: six decimals.
TEST(Golden, PsmEcmMtm)
{
  const Tool & driver = *find_tool("LARGE_NEEDLE_DRIVER:400006", Generation::Classic);
  const Chain psm = psm_chain(Generation::Classic, driver);
  JointVector q = zeros(6);
  q[2] = 0.12;
  Eigen::Isometry3d t = forward(psm, q);
  EXPECT_LT((t.translation() - Eigen::Vector3d(0, 0, -0.1135)).norm(), 1e-12);
  Eigen::Matrix3d expected;
  expected << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  EXPECT_LT((t.linear() - expected).norm(), 1e-12);
  q << 0.3, -0.2, 0.15, 0.5, -0.4, 0.6;
  EXPECT_LT(
    (forward(psm, q).translation() - Eigen::Vector3d(0.042795, 0.031415, -0.132593)).norm(), 3e-6);

  JointVector e(4);
  e << 0.3, -0.2, 0.1, 0.5;
  t = forward(ecm_chain(find_endoscope("Classic_SD_STRAIGHT")->tip()), e);
  EXPECT_LT((t.translation() - Eigen::Vector3d(0.029166, 0.020007, -0.094284)).norm(), 3e-6);
  EXPECT_LT((t.linear().row(0) - Eigen::RowVector3d(0.866531, -0.406490, 0.289637)).norm(), 1e-5);

  JointVector m(7);
  m << 0.2, 0.3, -0.1, 0.5, 0.4, -0.3, 1.0;
  EXPECT_LT(
    (forward(mtm_chain(), m).translation() - Eigen::Vector3d(0.081430, -0.401712, -0.046908))
      .norm(),
    3e-6);
  m << 0.2, 0.3, -0.1, 0.4, 0.5, -0.6, 0.7;
  expected << 0.379646, 0.921990, 0.076179, 0.499138, -0.273466, 0.822239, 0.778929, -0.274136,
    -0.564021;
  EXPECT_LT((forward(mtm_chain(), m).linear() - expected).norm(), 3e-6);
}

TEST(Snake, ItsFiveAxesFollowThreeJoints)
{
  const Tool & tool = *find_tool("5MM_NEEDLE_DRIVER", Generation::Classic);
  const Chain chain = psm_chain(Generation::Classic, tool);
  ASSERT_EQ(chain.joints, 6);
  ASSERT_EQ(chain.steps.size(), 8u);
  const std::vector<DhRow> rows{
    {quarter, 0, 0, quarter}, {-quarter, 0, 0, -quarter},   {quarter, 0, -0.4318, 0, true},
    {0, 0, 0.4024, 0},        {-quarter, 0, 0, -quarter},   {-quarter, 0.0034, 0, 0},
    {0, 0.0034, 0, 0},        {quarter, 0.0034, 0, quarter}};
  const Chain plain = make_chain(rows, DhConvention::Modified, tool.tip());
  JointVector q(6), all(8);
  q << 0.1, 0.2, 0.15, 0.3, 0.4, -0.2;
  all << 0.1, 0.2, 0.15, 0.3, 0.2, -0.1, -0.1, 0.2;
  EXPECT_LT((forward(chain, q).matrix() - forward(plain, all).matrix()).norm(), 1e-14);
}

TEST(Manipulability, VanishesWhereTheArmIsSingular)
{
  const Chain chain = mtm_chain();
  JointVector q = zeros(7);
  TipMotion motion;
  // Handle parallel to the platform's axis: the gimbal has two axes left there, the platform helps.
  q[4] = quarter;
  tip_motion(chain, q, motion);
  const Manipulability folded = manipulability(motion.jacobian, 0.3);
  q[4] = 0.0;
  tip_motion(chain, q, motion);
  const Manipulability straight = manipulability(motion.jacobian, 0.3);
  EXPECT_GT(straight.volume, 0.0);
  EXPECT_GT(straight.largest, straight.smallest);
  Jacobian none(6, 7);
  none.setZero();
  EXPECT_EQ(manipulability(none).volume, 0.0);
  EXPECT_EQ(manipulability(none).smallest, 0.0);
  // The product of the singular values, by another route.
  const Eigen::MatrixXd j = motion.jacobian;
  Eigen::MatrixXd scaled = j;
  scaled.topRows(3) /= 0.3;
  EXPECT_NEAR(
    straight.volume, std::sqrt((scaled * scaled.transpose()).determinant()),
    1e-9 * straight.volume + 1e-12);
  EXPECT_LT(folded.smallest, straight.largest);
}

}  // namespace
}  // namespace ambf_arms::test
