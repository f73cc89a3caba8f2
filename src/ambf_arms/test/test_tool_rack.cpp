// SPDX-License-Identifier: BSD-3-Clause
// Which bodies stand for a tool, where they are at given joint values, and what an arm carries.

#include <gtest/gtest.h>

#include <random>

#include "ambf_adf/parse.hpp"
#include "ambf_arms/pose.hpp"
#include "ambf_arms/tool_rack.hpp"

namespace ambf_arms::test
{
namespace
{

const std::string folder = AMBF_DESCRIPTION_FOLDER;

const ToolRack & rack()
{
  static const ToolRack shipped = read_tool_rack(folder + "/tools");
  return shipped;
}

ambf_adf::Model model(const std::string & name)
{
  const auto read = ambf_adf::parse_file(folder + "/adf/" + name + ".yaml");
  EXPECT_TRUE(read.has_value());
  return *read;
}

Arm arm_with(const std::string & name, const std::string & tool)
{
  auto described = parse_arms_file(folder + "/arms/" + name + ".yaml");
  EXPECT_TRUE(described.has_value());
  described->arms[0].tool = tool;
  auto arm = Arm::make(described->arms[0], nullptr);
  EXPECT_TRUE(arm.has_value());
  return *arm;
}

TEST(ToolRack, HasTheInstrumentsAndEndoscopesOfBothGenerations)
{
  EXPECT_TRUE(rack().warnings.empty());
  EXPECT_EQ(rack().tools.size(), 28U);
  for (const ToolBodies & tool : rack().tools) {
    EXPECT_EQ(tool.carriage, "BODY main insertion link") << tool.name;
  }
}

TEST(ToolRack, AFolderThatIsNotThereIsAWarningAndAnEmptyRack)
{
  const ToolRack none = read_tool_rack("/there/is/no/such/folder");
  EXPECT_TRUE(none.tools.empty());
  ASSERT_EQ(none.warnings.size(), 1U);
  EXPECT_NE(none.warnings[0].find("/there/is/no/such/folder"), std::string::npos);
}

TEST(ToolRack, NoTwoToolsHaveTheSameBodies)
{
  for (const ToolBodies & tool : rack().tools) {
    int same = 0;
    for (const ToolBodies & other : rack().tools) { same += carries(rack(), tool.model, other); }
    EXPECT_EQ(same, 1) << tool.name;
  }
}

TEST(ToolRack, AToolHasItsOwnBodiesOrThoseOfTheNearestOfItsKind)
{
  const auto file = [](ArmKind kind, const char * tool) {
    const ToolChoice choice = choose_bodies(rack(), kind, tool);
    return (choice.bodies == nullptr ? "none" : choice.bodies->name) +
           (choice.note.empty() ? "" : " *");
  };
  EXPECT_EQ(file(ArmKind::Psm, "PROGRASP_FORCEPS:420093"), "prograsp_forceps_420093");
  EXPECT_EQ(file(ArmKind::Psm, "POTTS_SCISSORS:400001"), "round_tip_scissors_400007 *");
  EXPECT_EQ(file(ArmKind::Psm, "MARYLAND_DISSECTOR:400143"), "needle_driver_400117 *");
  EXPECT_EQ(file(ArmKind::Psm, "STAPLER_45:410298"), "none *");
  EXPECT_EQ(file(ArmKind::Ecm, "Classic_HD_UP"), "endoscope_classic_up");
  EXPECT_EQ(file(ArmKind::Ecm, "Classic_SD_DOWN"), "endoscope_classic_down *");
  EXPECT_EQ(file(ArmKind::Ecm, "Si_HD_STRAIGHT"), "endoscope_si_straight");
  EXPECT_EQ(file(ArmKind::Ecm, "NONE"), "none");
  EXPECT_EQ(file(ArmKind::Mtm, ""), "none");
}

TEST(ToolRack, OnlyTheStaplerHasNoBodiesAtAll)
{
  for (const Tool & tool : tools()) {
    const bool has = choose_bodies(rack(), ArmKind::Psm, tool.full_name()).bodies != nullptr;
    EXPECT_EQ(has, std::string(tool.model) != "410298") << tool.full_name();
  }
}

/// The wrist's last axis by the rows of Denavit and Hartenberg, against the joints of the file.
TEST(ToolRack, PosedBodiesAreWhereTheArmsKinematicsHasThem)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  for (const ToolBodies & tool : rack().tools) {
    const std::string number = tool.name.substr(tool.name.rfind('_') + 1);
    const Tool * const known = find_tool(number, Generation::Classic);
    if (known == nullptr) { continue; }  // an endoscope
    const Arm arm =
      arm_with(known->generation == Generation::Si ? "psm_si" : "psm", known->full_name());
    const auto moved = moved_joints(tool, "BODY tool yaw link");
    ASSERT_EQ(moved.size(), 3U) << tool.name;
    for (int sample = 0; sample < 20; ++sample) {
      JointVector q = zeros(6);
      q[2] = 0.1;
      for (Eigen::Index i = 3; i < 6; ++i) { q[i] = 0.99 * part(random) * arm.bounds().high[i]; }
      const ambf_adf::Model placed = posed(tool, moved, q.tail(3), {}, 0.0);
      const auto body = std::find_if(
        placed.bodies.begin(), placed.bodies.end(),
        [](const auto & b) { return b.header.identifier == "BODY tool yaw link"; });
      const Eigen::Isometry3d T_carriage_tip =
        forward(arm.chain(), q, 2).inverse() * *arm.forward_local(q);
      const Eigen::Isometry3d T_carriage_body = T_carriage_tip * known->tip().inverse();
      // Files are written with nine digits.
      EXPECT_LT(
        (body->location.isometry().translation() - T_carriage_body.translation()).norm(), 1e-7)
        << tool.name;
      EXPECT_LT(angle_between(body->location.isometry().linear(), T_carriage_body.linear()), 1e-6)
        << tool.name;
    }
  }
}

TEST(ToolRack, WhatAnArmCarriesIsKnownByItsBodies)
{
  const auto carried = [](const char * name) {
    const CarriedTool found = find_tool_bodies(rack(), model(name));
    return found.exchangeable && found.tool != nullptr ? found.tool->name : "?";
  };
  EXPECT_EQ(carried("psm"), "large_needle_driver_400006");
  EXPECT_EQ(carried("psm_si"), "large_needle_driver_420006");
  EXPECT_EQ(carried("ecm"), "endoscope_classic_straight");
  EXPECT_EQ(carried("ecm_si"), "endoscope_si_straight");
  EXPECT_FALSE(find_tool_bodies(rack(), model("mtmr")).exchangeable);
  EXPECT_FALSE(find_tool_bodies(rack(), model("gripper")).exchangeable);
}

TEST(ToolRack, ToolsThatAreHalfGoneAreKnownAndOthersAreLeftAlone)
{
  ambf_adf::Model arm = model("psm");
  std::erase_if(arm.bodies, [](const auto & body) {
    return body.header.identifier.starts_with("BODY tool gripper");
  });
  const CarriedTool half = find_tool_bodies(rack(), arm);
  EXPECT_TRUE(half.exchangeable);
  EXPECT_EQ(half.tool, nullptr);
  ASSERT_EQ(half.left_over.size(), 3U);
  EXPECT_TRUE(half.left_over[0].ends_with("BODY tool yaw link"));
  EXPECT_TRUE(half.left_over[2].ends_with("BODY tool roll link"));
  std::erase_if(
    arm.bodies, [](const auto & body) { return body.header.identifier.starts_with("BODY tool"); });
  EXPECT_TRUE(find_tool_bodies(rack(), arm).exchangeable);
  EXPECT_TRUE(find_tool_bodies(rack(), arm).left_over.empty());

  ambf_adf::Model other = model("psm");
  for (auto & body : other.bodies) { body.mass *= 1.5; }
  EXPECT_FALSE(find_tool_bodies(rack(), other).exchangeable) << "a tool of somebody's own";
}

}  // namespace
}  // namespace ambf_arms::test
