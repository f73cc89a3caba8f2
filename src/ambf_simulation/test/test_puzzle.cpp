// SPDX-License-Identifier: BSD-3-Clause
// Two people with two hands each solve the puzzle by friction: two masters at 1 kHz, two trackers at
// 300 Hz, step by step and without ROS. What the long tier does in real time through processes.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hand_script.hpp"

namespace ambf_simulation_test
{
namespace
{

const std::string kPuzzle = "/ambf/env/puzzle/BODY ";

struct Hand
{
  std::string name;
  double rate;
  std::size_t index = 0;
  std::unique_ptr<RecordedHand> recording{};
  std::int64_t sent = -1;
  double largest_pull = 0.0;  ///< felt along x while the chain is stretched [N]
};

struct Outcome
{
  bool solved = false;
  double lift = 0.0;
  std::vector<Hand> hands;
  std::uint64_t hash = 0;
};

/// How far a piece's hole is from its post, in the plane; and how high it lies.
bool on_post(const ScriptedWorld & world, const std::string & piece, double x)
{
  const Eigen::Vector3d at = world.pose(kPuzzle + piece).translation();
  const Eigen::Vector3d base = world.pose(kPuzzle + "puzzle base").translation();
  std::printf(
    "%s: %.1f %.1f mm from its post, %.1f mm up\n", piece.c_str(), 1e3 * (at.x() - base.x() - x),
    1e3 * (at.y() - base.y()), 1e3 * (at.z() - base.z()));
  // A hole is 2 to 2.5 mm wider than its post on each side; lying on the plate it is 25 mm up.
  return std::hypot(at.x() - base.x() - x, at.y() - base.y()) < 0.004 &&
         std::abs(at.z() - base.z() - 0.025) < 0.002;
}

Outcome play()
{
  ScriptedWorld world("two_user_puzzle");
  Outcome outcome;
  outcome.hands.push_back({"mtm_right", 1000.0});
  outcome.hands.push_back({"mtm_left", 1000.0});
  outcome.hands.push_back({"tracker_right", 300.0});
  outcome.hands.push_back({"tracker_left", 300.0});
  double length = 0.0;
  for (auto & hand : outcome.hands) {
    hand.index = world.device(hand.name);
    hand.recording =
      std::make_unique<RecordedHand>(world_folder("two_user_puzzle") + "/" + hand.name + ".csv");
    length = std::max(length, hand.recording->length());
    EXPECT_EQ(world.simulation->hands().proxies().trouble(hand.index), "");
  }
  const double floor = world.pose(kPuzzle + "chain plate 2").translation().z();
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(1000.0 * (length + 1.0)); ++i) {
    const double time = 0.001 * static_cast<double>(i);
    for (auto & hand : outcome.hands) {
      const auto number = static_cast<std::int64_t>(time * hand.rate);
      if (number == hand.sent) { continue; }
      hand.sent = number;
      world.hand(hand.index, hand.recording->at(time));
    }
    world.step();
    if (i % 20 == 0) {
      outcome.lift =
        std::max(outcome.lift, world.pose(kPuzzle + "chain plate 2").translation().z() - floor);
      for (auto & hand : outcome.hands) {
        const auto reading = world.reading(hand.index);
        // The chain hangs between the trackers from 5.6 s on and is pulled at 7 s.
        if (time > 7.2 && time < 8.9) {
          hand.largest_pull = std::max(hand.largest_pull, std::abs(reading.contact.force.x()));
        }
      }
    }
  }
  outcome.solved = on_post(world, "triangle piece", 0.085);
  outcome.solved = on_post(world, "square piece", -0.085) && outcome.solved;
  outcome.solved = on_post(world, "round piece", 0.0) && outcome.solved;
  outcome.hash = world.hash();
  return outcome;
}

TEST(TwoUserPuzzle, IsSolvedByFrictionAndTheChainIsFeltByBoth)
{
  const Outcome first = play();
  EXPECT_TRUE(first.solved);
  std::printf("chain lifted by %.1f mm of 60\n", 1e3 * first.lift);
  EXPECT_GT(first.lift, 0.045);
  for (const auto & hand : first.hands) {
    if (hand.name.starts_with("tracker")) {
      std::printf("%s felt %.2f N along the chain\n", hand.name.c_str(), hand.largest_pull);
      EXPECT_GT(hand.largest_pull, 0.3) << hand.name << " feels the other through the closed loop";
    }
  }
  const char * tier = std::getenv("AMBF_TEST_LONG");
  if (tier != nullptr && std::string(tier) == "1") {
    EXPECT_EQ(play().hash, first.hash) << "the same hands at the same steps";
  }
}

}  // namespace
}  // namespace ambf_simulation_test
