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
  for (std::size_t i = 0; i < 4; ++i) {
    recording[i].time = 0.1 * static_cast<double>(i);
  }
  EXPECT_EQ(state_at(recording, -1.0), 0u);
  EXPECT_EQ(state_at(recording, 0.15), 1u);
  EXPECT_EQ(state_at(recording, 0.25, 1), 2u);
  EXPECT_EQ(state_at(recording, 0.05, 3), 0u);
  EXPECT_EQ(state_at(recording, 9.0), 3u);
}

}  // namespace
}  // namespace ambf_devices
