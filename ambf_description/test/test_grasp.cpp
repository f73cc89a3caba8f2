// SPDX-License-Identifier: BSD-3-Clause
/// Grasping by contact friction: the parallel gripper and the PSM's jaws lift things and do not lose them.

#include <cstdio>

#include "simulation.hpp"

namespace ambf_description
{
namespace
{

/// Moves the palm in a straight line at constant speed and lets it settle.
void carry(
  Simulation & simulation, const std::string & palm, const Eigen::Vector3d & target, double seconds)
{
  const auto body = simulation.world->find_body(palm).value();
  const Eigen::Vector3d start = simulation.pose(body).translation();
  ambf_dynamics::BodyCommand command;
  command.mode = ambf_dynamics::BodyMode::Pose;
  const int steps = static_cast<int>(std::lround(seconds / 0.001));
  for (int step = 1; step <= steps; ++step) {
    command.position = start + (target - start) * std::min(1.0, 1.25 * step / steps);
    ASSERT_EQ(simulation.world->set_body_command(body, command), ambf_dynamics::CommandResult::Ok);
    ASSERT_EQ(simulation.world->step(), ambf_dynamics::StepStatus::Ok);
  }
}

void set_fingers(Simulation & simulation, const std::string & space, double opening)
{
  for (const char * joint : {"JOINT palm-left finger", "JOINT palm-right finger"}) {
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
  ASSERT_NO_FATAL_FAILURE(
    carry(simulation, space + "BODY palm", grasp + Eigen::Vector3d(0.0, 0.0, 0.10), 0.5));
  EXPECT_LT(simulation.pose(piece).translation().z() - before.z(), 0.03)
    << "must fall when released";
}

/// A thing between the jaws of a PSM.
struct Grasp
{
  std::string name;
  std::string file;
  std::string body;
  std::vector<std::string> left_out;  ///< bodies of the file that are not loaded
  Eigen::Isometry3d place;            ///< of the body in the frame of the tool's tip
  double slip;                        ///< most that it may slip in 5 s [m]
};

/// x to z of the tip frame (tool yaw link, moved to the jaws): x opens, y points out of the tool.
Eigen::Isometry3d at(
  const Eigen::Vector3d & x, const Eigen::Vector3d & z, const Eigen::Vector3d & origin)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear().col(0) = x;
  t.linear().col(1) = z.cross(x);
  t.linear().col(2) = z;
  t.translation() = origin;
  return t;
}

class Jaws : public testing::TestWithParam<Grasp>
{
protected:
  void command(double insertion, double jaw)
  {
    for (const auto joint : simulation.driven()) {
      const std::string & name = simulation.world->joints()[joint].name;
      const bool is_jaw = name.find("gripper") != std::string::npos;
      const bool slides = simulation.world->joints()[joint].type == ambf_adf::JointType::Prismatic;
      simulation.world->set_joint_command(
        joint, ambf_dynamics::JointMode::Position,
        is_jaw   ? jaw
        : slides ? insertion
                 : 0.0);
    }
    ASSERT_EQ(simulation.world->step(), ambf_dynamics::StepStatus::Ok)
      << simulation.world->divergence().reason;
  }

  Eigen::Isometry3d in_tool(const std::string & body) const
  {
    return simulation.pose(std::string("/ambf/env/psm/BODY tool yaw link")).inverse() *
           simulation.pose(body);
  }

  Simulation simulation;
};

TEST_P(Jaws, LiftAndHoldByFrictionForFiveSeconds)
{
  const Grasp & grasp = GetParam();
  ASSERT_NO_FATAL_FAILURE(load_model(simulation, "psm"));
  auto parsed = ambf_adf::parse_file(package_folder + "/adf/" + grasp.file + ".yaml");
  ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
  std::erase_if(parsed->bodies, [&](const auto & body) {
    return std::count(grasp.left_out.begin(), grasp.left_out.end(), body.header.identifier) > 0;
  });
  ambf_adf::Scene scene;
  auto model = scene.add(std::move(*parsed));
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  // Everything of the model is moved so that the grasped body is between the open jaws.
  ambf_dynamics::Parameters parameters = simulation.world->parameters();
  parameters.gravity = Eigen::Vector3d::Zero();
  ASSERT_TRUE(simulation.world->set_parameters(parameters));
  for (int i = 0; i < 1500; ++i) {
    ASSERT_NO_FATAL_FAILURE(command(0.1 * std::min(1.0, i / 1000.0), 0.5));
  }
  const Eigen::Isometry3d tool = simulation.pose(std::string("/ambf/env/psm/BODY tool yaw link"));
  Eigen::Isometry3d start = Eigen::Isometry3d::Identity();
  for (const auto & body : model->bodies) {
    if (body.header.qualified == grasp.body) { start = body.location.isometry(); }
  }
  const auto added = simulation.world->add_model(*model, tool * grasp.place * start.inverse());
  ASSERT_TRUE(added.has_value()) << to_string(added.error());

  // Close at 1 rad/s without weight, then gravity, a lift of 60 mm in 1 s, and 4 s of holding.
  for (int i = 0; i < 1000; ++i) {
    ASSERT_NO_FATAL_FAILURE(command(0.1, std::max(0.0, 0.5 - 0.001 * i)));
  }
  const Eigen::Isometry3d held = in_tool(grasp.body);
  parameters.gravity = Eigen::Vector3d(0.0, 0.0, -9.81);
  ASSERT_TRUE(simulation.world->set_parameters(parameters));
  for (int i = 0; i < 5000; ++i) {
    ASSERT_NO_FATAL_FAILURE(command(0.1 - 0.06 * std::min(1.0, i / 1000.0), 0.0));
  }
  const Eigen::Isometry3d after = in_tool(grasp.body);
  const double slip = (after.translation() - held.translation()).norm();
  const double turn = Eigen::AngleAxisd(after.linear() * held.linear().transpose()).angle();
  std::printf(
    "%s: slipped %.4f mm and turned %.4f rad in 5 s\n", grasp.name.c_str(), 1e3 * slip, turn);
  EXPECT_LT(slip, grasp.slip);

  for (int i = 0; i < 300; ++i) { ASSERT_NO_FATAL_FAILURE(command(0.04, 0.6)); }
  EXPECT_GT((in_tool(grasp.body).translation() - after.translation()).norm(), 0.02)
    << "must fall when released";
}

INSTANTIATE_TEST_SUITE_P(
  Psm, Jaws,
  testing::Values(
    // A bar of the ring across the jaws, whose ends reach 2.5 mm below its upper edge, as the scripted hands take it.
    Grasp{
      "ring",
      "peg_board",
      "/ambf/env/peg_board/BODY ring 1",
      {"BODY peg board", "BODY ring 2", "BODY ring 3", "BODY ring 4", "BODY ring 5", "BODY ring 6"},
      at(
        -Eigen::Vector3d::UnitZ(), -Eigen::Vector3d::UnitY(),
        Eigen::Vector3d(-0.0065, 0.0127, 0.0)),
      // Its middle, 6.5 mm beside the bar, sinks as the ring turns about the bar by 8 mrad a second.
      5e-4}),
  [](const auto & instance) {
    return instance.param.name.substr(0, instance.param.name.find(' '));
  });

}  // namespace
}  // namespace ambf_description
