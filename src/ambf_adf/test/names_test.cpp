// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/names.hpp"

#include <random>

#include <gtest/gtest.h>

using namespace ambf_adf;

TEST(Names, PublishedNameDropsWhiteSpaceOnly)
{
  EXPECT_EQ(published_name("base link"), "baselink");
  EXPECT_EQ(published_name(" a\tb\nc-d "), "abc-d");
}

TEST(Names, TopicTokensAreLegalAndReadable)
{
  EXPECT_EQ(topic_token("base link-yaw link"), "baselink_yawlink");
  EXPECT_EQ(topic_token("0_link"), "_0_link");
  EXPECT_EQ(topic_token("a--b..c"), "a_b_c");
  EXPECT_EQ(topic_token("a__b"), "a_b");
  EXPECT_EQ(topic_token(""), "_");
  EXPECT_EQ(topic_token("World"), "World_");
  EXPECT_EQ(topic_token("Wor ld"), "World_");
}

TEST(Names, NamespacesResolveAsInAmbf)
{
  EXPECT_EQ(join_namespace("/ambf/env/", "cameras/"), "/ambf/env/cameras/");
  EXPECT_EQ(join_namespace("/ambf/env/", "/other"), "/other/");
  EXPECT_EQ(join_namespace("ambf//env", ""), "/ambf/env/");
  EXPECT_EQ(join_namespace("", ""), "/");
  EXPECT_EQ(topic_name("/ambf/env/psm 1/", "base link"), "/ambf/env/psm1/baselink");
  EXPECT_EQ(topic_namespace("/World/x"), "/World/x/");
}

TEST(Names, AnyTextGivesALegalTopic)
{
  std::mt19937 random(7);
  std::uniform_int_distribution<int> length(0, 12), byte(0, 255);
  for (int i = 0; i < 20000; ++i) {
    std::string ns, name;
    for (int n = length(random); n > 0; --n) { ns.push_back(static_cast<char>(byte(random))); }
    for (int n = length(random); n > 0; --n) { name.push_back(static_cast<char>(byte(random))); }
    ASSERT_TRUE(is_legal_topic_name(topic_name(ns, name))) << topic_name(ns, name);
  }
}

TEST(Names, IllegalTopicsAreRecognised)
{
  for (const char * topic :
       {"", "/", "a", "/a/", "//a", "/a//b", "/0a", "/a b", "/a__b", "/a-b", "/a/0"}) {
    EXPECT_FALSE(is_legal_topic_name(topic)) << topic;
  }
  EXPECT_TRUE(is_legal_topic_name("/ambf/env/_0_link/State"));
}

TEST(Names, EditDistanceCountsSwapsOfNeighboursAsOne)
{
  EXPECT_EQ(edit_distance("mass", "mass"), 0u);
  EXPECT_EQ(edit_distance("mass", "msas"), 1u);
  EXPECT_EQ(edit_distance("mass", "mas"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}
