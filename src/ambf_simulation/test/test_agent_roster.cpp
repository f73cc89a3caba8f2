// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ambf_simulation/agent_roster.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(AgentRoster, WorldAdvancesOnlyWhenAllHaveGranted)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) { ASSERT_TRUE(agents.join(name, 0.0, 0)); }
  EXPECT_FALSE(agents.join("a", 0.0, 0));
  EXPECT_EQ(agents.grant("a", 1), AgentRoster::Grant::Waiting);
  EXPECT_EQ(agents.grant("a", 1), AgentRoster::Grant::Twice);
  EXPECT_EQ(agents.grant("x", 1), AgentRoster::Grant::NotJoined);
  EXPECT_EQ(agents.grant("b", 1), AgentRoster::Grant::Waiting);
  EXPECT_EQ(agents.missing(), std::vector<std::string>{"c"});
  EXPECT_EQ(agents.grant("c", 1), AgentRoster::Grant::Complete);
  agents.clear_grants(1);
  EXPECT_EQ(agents.grant("b", 2), AgentRoster::Grant::Waiting);
}

TEST(AgentRoster, TheSilentOneIsDeadOnceAsManyAsLiveHaveSpoken)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) {
    agents.join(name, 0.0, 0);
    agents.hello(name, 1);
  }
  agents.lease_lost(2, 100);
  EXPECT_TRUE(agents.take_dead(101, 1'000'000).empty()) << "nobody has spoken since";
  agents.grant("a", 102);
  EXPECT_TRUE(agents.take_dead(103, 1'000'000).empty()) << "b or c may be the dead one";
  agents.grant("c", 104);
  EXPECT_EQ(agents.take_dead(105, 1'000'000), std::vector<std::string>{"b"});
  EXPECT_TRUE(agents.complete());
}

TEST(AgentRoster, TheOneThatVanishedIsDeadAtOnce)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) {
    agents.join(name, 0.0, 0);
    agents.hello(name, 1);
  }
  EXPECT_TRUE(agents.take_dead(50, 1000, {"b"}).empty())
    << "no lease was lost: b may be between two publishers";
  agents.lease_lost(2, 100);
  EXPECT_TRUE(agents.suspicious());
  EXPECT_EQ(agents.take_dead(101, 1000, {"b"}), std::vector<std::string>{"b"});
  EXPECT_FALSE(agents.suspicious());
}

TEST(AgentRoster, WhoeverNeitherGrantedNorSpokeForAnotherLeaseIsDead)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) {
    agents.join(name, 0.0, 0);
    agents.hello(name, 1);
  }
  agents.grant("a", 90);
  agents.grant("c", 95);
  agents.lease_lost(2, 100);
  EXPECT_TRUE(agents.take_dead(1100, 1000).empty())
    << "a and c wait for a reply: b gets another lease to speak";
  EXPECT_EQ(agents.take_dead(1101, 1000), std::vector<std::string>{"b"});
  EXPECT_TRUE(agents.complete());
}

TEST(AgentRoster, AnAgentWithoutHelloIsDroppedAfterItsLease)
{
  AgentRoster agents;
  agents.join("mute", 0.0, 0);
  EXPECT_TRUE(agents.take_dead(900, 1000).empty());
  EXPECT_EQ(agents.take_dead(1001, 1000), std::vector<std::string>{"mute"});
}

TEST(AgentRoster, AnAgentWithoutHelloThatCallsOrWaitsIsNotDropped)
{
  AgentRoster agents;
  agents.join("mute", 0.0, 0);
  agents.join("other", 0.0, 0);
  agents.hello("other", 0);
  agents.grant("mute", 900);
  EXPECT_TRUE(agents.take_dead(5000, 1000).empty()) << "it waits for the other one";
  agents.grant("other", 5000);
  agents.clear_grants(5000);
  EXPECT_TRUE(agents.take_dead(6000, 1000).empty()) << "it was answered just now";
  EXPECT_EQ(agents.take_dead(6001, 1000), std::vector<std::string>{"mute"});
}

TEST(AgentRoster, ARoundThatNobodyWaitsInCostsNoBudget)
{
  AgentRoster agents;
  agents.join("quick", 0.0, 0);
  agents.join("slow", 0.5, 0);
  agents.grant("quick", 0);
  agents.withdraw("quick");
  EXPECT_TRUE(agents.over_budget(10'000'000'000).empty());
  agents.grant("quick", 0);
  agents.leave("quick");
  EXPECT_TRUE(agents.over_budget(10'000'000'000).empty());
  EXPECT_FALSE(agents.complete());
}

TEST(AgentRoster, ABudgetRunsFromTheFirstGrantOfTheRound)
{
  AgentRoster agents;
  agents.join("quick", 0.0, 0);
  agents.join("slow", 0.5, 0);
  EXPECT_TRUE(agents.over_budget(10'000'000'000).empty()) << "nobody waits yet";
  agents.grant("quick", 10'000'000'000);
  EXPECT_TRUE(agents.over_budget(10'400'000'000).empty());
  EXPECT_EQ(agents.over_budget(10'600'000'000), std::vector<std::string>{"slow"});
}
