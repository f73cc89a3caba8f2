// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_planning/allowed_file.hpp"

namespace ambf_planning
{
namespace
{

using ambf_dynamics::AllowedBecause;

TEST(File, ComesBackAsItWasWritten)
{
  ambf_dynamics::AllowedCollisions allowed;
  allowed.allow("/ambf/env/psm/BODY b", "/ambf/env/psm/BODY a", AllowedBecause::Adjacent);
  allowed.allow("x: y", "[odd] \"name\"", AllowedBecause::Never);
  const auto read = parse_allowed(write_allowed(allowed), "text");
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ(read->pairs(), allowed.pairs());
}

TEST(File, AnEntryWithoutAReasonIsGiven)
{
  const auto read = parse_allowed("allowed collisions:\n- [a, b]\n", "text");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->why("b", "a"), AllowedBecause::Given);
}

TEST(File, MistakesSayWhereAndAreToldAllAtOnce)
{
  const auto read = parse_allowed(
    "allowed collisions:\n- [a, b]\n- [a]\n- [a, b, sometimes]\n- a\n", "matrix.yaml");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().size(), 3u);
  const std::string text = to_string(read.error());
  EXPECT_NE(text.find("matrix.yaml:3:"), std::string::npos) << text;
  EXPECT_NE(text.find("'sometimes'"), std::string::npos) << text;
  EXPECT_NE(text.find("matrix.yaml:5:"), std::string::npos) << text;
}

TEST(File, OfAnotherKindIsRefused)
{
  for (const char * text : {"", "[1, 2", "allowed: []", "allowed collisions: 3", "- a\n- b"}) {
    const auto read = parse_allowed(text, "text");
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_FALSE(to_string(read.error()).empty());
  }
  EXPECT_FALSE(read_allowed("/nowhere/matrix.yaml").has_value());
}

}  // namespace
}  // namespace ambf_planning
