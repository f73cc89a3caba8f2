// SPDX-License-Identifier: BSD-3-Clause
// Our forward kinematics against cisst's on the files of sawIntuitiveResearchKit, where both are there.
// Written from the interface of the library; it has not been run where this project is developed.

#include <fstream>
#include <random>
#include <string>

#include <cisstRobot/robManipulator.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include "ambf_arms/dvrk_arms.hpp"

namespace ambf_arms::test
{
namespace
{

void load(robManipulator & robot, const std::string & file)
{
  std::ifstream stream(std::string(SIRK_SHARE) + "/" + file);
  Json::Value data;
  Json::CharReaderBuilder builder;
  ASSERT_TRUE(stream && Json::parseFromStream(builder, stream, &data, nullptr)) << file;
  ASSERT_EQ(robot.LoadRobot(data["DH"]), robManipulator::ESUCCESS) << file;
}

void compare(const Chain & chain, const robManipulator & robot)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-0.3, 0.3);
  for (int sample = 0; sample < 100; ++sample) {
    JointVector ours(chain.joints);
    vctDynamicVector<double> theirs(static_cast<size_t>(chain.joints));
    for (int i = 0; i < chain.joints; ++i) {
      theirs[static_cast<size_t>(i)] = ours[i] = value(random);
    }
    const Eigen::Isometry3d a = forward(chain, ours);
    const vctFrame4x4<double> b = robot.ForwardKinematics(theirs);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 4; ++k) {
        // Right angles are 1.5708 there.
        EXPECT_NEAR(
          a.matrix()(i, k), b.Element(static_cast<size_t>(i), static_cast<size_t>(k)), 2e-5);
      }
    }
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
  robManipulator psm;
  load(psm, "kinematic/PSM.json");
  load(psm, "tool/LARGE_NEEDLE_DRIVER_400006.json");  // appends its joints
  const Tool & tool = *find_tool("400006", Generation::Classic);
  compare(make_chain(psm_rows(Generation::Classic, tool), DhConvention::Modified), psm);
}

}  // namespace
}  // namespace ambf_arms::test
