// SPDX-License-Identifier: BSD-3-Clause
/// The PSM, an arm with closed loops, is pressed onto a table: its joints do not give, and its tip is where
/// the measured joints say.

#include <cstdio>
#include <map>

#include "ambf_adf/placement.hpp"
#include "simulation.hpp"

namespace ambf_description
{
namespace
{

const std::string space = "/ambf/env/psm/";

/// Poses of all bodies that hang on the base, one joint after the other in the order of the file, from the
/// measured joint values. The joints that close loops come last and are not needed.
std::map<std::string, Eigen::Isometry3d> forward_kinematics(const Simulation & simulation)
{
  std::map<std::string, Eigen::Isometry3d> at;
  const std::string base = space + "BODY base link";
  at[base] = simulation.pose(base);
  for (const auto & joint : simulation.models.front().joints) {
    if (at.count(joint.parent) == 0 || at.count(joint.child) > 0) { continue; }
    const auto index = simulation.world->find_joint(joint.header.qualified).value();
    at[joint.child] =
      at[joint.parent] * ambf_adf::child_in_parent(joint, simulation.joint_position(index));
  }
  return at;
}

double largest_joint_gap(const Simulation & simulation)
{
  double gap = 0.0;
  for (const auto & joint : simulation.models.front().joints) {
    const auto fit =
      ambf_adf::fit_joint(joint, simulation.pose(joint.parent), simulation.pose(joint.child));
    gap = std::max(gap, fit.position_error);
  }
  return gap;
}

void add_table(Simulation & simulation, double height)
{
  ambf_adf::RigidBody table;
  table.header.identifier = table.header.name = table.header.qualified = "table";
  table.mass = 0.0;
  table.location.position = Eigen::Vector3d(0.0, 0.0, height - 0.05);
  ambf_adf::PlacedShape top;
  top.shape = ambf_adf::Box{Eigen::Vector3d(4.0, 4.0, 0.1)};
  table.collision = ambf_adf::ShapeList{{top}, false};
  ambf_adf::Model model;
  model.bodies.push_back(table);
  const auto added = simulation.world->add_model(model);
  ASSERT_TRUE(added.has_value()) << to_string(added.error());
}

double force_on_table(const Simulation & simulation)
{
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  const auto table = simulation.world->find_body("table").value();
  for (const auto & contact : simulation.world->state().contacts) {
    if (contact.body_a == table) { sum += contact.force; }
    if (contact.body_b == table) { sum -= contact.force; }
  }
  return sum.norm();
}

TEST(Press, ClosedLoopArmIsStiffUnderFiftyNewton)
{
  Simulation simulation;
  ASSERT_NO_FATAL_FAILURE(load_model(simulation, "psm"));
  const std::string tip = space + "BODY tool yaw link";
  double insertion = 0.0;
  double pitch = 0.0;
  const auto step = [&] {
    for (const auto joint : simulation.driven()) {
      const auto & info = simulation.world->joints()[joint];
      const bool slides = info.type == ambf_adf::JointType::Prismatic;
      const bool pitches = info.name == "yaw link-pitch back link";
      simulation.world->set_joint_command(
        joint, ambf_dynamics::JointMode::Position,
        slides    ? insertion
        : pitches ? pitch
                  : 0.0);
    }
    ASSERT_EQ(simulation.world->step(), ambf_dynamics::StepStatus::Ok)
      << simulation.world->divergence().reason;
  };
  // The wrist's own gains would let it fold: it is held by stronger ones, so that the arm bears the force.
  for (const auto joint : simulation.driven()) {
    const std::string & name = simulation.world->joints()[joint].name;
    if (name.find("tool") != std::string::npos) {
      simulation.world->set_joint_gains(joint, ambf_adf::Pid{200.0, 0.0, 1.0});
    }
  }
  for (int i = 0; i < 1500; ++i) {
    insertion = 0.1 * std::min(1.0, i / 1000.0);
    pitch = 0.3 * std::min(1.0, i / 1000.0);
    ASSERT_NO_FATAL_FAILURE(step());
  }
  ASSERT_NO_FATAL_FAILURE(add_table(simulation, simulation.pose(tip).translation().z() - 0.03));
  double force = 0.0;
  double gap = 0.0;
  double off = 0.0;
  for (int i = 0; i < 3000 && force < 50.0; ++i) {
    insertion += 2e-5;
    ASSERT_NO_FATAL_FAILURE(step());
    force = force_on_table(simulation);
    gap = std::max(gap, largest_joint_gap(simulation));
    off = std::max(
      off,
      (forward_kinematics(simulation).at(tip).translation() - simulation.pose(tip).translation())
        .norm());
  }
  std::printf(
    "PSM pressed with %.1f N: largest joint gap %.4f mm, tip %.4f mm from its forward kinematics\n",
    force, 1e3 * gap, 1e3 * off);
  EXPECT_GE(force, 50.0);
  EXPECT_LT(gap, 5e-5);
  EXPECT_LT(off, 5e-5);
}

}  // namespace
}  // namespace ambf_description
