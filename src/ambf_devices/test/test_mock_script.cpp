// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_devices/mock_script.hpp"

namespace ambf_devices
{
namespace
{

TEST(MockScript, WhatALineLeavesOutStays)
{
  const auto script = parse_script({"t=0 gripper=0.25", "t=2 position_clutch=1", "t=3 actions=5"});
  ASSERT_TRUE(script.has_value()) << script.error();
  ASSERT_EQ(script->size(), 3u);
  EXPECT_EQ((*script)[2].gripper, 0.25);
  EXPECT_TRUE((*script)[2].position_clutch);
  EXPECT_EQ((*script)[2].actions, 5u);
  EXPECT_EQ((*script)[1].time, 2.0);
}

TEST(MockScript, NamesTheWordThatIsWrong)
{
  for (const char * line :
       {"t", "t=x", "t=-1", "gripper=1.5", "clutch=1", "position_clutch=2", "actions=-1"}) {
    const auto script = parse_script({line});
    ASSERT_FALSE(script.has_value()) << line;
    EXPECT_NE(script.error().find(line), std::string::npos);
  }
  EXPECT_FALSE(parse_script({"t=2", "t=1"}).has_value());
}

TEST(MockFaults, AreReadAndChecked)
{
  const auto faults = parse_faults({"jump 1.5 2.0", "", "lost 3 4"});
  ASSERT_TRUE(faults.has_value()) << faults.error();
  ASSERT_EQ(faults->size(), 2u);
  EXPECT_EQ((*faults)[0].fault, MockFault::Jump);
  EXPECT_EQ((*faults)[1].until, 4.0);
  for (const char * line : {"jump", "jump 1", "jump 2 1", "jump 1 2 3", "hop 1 2", "jump 1 nan"}) {
    EXPECT_FALSE(parse_faults({line}).has_value()) << line;
  }
  EXPECT_NE(parse_faults({"hop 1 2"}).error().find("nothing_new"), std::string::npos);
}

}  // namespace
}  // namespace ambf_devices
