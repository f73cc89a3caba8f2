// SPDX-License-Identifier: BSD-3-Clause
// Where the bodies of an arm are, how far they travel, and which of them are looked at.

#include "psm_scene.hpp"

namespace ambf_planning::test
{
namespace
{

TEST(Bodies, AreWhereTheModelHasThemAtZero)
{
  PsmScene psm;
  const ArmBodies bodies = psm.bodies();
  EXPECT_EQ(bodies.bodies().size(), psm.model.bodies.size() - 1) << "all but the base";
  std::vector<Eigen::Isometry3d> poses(bodies.bodies().size());
  bodies.place(ambf_arms::zeros(6), poses);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Eigen::Isometry3d & file = psm.scene->pose(bodies.bodies()[i]);
    // The files have nine digits, and their joints misfit by up to a tenth of a millimetre.
    EXPECT_LT((poses[i].translation() - file.translation()).norm(), 2e-4)
      << psm.scene->bodies()[bodies.bodies()[i]].qualified;
    EXPECT_LT((poses[i].linear() - file.linear()).norm(), 1e-3);
  }
}

TEST(Bodies, MoveWithTheBase)
{
  PsmScene psm;
  std::mt19937_64 random(1);
  const JointVector q = psm.random(random);
  const ArmBodies before = psm.bodies();
  std::vector<Eigen::Isometry3d> a(before.bodies().size());
  before.place(q, a);
  Eigen::Isometry3d move(Eigen::Translation3d(0.1, 0.2, 0.3));
  move.rotate(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  for (ambf_dynamics::BodyIndex i = 0; i < psm.scene->bodies().size(); ++i) {
    psm.scene->set_pose(i, move * psm.scene->pose(i));
  }
  const ArmBodies after = psm.bodies();
  std::vector<Eigen::Isometry3d> b(a.size());
  after.place(q, b);
  for (std::size_t i = 0; i < a.size(); ++i) { EXPECT_TRUE(b[i].isApprox(move * a[i], 1e-9)); }
  EXPECT_TRUE(after.tip(q).isApprox(move * before.tip(q), 1e-9));
}

TEST(Reach, IsNeverLessThanWhatAPointTravels)
{
  PsmScene psm;
  const ArmBodies bodies = psm.bodies();
  const std::size_t n = bodies.bodies().size();
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::vector<double> reach(n);
  std::vector<Eigen::Isometry3d> before(n), after(n);
  double tightest = 1e9;
  for (int k = 0; k < 300; ++k) {
    const JointVector from = psm.random(random);
    const JointVector to =
      k % 2 ? psm.random(random) : JointVector(from + 0.1 * (psm.random(random) - from));
    bodies.reach(from, to, reach);
    std::vector<Vector3d> points;
    for (std::size_t i = 0; i < n; ++i) {
      const auto & info = psm.scene->bodies()[bodies.bodies()[i]];
      const Vector3d way(normal(random), normal(random), normal(random));
      points.push_back(info.centre + info.radius * way.normalized());
    }
    std::vector<double> travelled(n, 0.0);
    bodies.place(from, before);
    constexpr int steps = 100;
    for (int s = 1; s <= steps; ++s) {
      const double share = static_cast<double>(s) / steps;
      bodies.place((1 - share) * from + share * to, after);
      for (std::size_t i = 0; i < n; ++i) {
        travelled[i] += (after[i] * points[i] - before[i] * points[i]).norm();
      }
      before.swap(after);
    }
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LE(travelled[i], reach[i] * (1.0 + 1e-9)) << i;
      if (k % 2 == 0 && travelled[i] > 1e-6) {
        tightest = std::min(tightest, reach[i] / travelled[i]);
      }
    }
  }
  EXPECT_LT(tightest, 1.5) << "a bound that is far too large makes sweeps slow";
}

TEST(Matrix, LetsTheArmStandAtHomeAndKeepsItsTipLookedAt)
{
  PsmScene psm;
  const auto checker = psm.checker();
  const auto contacts = checker->contacts(psm.arm->home());
  EXPECT_TRUE(contacts.empty()) << in_words(*checker, contacts);
  // Far fewer than all pairs are allowed, and those at the tip meet obstacles.
  const std::size_t n = psm.model.bodies.size();
  EXPECT_LT(psm.allowed.size(), n * (n - 1) / 2);
  const JointVector q = joints({0.1, 0.0, 0.15, 0, 0, 0});
  psm.add_ball("ball", psm.bodies().tip(q).translation(), 0.004);
  const auto hit = psm.checker()->contacts(q);
  ASSERT_FALSE(hit.empty());
  EXPECT_EQ(psm.checker()->name_of(hit[0].b), "ball");
  const std::string words = in_words(*psm.checker(), hit);
  EXPECT_NE(words.find("deep in 'ball'"), std::string::npos) << words;
}

TEST(Matrix, NeverIsOnlyWhatWasAskedFor)
{
  PsmScene psm;
  const auto with =
    sample_allowed(psm.bodies(), *psm.scene, psm.scene->adjacent(), psm.arm->home(), 100, 1, true);
  const auto without =
    sample_allowed(psm.bodies(), *psm.scene, psm.scene->adjacent(), psm.arm->home(), 100, 1);
  EXPECT_GT(with.size(), without.size());
  for (const auto & [pair, why] : without.pairs()) {
    EXPECT_NE(why, ambf_dynamics::AllowedBecause::Never) << pair.first << ' ' << pair.second;
  }
}

TEST(Attached, BodiesMoveWithTheToolAndCollide)
{
  PsmScene psm;
  const JointVector here = ambf_arms::zeros(6);
  const ArmBodies alone = psm.bodies();
  const Vector3d tip = alone.tip(here).translation();
  psm.add_ball("needle", tip + Vector3d(0, 0, -0.01), 0.003);
  const auto needle = *psm.scene->find_body("needle");
  const auto carrier = *psm.scene->find_body(psm.model.ns + "BODY tool yaw link");
  ArmBodies bodies = psm.bodies();
  ASSERT_TRUE(bodies.attach(*psm.scene, needle, carrier).has_value());
  EXPECT_FALSE(bodies.attach(*psm.scene, needle, carrier).has_value()) << "it is attached already";
  EXPECT_FALSE(bodies.attach(*psm.scene, 999, carrier).has_value());
  EXPECT_FALSE(psm.bodies().attach(*psm.scene, carrier, needle).has_value())
    << "no body of the arm";
  // 5 cm deeper the needle is 5 cm deeper, and meets what is there.
  const JointVector deeper = joints({0, 0, 0.05, 0, 0, 0});
  psm.add_ball("post", tip + Vector3d(0, 0, -0.067), 0.003);
  AllowedCollisions allowed = psm.with_own_pairs();
  for (const auto & body : psm.model.bodies) { allowed.allow("needle", body.header.qualified); }
  const ArmChecker checker(bodies, *psm.scene, allowed);
  const auto near = checker.nearest(deeper, 0.05);
  EXPECT_NEAR(near.distance, 0.007 - 0.006, 1e-5);
  EXPECT_EQ(checker.name_of(near.a), "needle");
  EXPECT_EQ(checker.name_of(near.b), "post");
}

TEST(Make, SaysWhatIsMissing)
{
  PsmScene psm;
  const auto no_base = ArmBodies::make(*psm.arm, psm.model, *psm.scene, psm.models, "BODY nowhere");
  ASSERT_FALSE(no_base.has_value());
  EXPECT_NE(no_base.error().find("'BODY nowhere'"), std::string::npos);
  const auto no_model = ArmBodies::make(*psm.arm, psm.model, *psm.scene, {}, "BODY base link");
  EXPECT_FALSE(no_model.has_value());
  ambf_adf::Model other = psm.model;
  other.joints[0].parent_pivot.x() += 0.01;
  const auto wrong = ArmBodies::make(*psm.arm, other, *psm.scene, psm.models, "BODY base link");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().find("is not the one"), std::string::npos) << wrong.error();
}

}  // namespace
}  // namespace ambf_planning::test
