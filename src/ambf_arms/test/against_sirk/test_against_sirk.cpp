// SPDX-License-Identifier: BSD-3-Clause
// Kinematics and operating states against golden numbers, and, where CMake finds
// sawIntuitiveResearchKit, against the dVRK's own library in one process.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "ambf_arms/dvrk_arms.hpp"
#include "ambf_arms/operating_state.hpp"
#include "golden_kinematics.hpp"

#ifdef WITH_SIRK
#include <fstream>
#include <random>

#include <cisstParameterTypes/prmOperatingState.h>
#include <cisstRobot/robManipulator.h>
#include <json/json.h>
#include <sawIntuitiveResearchKit/sawIntuitiveResearchKitConfig.h>
#endif

namespace ambf_arms::test
{
namespace
{

// Kinematics

Chain chain_of(const std::string & arm)
{
  if (arm == "PSM Classic") {
    return psm_chain(Generation::Classic, *find_tool("400006", Generation::Classic));
  }
  if (arm == "PSM Si") { return psm_chain(Generation::Si, *find_tool("420006", Generation::Si)); }
  return arm == "ECM" ? ecm_chain(find_endoscope("Classic_HD_UP")->tip()) : mtm_chain();
}

/// Row by row.
template <class Matrix>
void expect_near(const Matrix & ours, const std::vector<double> & golden, const std::string & what)
{
  ASSERT_EQ(static_cast<std::size_t>(ours.size()), golden.size()) << what;
  std::size_t k = 0;
  for (Eigen::Index i = 0; i < ours.rows(); ++i) {
    for (Eigen::Index j = 0; j < ours.cols(); ++j, ++k) {
      // Thirteen digits were written.
      EXPECT_NEAR(ours(i, j), golden[k], 1e-11) << what << " row " << i << " column " << j;
    }
  }
}

TEST(Golden, PosesAndJacobiansAreThoseOfThePublishedTables)
{
  for (const GoldenPosture & golden : golden_postures) {
    const Chain chain = chain_of(golden.arm);
    ASSERT_EQ(static_cast<std::size_t>(chain.joints), golden.q.size());
    JointVector q(chain.joints);
    std::copy(golden.q.begin(), golden.q.end(), q.data());
    TipMotion motion;
    tip_motion(chain, q, motion);
    const std::string arm = golden.arm;
    expect_near(motion.tip.matrix().topRows<3>(), golden.tip, arm + " pose");
    Jacobian jacobian;
    body_jacobian(motion, jacobian);
    expect_near(jacobian, golden.body_jacobian, arm + " body Jacobian");
    spatial_jacobian(motion, jacobian);
    expect_near(jacobian, golden.spatial_jacobian, arm + " spatial Jacobian");
  }
}

// Operating states

/// What becomes of a command in a state; no state: it is refused, and the state stays.
struct Row
{
  OperatingMode before;
  const char * command;
  std::optional<OperatingMode> after;
};
constexpr auto disabled = OperatingMode::Disabled;
constexpr auto enabled = OperatingMode::Enabled;
constexpr auto paused = OperatingMode::Paused;
constexpr auto fault = OperatingMode::Fault;
const Row state_table[] = {
  {disabled, "enable", enabled}, {disabled, "disable", disabled},
  {disabled, "pause", {}},       {disabled, "resume", {}},
  {disabled, "home", {}},        {disabled, "unhome", disabled},
  {enabled, "enable", enabled},  {enabled, "disable", disabled},
  {enabled, "pause", paused},    {enabled, "resume", {}},
  {enabled, "home", enabled},    {enabled, "unhome", enabled},
  {paused, "enable", {}},        {paused, "disable", disabled},
  {paused, "pause", paused},     {paused, "resume", enabled},
  {paused, "home", {}},          {paused, "unhome", paused},
  {fault, "enable", enabled},    {fault, "disable", disabled},
  {fault, "pause", {}},          {fault, "resume", {}},
  {fault, "home", {}},           {fault, "unhome", fault},
};

OperatingState in(OperatingMode mode)
{
  OperatingState state("PSM1");
  if (mode != disabled) { state.command("enable"); }
  if (mode == paused) { state.command("pause"); }
  if (mode == fault) { state.fault("a joint is too far off"); }
  return state;
}

TEST(Golden, EachCommandInEachStateDoesWhatTheDvrkDoes)
{
  for (const Row & row : state_table) {
    OperatingState state = in(row.before);
    ASSERT_EQ(state.mode(), row.before);
    const ArmEvents events = state.command(row.command);
    const std::string what = std::string(to_string(row.before)) + " " + row.command;
    EXPECT_EQ(state.mode(), row.after.value_or(row.before)) << what;
    EXPECT_EQ(events.has(ArmEvent::Kind::StateChanged), row.after.has_value()) << what;
    EXPECT_EQ(events.has(ArmEvent::Kind::Warning), !row.after.has_value()) << what;
    if (row.after) { continue; }
    const std::string said = std::string("command \"") + row.command +
                             "\" is not supported in state \"" + to_string(row.before) + " (";
    ASSERT_EQ(events.size(), 1u) << what;
    EXPECT_NE(events[0].text.find(said), std::string::npos) << events[0].text;
  }
}

#ifdef WITH_SIRK

// The library itself

void load(robManipulator & robot, const std::string & file)
{
  std::ifstream stream(std::string(sawIntuitiveResearchKit_SOURCE_CONFIG_DIR) + "/" + file);
  Json::Value data;
  Json::CharReaderBuilder builder;
  ASSERT_TRUE(stream && Json::parseFromStream(builder, stream, &data, nullptr)) << file;
  ASSERT_EQ(robot.LoadRobot(data["DH"]), robManipulator::ESUCCESS) << file;
}

/// Right angles are 1.5708 there, at each of the joints.
constexpr double right_angles = 3e-5;

void expect_near(const Jacobian & ours, const vctDynamicMatrix<double> & theirs, const char * what)
{
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < ours.cols(); ++k) {
      EXPECT_NEAR(
        ours(i, k), theirs.Element(static_cast<size_t>(i), static_cast<size_t>(k)), right_angles)
        << what << " row " << i << " column " << k;
    }
  }
}

void compare(const Chain & chain, const robManipulator & robot)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-0.3, 0.3);
  const auto joints = static_cast<size_t>(chain.joints);
  for (int sample = 0; sample < 100; ++sample) {
    JointVector ours(chain.joints);
    vctDynamicVector<double> theirs(joints);
    for (int i = 0; i < chain.joints; ++i) {
      theirs[static_cast<size_t>(i)] = ours[i] = value(random);
    }
    TipMotion motion;
    tip_motion(chain, ours, motion);
    const vctFrame4x4<double> b = robot.ForwardKinematics(theirs);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(
          motion.tip.matrix()(i, k), b.Element(static_cast<size_t>(i), static_cast<size_t>(k)),
          right_angles);
      }
    }
    Jacobian jacobian;
    vctDynamicMatrix<double> other(6, joints);
    ASSERT_TRUE(robot.JacobianBody(theirs, other));
    body_jacobian(motion, jacobian);
    expect_near(jacobian, other, "body Jacobian");
    ASSERT_TRUE(robot.JacobianSpatial(theirs, other));
    spatial_jacobian(motion, jacobian);
    expect_near(jacobian, other, "spatial Jacobian");
  }
}

TEST(Sirk, EcmAndMtm)
{
  robManipulator ecm, mtm;
  load(ecm, "kinematic/ECM.json");
  compare(ecm_chain(), ecm);
  load(mtm, "kinematic/MTMR.json");
  compare(mtm_chain(), mtm);
}

TEST(Sirk, Psm)
{
  for (const Generation generation : {Generation::Classic, Generation::Si}) {
    const bool classic = generation == Generation::Classic;
    const std::string model = classic ? "400006" : "420006";
    robManipulator psm;
    load(psm, classic ? "kinematic/PSM.json" : "kinematic/PSM_Si.json");
    load(psm, "tool/LARGE_NEEDLE_DRIVER_" + model + ".json");  // appends its joints
    const Tool & tool = *find_tool(model, generation);
    compare(make_chain(psm_rows(generation, tool), DhConvention::Modified), psm);
  }
}

TEST(Sirk, OperatingStates)
{
  for (const Row & row : state_table) {
    prmOperatingState state;
    state.State() = prmOperatingState::StateTypeFromString(to_string(row.before));
    prmOperatingState::StateType after;
    std::string why;
    const bool accepted =
      state.ValidCommand(prmOperatingState::CommandTypeFromString(row.command), after, why);
    const std::string what = std::string(to_string(row.before)) + " " + row.command;
    EXPECT_EQ(accepted, row.after.has_value()) << what;
    EXPECT_EQ(
      prmOperatingState::StateTypeToString(after), to_string(row.after.value_or(row.before)))
      << what;
  }
}

#endif  // WITH_SIRK

}  // namespace
}  // namespace ambf_arms::test
