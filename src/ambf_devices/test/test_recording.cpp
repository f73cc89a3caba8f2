// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ambf_devices/recording.hpp"

namespace ambf_devices
{
namespace
{

const std::string header =
  "time,px,py,pz,qx,qy,qz,qw,gripper,position_clutch,camera_clutch,actions\n";

TEST(Recording, ReadsWhatItWrites)
{
  Recording recording(2);
  recording[0].state.T_base_tip.position = {0.1, 1.0 / 3.0, -2.0};
  recording[1].time = 0.001;
  recording[1].state.T_base_tip.orientation = Eigen::Quaterniond(1, 2, 3, 4).normalized();
  recording[1].state.gripper = 0.25;
  recording[1].state.camera_clutch = true;
  recording[1].state.actions = 5;
  recording[1].state.twist = {{0.5, 0.0, -0.25}, {0.0, 1.0, 2.0}};
  recording[1].state.relocated = true;
  const auto again = parse_recording("# by hand\n" + write_recording(recording));
  ASSERT_TRUE(again.has_value()) << again.error();
  ASSERT_EQ(again->size(), 2u);
  EXPECT_EQ((*again)[0].state.T_base_tip.position, recording[0].state.T_base_tip.position);
  EXPECT_EQ((*again)[1].time, 0.001);
  EXPECT_EQ(
    (*again)[1].state.T_base_tip.orientation.coeffs(),
    recording[1].state.T_base_tip.orientation.coeffs());
  EXPECT_EQ((*again)[1].state.gripper, 0.25);
  EXPECT_TRUE((*again)[1].state.camera_clutch);
  EXPECT_FALSE((*again)[1].state.position_clutch);
  EXPECT_EQ((*again)[1].state.actions, 5u);
  EXPECT_EQ((*again)[1].state.twist.linear, recording[1].state.twist.linear);
  EXPECT_EQ((*again)[1].state.twist.angular, recording[1].state.twist.angular);
  EXPECT_FALSE((*again)[0].state.relocated);
  EXPECT_TRUE((*again)[1].state.relocated);
}

TEST(Recording, ColumnsAfterTheActionsMayBeMissing)
{
  const std::string columns = header.substr(0, header.size() - 1);
  const std::string state = "0,0,0,0,0,0,0,1,0,0,0,0";
  const std::string velocities = ",1,2,3,4,5,6";
  const struct
  {
    std::string text;
    double vx;
    bool relocated;
  } cases[] = {
    {columns + "\n" + state, 0.0, false},
    {columns + ",relocated\n" + state + ",1", 0.0, true},
    {columns + ",vx,vy,vz,wx,wy,wz\n" + state + velocities, 1.0, false},
    {columns + ",vx,vy,vz,wx,wy,wz,relocated\n" + state + velocities + ",0", 1.0, false},
    {columns + ",vx,vy,vz,wx,wy,wz,relocated\n" + state + velocities + ",1", 1.0, true},
  };
  for (const auto & c : cases) {
    const auto recording = parse_recording(c.text);
    ASSERT_TRUE(recording.has_value()) << recording.error();
    EXPECT_EQ(recording->front().state.twist.linear.x(), c.vx) << c.text;
    EXPECT_EQ(recording->front().state.relocated, c.relocated) << c.text;
  }
}

TEST(Recording, NamesTheLineThatIsWrong)
{
  const struct
  {
    std::string text;
    std::string words;
  } cases[] = {
    {"", "no states"},
    {"0,0,0,0,0,0,0,1,0,0,0,0\n", "line 1: expected the header"},
    {header, "no states"},
    {header.substr(0, header.size() - 1) + ",relocated,vx\n", "line 1: expected the header"},
    {header + "0,0,0,0,0,0,0,1,0,0,0\n", "line 2: 11 columns"},
    {header + "0,0,0,0,0,0,0,1,0,0,0,0,7\n", "line 2: more than the header's 12 columns"},
    {header + "0,0,x,0,0,0,0,1,0,0,0,0\n", "line 2: column 3: 'x' is not a finite number"},
    {header + "0,0,nan,0,0,0,0,1,0,0,0,0\n", "line 2: column 3: 'nan' is not a finite number"},
    {header + "0,0,0,0,0,0,0,0,0,0,0,0\n", "line 2: the quaternion"},
    {header + "0,0,0,0,0,0,0,1,0,0,0,-1\n", "line 2: actions"},
    {header + "1,0,0,0,0,0,0,1,0,0,0,0\n0,0,0,0,0,0,0,1,0,0,0,0\n", "line 3: time goes backwards"},
  };
  for (const auto & c : cases) {
    const auto recording = parse_recording(c.text);
    ASSERT_FALSE(recording.has_value()) << c.text;
    EXPECT_NE(recording.error().find(c.words), std::string::npos) << recording.error();
  }
  EXPECT_NE(read_recording("no/such/file.csv").error().find("cannot be opened"), std::string::npos);
}

TEST(Recording, StateIsTheLastOneThatIsNotLater)
{
  Recording recording(4);
  for (std::size_t i = 0; i < 4; ++i) { recording[i].time = 0.1 * static_cast<double>(i); }
  EXPECT_EQ(state_at(recording, -1.0), 0u);
  EXPECT_EQ(state_at(recording, 0.15), 1u);
  EXPECT_EQ(state_at(recording, 0.25, 1), 2u);
  EXPECT_EQ(state_at(recording, 0.05, 3), 0u);
  EXPECT_EQ(state_at(recording, 9.0), 3u);
}

TEST(Recording, BetweenTwoStatesTheHandIsOnItsWayUnlessItWasTakenElsewhere)
{
  Recording recording(3);
  recording[1].time = 0.1;
  recording[1].state.T_base_tip.position = {0.2, 0.0, -0.1};
  // Written the long way round: the turn is 1 rad about z all the same.
  recording[1].state.T_base_tip.orientation = Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitZ());
  recording[1].state.T_base_tip.orientation.coeffs() *= -1.0;
  recording[1].state.gripper = 1.0;
  recording[1].state.position_clutch = true;
  recording[1].state.twist.linear = {4.0, 0.0, 0.0};
  recording[2] = recording[1];
  recording[2].time = 0.5;
  recording[2].state.T_base_tip.position.x() = 0.9;
  recording[2].state.relocated = true;

  const auto at = [&](double time) {
    return between_states(recording, time, state_at(recording, time));
  };
  EXPECT_EQ(at(-1.0).T_base_tip.position, recording[0].state.T_base_tip.position);
  const DriverState half = at(0.05);
  EXPECT_LT((half.T_base_tip.position - Eigen::Vector3d(0.1, 0.0, -0.05)).norm(), 1e-15);
  EXPECT_NEAR(
    half.T_base_tip.orientation.angularDistance(
      Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()))),
    0.0, 1e-7);
  EXPECT_NEAR(half.gripper, 0.75, 1e-15);
  EXPECT_NEAR(half.twist.linear.x(), 2.0, 1e-15);
  EXPECT_FALSE(half.position_clutch) << "a pedal is not half pressed";
  EXPECT_EQ(
    at(0.1).T_base_tip.orientation.coeffs(), recording[1].state.T_base_tip.orientation.coeffs());
  EXPECT_TRUE(at(0.1).position_clutch);
  EXPECT_EQ(at(0.499).T_base_tip.position.x(), 0.2);
  EXPECT_EQ(at(0.5).T_base_tip.position.x(), 0.9);
  EXPECT_EQ(at(9.0).T_base_tip.position.x(), 0.9);
}

}  // namespace
}  // namespace ambf_devices
