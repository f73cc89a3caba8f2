// SPDX-License-Identifier: BSD-3-Clause
/// The models in the simulator: arms hold their loops and remote centres while they move, and the
/// worlds come to rest instead of exploding.

#include <cstdio>
#include <map>
#include <numbers>

#include "simulation.hpp"

namespace ambf_description
{
namespace
{

/// Sinusoidal motion of an arm: amplitude per driven joint, peak rate 0.5 rad/s (or 0.1 m/s for
/// the sliding one), from rest.
struct Motion
{
  std::string model;
  std::vector<double> amplitude;
  std::vector<double> middle;
};

struct Figures
{
  double closure = 0.0;
  double centre_drift = 0.0;
  double tracking_turn = 0.0;
  double tracking_slide = 0.0;
};

/// Commands at 1 kHz; the first half second blends in.
Figures move(Simulation & simulation, const Motion & motion, double seconds)
{
  const auto joints = simulation.driven();
  EXPECT_EQ(joints.size(), motion.amplitude.size());
  const std::string space = simulation.models.front().ns;
  const bool has_centre = motion.model.rfind("mtm", 0) != 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  if (has_centre) { centre = simulation.pose(space + "BODY base link").translation(); }
  Figures worst;
  const int steps = static_cast<int>(std::lround(seconds / 0.001));
  for (int step = 0; step < steps; ++step) {
    const double time = 0.001 * (step + 1);
    const double blend = time < 0.5 ? 0.5 - 0.5 * std::cos(std::numbers::pi * time / 0.5) : 1.0;
    std::vector<double> target(joints.size());
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const bool slides =
        simulation.world->joints()[joints[k]].type == ambf_adf::JointType::Prismatic;
      const double rate = (slides ? 0.1 : 0.5) / motion.amplitude[k];
      target[k] = blend * (motion.middle[k] + motion.amplitude[k] * std::sin(rate * time));
      EXPECT_EQ(
        simulation.world->set_joint_command(
          joints[k], ambf_dynamics::JointMode::Position, target[k]),
        ambf_dynamics::CommandResult::Ok);
    }
    if (simulation.world->step() != ambf_dynamics::StepStatus::Ok) {
      ADD_FAILURE() << "diverged at step " << step << ": " << simulation.world->divergence().reason;
      return worst;
    }
    worst.closure = std::max(worst.closure, simulation.largest_gap());
    if (has_centre) {
      const Eigen::Vector3d drift =
        simulation.pose(space + "BODY pitch end link").translation() - centre;
      worst.centre_drift = std::max(worst.centre_drift, drift.norm());
    }
    if (time > 0.6) {
      for (std::size_t k = 0; k < joints.size(); ++k) {
        const double error = std::abs(simulation.joint_position(joints[k]) - target[k]);
        const bool slides =
          simulation.world->joints()[joints[k]].type == ambf_adf::JointType::Prismatic;
        double & slot = slides ? worst.tracking_slide : worst.tracking_turn;
        slot = std::max(slot, error);
      }
    }
  }
  return worst;
}

class MovingArm : public testing::TestWithParam<Motion>
{
};

TEST_P(MovingArm, KeepsItsLoopsItsRemoteCentreAndItsPath)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_model(simulation, GetParam().model));
  const Figures worst = move(simulation, GetParam(), long_tier() ? 20.0 : 2.5);
  std::printf(
    "%s: closure %.4f mm, centre %.4f mm, tracking %.4f deg, %.4f mm\n", GetParam().model.c_str(),
    1e3 * worst.closure, 1e3 * worst.centre_drift, worst.tracking_turn * 180.0 / std::numbers::pi,
    1e3 * worst.tracking_slide);
  // What the simulator asks of any arm with default settings.
  EXPECT_LT(worst.closure, 1e-4);
  EXPECT_LT(worst.centre_drift, 5e-4);
  EXPECT_LT(worst.tracking_turn, 0.5 * std::numbers::pi / 180.0);
  EXPECT_LT(worst.tracking_slide, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(
  Arms, MovingArm,
  testing::Values(
    Motion{"psm", {0.6, 0.5, 0.08, 0.8, 0.6, 0.6, 0.2, 0.2}, {0, 0, 0.1, 0, 0, 0, 0.3, 0.3}},
    Motion{"psm_si", {0.6, 0.9, 0.08, 0.8, 0.6, 0.6, 0.2, 0.2}, {0, 0, 0.1, 0, 0, 0, 0.3, 0.3}},
    Motion{"ecm", {0.6, 0.5, 0.08, 0.6}, {0, 0.1, 0.1, 0}},
    Motion{"ecm_si", {0.6, 0.8, 0.08, 0.6}, {0, 0.0, 0.1, 0}},
    Motion{
      "mtml",
      {0.5, 0.4, 0.4, 0.8, 0.8, 0.5, 0.8, 0.1, 0.1},
      {0.2, 0.4, -0.1, -0.5, 0.5, 0, 0, 0.2, 0.2}},
    Motion{
      "mtm",
      {0.5, 0.4, 0.4, 0.8, 0.8, 0.5, 0.8, 0.1, 0.1},
      {-0.2, 0.4, -0.1, 0.5, 0.5, 0, 0, 0.2, 0.2}}),
  [](const auto & instance) { return instance.param.model; });

struct Calm
{
  std::string world;
  double seconds;        ///< until it has come to rest
  std::string restless;  ///< body that may go on moving
};

class WholeWorld : public testing::TestWithParam<Calm>
{
};

TEST_P(WholeWorld, ComesToRest)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_world(simulation, GetParam().world));
  const double seconds = long_tier() ? 5.0 : GetParam().seconds;
  ASSERT_NO_FATAL_FAILURE(hold(simulation, seconds));
  for (std::size_t i = 0; i < simulation.world->bodies().size(); ++i) {
    const auto & info = simulation.world->bodies()[i];
    const auto body = static_cast<ambf_dynamics::BodyIndex>(i);
    if (info.mass == 0.0 || info.name == GetParam().restless) { continue; }
    // 2 cm/s: rolling balls and a settling thread, not a body thrown out by an overlap.
    EXPECT_LT(simulation.speed(body), 0.02) << info.qualified;
    EXPECT_GT(simulation.pose(body).translation().z(), -0.01) << info.qualified;
  }
  EXPECT_LT(simulation.largest_gap(), 2e-4);
}

INSTANTIATE_TEST_SUITE_P(
  Worlds, WholeWorld,
  testing::Values(
    Calm{"demo", 3.0, ""}, Calm{"peg_transfer", 1.0, ""}, Calm{"puzzle", 1.0, ""},
    Calm{"two_psms_ecm", 1.0, ""}, Calm{"cloth", 0.5, ""}, Calm{"mechanisms", 1.0, "bob"},
    Calm{"needle", 0.5, ""}, Calm{"patient_cart", 1.0, ""}, Calm{"surgeon_console", 0.5, ""}),
  [](const auto & instance) { return instance.param.world; });

TEST(Ball, FallsAsGravitySays)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_model(simulation, "ball"));
  const auto body = simulation.world->find_body("/ambf/env/BODY ball").value();
  EXPECT_GT(simulation.world->bodies()[body].mass, 0.0);
  ASSERT_NO_FATAL_FAILURE(hold(simulation, 0.1));
  // g t^2 / 2; steps of 1 ms that change the velocity first go 0.5 mm further.
  EXPECT_NEAR(simulation.pose(body).translation().z(), -0.5 * 9.81 * 0.1 * 0.1, 1e-3);
}

TEST(PegBoard, RingsStayOnTheirPegs)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_world(simulation, "peg_transfer"));
  std::map<std::string, Eigen::Vector3d> before;
  for (const auto & body : simulation.models.back().bodies) {
    before[body.header.qualified] = simulation.pose(body.header.qualified).translation();
  }
  ASSERT_NO_FATAL_FAILURE(hold(simulation, 1.0));
  for (const auto & [name, place] : before) {
    // They start 0.3 mm above the board and have 2.1 mm of play around the peg.
    EXPECT_LT((simulation.pose(name).translation() - place).norm(), 2.2e-3) << name;
  }
}

TEST(BoxPile, KeepsItsLayers)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_world(simulation, "boxes"));
  // The top layer has fallen its 16 mm after 0.06 s.
  ASSERT_NO_FATAL_FAILURE(hold(simulation, long_tier() ? 5.0 : 0.4));
  for (int layer = 0; layer < 8; ++layer) {
    for (int k = 0; k < 25; ++k) {
      char name[64];
      std::snprintf(name, sizeof(name), "/ambf/env/boxes/BODY box %03d", 25 * layer + k + 1);
      const double z = simulation.pose(std::string(name)).translation().z();
      // Gaps of 2 mm per layer close; a box that fell off would be 80 mm low.
      EXPECT_NEAR(z, (layer + 0.5) * 0.080, 0.004) << name;
    }
  }
}

}  // namespace
}  // namespace ambf_description
