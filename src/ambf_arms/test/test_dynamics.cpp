// SPDX-License-Identifier: BSD-3-Clause
// Inverse dynamics, gravity and mass matrix against KDL, closed forms and energy.

#include <gtest/gtest.h>

#include <numbers>

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

#include <Eigen/Eigenvalues>

#include "ambf_adf/parse.hpp"
#include "ambf_arms/dynamics.hpp"
#include "ambf_arms/mechanism.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

const Eigen::Vector3d down(0.0, 0.0, -9.81);

Eigen::Matrix3d random_inertia(Random & random)
{
  // Of three rods: any positive sum of squares is the inertia of some body.
  Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d rod(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1));
    out += 0.1 * (rod.squaredNorm() * Eigen::Matrix3d::Identity() - rod * rod.transpose());
  }
  return out;
}

/// The same random arm for both. A KDL segment's inertia is in the frame at its end.
struct Pair
{
  std::vector<Link> links;
  KDL::Chain kdl;
};

Pair random_arm(Random & random, int joints)
{
  Pair out;
  for (int i = 0; i < joints; ++i) {
    const double alpha = random.within(-3, 3), a = random.within(-1, 1);
    const double d = random.within(-1, 1), theta = random.within(-3, 3);
    const bool slides = random.within(0, 1) < 0.3;
    const KDL::Frame before = KDL::Frame::DH_Craig1989(a, alpha, d, theta);
    Link link;
    link.parent = i - 1;
    link.step.slides = slides;
    link.step.n_follows = 1;
    link.step.follows[0] = {i, 1.0};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) { link.step.rotation(r, c) = before.M(r, c); }
      link.step.position[r] = before.p(r);
    }
    link.mass = random.within(0.1, 3.0);
    link.centre = {random.within(-0.5, 0.5), random.within(-0.5, 0.5), random.within(-0.5, 0.5)};
    link.inertia = random_inertia(random);
    out.links.push_back(link);
    out.kdl.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), before));
    const Eigen::Matrix3d & m = link.inertia;
    out.kdl.addSegment(KDL::Segment(
      KDL::Joint(slides ? KDL::Joint::TransZ : KDL::Joint::RotZ), KDL::Frame::Identity(),
      KDL::RigidBodyInertia(
        link.mass, KDL::Vector(link.centre.x(), link.centre.y(), link.centre.z()),
        KDL::RotationalInertia(m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)))));
  }
  return out;
}

KDL::JntArray to_kdl(const JointVector & q)
{
  KDL::JntArray out(static_cast<unsigned>(q.size()));
  out.data = q;
  return out;
}

TEST(Dynamics, AreKdls)
{
  Random random(21);
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 1 + sample % 8;
    const Pair arm = random_arm(random, n);
    Dynamics dynamics(arm.links, n);
    const Eigen::Vector3d g(random.within(-9, 9), random.within(-9, 9), random.within(-9, 9));
    const JointVector q = random.vector(n, -3, 3), v = random.vector(n, -2, 2),
                      a = random.vector(n, -5, 5);
    JointVector effort;
    dynamics.inverse_dynamics(q, v, a, g, effort);
    KDL::ChainIdSolver_RNE solver(arm.kdl, KDL::Vector(g.x(), g.y(), g.z()));
    KDL::JntArray torques(static_cast<unsigned>(n));
    const KDL::Wrenches none(
      static_cast<std::size_t>(arm.kdl.getNrOfSegments()), KDL::Wrench::Zero());
    ASSERT_EQ(solver.CartToJnt(to_kdl(q), to_kdl(v), to_kdl(a), none, torques), 0);
    const double scale = 1.0 + torques.data.norm();
    EXPECT_LT((effort - torques.data).norm(), 1e-11 * scale);
    KDL::ChainDynParam parameters(arm.kdl, KDL::Vector(g.x(), g.y(), g.z()));
    KDL::JntSpaceInertiaMatrix mass(n);
    ASSERT_EQ(parameters.JntToMass(to_kdl(q), mass), 0);
    JointMatrix ours;
    dynamics.mass_matrix(q, ours);
    EXPECT_LT((ours - mass.data).norm(), 1e-11 * (1.0 + mass.data.norm()));
    KDL::JntArray gravity(static_cast<unsigned>(n));
    ASSERT_EQ(parameters.JntToGravity(to_kdl(q), gravity), 0);
    dynamics.gravity_efforts(q, g, effort);
    EXPECT_LT((effort - gravity.data).norm(), 1e-11 * (1.0 + gravity.data.norm()));
  }
}

/// The shipped models, with every link of their parallelograms.
class Model : public testing::TestWithParam<std::tuple<const char *, const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [name, base, tip] = GetParam();
    const auto model =
      ambf_adf::parse_file(std::string(AMBF_DESCRIPTION_FOLDER) + "/adf/" + name + ".yaml");
    ASSERT_TRUE(model.has_value());
    auto read = read_mechanism(*model, {base, tip, {}});
    ASSERT_TRUE(read.has_value()) << to_string(read.error());
    mechanism = *read;
    for (const auto & body : model->bodies) { mass += body.mass; }
  }
  Mechanism mechanism;
  double mass = 0.0;
};

TEST_P(Model, MassMatrixIsSymmetricAndPositiveAndMatchesTheInverseDynamics)
{
  Dynamics dynamics(mechanism.links, mechanism.chain.joints);
  const int n = dynamics.joints();
  double sum = 0.0;
  for (const Link & link : mechanism.links) { sum += link.mass; }
  EXPECT_NEAR(sum, mass, 1e-9);  // no body forgotten
  Random random(22);
  for (int sample = 0; sample < 100; ++sample) {
    const JointVector q = random.joints(mechanism.bounds);
    JointMatrix m;
    dynamics.mass_matrix(q, m);
    EXPECT_LT((m - m.transpose()).norm(), 1e-14 * m.norm());
    const Eigen::SelfAdjointEigenSolver<JointMatrix> eigen(m);
    EXPECT_GT(eigen.eigenvalues()[0], 0.0);
    // M qdd and g are parts of the inverse dynamics.
    const JointVector a = random.vector(n, -3, 3);
    JointVector all, weight;
    dynamics.inverse_dynamics(q, zeros(n), a, down, all);
    dynamics.gravity_efforts(q, down, weight);
    EXPECT_LT((all - m * a - weight).norm(), 1e-12 * (1.0 + all.norm()));
    // Gravity is the slope of the potential energy.
    constexpr double h = 1e-6;
    for (int i = 0; i < n; ++i) {
      JointVector up = q, low = q;
      up[i] += h;
      low[i] -= h;
      const double slope =
        (dynamics.potential_energy(up, down) - dynamics.potential_energy(low, down)) / (2 * h);
      EXPECT_NEAR(weight[i], slope, 1e-7);
    }
  }
}

TEST_P(Model, PowerOfTheJointsIsTheChangeOfEnergy)
{
  Dynamics dynamics(mechanism.links, mechanism.chain.joints);
  const int n = dynamics.joints();
  Random random(23);
  for (int sample = 0; sample < 50; ++sample) {
    const JointVector q = random.joints(mechanism.bounds), v = random.vector(n, -1, 1),
                      a = random.vector(n, -2, 2);
    JointVector effort;
    dynamics.inverse_dynamics(q, v, a, down, effort);
    constexpr double h = 1e-6;
    const auto energy = [&](double t) {
      const JointVector at = q + t * v + 0.5 * t * t * a, speed = v + t * a;
      return dynamics.kinetic_energy(at, speed) + dynamics.potential_energy(at, down);
    };
    const double change = (energy(h) - energy(-h)) / (2 * h);
    EXPECT_NEAR(effort.dot(v), change, 1e-6 * (1.0 + std::abs(change)));
  }
}

INSTANTIATE_TEST_SUITE_P(
  Shipped, Model,
  testing::Values(
    std::tuple{"psm", "BODY base link", "BODY tool yaw link"},
    std::tuple{"ecm", "BODY base link", "BODY tool link"},
    std::tuple{"mtm", "BODY top panel", "BODY wrist roll link"}),
  [](const auto & instance) { return std::string(std::get<0>(instance.param)); });

TEST(Dynamics, PendulumOnACart)
{
  // A cart of 2 kg on rails along x carries a point of 1 kg on a rod of 0.5 m.
  std::vector<Link> links(2);
  links[0].step.rotation =
    Eigen::AngleAxisd(std::numbers::pi / 2.0, Eigen::Vector3d::UnitY()).toRotationMatrix();
  links[0].step.slides = true;
  links[0].step.n_follows = 1;
  links[0].step.follows[0] = {0, 1.0};
  links[0].mass = 2.0;
  links[1].parent = 0;
  // Axis along -y of the base; x of the link points down at zero.
  Eigen::Matrix3d frame;
  frame.col(0) = Eigen::Vector3d(0, 0, -1);
  frame.col(1) = Eigen::Vector3d(1, 0, 0);
  frame.col(2) = Eigen::Vector3d(0, -1, 0);
  links[1].step.rotation = links[0].step.rotation.transpose() * frame;
  links[1].step.n_follows = 1;
  links[1].step.follows[0] = {1, 1.0};
  links[1].mass = 1.0;
  links[1].centre = Eigen::Vector3d(0.5, 0, 0);
  Dynamics dynamics(links, 2);
  JointVector q(2), v(2), a(2), effort;
  q << 0.3, 0.7;
  v << 0.0, 2.0;
  a << 1.0, -1.5;
  dynamics.inverse_dynamics(q, v, a, down, effort);
  // The point at (x + l sin t, -l cos t): Lagrange by hand.
  const double l = 0.5, s = std::sin(0.7), c = std::cos(0.7);
  EXPECT_NEAR(effort[0], 3.0 * 1.0 + l * c * -1.5 - l * s * 4.0, 1e-12);
  EXPECT_NEAR(effort[1], l * l * -1.5 + l * c * 1.0 + 9.81 * l * s, 1e-12);
}

}  // namespace
}  // namespace ambf_arms::test
