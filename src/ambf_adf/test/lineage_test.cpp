// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/lineage.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

using namespace ambf_adf;
using Index = Lineage::Index;

namespace
{

struct Edge
{
  Index parent, child, number;
};

/// Reachability by repeated walking, the slow and plain way.
std::set<Index> reach(const std::vector<Edge> & edges, Index from, bool down)
{
  std::set<Index> seen;
  std::vector<Index> open{from};
  while (!open.empty()) {
    const Index at = open.back();
    open.pop_back();
    for (const auto & e : edges) {
      const Index start = down ? e.parent : e.child;
      const Index end = down ? e.child : e.parent;
      if (start == at && seen.insert(end).second) { open.push_back(end); }
    }
  }
  seen.erase(from);
  return seen;
}

template <class List>
std::set<Index> as_set(const List & list)
{
  std::set<Index> set(list.begin(), list.end());
  EXPECT_EQ(set.size(), list.size()) << "duplicates";
  return set;
}

void expect_right(const Lineage & lineage, const std::vector<Edge> & edges)
{
  for (Index b = 0; b < lineage.body_slots(); ++b) {
    if (!lineage.has_body(b)) { continue; }
    const auto below = reach(edges, b, true);
    ASSERT_EQ(as_set(lineage.successors(b)), below) << "body " << b;
    ASSERT_EQ(as_set(lineage.predecessors(b)), reach(edges, b, false)) << "body " << b;
    std::set<Index> joints;
    for (const auto & e : edges) {
      if (e.parent == b || below.contains(e.parent)) { joints.insert(e.number); }
    }
    ASSERT_EQ(as_set(lineage.successor_joints(b)), joints) << "body " << b;
    // AMBF's list has each descendant once.
    std::set<Index> clients;
    for (const auto & entry : lineage.client_entries(b)) {
      ASSERT_TRUE(clients.insert(entry.body).second);
    }
    ASSERT_EQ(clients, below);
  }
  const auto loops = lineage.loop_joints();
  const auto tree = lineage.tree_joints();
  std::size_t bodies = 0;
  for (Index b = 0; b < lineage.body_slots(); ++b) { bodies += lineage.has_body(b) ? 1u : 0u; }
  ASSERT_EQ(tree.size() + loops.size(), edges.size());
  ASSERT_EQ(tree.size() + lineage.components().size(), bodies);
}

}  // namespace

TEST(Lineage, MatchesBruteForceReachabilityOnRandomGraphs)
{
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    Lineage lineage;
    std::vector<Edge> edges;
    const Index bodies = 2 + random() % 9;
    for (Index b = 0; b < bodies; ++b) { lineage.add_body(); }
    const Index joints = random() % 16;
    const bool acyclic = round % 2 == 0;
    for (Index j = 0; j < joints; ++j) {
      Index parent = random() % bodies, child = random() % bodies;
      if (acyclic && parent > child) { std::swap(parent, child); }
      const Index number = lineage.add_joint(parent, child);
      if (parent == child) {
        ASSERT_EQ(number, Lineage::none);
      } else {
        edges.push_back({parent, child, number});
      }
    }
    expect_right(lineage, edges);
  }
}

TEST(Lineage, StaysRightUnderRandomAddingAndRemoving)
{
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    Lineage lineage;
    std::vector<Edge> edges;
    std::vector<Index> bodies;
    for (int step = 0; step < 40; ++step) {
      const auto choice = random() % 10;
      if (bodies.size() < 2 || choice < 3) {
        bodies.push_back(lineage.add_body());
      } else if (choice < 8) {
        const Index parent = bodies[random() % bodies.size()],
                    child = bodies[random() % bodies.size()];
        const Index number = lineage.add_joint(parent, child);
        if (number != Lineage::none) { edges.push_back({parent, child, number}); }
      } else if (choice == 8 && !edges.empty()) {
        const auto victim = edges.begin() + static_cast<std::ptrdiff_t>(random() % edges.size());
        lineage.remove_joint(victim->number);
        edges.erase(victim);
      } else {
        const auto victim = bodies.begin() + static_cast<std::ptrdiff_t>(random() % bodies.size());
        lineage.remove_body(*victim);
        std::erase_if(
          edges, [&](const Edge & e) { return e.parent == *victim || e.child == *victim; });
        bodies.erase(victim);
      }
      expect_right(lineage, edges);
    }
  }
}

TEST(Lineage, FourBarHasOneLoopAndItsPathIsTheOtherThreeJoints)
{
  Lineage lineage;
  for (int i = 0; i < 4; ++i) { lineage.add_body(); }
  lineage.add_joint(0, 1);
  lineage.add_joint(1, 2);
  lineage.add_joint(2, 3);
  const Index closing = lineage.add_joint(0, 3);
  EXPECT_EQ(lineage.loop_joints(), std::vector<Index>{closing});
  EXPECT_EQ(lineage.loop_path(closing), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(lineage.client_joints(0), (std::vector<Index>{0, 1, 2}))
    << "AMBF hides the closing joint";
  EXPECT_EQ(lineage.successor_joints(0).size(), 4u) << "we do not";
  lineage.remove_joint(1);
  EXPECT_TRUE(lineage.loop_joints().empty());
}

TEST(Lineage, PassiveFirstJointHidesTheChildFromClients)
{
  Lineage lineage;
  for (int i = 0; i < 3; ++i) { lineage.add_body(); }
  lineage.add_joint(0, 1);
  lineage.add_joint(0, 2, true);
  lineage.add_joint(1, 2);
  EXPECT_EQ(lineage.client_joints(0), std::vector<Index>{0});
  EXPECT_EQ(lineage.client_joints(1), std::vector<Index>{2});
}

TEST(Lineage, ClientOrderListsExistingDescendantsBeforeTheNewChild)
{
  // A chain that is listed from tip to root.
  Lineage lineage;
  for (int i = 0; i < 4; ++i) { lineage.add_body(); }
  const Index tip = lineage.add_joint(2, 3);
  const Index middle = lineage.add_joint(1, 2);
  const Index root = lineage.add_joint(0, 1);
  EXPECT_EQ(lineage.client_joints(0), (std::vector<Index>{tip, middle, root}));
}

TEST(Lineage, AChainOfAThousandBodiesIsBuiltQuickly)
{
  Lineage lineage;
  lineage.add_body();
  for (Index i = 1; i < 1000; ++i) {
    lineage.add_body();
    lineage.add_joint(i - 1, i);
  }
  EXPECT_EQ(lineage.successors(0).size(), 999u);
  EXPECT_EQ(lineage.roots(), std::vector<Index>{0});
}
