// SPDX-License-Identifier: BSD-3-Clause
// Hands on the far links of arms, and several hands on one chain.

#include <cmath>

#include "hands_world.hpp"

namespace ambf_proxies::test
{
namespace
{

constexpr double length = 0.2;  // of a link [m]
constexpr double mass = 0.5;    // of a link [kg]
constexpr double g = 9.81;

/// Links along x, one behind the other; the origin of each is at its near end, and hinges turn about y. `base`: the first
/// link hangs on a base that stands still at the origin.
std::string links(int count, bool base)
{
  std::string bodies = base ? "BODY base" : "", joints, blocks;
  if (base) {
    blocks +=
      "BODY base: {name: base, mass: 0, collision shape: BOX, collision geometry: {x: 0.02, y: "
      "0.02, z: 0.02}, location: {position: {x: 0, y: 0, z: 0}, orientation: {r: 0, p: 0, y: "
      "0}}}\n";
  }
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    bodies += (bodies.empty() ? "" : ", ") + ("BODY link" + n);
    blocks += "BODY link" + n + ":\n  name: link" + n + "\n  mass: " + std::to_string(mass) +
              "\n  inertia: {ix: 0.0002, iy: 0.00167, iz: 0.00167}\n"
              "  damping: {linear: 0.0, angular: 0.0}\n"
              "  inertial offset: {position: {x: " +
              std::to_string(0.5 * length) +
              ", y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}\n"
              "  location: {position: {x: " +
              std::to_string(length * i) + ", y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}\n";
    if (i == 0 && !base) { continue; }
    const std::string parent = i == 0 ? "base" : "link" + std::to_string(i - 1);
    const std::string at = i == 0 ? "0" : std::to_string(length);
    joints += (joints.empty() ? "" : ", ") + ("JOINT hinge" + n);
    blocks += "JOINT hinge" + n + ":\n  name: hinge" + n + "\n  type: revolute\n  parent: BODY " +
              parent + "\n  child: BODY link" + n + "\n  parent pivot: {x: " + at +
              ", y: 0, z: 0}\n  child pivot: {x: 0, y: 0, z: 0}\n"
              "  parent axis: {x: 0, y: 1, z: 0}\n  child axis: {x: 0, y: 1, z: 0}\n";
  }
  return "bodies: [" + bodies + "]\njoints: [" + joints + "]\nnamespace: /ambf/env/\n" + blocks;
}

class Chains : public Hands
{
protected:
  void load(const std::string & text, double gravity)
  {
    ambf_dynamics::Parameters parameters;
    parameters.gravity = Vector3d(0, 0, -gravity);
    world = std::move(*ambf_dynamics::make_world(parameters));
    scene = ambf_adf::Scene{};
    auto parsed = ambf_adf::parse_text(text, "chain", "", {});
    ASSERT_TRUE(parsed) << words_of(parsed.error());
    auto model = scene.add(std::move(*parsed));
    ASSERT_TRUE(model) << words_of(model.error());
    auto added = world->add_model(*model);
    ASSERT_TRUE(added) << words_of(added.error());
  }

  /// Holds the origin of a link, and leaves its turns free.
  static Binding held(const std::string & device, const std::string & link)
  {
    Binding b = binding(device, link);
    b.gains.angular_stiffness->setZero();
    b.gains.angular_damping->setZero();
    b.max_force = 1e3;
    return b;
  }

  std::size_t body(const std::string & name) const
  {
    return world->find_body("/ambf/env/BODY " + name).value();
  }
  Pose pose_of(const std::string & name) const
  {
    const double * b = world->state().bodies.data() + body(name) * ambf_dynamics::body_stride;
    return {{b[0], b[1], b[2]}, {b[6], b[3], b[4], b[5]}};
  }
  Vector3d point(const std::string & link, double x) const
  {
    const Pose pose = pose_of(link);
    return pose.position + pose.orientation * Vector3d(x, 0, 0);
  }
  /// What a hand gives its body, by its spring alone: everything is at rest.
  Vector3d force_of(std::size_t device, const std::string & link)
  {
    return 800.0 * (reference(device).position - position(body(link)));
  }
};

TEST_F(Chains, AHandOnTheLastLinkLeadsAnArm)
{
  load(links(3, true), 0.0);
  bind({held("hand", "link2")});
  ASSERT_EQ(hands_.trouble(0), "");
  hand(0, at(0, 0, 0));
  step();
  const Vector3d start = position(body("link2"));
  const Vector3d moved(-0.1, 0.0, 0.15);
  for (int i = 0; i < 4000; ++i) {
    const double share = std::min(1.0, i / 1000.0);
    hand(0, at(share * moved.x(), 0, share * moved.z()));
    step();
  }
  EXPECT_LT((position(body("link2")) - start - moved).norm(), 1e-3) << "it is where the hand is";
  EXPECT_LT((point("link1", length) - position(body("link2"))).norm(), 1e-5)
    << "the arm holds together";
  EXPECT_LT(position(body("link0")).norm(), 1e-5) << "and on its base";
}

TEST_F(Chains, WhatTheArmCannotReachIsFelt)
{
  load(links(2, true), 0.0);
  bind({held("hand", "link1")});
  hand(0, at(0, 0, 0));
  step();
  for (int i = 0; i < 4000; ++i) {
    hand(0, at(0.05 * std::min(1.0, i / 1000.0), 0, 0));
    step();
  }
  // The first link is stretched already: the hand pulls with its whole spring.
  EXPECT_NEAR(force_of(0, "link1").x(), 800.0 * 0.05, 0.01 * 800.0 * 0.05);
  EXPECT_NEAR(position(body("link1")).x(), length, 1e-5);
}

TEST_F(Chains, TwoHandsFeelTheChainThatTheyCloseAsItsWeightAndSpanSay)
{
  // Two links hang between two hands as a V. Each hand carries one link, and pulls outwards with
  // H = w / (2 tan a), where a is the slope of the links.
  // The right hand holds a small ring at the far end, since a link's own frame is at its near one.
  auto text = links(2, false);
  text.replace(text.find("bodies: ["), 9, "bodies: [BODY end, ");
  text.replace(text.find("joints: ["), 9, "joints: [JOINT end, ");
  text +=
    "BODY end: {name: end, mass: 0.05, inertia: {ix: 0.0001, iy: 0.0001, iz: 0.0001}, damping: "
    "{linear: 0.0, angular: 0.1}, inertial offset: {position: {x: 0, y: 0, z: 0}, orientation: "
    "{r: 0, p: 0, y: 0}}, location: {position: {x: 0.4, y: 0, z: 0}, orientation: {r: 0, p: 0, "
    "y: 0}}}\n"
    "JOINT end: {name: end, type: revolute, parent: BODY link1, child: BODY end, parent pivot: "
    "{x: 0.2, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 0, y: 1, z: 0}, "
    "child axis: {x: 0, y: 1, z: 0}}\n";
  load(text, g);
  bind({held("left", "link0"), held("right", "end")});
  ASSERT_EQ(hands_.trouble(0) + hands_.trouble(1), "");
  hand(0, at(0, 0, 0));
  hand(1, at(0, 0, 0));
  step();
  // Towards each other, until the V is there and has come to rest.
  for (int i = 0; i < 20000; ++i) {
    const double way = 0.06 * std::min(1.0, i / 2000.0);
    hand(0, at(way, 0, 0));
    hand(1, at(-way, 0, 0));
    step();
  }
  const Vector3d left = position(body("link0")), right = position(body("end"));
  const double half_span = 0.5 * (right - left).norm();
  const double slope = std::acos(half_span / length);
  ASSERT_GT(slope, 0.5) << "a V, not a line";
  const double weight = mass * g, pull = weight / (2.0 * std::tan(slope));
  const Vector3d on_left = force_of(0, "link0"), on_right = force_of(1, "end");
  EXPECT_NEAR(on_left.z(), weight, 0.02 * weight);
  EXPECT_NEAR(on_right.z(), weight + 0.05 * g, 0.02 * weight);
  EXPECT_NEAR(on_left.x(), -pull, 0.02 * pull);
  EXPECT_NEAR(on_right.x(), pull, 0.02 * pull);
}

}  // namespace
}  // namespace ambf_proxies::test
