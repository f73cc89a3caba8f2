// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "left_segments.hpp"

using ambf_physics::remove_left_segments;

TEST(LeftSegments, OnlyThoseWithoutAnOwnerAreRemoved)
{
  namespace fs = std::filesystem;
  const fs::path folder =
    fs::temp_directory_path() / ("ambf_left_segments_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string left = "fastrtps_0123456789abcdef", living = "fastrtps_fedcba9876543210",
                    port = "fastrtps_port7411";
  for (const auto & name : {left, living, port}) {
    std::ofstream(folder / name) << "memory";
    std::ofstream(folder / (name + "_el"));
  }
  std::ofstream(folder / "fastrtps_00112233445566zz_el");
  const int owner = open((folder / (living + "_el")).c_str(), O_RDONLY);
  ASSERT_EQ(flock(owner, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(remove_left_segments(folder), 1u);
  EXPECT_FALSE(fs::exists(folder / left) || fs::exists(folder / (left + "_el")));
  EXPECT_TRUE(fs::exists(folder / living) && fs::exists(folder / (living + "_el")));
  EXPECT_TRUE(fs::exists(folder / port) && fs::exists(folder / (port + "_el")));
  EXPECT_TRUE(fs::exists(folder / "fastrtps_00112233445566zz_el"));
  close(owner);
  EXPECT_EQ(remove_left_segments(folder), 1u);
  EXPECT_FALSE(fs::exists(folder / living));
  EXPECT_EQ(remove_left_segments(folder / "there is no such folder"), 0u);
  fs::remove_all(folder);
}
