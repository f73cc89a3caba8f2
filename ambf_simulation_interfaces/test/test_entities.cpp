// SPDX-License-Identifier: BSD-3-Clause
// Entities of the standard made from a manifest.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "entities.hpp"
#include "resources.hpp"

using namespace ambf_simulation_interfaces;  // NOLINT
using simulation_interfaces::msg::Bounds;
using simulation_interfaces::msg::EntityCategory;
using simulation_interfaces::msg::EntityFilters;
using simulation_interfaces::msg::TagsFilter;

namespace
{

/// An arm of two bodies at x = 0 and x = 1, a floor, and a ball at x = 5; boxes of side 0.2 around each.
struct World
{
  ambf_msgs::msg::WorldManifest manifest;
  WorldNow now;

  void add_body(
    const std::string & model, const std::string & name, double x, double mass,
    const std::string & parent = "")
  {
    ambf_msgs::msg::ObjectInfo body;
    body.model = model;
    body.name = name;
    body.identifier = "/ambf/env/BODY " + name;
    body.topic = "/ambf/env/" + name;
    body.mass = mass;
    body.parent = parent;
    manifest.bodies.push_back(body);
    now.bodies.insert(now.bodies.end(), {x, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
    now.bounds.insert(now.bounds.end(), {x - 0.1, -0.1, -0.1, x + 0.1, 0.1, 0.1});
  }

  World()
  {
    for (const char * name : {"arm", "floor", "ball"}) {
      manifest.models.emplace_back();
      manifest.models.back().name = name;
    }
    manifest.root_frame = "world";
    add_body("arm", "tip", 1.0, 1.0, "/ambf/env/BODY base");
    add_body("arm", "base", 0.0, 0.0);
    add_body("floor", "slab", 0.0, 0.0);
    add_body("ball", "ball", 5.0, 0.5);
    manifest.joints.emplace_back();
    manifest.joints.back().model = "arm";
  }
};

std::vector<std::string> names(const std::vector<Entity> & entities)
{
  std::vector<std::string> result;
  for (const auto & entity : entities) { result.push_back(entity.name); }
  return result;
}

std::vector<std::string> matching(
  const World & world, const EntityFilters & filters, const InfoByName & given = {})
{
  const auto found = filtered(entities_of(world.manifest, given), filters, world.now);
  return found ? names(*found) : std::vector<std::string>{"refused: " + found.error().message};
}

using Names = std::vector<std::string>;

}  // namespace

TEST(Entities, AreModelsAndTheBodiesOfThoseThatHaveSeveral)
{
  const World world;
  const auto entities = entities_of(world.manifest);
  EXPECT_EQ(names(entities), (Names{"arm", "floor", "ball", "arm/base", "arm/tip"}));
  EXPECT_EQ(find(entities, "arm")->bodies.front(), 1u) << "the canonical link has no parent";
  EXPECT_EQ(find(entities, "arm")->info.category.category, EntityCategory::CATEGORY_ROBOT);
  EXPECT_EQ(
    find(entities, "floor")->info.category.category, EntityCategory::CATEGORY_STATIC_OBJECT);
  EXPECT_EQ(find(entities, "ball")->info.category.category, EntityCategory::CATEGORY_OBJECT);
  EXPECT_EQ(find(entities, "nobody"), nullptr);
}

TEST(Entities, HaveUniqueNamesWhateverTheirBodiesAreCalled)
{
  World world;
  world.add_body("arm", "tip", 2.0, 1.0);  // a name again
  world.manifest.bodies.back().topic += "_1";
  world.add_body("ball", "in/side", 2.0, 1.0);  // a slash in a name
  world.manifest.models.emplace_back();
  world.manifest.models.back().name = "arm/base";  // a model that is called like a body
  const auto found = names(entities_of(world.manifest));
  EXPECT_EQ(
    found, (Names{
             "arm", "floor", "ball", "arm/base", "arm/ambf/env/base", "arm/tip",
             "arm/ambf/env/tip_1", "ball/ball", "ball/in/side"}));
}

TEST(Entities, OfSoftBodiesAloneAreNeitherStaticNorAnywhere)
{
  World world;
  world.manifest.models.emplace_back();
  world.manifest.models.back().name = "cloth";
  world.manifest.soft_bodies.emplace_back();
  world.manifest.soft_bodies.back().model = "cloth";
  const auto entities = entities_of(world.manifest);
  const Entity & cloth = *find(entities, "cloth");
  EXPECT_TRUE(cloth.soft && cloth.bodies.empty() && !cloth.fixed);
  EXPECT_EQ(cloth.info.category.category, EntityCategory::CATEGORY_OBJECT);
  EXPECT_FALSE(
    world_pose("cloth", geometry_msgs::msg::Pose(), world.manifest, entities, world.now));
  EntityFilters everywhere;
  everywhere.bounds.type = Bounds::TYPE_SPHERE;
  everywhere.bounds.points.resize(2);
  everywhere.bounds.points[1].x = 1e9;
  EXPECT_EQ(matching(world, everywhere).size(), 5u);
}

TEST(EntityFilters, NameIsAPosixExtendedExpressionThatMatchesAnywhere)
{
  const World world;
  EntityFilters filters;
  EXPECT_EQ(matching(world, filters).size(), 5u);
  filters.filter = "^(arm|ball)$";
  EXPECT_EQ(matching(world, filters), (Names{"arm", "ball"}));
  filters.filter = "[0-";
  EXPECT_EQ(matching(world, filters).front().substr(0, 8), "refused:");
}

TEST(EntityFilters, CategoriesAndTagsApplyTogether)
{
  const World world;
  InfoByName given;
  given["ball"].tags = {"red", "round"};
  given["ball"].category.category = EntityCategory::CATEGORY_OBJECT;
  EntityFilters filters;
  filters.categories.resize(1);
  filters.categories[0].category = EntityCategory::CATEGORY_OBJECT;
  EXPECT_EQ(matching(world, filters, given), (Names{"ball", "arm/tip"}));
  filters.tags.tags = {"red", "square"};
  EXPECT_EQ(matching(world, filters, given), Names{"ball"});
  filters.tags.filter_mode = TagsFilter::FILTER_MODE_ALL;
  EXPECT_TRUE(matching(world, filters, given).empty());
  filters.tags.filter_mode = 2;
  EXPECT_EQ(matching(world, filters, given).front().substr(0, 8), "refused:");
}

TEST(EntityFilters, BoundsSelectWhatOverlaps)
{
  const World world;
  EntityFilters filters;
  filters.bounds.type = Bounds::TYPE_SPHERE;
  filters.bounds.points.resize(2);
  filters.bounds.points[0].x = 5.5;
  filters.bounds.points[1].x = 0.39;
  EXPECT_TRUE(matching(world, filters).empty()) << "the ball's box ends at 5.1";
  filters.bounds.points[1].x = 0.41;
  EXPECT_EQ(matching(world, filters), Names{"ball"});
  filters.bounds.type = Bounds::TYPE_BOX;
  filters.bounds.points[0].x = 0.8;
  filters.bounds.points[1].x = 0.95;
  EXPECT_EQ(matching(world, filters), (Names{"arm", "arm/tip"}));
  std::swap(filters.bounds.points[0], filters.bounds.points[1]);
  EXPECT_EQ(matching(world, filters), (Names{"arm", "arm/tip"})) << "corners in any order";
  filters.bounds.type = Bounds::TYPE_CONVEX_HULL;
  const auto refused = filtered(entities_of(world.manifest), filters, world.now);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().unsupported);
}

TEST(EntityFilters, BoundsSelectWhatHasNoShapeByItsPlace)
{
  World world;
  std::fill_n(world.now.bounds.begin() + 18, 3, 1.0);  // the ball's: lower above upper
  std::fill_n(world.now.bounds.begin() + 21, 3, -1.0);
  EntityFilters filters;
  filters.bounds.type = Bounds::TYPE_BOX;
  filters.bounds.points.resize(2);
  filters.bounds.points[0].x = 4.95;
  filters.bounds.points[1].x = 4.99;
  EXPECT_TRUE(matching(world, filters).empty());
  filters.bounds.points[1].x = 5.0;
  EXPECT_EQ(matching(world, filters), Names{"ball"});
}

TEST(Bounds, AreEmptyWithoutAShapeAndForOneWithoutAnEnd)
{
  World world;
  const auto entities = entities_of(world.manifest);
  world.now.bounds[15] = 1e18;  // upper x of the floor
  EXPECT_EQ(bounds_of(*find(entities, "floor"), world.now).type, Bounds::TYPE_EMPTY);
  std::swap_ranges(
    world.now.bounds.begin() + 18, world.now.bounds.begin() + 21, world.now.bounds.begin() + 21);
  EXPECT_EQ(bounds_of(*find(entities, "ball"), world.now).type, Bounds::TYPE_EMPTY);
}

TEST(Bounds, AreInTheFrameOfTheCanonicalLink)
{
  const World world;
  const auto entities = entities_of(world.manifest);
  const auto ball = bounds_of(*find(entities, "ball"), world.now);
  ASSERT_EQ(ball.points.size(), 2u);
  EXPECT_NEAR(ball.points[0].x, 0.1, 1e-12);
  EXPECT_NEAR(ball.points[1].x, -0.1, 1e-12);
  const auto arm = bounds_of(*find(entities, "arm"), world.now);
  EXPECT_NEAR(arm.points[0].x, 1.1, 1e-12);
}

TEST(Placing, MovesAModelAsOneRigidThing)
{
  const World world;
  const auto entities = entities_of(world.manifest);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = Eigen::Vector3d(0.0, 0.0, 2.0);
  pose.linear() = Eigen::AngleAxisd(M_PI / 2.0, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const auto request = placed(
    *find(entities, "arm"), world.manifest, world.now, pose,
    Twist{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ()});
  ASSERT_EQ(request.names, (Names{"/ambf/env/BODY base", "/ambf/env/BODY tip"}));
  EXPECT_NEAR(request.poses[1].position.y, 1.0, 1e-12)
    << "the tip was at x = 1 and turned with its base";
  EXPECT_NEAR(request.poses[1].position.z, 2.0, 1e-12);
  EXPECT_NEAR(request.twists[1].linear.x, -1.0, 1e-12)
    << "1 rad/s about z at a lever of 1 m along y";
}

TEST(Placing, WithoutATwistLeavesThatOfTheEntityAndOfItsJoints)
{
  World world;
  double * const tip = world.now.bodies.data();
  double * const base = tip + 13;
  base[9] = 3.0;  // up
  tip[9] = 3.0;   // with it,
  tip[12] = 0.5;  // and turning in its joint
  tip[8] = 0.25;  // about a point beside its origin
  const auto entities = entities_of(world.manifest);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::AngleAxisd(M_PI / 2.0, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const auto request =
    placed(*find(entities, "arm"), world.manifest, world.now, pose, std::nullopt);
  EXPECT_NEAR(request.twists[0].linear.z, 3.0, 1e-12);
  EXPECT_NEAR(request.twists[1].linear.z, 3.25, 1e-12) << "0.25 m/s along y points along z now";
  EXPECT_NEAR(request.twists[1].angular.y, -0.5, 1e-12) << "what turned about z turns about -y now";
  const auto twist_only =
    placed(*find(entities, "arm"), world.manifest, world.now, std::nullopt, Twist{});
  EXPECT_TRUE(twist_only.poses.empty());
  EXPECT_NEAR(twist_only.twists[1].angular.z, 0.0, 1e-12) << "as one rigid thing";
}

TEST(Frames, AreTheRootAnEntityOrABody)
{
  const World world;
  const auto entities = entities_of(world.manifest);
  const auto at = [&](const char * frame) {
    return world_pose(frame, geometry_msgs::msg::Pose(), world.manifest, entities, world.now);
  };
  EXPECT_TRUE(at("") && at("world"));
  EXPECT_DOUBLE_EQ(at("ball")->translation().x(), 5.0);
  EXPECT_DOUBLE_EQ(at("ambf/env/tip")->translation().x(), 1.0);
  EXPECT_FALSE(at("moon"));
}

TEST(Names, AreCheckedBeforeTheyReachTheWorld)
{
  EXPECT_TRUE(name_problem("my robot-2.b").empty());
  EXPECT_FALSE(name_problem("").empty());
  EXPECT_FALSE(name_problem("a/b").empty());
  EXPECT_FALSE(name_problem("a ").empty());
  EXPECT_FALSE(name_problem(std::string(101, 'a')).empty());
  EXPECT_TRUE(namespace_problem("").empty());
  EXPECT_TRUE(namespace_problem("left").empty());
  EXPECT_TRUE(namespace_problem("/left/arm").empty());
  EXPECT_FALSE(namespace_problem("1st").empty());
  EXPECT_FALSE(namespace_problem("a//b").empty());
}
