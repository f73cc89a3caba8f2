// SPDX-License-Identifier: BSD-3-Clause
// What a scene answers, against closed forms; who is looked at; what bad questions get.

#include <cmath>
#include <numbers>
#include <thread>

#include "collision_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::Axis;

constexpr double exact = 1e-9;  // [m]

TEST(Distance, OfTwoBallsIsThatOfTheirCentresLessTheRadii)
{
  const TestScene test(model_of(
    {shaped("a", shape(ambf_adf::Sphere{0.03})), shaped("b", shape(ambf_adf::Sphere{0.05}))}));
  const auto checker = test.checker({0, 1});
  Draw draw(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector poses{draw.pose(0.1), draw.pose(0.1)};
    const Vector3d between = poses[0].translation() - poses[1].translation();
    const Proximity near = checker->nearest(poses);
    EXPECT_NEAR(near.distance, between.norm() - 0.08, exact);
    EXPECT_LT((near.normal - between.normalized()).norm(), 1e-6);
    EXPECT_LT((near.point_a - poses[0].translation() + 0.03 * near.normal).norm(), exact);
    EXPECT_LT((near.point_b - poses[1].translation() - 0.05 * near.normal).norm(), exact);
    EXPECT_EQ(checker->collides(poses), near.distance < 0.0);
    EXPECT_EQ(checker->contacts(poses).size(), near.distance < 0.0 ? 1u : 0u);
  }
}

TEST(Distance, OfABallToACapsuleAndAPlane)
{
  ambf_adf::Plane plane;
  plane.normal = Vector3d::UnitZ();
  plane.offset = -0.2;
  const TestScene test(model_of(
    {shaped("ball", shape(ambf_adf::Sphere{0.02})),
     shaped("capsule", shape(ambf_adf::Capsule{0.01, 0.12, Axis::X}), 0.0),
     shaped("floor", shape(plane), 0.0)}));
  const auto checker = test.checker({0});
  Draw draw(2);
  for (int i = 0; i < 1000; ++i) {
    const std::vector poses{draw.pose(0.3)};
    const Vector3d p = poses[0].translation();
    const Vector3d on_axis(std::clamp(p.x(), -0.05, 0.05), 0.0, 0.0);
    const double capsule = (p - on_axis).norm() - 0.03;
    const double floor = p.z() + 0.2 - 0.02;
    const Proximity near = checker->nearest(poses);
    EXPECT_NEAR(near.distance, std::min(capsule, floor), exact);
    EXPECT_EQ(near.b, floor < capsule ? 2u : 1u);
    EXPECT_NEAR((near.point_a - near.point_b).dot(near.normal), near.distance, exact);
  }
}

TEST(Distance, BoxesHaveSharpCorners)
{
  const TestScene test(model_of(
    {shaped("a", shape(ambf_adf::Box{Vector3d(0.1, 0.1, 0.1)})),
     shaped("b", shape(ambf_adf::Box{Vector3d(0.1, 0.1, 0.1)}))}));
  const auto checker = test.checker({0, 1});
  const std::vector corners{at(0, 0, 0), at(0.11, 0.11, 0.11)};
  EXPECT_NEAR(checker->nearest(corners).distance, 0.01 * std::sqrt(3.0), exact);
  const std::vector deep{at(0, 0, 0), at(0.093, 0.01, 0.02)};
  const Proximity near = checker->nearest(deep);
  EXPECT_NEAR(near.distance, -0.007, exact);
  EXPECT_LT((near.normal - Vector3d(-1, 0, 0)).norm(), 1e-6);
}

TEST(Distance, ADepthIsHowFarTheyMustMoveApart)
{
  const std::vector all{
    shaped("a", shape(ambf_adf::Cylinder{0.03, 0.08, Axis::Z})),
    shaped("b", shape(ambf_adf::Box{Vector3d(0.06, 0.04, 0.1)})),
    shaped("c", shape(ambf_adf::Cone{0.03, 0.08, Axis::X}))};
  Draw draw(3);
  int deep = 0;
  for (const auto & [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    const TestScene test(
      model_of({all[static_cast<std::size_t>(a)], all[static_cast<std::size_t>(b)]}));
    const auto checker = test.checker({0, 1});
    for (int i = 0; i < 300; ++i) {
      std::vector poses{draw.pose(0.03), draw.pose(0.03)};
      const Proximity near = checker->nearest(poses);
      if (near.distance >= 0.0) { continue; }
      ++deep;
      poses[0].translation() += (-near.distance + 2e-5) * near.normal;
      EXPECT_FALSE(checker->collides(poses)) << near.distance;
      poses[0].translation() -= 2e-4 * near.normal;
      EXPECT_TRUE(checker->collides(poses)) << near.distance;
    }
  }
  EXPECT_GT(deep, 300);
}

TEST(Distance, ToAMeshIsToItsTriangles)
{
  const TemporaryFile file("collision_ring", ".obj");
  MeshWriter(file).ring(0.05, 0.08, 0.02, 48);
  const TestScene test(
    model_of({shaped("ball", shape(ambf_adf::Sphere{0.005})), shaped("ring", concave(file), 0.0)}));
  const auto checker = test.checker({0});
  // In the hole, above and beside: the facets are flat, so the middle of one is taken.
  const double half = std::numbers::pi / 48;
  const double inner = 0.05 * std::cos(half);
  const std::vector hole{at(0, 0, 0)};
  // A ball meets triangles without their margin, as in the simulation.
  EXPECT_NEAR(checker->nearest(hole).distance, inner - 0.005, 1e-6);
  const std::vector above{at(0.065, 0, 0.03)};
  EXPECT_NEAR(checker->nearest(above).distance, 0.02 - 0.005, 1e-6);
  const std::vector inside{at(0.0, 0.052, 0.0)};
  EXPECT_TRUE(checker->collides(inside));
  // A surface, not a volume: in the middle of the material nothing touches.
  const std::vector within{at(0.065 * std::cos(half), 0.065 * std::sin(half), 0)};
  EXPECT_FALSE(checker->collides(within));
  EXPECT_EQ(checker->nearest(hole, 0.001).distance, std::numeric_limits<double>::infinity());
}

TEST(Rules, GroupsJointsModelsAndTheMatrixSayWhoIsLookedAt)
{
  auto model = model_of(
    {shaped("a", shape(ambf_adf::Sphere{0.1})), shaped("b", shape(ambf_adf::Sphere{0.1})),
     shaped("c", shape(ambf_adf::Sphere{0.1})), shaped("d", ambf_adf::NoShape{})});
  model.ignore_inter_collision = true;
  model.joints.push_back(
    joint("a-b", ambf_adf::JointType::Revolute, "a", "b", Vector3d::Zero(), Vector3d::Zero()));
  TestScene test(model);
  auto other = model_of({shaped("other", shape(ambf_adf::Sphere{0.1}), 0.0)});
  other.bodies[0].collision_groups = {1};
  ASSERT_TRUE(test.scene->add_model(other));

  EXPECT_FALSE(test.scene->may_collide(0, 1)) << "the joint ignores it";
  EXPECT_TRUE(test.scene->may_collide(0, 2)) << "a real arm hits itself";
  EXPECT_FALSE(test.scene->may_collide(0, 2, CheckerOptions{false}));
  EXPECT_FALSE(test.scene->may_collide(0, 3)) << "it has no shape";
  EXPECT_TRUE(test.scene->may_collide(0, 4));
  const AllowedCollisions adjacent = test.scene->adjacent();
  EXPECT_EQ(adjacent.size(), 1u);
  EXPECT_EQ(adjacent.why("b", "a"), AllowedBecause::Adjacent);

  AllowedCollisions allowed;
  const std::vector poses(3, at(0, 0, 0));
  EXPECT_EQ(test.checker({0, 1, 2}, allowed)->contacts(poses).size(), 5u);
  allowed.allow("other", "a");
  allowed.allow("c", "b");
  EXPECT_EQ(test.checker({0, 1, 2}, allowed)->contacts(poses).size(), 3u);
  EXPECT_TRUE(allowed.forbid("a", "other"));
  EXPECT_FALSE(allowed.forbid("a", "other"));
  EXPECT_EQ(test.checker({0, 1, 2}, allowed)->contacts(poses).size(), 4u);
}

TEST(Scene, ModelsAndBoxesComeAndGo)
{
  TestScene test(model_of({shaped("a", shape(ambf_adf::Sphere{0.1}))}));
  const std::vector pose{at(0, 0, 0)};
  const auto before = test.checker({0});
  EXPECT_FALSE(before->collides(pose));

  auto table = model_of({shaped("table", shape(ambf_adf::Box{Vector3d(1, 1, 0.1)}), 0.0)});
  const auto added = test.scene->add_model(table, at(0, 0, -0.2));
  ASSERT_TRUE(added);
  EXPECT_NEAR(test.checker({0})->nearest(pose).distance, 0.05, exact);
  EXPECT_FALSE(before->collides(pose)) << "a checker does not change";
  ASSERT_TRUE(test.scene->set_pose(added->bodies[0], at(0, 0, -0.1)));
  EXPECT_TRUE(test.checker({0})->collides(pose));

  const BodyIndex box = test.scene->put_box("cloth", Vector3d(0.1, 0.1, 0.1), at(0, 0.3, 0));
  ASSERT_NE(box, no_index);
  EXPECT_EQ(test.scene->find_body("cloth"), box);
  EXPECT_EQ(test.scene->put_box("cloth", Vector3d(0.2, 0.2, 0.2), at(0, 0.1, 0)), box);

  EXPECT_TRUE(test.scene->remove_model(added->handle));
  EXPECT_FALSE(test.scene->remove_model(added->handle));
  EXPECT_FALSE(test.scene->find_body("table"));
  const auto contacts = test.checker({0})->contacts(pose);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].b, box);
  EXPECT_TRUE(test.scene->remove_body(box));
  EXPECT_FALSE(test.scene->remove_body(box));
  EXPECT_FALSE(test.checker({0})->collides(pose));
  ASSERT_TRUE(test.scene->add_model(table));
  EXPECT_EQ(test.scene->bodies().size(), 3u) << "free places are taken again";
}

TEST(Scene, BadModelsBoxesAndPosesChangeNothing)
{
  TestScene test(model_of({shaped("a", shape(ambf_adf::Sphere{0.1}))}));
  const auto twice = test.scene->add_model(
    model_of({shaped("new", shape(ambf_adf::Sphere{0.1})), shaped("a", ambf_adf::NoShape{})}));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().at(0).kind, ambf_adf::ProblemKind::DuplicateName);
  EXPECT_FALSE(test.scene->find_body("new"));
  const double nan = std::nan("");
  EXPECT_FALSE(test.scene->add_model(model_of({}), at(nan, 0, 0)));
  EXPECT_FALSE(test.scene->set_pose(0, at(0, nan, 0)));
  EXPECT_FALSE(test.scene->set_pose(7, at(0, 0, 0)));
  EXPECT_EQ(test.scene->put_box("box", Vector3d(0.1, 0.0, 0.1), at(0, 0, 0)), no_index);
  EXPECT_EQ(test.scene->put_box("box", Vector3d(0.1, 0.1, nan), at(0, 0, 0)), no_index);
  EXPECT_EQ(test.scene->put_box("a", Vector3d(0.1, 0.1, 0.1), at(0, 0, 0)), no_index);
  EXPECT_EQ(test.scene->bodies().size(), 1u);
  ambf_adf::CollisionMesh missing;
  missing.mesh.file = missing.mesh.path = "/nowhere/mesh.stl";
  const auto added = test.scene->add_model(model_of({shaped("m", missing)}));
  ASSERT_TRUE(added);
  EXPECT_EQ(added->warnings.size(), 1u);
  EXPECT_TRUE(test.scene->bodies()[1].shapeless);
}

TEST(Questions, ThatAreNoneAreNeverTakenForFree)
{
  const TestScene test(model_of(
    {shaped("a", shape(ambf_adf::Sphere{0.1})), shaped("b", shape(ambf_adf::Sphere{0.1}), 0.0)}));
  const auto checker = test.checker({0});
  const std::vector far{at(9, 0, 0)};
  ASSERT_FALSE(checker->collides(far));
  const std::vector nan{at(std::nan(""), 0, 0)};
  const std::vector<Eigen::Isometry3d> none;
  for (const auto & poses : {nan, none}) {
    EXPECT_TRUE(checker->collides(poses));
    EXPECT_TRUE(checker->nearest(poses).touches());
    EXPECT_EQ(checker->contacts(poses).size(), 1u);
    EXPECT_FALSE(checker->sweep(far, poses, 1e-3).free);
  }
  // A pose too few for the last of three questions.
  const std::vector two{far[0], far[0]};
  std::vector<std::uint8_t> out(3);
  EXPECT_EQ(checker->collides(two, out), 1u);
  EXPECT_EQ(out, (std::vector<std::uint8_t>{0, 0, 1}));
  const std::vector<double> endless{std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(checker->sweep([](double, auto) {}, endless, 1e-3).free);
}

TEST(Sweep, FindsAThinWallThatIsBetweenTwoFreePlaces)
{
  const TestScene test(model_of(
    {shaped("ball", shape(ambf_adf::Sphere{0.002})),
     shaped("wall", shape(ambf_adf::Box{Vector3d(0.001, 1, 1)}), 0.0)}));
  const auto checker = test.checker({0});
  const std::vector left{at(-3.0, 0.1, 0)};
  const std::vector right{at(2.0, 0, 0.1)};
  ASSERT_FALSE(checker->collides(left));
  ASSERT_FALSE(checker->collides(right));
  const Sweep sweep = checker->sweep(left, right, 1e-4);
  EXPECT_FALSE(sweep.free);
  EXPECT_NEAR(sweep.reached, (3.0 - 0.0025) / 5.0, 1e-4);
  EXPECT_EQ(sweep.contact.b, 1u);
  EXPECT_LT(sweep.looks, 200u) << "it looks closely only where something is near";
  const std::vector short_of{at(-0.0031, 0, 0)};
  EXPECT_TRUE(checker->sweep(left, short_of, 1e-4).free);
}

TEST(Sweep, MissesNoContactDeeperThanItsTolerance)
{
  const TestScene test(model_of(
    {shaped("bar", shape(ambf_adf::Box{Vector3d(0.4, 0.01, 0.01)})),
     shaped("post", shape(ambf_adf::Cylinder{0.004, 0.5, Axis::Z}), 0.0)}));
  const auto checker = test.checker({0});
  Draw draw(4);
  int hits = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector from{draw.pose(0.3)};
    const std::vector to{draw.pose(0.3)};
    const Sweep sweep = checker->sweep(from, to, 5e-4);
    double deepest = 0.0;
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(from[0].linear().transpose() * to[0].linear()));
    for (int k = 0; k <= 400; ++k) {
      const double s = k / 400.0;
      std::vector pose{from[0]};
      pose[0].linear() = from[0].linear() * Eigen::AngleAxisd(s * turn.angle(), turn.axis());
      pose[0].translation() = (1 - s) * from[0].translation() + s * to[0].translation();
      const double depth = -checker->nearest(pose, 1.0).distance;
      deepest = std::max(deepest, depth);
      if (s < sweep.reached - 1e-9) { EXPECT_LT(depth, 5e-4); }
    }
    if (sweep.free) { EXPECT_LT(deepest, 5e-4); }
    hits += !sweep.free;
  }
  EXPECT_GT(hits, 30);
  EXPECT_LT(hits, 180);
}

TEST(Threads, AskOneCheckerAtOnce)
{
  const TemporaryFile file("collision_ring", ".obj");
  MeshWriter(file).ring(0.05, 0.08, 0.02, 48);
  const TestScene test(
    model_of({shaped("ball", shape(ambf_adf::Sphere{0.02})), shaped("ring", concave(file), 0.0)}));
  const auto checker = test.checker({0});
  std::vector<Eigen::Isometry3d> poses;
  Draw draw(5);
  for (int i = 0; i < 2000; ++i) { poses.push_back(draw.pose(0.1)); }
  std::vector<std::uint8_t> alone(poses.size());
  const std::size_t count = checker->collides(poses, alone);
  EXPECT_GT(count, 100u);
  std::vector<std::vector<std::uint8_t>> answers(2, std::vector<std::uint8_t>(poses.size()));
  std::vector<std::thread> threads;
  for (auto & answer : answers) {
    threads.emplace_back([&] { checker->collides(poses, answer); });
  }
  for (auto & thread : threads) { thread.join(); }
  EXPECT_EQ(answers[0], alone);
  EXPECT_EQ(answers[1], alone);
}

TEST(Run, IsNotTouchedByQuestions)
{
  const auto model = model_of(
    {shaped("ball", shape(ambf_adf::Sphere{0.1})),
     shaped("floor", shape(ambf_adf::Box{Vector3d(2, 2, 0.1)}), 0.0)});
  auto asked = world_of(model);
  auto alone = world_of(model);
  const TestScene test(model);
  for (int i = 0; i < 50; ++i) {
    asked->step(10);
    alone->step(10);
    Eigen::Isometry3d pose = Eigen::Isometry3d(Eigen::Translation3d(position(*asked, 0)));
    test.scene->set_pose(0, pose);
    const std::vector poses{pose};
    test.checker({0})->nearest(poses);
    ASSERT_EQ(asked->state().hash, alone->state().hash);
  }
}

}  // namespace
}  // namespace ambf_dynamics::test
