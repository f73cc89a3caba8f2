/// The models in the simulator: arms hold their loops and remote centres while they move, and the
/// worlds come to rest instead of exploding.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"

namespace
{

const std::string package_folder = AMBF_DESCRIPTION_FOLDER;

bool long_tier()
{
  const char* value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

/// A simulated world with the ADF values it came from.
struct Simulation
{
  std::unique_ptr<ambf_dynamics::World> world;
  std::vector<ambf_adf::Model> models;

  Eigen::Isometry3d pose(ambf_dynamics::BodyIndex body) const
  {
    const double* b = world->state().bodies.data() + body * ambf_dynamics::body_stride;
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
    t.translation() = Eigen::Vector3d(b[0], b[1], b[2]);
    return t;
  }

  Eigen::Isometry3d pose(const std::string& qualified) const
  {
    return pose(world->find_body(qualified).value());
  }

  double speed(ambf_dynamics::BodyIndex body) const
  {
    const double* b = world->state().bodies.data() + body * ambf_dynamics::body_stride;
    return Eigen::Vector3d(b[7], b[8], b[9]).norm();
  }

  double joint_position(ambf_dynamics::JointIndex joint) const
  {
    return world->state().joints[joint * ambf_dynamics::joint_stride];
  }

  /// Largest distance between the two pivots of any joint that does not slide [m].
  double largest_gap() const
  {
    double gap = 0.0;
    for (const auto& model : models) {
      for (const auto& joint : model.joints) {
        if (joint.type == ambf_adf::JointType::Prismatic) {
          continue;
        }
        const Eigen::Vector3d parent = pose(joint.parent) * joint.parent_pivot;
        const Eigen::Vector3d child = pose(joint.child) * joint.child_pivot;
        gap = std::max(gap, (parent - child).norm());
      }
    }
    return gap;
  }

  /// Joints that clients command, in file order.
  std::vector<ambf_dynamics::JointIndex> driven() const
  {
    std::vector<ambf_dynamics::JointIndex> out;
    for (std::size_t i = 0; i < world->joints().size(); ++i) {
      const auto& joint = world->joints()[i];
      if (!joint.passive && joint.commandable) {
        out.push_back(static_cast<ambf_dynamics::JointIndex>(i));
      }
    }
    return out;
  }
};

void add(Simulation& simulation, const ambf_adf::Model& model)
{
  const auto added = simulation.world->add_model(model);
  ASSERT_TRUE(added.has_value()) << to_string(added.error());
  EXPECT_TRUE(added->warnings.empty()) << to_string(added->warnings);
  EXPECT_LT(added->closure.position_error_before, 1e-6) << added->closure.worst_joint;
  simulation.models.push_back(model);
}

void make(Simulation& simulation, const Eigen::Vector3d& gravity)
{
  ambf_dynamics::Parameters parameters;
  parameters.gravity = gravity;
  auto world = ambf_dynamics::make_world(parameters);
  ASSERT_TRUE(world.has_value()) << to_string(world.error());
  simulation.world = std::move(*world);
}

void load_model(Simulation& simulation, const std::string& name)
{
  make(simulation, {0.0, 0.0, -9.81});
  auto parsed = ambf_adf::parse_file(package_folder + "/adf/" + name + ".yaml");
  ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
  ambf_adf::Scene scene;
  auto model = scene.add(std::move(*parsed));
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  add(simulation, *model);
}

void load_world(Simulation& simulation, const std::string& name)
{
  const auto loaded = ambf_adf::load_launch(package_folder + "/worlds/" + name + "/launch.yaml");
  ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
  EXPECT_TRUE(loaded->warnings.empty()) << to_string(loaded->warnings);
  make(simulation, loaded->world.gravity);
  ASSERT_TRUE(loaded->environment.has_value());
  add(simulation, *loaded->environment);
  for (const auto& model : loaded->models) {
    add(simulation, model);
  }
}

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
Figures move(Simulation& simulation, const Motion& motion, double seconds)
{
  const auto joints = simulation.driven();
  EXPECT_EQ(joints.size(), motion.amplitude.size());
  const std::string space = simulation.models.front().ns;
  const bool has_centre = motion.model != "mtm";
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  if (has_centre) {
    centre = simulation.pose(space + "BODY base link").translation();
  }
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
      target[k] =
        blend * (motion.middle[k] + motion.amplitude[k] * std::sin(rate * time));
      EXPECT_EQ(
        simulation.world->set_joint_command(
          joints[k], ambf_dynamics::JointMode::Position, target[k]),
        ambf_dynamics::CommandResult::Ok);
    }
    if (simulation.world->step() != ambf_dynamics::StepStatus::Ok) {
      ADD_FAILURE() << "diverged at step " << step << ": "
                    << simulation.world->divergence().reason;
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
        double& slot = slides ? worst.tracking_slide : worst.tracking_turn;
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
    Motion{"ecm", {0.6, 0.5, 0.08, 0.6}, {0, 0.1, 0.1, 0}},
    Motion{"mtm", {0.5, 0.4, 0.4, 0.8, 0.8, 0.5, 0.8, 0.1, 0.1},
      {-0.2, 0.4, -0.1, 0.5, 0.5, 0, 0, 0.2, 0.2}}),
  [](const auto& instance) { return instance.param.model; });

/// Holds every driven joint at its start and every floating palm in place, then steps.
void hold(Simulation& simulation, double seconds)
{
  for (const auto joint : simulation.driven()) {
    if (simulation.world->joints()[joint].name.find("bob") == std::string::npos) {
      simulation.world->set_joint_command(joint, ambf_dynamics::JointMode::Position, 0.0);
    }
  }
  for (std::size_t i = 0; i < simulation.world->bodies().size(); ++i) {
    if (simulation.world->bodies()[i].name == "palm") {
      const auto body = static_cast<ambf_dynamics::BodyIndex>(i);
      ambf_dynamics::BodyCommand command;
      command.mode = ambf_dynamics::BodyMode::Pose;
      command.position = simulation.pose(body).translation();
      command.orientation = Eigen::Quaterniond(simulation.pose(body).linear());
      simulation.world->set_body_command(body, command);
    }
  }
  const auto steps = static_cast<std::uint32_t>(std::lround(seconds / 0.001));
  ASSERT_EQ(simulation.world->step(steps), ambf_dynamics::StepStatus::Ok)
    << simulation.world->divergence().reason;
}

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
    const auto& info = simulation.world->bodies()[i];
    const auto body = static_cast<ambf_dynamics::BodyIndex>(i);
    if (info.mass == 0.0 || info.name == GetParam().restless) {
      continue;
    }
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
    Calm{"needle", 0.5, ""}),
  [](const auto& instance) { return instance.param.world; });

TEST(PegBoard, RingsStayOnTheirPegs)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_world(simulation, "peg_transfer"));
  std::map<std::string, Eigen::Vector3d> before;
  for (const auto& body : simulation.models.back().bodies) {
    before[body.header.qualified] = simulation.pose(body.header.qualified).translation();
  }
  ASSERT_NO_FATAL_FAILURE(hold(simulation, 1.0));
  for (const auto& [name, place] : before) {
    // They start 0.3 mm above the board and have 2.1 mm of play around the peg.
    EXPECT_LT((simulation.pose(name).translation() - place).norm(), 2.2e-3) << name;
  }
}

/// Moves the palm in a straight line at constant speed and lets it settle.
void carry(
  Simulation& simulation, const std::string& palm, const Eigen::Vector3d& target, double seconds)
{
  const auto body = simulation.world->find_body(palm).value();
  const Eigen::Vector3d start = simulation.pose(body).translation();
  ambf_dynamics::BodyCommand command;
  command.mode = ambf_dynamics::BodyMode::Pose;
  const int steps = static_cast<int>(std::lround(seconds / 0.001));
  for (int step = 1; step <= steps; ++step) {
    command.position = start + (target - start) * std::min(1.0, 1.25 * step / steps);
    ASSERT_EQ(
      simulation.world->set_body_command(body, command), ambf_dynamics::CommandResult::Ok);
    ASSERT_EQ(simulation.world->step(), ambf_dynamics::StepStatus::Ok);
  }
}

void set_fingers(Simulation& simulation, const std::string& space, double opening)
{
  for (const char* joint : {"JOINT palm-left finger", "JOINT palm-right finger"}) {
    const auto index = simulation.world->find_joint(space + joint);
    ASSERT_TRUE(index.has_value()) << joint;
    simulation.world->set_joint_command(*index, ambf_dynamics::JointMode::Position, opening);
  }
}

TEST(Gripper, LiftsAPuzzlePieceByFrictionAlone)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_world(simulation, "puzzle"));
  ASSERT_NO_FATAL_FAILURE(hold(simulation, 0.2));
  const std::string space = "/ambf/env/left_gripper/";
  const std::string piece = "/ambf/env/puzzle/BODY square piece";
  const Eigen::Vector3d before = simulation.pose(piece).translation();
  // The handle stands 23.5 mm beside the piece's middle and reaches 10 to 50 mm above it; the pads
  // end 105 mm below the palm.
  const Eigen::Vector3d grasp = before + Eigen::Vector3d(0.0235, 0.0, 0.012 + 0.105);
  ASSERT_NO_FATAL_FAILURE(set_fingers(simulation, space, 0.02));
  ASSERT_NO_FATAL_FAILURE(
    carry(simulation, space + "BODY palm", grasp + Eigen::Vector3d(0.0, 0.0, 0.08), 0.6));
  ASSERT_NO_FATAL_FAILURE(carry(simulation, space + "BODY palm", grasp, 0.5));
  ASSERT_NO_FATAL_FAILURE(set_fingers(simulation, space, 0.0));
  ASSERT_NO_FATAL_FAILURE(carry(simulation, space + "BODY palm", grasp, 0.3));
  ASSERT_NO_FATAL_FAILURE(
    carry(simulation, space + "BODY palm", grasp + Eigen::Vector3d(0.0, 0.0, 0.10), 0.8));
  const double lifted = simulation.pose(piece).translation().z() - before.z();
  std::printf("piece lifted by %.1f mm of 100\n", 1e3 * lifted);
  // The piece hangs beside its handle and tilts in the round grip; it must not slip out.
  EXPECT_GT(lifted, 0.07);
  ASSERT_NO_FATAL_FAILURE(set_fingers(simulation, space, 0.03));
  ASSERT_NO_FATAL_FAILURE(carry(
    simulation, space + "BODY palm", grasp + Eigen::Vector3d(0.0, 0.0, 0.10), 0.5));
  EXPECT_LT(simulation.pose(piece).translation().z() - before.z(), 0.03) << "must fall when released";
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
