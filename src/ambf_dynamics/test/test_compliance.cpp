// SPDX-License-Identifier: BSD-3-Clause
// Which joints are part of a loop, and who gets compliance.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "axis_joint.hpp"
#include "compliance.hpp"

namespace ambf_dynamics::test
{
namespace
{

// Bodies 0 to n - 1; negative numbers are bodies that do not move. Masses of 2 kg and inertias of 0.5 kg m^2.
class Graph
{
public:
  explicit Graph(const std::vector<std::pair<int, int>> & joints)
  {
    for (const auto & [a, b] : joints) {
      auto joint = std::make_unique<AxisJoint>(body(a), body(b), AxisJoint::Settings{});
      list.push_back(joint.get());
      owned_.push_back(std::move(joint));
    }
  }
  const RowJoint::Softness & softness(std::size_t i) const { return owned_[i]->softness; }
  RowJoint::Softness & softness(std::size_t i) { return owned_[i]->softness; }

  std::vector<btTypedConstraint *> list;

private:
  btRigidBody & body(int number)
  {
    auto & slot = bodies_[static_cast<std::size_t>(number + 10)];
    const double mass = number < 0 ? 0.0 : 2.0;
    if (!slot) {
      slot =
        std::make_unique<btRigidBody>(mass, nullptr, nullptr, btVector3(1, 1, 1) * (0.25 * mass));
    }
    return *slot;
  }
  std::unique_ptr<btRigidBody> bodies_[40];
  std::vector<std::unique_ptr<AxisJoint>> owned_;
};

std::vector<int> loops(const std::vector<std::pair<int, int>> & joints)
{
  return loops_of(Graph(joints).list);
}

TEST(Loops, ChainsAndTreesHaveNone)
{
  EXPECT_EQ(loops({}), (std::vector<int>{}));
  EXPECT_EQ(loops({{-1, 0}, {0, 1}, {1, 2}, {1, 3}}), (std::vector<int>{-1, -1, -1, -1}));
  EXPECT_EQ(loops({{0, 1}, {2, 1}, {2, 3}}), (std::vector<int>{-1, -1, -1}));
  EXPECT_EQ(loops({{-1, -2}, {-1, 0}}), (std::vector<int>{-1, -1})) << "two fixed bodies";
}

TEST(Loops, AreFoundInTheMiddleOfAnArm)
{
  // base - 0 - four-bar of 0, 1, 2, 3 - tool 4 at 3
  EXPECT_EQ(
    loops({{-1, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}}),
    (std::vector<int>{-1, 0, 0, 0, 0, -1}));
  EXPECT_EQ(loops({{0, 1}, {0, 1}}), (std::vector<int>{0, 0}))
    << "two joints between the same bodies";
}

TEST(Loops, CloseThroughTheGroundAndAreTwoWhereTheyShareABodyOnly)
{
  EXPECT_EQ(loops({{-1, 0}, {0, 1}, {1, -2}}), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(
    loops({{-1, 0}, {0, -1}, {-1, 1}, {1, 2}, {2, -1}, {-1, 3}}),
    (std::vector<int>{0, 0, 1, 1, 1, -1}));
  // Two loops that share the joint 0 - 1 are one.
  EXPECT_EQ(loops({{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 0}}), (std::vector<int>{0, 0, 0, 0, 0}));
}

TEST(Compliance, BelongsToLoopsOnly)
{
  Graph g({{-1, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}});
  g.softness(1).cfm_from_file = true;
  spread_compliance(g.list, 1e-3);
  for (const std::size_t chain : {0u, 5u}) {
    EXPECT_EQ(g.softness(chain).linear_compliance, 0.0);
    EXPECT_EQ(g.softness(chain).angular_compliance, 0.0);
  }
  EXPECT_EQ(g.softness(1).linear_compliance, -1.0) << "what the file says holds";
  EXPECT_EQ(g.softness(1).angular_compliance, -1.0);
  for (const std::size_t loop : {2u, 3u, 4u}) {
    EXPECT_NEAR(g.softness(loop).linear_compliance, 1e-3 * 2.0 / 2.0, 1e-12);
    EXPECT_NEAR(g.softness(loop).angular_compliance, 1e-3 * 2.0 / 0.5, 1e-12);
  }
}

}  // namespace
}  // namespace ambf_dynamics::test
