// SPDX-License-Identifier: BSD-3-Clause
// The description of an arm: what is read, and what is said about mistakes.

#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"
#include "ambf_arms/arm.hpp"
#include "ambf_arms/pose.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

std::string problems(const std::string & text)
{
  const auto parsed = parse_arms_text(text, "arms.yaml", AMBF_DESCRIPTION_FOLDER "/arms");
  return parsed ? "" : to_string(parsed.error());
}

void expect_says(const std::string & text, const std::vector<std::string> & parts)
{
  const std::string said = problems(text);
  for (const std::string & part : parts) {
    EXPECT_NE(said.find(part), std::string::npos) << "wanted: " << part << "\nsaid: " << said;
  }
}

TEST(Description, TenLinesAreEnoughForAnyArm)
{
  const auto parsed = parse_arms_text(
    "arm:\n"
    "  name: my_arm\n"
    "  model: ../adf/psm.yaml\n"
    "  base: BODY base link\n"
    "  tip: BODY tool roll link\n"
    "  max velocity: 0.5\n",
    "arms.yaml", AMBF_DESCRIPTION_FOLDER "/arms");
  ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
  const ArmDescription & description = parsed->arms.at(0);
  const auto model = ambf_adf::parse_file(description.model);
  ASSERT_TRUE(model.has_value());
  const auto arm = Arm::make(description, &*model);
  ASSERT_TRUE(arm.has_value()) << to_string(arm.error());
  EXPECT_EQ(arm->joints(), 4);
  EXPECT_EQ(arm->reference(), "my_arm_base");
  EXPECT_EQ(arm->limits().velocity, JointVector::Constant(4, 0.5));
  EXPECT_EQ(arm->bounds().high[2], 0.24);
  JointVector q(4);
  q << 0.2, 0.3, 0.1, -0.5;
  const auto solution = arm->inverse(*arm->forward(q), zeros(4));
  ASSERT_TRUE(solution.has_value());
  EXPECT_LT(solution->position_error, 1e-8);
}

TEST(Description, EverythingThatCanBeSaid)
{
  const auto parsed = parse_arms_text(
    "arms:\n"
    "- name: PSM2\n"
    "  kind: psm\n"
    "  generation: Si\n"
    "  tool: prograsp_forceps\n"
    "  base frame:\n"
    "    reference: ECM\n"
    "    position: {x: 0.1, y: -0.2, z: 0.3}\n"
    "    orientation: {r: 0, p: 0, y: 1.5}\n"
    "  joints:\n"
    "  - {name: j1, low: -1, high: 1, max velocity: 0.3, max acceleration: 0.6, max jerk: 9}\n"
    "  - {}\n  - {max effort: 3}\n  - {}\n  - {}\n  - {}\n"
    "  jaw: {low: -0.1, high: 0.5}\n"
    "  home: [0, 0, 0.1, 0, 0, 0]\n"
    "- {name: MTML, kind: MTM, side: left}\n",
    "arms.yaml");
  ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
  ASSERT_EQ(parsed->arms.size(), 2u);
  const auto arm = Arm::make(parsed->arms[0], nullptr);
  ASSERT_TRUE(arm.has_value()) << to_string(arm.error());
  EXPECT_EQ(arm->tool(), "PROGRASP_FORCEPS:420093");
  EXPECT_EQ(arm->joint_names()[0], "j1");
  EXPECT_EQ(arm->joint_names()[1], "pitch");
  EXPECT_EQ(arm->bounds().low[0], -1.0);
  EXPECT_EQ(arm->bounds().high[1], 1.301);
  EXPECT_EQ(arm->limits().jerk[0], 9.0);
  EXPECT_EQ(arm->effort_limits()[2], 3.0);
  EXPECT_EQ(arm->jaw()->high, 0.5);
  EXPECT_EQ(arm->home()[2], 0.1);
  EXPECT_EQ(arm->reference(), "ECM");
  const JointVector q = arm->home();
  EXPECT_LT(
    (arm->forward(q)->matrix() - (arm->base_frame() * *arm->forward_local(q)).matrix()).norm(),
    1e-15);
  EXPECT_LT((arm->inverse(*arm->forward(q), zeros(6))->q - q).norm(), 1e-9);
  const auto left = Arm::make(parsed->arms[1], nullptr);
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->bounds().low[3], -3.5779);
}

TEST(Description, MistakesSayWhereAndWhatToDo)
{
  expect_says("", {"arms.yaml", "key `arm`"});
  expect_says("arm: {name: [}\n", {"arms.yaml:1:", "invalid YAML"});
  expect_says("arm:\n  base: a\n", {"arms.yaml:2:3", "'arm/name'", "'arm/tip'", "missing key"});
  expect_says(
    "arm: {name: A, base: b, tip: t, tipp: c}",
    {"unknown key", "'arm/tipp'", "did you mean 'tip'"});
  expect_says("arm: {name: A, base: b, tip: t, max velocity: fast}", {"'fast'", "a finite number"});
  expect_says("arm: {name: A, base: b, tip: t, max velocity: .nan}", {"a finite number"});
  expect_says("arm: {name: A, base: b, tip: t, max velocity: -1}", {"a number above 0"});
  expect_says(
    "arm: {name: A, base: b, tip: t, jaw: {joints: [j], ratio: 0}}", {"jaw/ratio", "0.5"});
  expect_says("arm: {name: 1 x, base: b, tip: t}", {"letters, digits and _"});
  expect_says("arm: {name: P, kind: PSMM}", {"unknown word", "one of generic, PSM, ECM, MTM"});
  expect_says(
    "arm: {name: P, kind: PSM, tool: LARGE_NEEDLE_DRIVR}",
    {"did you mean 'LARGE_NEEDLE_DRIVER:400006'"});
  expect_says("arm: {name: E, kind: ECM, endoscope: HD}", {"one of NONE, Classic_SD_STRAIGHT"});
  expect_says("arm: {name: P, kind: PSM, model: nowhere.yaml}", {"missing file", "nowhere.yaml"});
  expect_says("arms: {name: A}", {"a list of arms"});
  expect_says(
    "arms: [{name: A, kind: PSM}, {name: A, kind: PSM}]", {"duplicate name", "'A' twice"});
  expect_says("arm:\n  name: A\n  name: B\n  kind: MTM\n", {"arms.yaml:3:3", "duplicate key"});
  expect_says(
    "arm: {name: A, kind: MTM, base frame: {orientation: {x: 0, y: 0, z: 0, w: 0}}}",
    {"'arm/base frame/orientation'", "quaternion of length 0"});
  expect_says(
    "arm:\n  name: A\n  kind: MTM\n  base frame:\n    matrix: "
    "[[1,0,0,0],[0,1,0,0],[0,0,-1,0],[0,0,0,1]]\n",
    {"arms.yaml:5:13", "no rotation", "determinant +1"});
  expect_says(
    "arm: {name: A, kind: MTM, base frame: {matrix: [1, 2]}}", {"four rows of four numbers"});
  expect_says("arm: {name: A, kind: MTM, joints: [{low: 2, high: 1}]}", {"not above `high`"});
}

TEST(Description, WhatDoesNotFitTheKindIsNamed)
{
  const auto make = [](const std::string & text) {
    const auto parsed = parse_arms_text(text, "arms.yaml");
    EXPECT_TRUE(parsed.has_value()) << to_string(parsed.error());
    const auto arm = Arm::make(parsed->arms.at(0), nullptr);
    return arm ? std::string("fine") : to_string(arm.error());
  };
  EXPECT_EQ(make("arm: {name: A, kind: MTM}"), "fine");
  EXPECT_NE(
    make("arm: {name: A, kind: MTM, joints: [{}, {}]}").find("2 joints, expected 7"),
    std::string::npos);
  EXPECT_NE(
    make("arm: {name: A, kind: PSM, home: [0]}").find("1 values, expected 6"), std::string::npos);
  EXPECT_NE(
    make("arm: {name: A, kind: PSM, home: [9, 0, 0, 0, 0, 0]}").find("beyond"), std::string::npos);
  EXPECT_NE(make("arm: {name: A, base: b, tip: t}").find("no model"), std::string::npos);
}

const char * const psm_of_rows =
  "arm:\n"
  "  name: PSM1\n"
  "  kind: PSM\n"
  "  dh:\n"
  "    convention: modified\n"
  "    rows:\n"
  "    - {alpha: 1.5708, theta: 1.5708}\n"
  "    - {alpha: -1.5708, theta: -1.5708}\n"
  "    - {alpha: 1.5708, d: -0.4318, slides: true}\n";
const char * const tool_rows =
  "    - {d: 0.4162}\n"
  "    - {alpha: -1.5708, theta: -1.5708}\n"
  "    - {alpha: -1.5708, a: 0.0091, theta: -1.5708}\n";

Arm arm_of(const std::string & text)
{
  const auto parsed = parse_arms_text(text, "arms.yaml");
  if (!parsed) { throw std::runtime_error(to_string(parsed.error())); }
  auto arm = Arm::make(parsed->arms.at(0), nullptr);
  if (!arm) { throw std::runtime_error(to_string(arm.error())); }
  return *arm;
}

JointVector psm_posture()
{
  JointVector q(6);
  q << 0.3, -0.2, 0.15, 0.5, -0.4, 0.6;
  return q;
}

void expect_inverse(const Arm & arm, const JointVector & q, int iterations)
{
  const auto solution = arm.inverse(*arm.forward(q), q + JointVector::Constant(q.size(), 0.02));
  ASSERT_TRUE(solution.has_value());
  EXPECT_LT(solution->position_error, 1e-9);
  if (iterations == 0) {
    EXPECT_EQ(solution->iterations, 0);
    EXPECT_LT((solution->q - q).norm(), 1e-9);
  } else {
    EXPECT_GT(solution->iterations, 0);
  }
}

TEST(Description, RowsThatAreTheKindsAreTheKind)
{
  // The files of the dVRK write 1.5708 for a right angle.
  const Arm known = arm_of("arm: {name: PSM1, kind: PSM}");
  const JointVector q = psm_posture();
  for (const std::string & text :
       {std::string(psm_of_rows), psm_of_rows + std::string(tool_rows)}) {
    const Arm arm = arm_of(text);
    EXPECT_EQ((arm.forward(q)->matrix() - known.forward(q)->matrix()).norm(), 0.0);
    EXPECT_EQ(arm.tool(), "LARGE_NEEDLE_DRIVER:400006");
    EXPECT_EQ(arm.bounds().high, known.bounds().high);
    expect_inverse(arm, q, 0);
  }
}

TEST(Description, RowsWithOtherLengthsKeepTheClosedForm)
{
  const std::string text = std::string(psm_of_rows) +
                           "    - {d: 0.42, theta: 0.7854}\n"
                           "    - {alpha: -1.5708, theta: -1.5708}\n"
                           "    - {alpha: -1.5708, a: 0.012, theta: -1.5708}\n";
  const Arm arm = arm_of(text);
  expect_inverse(arm, psm_posture(), 0);
  const Arm known = arm_of("arm: {name: PSM1, kind: PSM}");
  EXPECT_GT(
    (arm.forward(psm_posture())->translation() - known.forward(psm_posture())->translation())
      .norm(),
    1e-3);

  const Arm ecm = arm_of(
    "arm: {name: ECM, kind: ECM, dh: {rows: [{alpha: 1.5708, theta: 1.5708}, "
    "{alpha: -1.5708, theta: -1.5708}, {alpha: 1.5708, d: -0.38, slides: true}, {d: 0.40}]}}");
  JointVector q(4);
  q << 0.3, -0.2, 0.1, 0.5;
  expect_inverse(ecm, q, 0);

  const Arm mtm = arm_of(
    "arm: {name: MTMR, kind: MTM, dh: {convention: standard, rows: ["
    "{alpha: 1.5708, theta: -1.5708}, {a: 0.28, theta: -1.5708}, "
    "{alpha: -1.5708, a: 0.36, theta: 1.5708}, {alpha: 1.5708, d: 0.15}, {alpha: -1.5708}, "
    "{alpha: 1.5708, theta: -1.5708}, {theta: 1.5708}]}}");
  JointVector m(7);
  m << 0.2, 0.3, -0.1, 0.5, 0.4, -0.3, 1.0;
  const auto solution = mtm.inverse(*mtm.forward(m), m);
  ASSERT_TRUE(solution.has_value());
  EXPECT_TRUE(solution->exact());
  EXPECT_EQ(solution->iterations, 0);
}

TEST(Description, OtherRowsAreSolvedNumerically)
{
  std::string text = psm_of_rows + std::string(tool_rows);
  // A calibrated arm: the axes do not quite meet.
  text.replace(text.find("alpha: -1.5708, theta"), 14, "alpha: -1.5650");
  const Arm arm = arm_of(text);
  expect_inverse(arm, psm_posture(), 1);
}

TEST(Description, ToolsChangeBehindRowsOfTheArm)
{
  std::string text = psm_of_rows;
  text.replace(text.find("-0.4318"), 7, "-0.4400");
  Arm arm = arm_of(text);
  JointVector q = psm_posture();
  q.setZero();
  q[2] = 0.12;
  EXPECT_NEAR(arm.forward(q)->translation().norm(), 0.12 - 0.44 + 0.4162 + 0.0091, 1e-12);
  ASSERT_TRUE(arm.set_tool("PROGRASP_FORCEPS").has_value());
  EXPECT_NEAR(arm.forward(q)->translation().norm(), 0.12 - 0.44 + 0.4162 + 0.0107, 1e-12);
  expect_inverse(arm, psm_posture(), 0);
  ASSERT_TRUE(arm.set_tool("5MM_NEEDLE_DRIVER").has_value());
  EXPECT_EQ(arm.joints(), 6);
  EXPECT_NEAR(
    arm.forward(q)->translation().norm(), 0.12 - 0.44 + 0.4024 + 3 * 0.0034 + 0.0171, 1e-12);
}

TEST(Description, AnArmCanBeItsRowsAlone)
{
  const Arm arm = arm_of(
    "arm:\n  name: A\n  joints: [{name: turn, low: -1, high: 1}, {low: 0, high: 0.2}]\n"
    "  dh: {convention: standard, rows: [{a: 0.5}, {slides: true}]}\n"
    "  tip offset: {position: {z: 0.1}}\n");
  JointVector q(2);
  q << 0.0, 0.05;
  EXPECT_LT((arm.forward(q)->translation() - Eigen::Vector3d(0.5, 0.0, 0.15)).norm(), 1e-15);
  EXPECT_EQ(arm.joint_names(), (std::vector<std::string>{"turn", "joint_2"}));
  EXPECT_TRUE(arm.slides(1));
  EXPECT_EQ(arm.limits().velocity[1], 0.1);
}

TEST(Description, WrongRowsAreNamed)
{
  expect_says("arm: {name: A, kind: PSM, dh: {rows: 3}}", {"'arm/dh/rows'", "a list of rows"});
  expect_says("arm: {name: A, kind: PSM, dh: {}}", {"'arm/dh/rows'", "missing key"});
  expect_says(
    "arm: {name: A, kind: PSM, dh: {rows: [{alpha: x}]}}",
    {"'arm/dh/rows/alpha'", "finite number"});
  expect_says("arm: {name: A, dh: {convention: craig, rows: [{}]}}", {"one of modified, standard"});
  expect_says("arm: {name: A, dh: {rows: [{A: 1}]}}", {"'arm/dh/rows/A'", "did you mean 'a'"});
  const auto make = [](const std::string & text) {
    try {
      arm_of(text);
      return std::string("fine");
    } catch (const std::runtime_error & e) {
      return std::string(e.what());
    }
  };
  const auto expect_refused = [&](const std::string & text, const std::string & part) {
    const std::string said = make(text);
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  expect_refused("arm: {name: A, kind: PSM, dh: {rows: [{}]}}", "1 rows, expected 6, or 3 without");
  expect_refused(
    "arm: {name: A, kind: PSM, tool: 5MM_NEEDLE_DRIVER, dh: {rows: [{},{},{slides: "
    "true},{},{},{}]}}",
    "3 with this tool");
  expect_refused("arm: {name: A, kind: PSM, dh: {rows: [{},{},{}]}}", "row 3 that turns");
  expect_refused(
    "arm: {name: A, kind: PSM, tip offset: {}, dh: {rows: [{},{},{slides: true}]}}",
    "none with the rows of the arm alone");
  expect_refused("arm: {name: A, kind: PSM, tip offset: {}}", "with rows of your own");
  expect_refused("arm: {name: A, dh: {rows: [{}]}}", "0 joints, expected 1, one per row");
  expect_refused("arm: {name: A, joints: [{low: 0}], dh: {rows: [{}]}}", "without `low` or `high`");
}

TEST(Description, AWrongModelIsNoticed)
{
  const auto parsed = parse_arms_file(AMBF_DESCRIPTION_FOLDER "/arms/psm.yaml");
  ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
  const auto model = ambf_adf::parse_file(parsed->arms[0].model);
  ArmDescription description = parsed->arms[0];
  description.tool = "PROGRASP_FORCEPS";  // its wrist is 1.6 mm longer
  ambf_adf::Problems warnings;
  ASSERT_TRUE(Arm::make(description, &*model, &warnings).has_value());
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(to_string(warnings).find("elsewhere"), std::string::npos) << to_string(warnings);
  description = parsed->arms[0];
  description.jaw->joints[0] = "JOINT nowhere";
  EXPECT_FALSE(Arm::make(description, &*model).has_value());
  EXPECT_FALSE(parse_arms_file("/nowhere.yaml").has_value());
  EXPECT_FALSE(parse_arms_file(AMBF_DESCRIPTION_FOLDER).has_value());
}

TEST(Arm, RefusesBadNumbers)
{
  ArmDescription description;
  description.name = "MTMR";
  description.kind = ArmKind::Mtm;
  auto arm = Arm::make(description, nullptr);
  ASSERT_TRUE(arm.has_value());
  EXPECT_EQ(arm->forward(zeros(6)).error(), Refusal::WrongSize);
  JointVector q = zeros(7);
  q[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(arm->forward(q).error(), Refusal::NotFinite);
  EXPECT_EQ(arm->clip_joints(q).error(), Refusal::NotFinite);
  TipMotion motion;
  EXPECT_EQ(arm->motion(zeros(6), motion).error(), Refusal::WrongSize);
  EXPECT_EQ(arm->inverse(Eigen::Isometry3d::Identity(), zeros(6)).error(), Refusal::WrongSize);
  Eigen::Isometry3d mirror = Eigen::Isometry3d::Identity();
  mirror.linear()(0, 0) = -1.0;
  EXPECT_EQ(arm->set_base_frame(mirror, "ECM").error(), Refusal::NotARotation);
  EXPECT_EQ(arm->reference(), "MTMR_base");
  EXPECT_FALSE(arm->set_tool("LARGE_NEEDLE_DRIVER").has_value());
}

TEST(Arm, ToolsAreChangedWhileItRuns)
{
  ArmDescription description;
  description.name = "PSM1";
  description.kind = ArmKind::Psm;
  auto arm = Arm::make(description, nullptr);
  ASSERT_TRUE(arm.has_value());
  EXPECT_EQ(arm->tool(), "LARGE_NEEDLE_DRIVER:400006");
  EXPECT_NEAR(arm->jaw()->low, -0.698132, 1e-5);
  for (const Tool & tool : tools()) {
    ASSERT_TRUE(arm->set_tool(tool.full_name()).has_value()) << tool.full_name();
    EXPECT_EQ(arm->tool(), tool.full_name());
    EXPECT_EQ(arm->joints(), 6);
    EXPECT_EQ(arm->jaw().has_value(), tool.has_jaw());
    JointVector q(6);
    q << 0.1, 0.2, 0.16, 0.3, 0.1, -0.2;
    const auto solution = arm->inverse(*arm->forward(q), q + JointVector::Constant(6, 0.01));
    ASSERT_TRUE(solution.has_value());
    EXPECT_LT(
      (*arm->forward(solution->q)).translation().norm() - (*arm->forward(q)).translation().norm(),
      1e-9);
    EXPECT_TRUE(solution->exact()) << tool.full_name();
  }
  const auto wrong = arm->set_tool("LARGE_NEEDLE");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().find("did you mean"), std::string::npos);
  EXPECT_EQ(find_tool("420006[12..]", Generation::Classic)->generation, Generation::Si);
  EXPECT_EQ(find_tool("LARGE_NEEDLE_DRIVER", Generation::Si)->model, std::string("420006"));
  EXPECT_EQ(find_tool("", Generation::Si), nullptr);
}

TEST(Arm, PsmIsCartesianReadyOutsideOfTheCannula)
{
  ArmDescription description;
  description.name = "PSM1";
  description.kind = ArmKind::Psm;
  const auto arm = Arm::make(description, nullptr);
  JointVector q = zeros(6);
  EXPECT_FALSE(arm->cartesian_ready(q));
  q[2] = 0.05;
  EXPECT_FALSE(arm->cartesian_ready(q));
  q[2] = 0.06;
  EXPECT_TRUE(arm->cartesian_ready(q));
}

}  // namespace
}  // namespace ambf_arms::test
