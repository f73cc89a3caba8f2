// SPDX-License-Identifier: BSD-3-Clause
// Physics against closed forms, on every solver that the library offers.

#include <cmath>
#include <numbers>

#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;
using std::numbers::pi;

constexpr double g = 9.8;

class ClosedForms : public testing::TestWithParam<SolverKind>
{
protected:
  Parameters parameters() const
  {
    Parameters p;
    p.solver = GetParam();
    // An iterative solver needs its iterations: these tests are about physics, not about speed.
    if (p.solver == SolverKind::SequentialImpulse) { p.solver_iterations = 200; }
    return p;
  }
};

TEST_P(ClosedForms, FreeFallIsExactForSemiImplicitEuler)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("b", 2.0, Vector3d(0, 0, 100)));
  auto world = world_of(model, parameters());
  world->step(1000);
  // z_n = z_0 - g h^2 n (n + 1) / 2; tolerance: rounding of 1000 additions near 100.
  EXPECT_NEAR(position(*world, 0).z(), 100.0 - g * 1e-6 * 1000.0 * 1001.0 / 2.0, 1e-10);
  EXPECT_NEAR(linear_velocity(*world, 0).z(), -g, 1e-11);
}

// scpeters' "boxes" benchmark (spec/peers 6.2 A): 10 kg, 0.1 x 0.4 x 0.9 m.
ambf_adf::Model benchmark_box()
{
  ambf_adf::Model model;
  model.bodies.push_back(box("b", 10.0, Vector3d::Zero(), Vector3d(0.1, 0.4, 0.9)));
  return model;
}

double energy(const World & w, const Vector3d & inertia, double mass, double gravity)
{
  const Eigen::Quaterniond q = orientation(w, 0);
  const Vector3d omega_body = q.conjugate() * angular_velocity(w, 0);
  return 0.5 * mass * linear_velocity(w, 0).squaredNorm() +
         0.5 * omega_body.dot(inertia.cwiseProduct(omega_body)) +
         mass * gravity * position(w, 0).z();
}

Vector3d angular_momentum(const World & w, const Vector3d & inertia)
{
  const Eigen::Quaterniond q = orientation(w, 0);
  return q * inertia.cwiseProduct(q.conjugate() * angular_velocity(w, 0));
}

TEST_P(ClosedForms, SimpleBoxKeepsEnergyAndMomentumForTenSeconds)
{
  Parameters p = parameters();
  p.gravity.setZero();
  auto world = world_of(benchmark_box(), p);
  const Vector3d inertia = world->bodies()[0].inertia;
  EXPECT_NEAR(inertia.x(), 0.80833, 1e-5);
  world->set_body_state(
    0, Eigen::Isometry3d::Identity(), Vector3d(-0.9, 0.4, 0.1), Vector3d(0.5, 0, 0));
  EXPECT_NEAR(energy(*world, inertia, 10.0, 0.0), 5.001041625, 1e-6);
  const Vector3d momentum = angular_momentum(*world, inertia);
  const double start = energy(*world, inertia, 10.0, 0.0);
  world->step(10000);
  // The benchmark's published results for this case are rounding: 1.7e-12, 4.8e-14, 2.0e-15.
  EXPECT_NEAR((position(*world, 0) - Vector3d(-9.0, 4.0, 1.0)).norm(), 0.0, 1e-10);
  EXPECT_NEAR((angular_momentum(*world, inertia) - momentum).norm() / momentum.norm(), 0.0, 1e-10);
  EXPECT_NEAR(energy(*world, inertia, 10.0, 0.0) / start, 1.0, 1e-10);
}

TEST_P(ClosedForms, ComplexBoxErrsAsTheBenchmarkSaysForBullet)
{
  auto world = world_of(benchmark_box(), parameters());
  const Vector3d inertia = world->bodies()[0].inertia;
  world->set_body_state(
    0, Eigen::Isometry3d::Identity(), Vector3d(-2, 2, 8), Vector3d(0.1, 5, 0.1));
  EXPECT_NEAR(energy(*world, inertia, 10.0, g), 368.54641249999997, 1e-3);
  const double start = energy(*world, inertia, 10.0, g);
  const Vector3d momentum = angular_momentum(*world, inertia);
  EXPECT_NEAR(momentum.norm(), 3.41765, 1e-4);
  double position_error = 0.0;
  double momentum_error = 0.0;
  double energy_error = 0.0;
  for (int i = 1; i <= 10000; ++i) {
    world->step();
    const double t = 0.001 * i;
    const Vector3d exact(-2.0 * t, 2.0 * t, 8.0 * t - 0.5 * g * t * t);
    position_error = std::max(position_error, (position(*world, 0) - exact).norm());
    momentum_error = std::max(
      momentum_error, (angular_momentum(*world, inertia) - momentum).norm() / momentum.norm());
    energy_error =
      std::max(energy_error, std::abs(energy(*world, inertia, 10.0, g) - start) / start);
  }
  // g h T / 2 = 0.049 exactly for a first-order stepper. Published for Bullet at 1 ms: momentum
  // 0.01245, energy 0.01358; ours must not be worse.
  EXPECT_NEAR(position_error, 0.049, 1e-6);
  EXPECT_LT(momentum_error, 0.0130);
  EXPECT_LT(energy_error, 0.0140);
}

TEST_P(ClosedForms, GyroscopeSpinsAboutItsUnstableAxisWithoutGainingEnergy)
{
  // Torque-free top about the middle axis: it tumbles (Dzhanibekov) and keeps |L|.
  Parameters p = parameters();
  p.gravity.setZero();
  ambf_adf::Model model;
  model.bodies.push_back(body("b", 1.0, Vector3d::Zero(), Vector3d(1.0, 2.0, 3.0)));
  auto world = world_of(model, p);
  world->set_body_state(
    0, Eigen::Isometry3d::Identity(), Vector3d::Zero(), Vector3d(0.01, 5.0, 0.01));
  const Vector3d inertia(1.0, 2.0, 3.0);
  const double start = energy(*world, inertia, 1.0, 0.0);
  bool tumbled = false;
  for (int i = 0; i < 10000; ++i) {
    world->step();
    tumbled = tumbled || (orientation(*world, 0) * Vector3d::UnitY()).y() < -0.9;
  }
  EXPECT_TRUE(tumbled);
  // Bullet's implicit gyroscopic term is first order: energy decays slowly and never grows.
  const double end = energy(*world, inertia, 1.0, 0.0);
  EXPECT_LT(end, start * (1.0 + 1e-9));
  EXPECT_GT(end, start * 0.95);
}

TEST_P(ClosedForms, HeavyTopPrecessesAtTheRateOfItsSpin)
{
  // Fast top, axis horizontal, held at its foot: precession = m g l / (I3 spin).
  ambf_adf::Model model;
  const double l = 0.2;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  model.bodies.push_back(body("top", 1.0, Vector3d(l, 0, 0), Vector3d(0.02, 0.011, 0.011)));
  model.joints.push_back(
    joint("foot", JointType::PointToPoint, "base", "top", Vector3d::Zero(), Vector3d(-l, 0, 0)));
  auto world = world_of(model, parameters());
  const double spin = 200.0;
  const double rate = 1.0 * g * l / (0.02 * spin);
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Vector3d(l, 0, 0);
  world->set_body_state(1, t, Vector3d(0, rate * l, 0), Vector3d(spin, 0, rate));
  const double seconds = 1.0;
  world->step(1000);
  const Vector3d p = position(*world, 1);
  const double angle = std::atan2(p.y(), p.x());
  EXPECT_NEAR(angle, rate * seconds, 0.02 * rate);  // 2 %: nutation of a finite spin
  EXPECT_NEAR(p.norm(), l, 1e-4);
}

TEST_P(ClosedForms, PendulumSwingsWithItsPeriod)
{
  ambf_adf::Model model;
  const double l = 0.5;
  const double inertia = 0.002;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  const double start = 0.1;
  auto bob = body(
    "bob", 1.0, Vector3d(l * std::sin(start), 0, -l * std::cos(start)),
    Vector3d::Constant(inertia));
  bob.location.rpy = Vector3d(0, -start, 0);
  model.bodies.push_back(bob);
  model.joints.push_back(joint(
    "pin", JointType::Revolute, "base", "bob", Vector3d::Zero(), Vector3d(0, 0, l),
    Vector3d(0, -1, 0)));
  auto world = world_of(model, parameters());
  EXPECT_NEAR(joint_position(*world, 0), start, 1e-9);
  // T = 2 pi sqrt((I + m l^2) / (m g l)) (1 + a^2 / 16)
  const double period =
    2.0 * pi * std::sqrt((inertia + l * l) / (g * l)) * (1.0 + start * start / 16.0);
  double last = start;
  double crossing = 0.0;
  int crossings = 0;
  for (int i = 1; crossings < 9 && i < 20000; ++i) {
    world->step();
    const double q = joint_position(*world, 0);
    if (last > 0.0 && q <= 0.0) {
      const double t = 0.001 * (i - q / (q - last));
      if (crossings++ == 0) {
        crossing = t;
      } else if (crossings == 9) {
        EXPECT_NEAR((t - crossing) / 8.0, period, 1e-4 * period);
      }
    }
    last = q;
  }
  EXPECT_EQ(crossings, 9);
}

TEST_P(ClosedForms, SpringAndMassOscillateAtTheirFrequency)
{
  Parameters p = parameters();
  p.gravity.setZero();
  ambf_adf::Model model;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  model.bodies.push_back(body("mass", 2.0, Vector3d(0.1, 0, 0)));
  auto spring = joint(
    "spring", JointType::LinearSpring, "base", "mass", Vector3d::Zero(), Vector3d::Zero(),
    Vector3d::UnitX());
  spring.stiffness = 80.0;
  spring.equilibrium = 0.0;
  model.joints.push_back(spring);
  auto world = world_of(model, p);
  EXPECT_NEAR(joint_position(*world, 0), 0.1, 1e-9);
  const double period = 2.0 * pi * std::sqrt(2.0 / 80.0);
  double last = 0.1;
  double first = 0.0;
  double time = 0.0;
  int crossings = 0;
  for (int i = 1; crossings < 4 && i < 10000; ++i) {
    world->step();
    const double q = joint_position(*world, 0);
    if (last > 0.0 && q <= 0.0) {
      time = 0.001 * (i - q / (q - last));
      if (crossings++ == 0) { first = time; }
    }
    last = q;
  }
  ASSERT_EQ(crossings, 4);
  // The implicit spring shifts the frequency by (w h)^2 / 8 ~ 5e-6 and damps by w^2 h / 2 per second.
  EXPECT_NEAR((time - first) / 3.0, period, 5e-4 * period);
}

TEST_P(ClosedForms, DampedJointSlowsDownExponentially)
{
  Parameters p = parameters();
  p.gravity.setZero();
  ambf_adf::Model model;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  model.bodies.push_back(body("wheel", 1.0, Vector3d::Zero(), Vector3d::Constant(0.5)));
  auto pin =
    joint("pin", JointType::Continuous, "base", "wheel", Vector3d::Zero(), Vector3d::Zero());
  pin.damping = 0.7;
  model.joints.push_back(pin);
  auto world = world_of(model, p);
  world->set_body_state(1, Eigen::Isometry3d::Identity(), Vector3d::Zero(), Vector3d(0, 10, 0));
  world->step(1000);
  // Implicit Euler: w_n = w_0 / (1 + c h / I)^n, which is exp(-c t / I) within c h / (2 I) of the rate.
  const double euler = 10.0 * std::pow(1.0 + 0.7 * 0.001 / 0.5, -1000);
  EXPECT_NEAR(joint_velocity(*world, 0), euler, 1e-6);
  EXPECT_NEAR(joint_velocity(*world, 0), 10.0 * std::exp(-0.7 / 0.5), 3e-3);
}

// A block on a plane that is tilted by turning gravity.
double slide_distance(const Parameters & base, double angle, double friction, double seconds)
{
  Parameters p = base;
  p.gravity = g * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  ambf_adf::Model model;
  auto ground = floor_body();
  ground.surface.friction = 1.0;
  auto block = box("block", 1.0, Vector3d(0, 0, 0.05), Vector3d(0.4, 0.4, 0.1));
  block.surface.friction = friction;
  model.bodies = {ground, block};
  auto world = world_of(model, p);
  world->step(200);  // let it settle on its contacts
  const double x = position(*world, 1).x();
  const double v = linear_velocity(*world, 1).x();
  world->step(static_cast<std::uint32_t>(seconds * 1000));
  return position(*world, 1).x() - x - v * seconds;
}

TEST_P(ClosedForms, BlockSticksBelowAndSlidesAboveTheFrictionAngle)
{
  const double friction = 0.5;
  const double threshold = std::atan(friction);
  EXPECT_LT(std::abs(slide_distance(parameters(), threshold - 0.03, friction, 1.0)), 2e-4);
  const double steep = threshold + 0.05;
  const double expected =
    0.5 * g * (std::sin(steep) - friction * std::cos(steep));  // one second, from the settled speed
  EXPECT_NEAR(slide_distance(parameters(), steep, friction, 1.0), expected, 0.05 * expected);
}

TEST_P(ClosedForms, BallBouncesBackWithItsRestitution)
{
  ambf_adf::Model model;
  auto ground = floor_body();
  ground.surface.restitution = 1.0;
  auto ball = body("ball", 1.0, Vector3d(0, 0, 1.1), Vector3d::Constant(0.004));
  ball.collision = shape(ambf_adf::Sphere{0.1});
  ball.surface.restitution = 0.6;
  model.bodies = {ground, ball};
  auto world = world_of(model, parameters());
  double down = 0.0;
  double up = 0.0;
  for (int i = 0; i < 1500; ++i) {
    world->step();
    const double v = linear_velocity(*world, 1).z();
    down = std::min(down, v);
    if (down < -1.0) { up = std::max(up, v); }
  }
  EXPECT_NEAR(down, -std::sqrt(2.0 * g), 0.05);
  EXPECT_NEAR(up / -down, 0.6, 0.01);  // one step of gravity at the bounce
}

INSTANTIATE_TEST_SUITE_P(
  Solvers, ClosedForms,
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
