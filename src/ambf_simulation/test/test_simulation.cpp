// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "ambf_adf/names.hpp"
#include "two_links.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(Simulation, TheBaseOfAModelComesToBeWhereItIsAskedFor)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  const std::string place =
    ", location: {position: {x: 0.3, y: -0.2, z: 0.5}, orientation: {r: 0.1, p: 0.2, y: 0.3}}";
  LoadRequest request = two_links("base", place);
  request.place_base = true;
  request.t_world_model = Eigen::Translation3d(1.0, 2.0, 3.0) *
                          Eigen::AngleAxisd(0.5, Eigen::Vector3d(1.0, 2.0, -1.0).normalized());
  Simulation described(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(described, two_links("base", place)));
  ASSERT_TRUE(load(simulation, request));
  const auto pose = [](const Simulation & s, std::size_t body) {
    const double * b = s.world().state().bodies.data() + body * ambf_dynamics::body_stride;
    return Eigen::Isometry3d(
      Eigen::Translation3d(b[0], b[1], b[2]) * Eigen::Quaterniond(b[6], b[3], b[4], b[5]));
  };
  std::size_t base = 0;
  while (simulation.world().bodies()[base].parent != ambf_dynamics::no_index) { ++base; }
  EXPECT_TRUE(pose(simulation, base).isApprox(request.t_world_model, 1e-12));
  for (std::size_t i = 0; i < 2; ++i) {
    const Eigen::Isometry3d expected =
      request.t_world_model * pose(described, base).inverse() * pose(described, i);
    EXPECT_TRUE(pose(simulation, i).isApprox(expected, 1e-9)) << i;
  }
}

TEST(Simulation, AModelKeepsItsNameOrIsNotLoaded)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  LoadRequest request = two_links();
  request.name = "arm";
  request.keep_name = true;
  ASSERT_EQ(*load(simulation, request), "arm");
  const auto revision = simulation.world().revision();
  const auto refused = load(simulation, request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().kind, ambf_adf::ProblemKind::DuplicateName);
  EXPECT_EQ(simulation.world().revision(), revision);
  request.name = "other";
  EXPECT_EQ(*load(simulation, request), "other") << "its parts are renamed";
}

TEST(Simulation, ModelsOfAnyScriptHaveTopicsOfTheirOwn)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  std::set<std::string> tokens;
  for (const char * name : {"\u65e5\u672c", "\u4e2d\u56fd", "_", "_1", "a b", "a-b", "ab"}) {
    LoadRequest request = two_links();
    request.name = name;
    ASSERT_TRUE(load(simulation, request));
    const std::string & token = simulation.content().models().back().topic_token;
    EXPECT_TRUE(tokens.insert(token).second) << token;
    EXPECT_TRUE(ambf_adf::is_legal_topic_name("/ambf/env/" + token)) << token;
  }
}

TEST(Simulation, ObjectsThatMoveToAnotherNamespaceKeepTopicsOfTheirOwn)
{
  SimulationOptions options;
  options.moved_topics = {"/ambf/env", "/w"};
  Simulation simulation(std::move(*ambf_dynamics::make_world()), std::move(options));
  LoadRequest there = two_links();
  there.text = "namespace: /w/\n" + there.text;
  ASSERT_TRUE(load(simulation, there));
  ASSERT_TRUE(load(simulation, two_links()));
  std::set<std::string> topics;
  for (const auto & body : simulation.world().bodies()) {
    EXPECT_TRUE(body.topic.starts_with("/w/")) << body.topic;
    EXPECT_TRUE(topics.insert(body.topic).second) << body.topic;
  }
}

TEST(Simulation, AWorldThatFailsOnItsWayInLeavesTheOldOneAsItWas)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links("first")));
  ASSERT_TRUE(load(simulation, two_links("second")));
  simulation.commands().bodies.post(
    *simulation.commands().bodies.inbox(0), joint_order(simulation, 1, 0, 0.1));
  for (int i = 0; i < 20; ++i) { simulation.step(0, 0, WatchdogAction::Release, true); }
  simulation.saved()["kept"] = simulation.save();
  const auto hash = simulation.world().state().hash;
  const auto revision = simulation.world().revision();
  LaunchContent content;
  for (const std::string & name : {std::string("good"), std::string(300, 'x')}) {
    auto model = simulation.read(two_links(name));
    ASSERT_TRUE(model);
    content.loaded.models.push_back(std::move(*model));
  }
  content.loaded.world.gravity = {0.0, 0.0, 5.0};
  ASSERT_FALSE(simulation.load_launch(std::move(content)));
  EXPECT_NE(simulation.world().revision(), revision) << "readers look again";
  EXPECT_EQ(simulation.world().state().hash, hash);
  EXPECT_EQ(simulation.content().models().size(), 2u);
  EXPECT_TRUE(simulation.restorable(simulation.saved().at("kept")));
  simulation.step(0, 0, WatchdogAction::Release, true);
  const auto after = simulation.world().state().hash;
  ASSERT_TRUE(simulation.restore(simulation.saved().at("kept"), 0, 9));
  simulation.step(0, 0, WatchdogAction::Release, true);
  EXPECT_EQ(simulation.world().state().hash, after);
  // Names that were free are free again, those that were taken are taken.
  EXPECT_TRUE(load(simulation, two_links("good")));
}

TEST(Simulation, AStateOfAnotherWorldIsToldWithoutTouchingThisOne)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  auto saved = simulation.save();
  EXPECT_TRUE(simulation.restorable(saved));
  simulation.step(0, 0, WatchdogAction::Release, false);
  const auto hash = simulation.world().state().hash;
  EXPECT_TRUE(simulation.restorable(saved));
  saved[100] ^= std::byte{1};
  EXPECT_FALSE(simulation.restorable(saved));
  EXPECT_FALSE(simulation.restorable({}));
  EXPECT_EQ(simulation.world().state().hash, hash);
}

TEST(Simulation, NamesThatNoTopicCanHaveAreRefusedBeforeAnythingChanges)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  const auto loaded = load(simulation, two_links(std::string(300, 'x')));
  ASSERT_FALSE(loaded);
  EXPECT_NE(ambf_adf::to_string(loaded.error()).find("characters"), std::string::npos);
  EXPECT_TRUE(simulation.world().bodies().empty());
  LoadRequest request = two_links();
  request.name = std::string(300, 'y');
  EXPECT_FALSE(load(simulation, request));
  EXPECT_TRUE(load(simulation, two_links()));
}
