// SPDX-License-Identifier: BSD-3-Clause
// Motions along paths: on the path, within the limits, without jumps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ambf_planning/timed_path.hpp"

namespace ambf_planning
{
namespace
{

ambf_arms::MotionLimits some_limits()
{
  ambf_arms::MotionLimits limits;
  limits.velocity = JointVector::Constant(3, 1.0);
  limits.acceleration = JointVector::Constant(3, 4.0);
  limits.jerk = JointVector::Constant(3, 80.0);
  limits.velocity[2] = 0.1;
  return limits;
}

std::vector<JointVector> random_path(std::mt19937_64 & random, std::size_t size)
{
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<JointVector> path(size, JointVector::Zero(3));
  for (JointVector & q : path) {
    for (double & x : q) { x = value(random); }
    q[2] *= 0.1;
  }
  return path;
}

double distance_to_path(const std::vector<JointVector> & path, const JointVector & q)
{
  double least = 1e9;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const JointVector way = path[i] - path[i - 1];
    const double share = std::clamp((q - path[i - 1]).dot(way) / way.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (path[i - 1] + share * way - q).norm());
  }
  return least;
}

TEST(Motion, WithoutRoundingStaysOnThePath)
{
  std::mt19937_64 random(1);
  for (int k = 0; k < 20; ++k) {
    const auto path = random_path(random, 5);
    const TimedPath motion(path, some_limits());
    for (const auto & [time, state] : motion.samples(0.01)) {
      EXPECT_LT(distance_to_path(path, state.position), 1e-9);
    }
    EXPECT_LE(motion.load(some_limits(), 0.002), 1.0 + 1e-9);
  }
}

TEST(Motion, WithRoundingIsFasterWithinTheLimitsAndSmooth)
{
  std::mt19937_64 random(2);
  const auto always = [](const TimedPath &, double, double) { return true; };
  double exact = 0.0, rounded = 0.0;
  for (int k = 0; k < 20; ++k) {
    const auto path = random_path(random, 6);
    const TimedPath slow(path, some_limits());
    const TimedPath motion(path, some_limits(), {}, always);
    exact += slow.duration();
    rounded += motion.duration();
    EXPECT_LE(motion.duration(), slow.duration() + 1e-12);
    EXPECT_LE(motion.load(some_limits(), 0.001), 1.0 + 1e-3);
    MotionState before, after;
    motion.sample(0.0, before);
    EXPECT_EQ((before.position - path.front()).norm(), 0.0);
    constexpr double dt = 0.001;
    for (double time = dt; time < motion.duration(); time += dt) {
      motion.sample(time, after);
      const double step = (after.position - before.position).norm();
      EXPECT_LT(step, 2.0 * dt);
      // Velocities are the slopes of positions.
      const JointVector slope = (after.position - before.position) / dt;
      EXPECT_LT((slope - 0.5 * (after.velocity + before.velocity)).norm(), 1e-3);
      before = after;
    }
    motion.sample(motion.duration() + 1.0, after);
    EXPECT_LT((after.position - path.back()).norm(), 1e-9);
    EXPECT_EQ(after.velocity.norm(), 0.0);
  }
  EXPECT_LT(rounded, 0.99 * exact);
}

TEST(Motion, CornersThatAreNotFreeAreNotRounded)
{
  std::mt19937_64 random(3);
  const auto path = random_path(random, 6);
  int asked = 0;
  const TimedPath motion(path, some_limits(), {}, [&](const TimedPath &, double from, double to) {
    ++asked;
    EXPECT_LT(from, to);
    return false;
  });
  EXPECT_GT(asked, 3);
  EXPECT_EQ(motion.duration(), TimedPath(path, some_limits()).duration());
}

TEST(Motion, OfNoneOneOrEqualPosturesTakesNoTime)
{
  MotionState state;
  EXPECT_EQ(TimedPath().duration(), 0.0);
  const JointVector q = JointVector::Constant(3, 0.5);
  for (const std::vector<JointVector> & path : {std::vector{q}, std::vector{q, q, q}}) {
    const TimedPath motion(path, some_limits());
    EXPECT_EQ(motion.duration(), 0.0);
    motion.sample(0.0, state);
    EXPECT_EQ(state.position, q);
    EXPECT_EQ(motion.samples(0.01).size(), 2u);
  }
}

TEST(Motion, AtHalfSpeedTakesLonger)
{
  std::mt19937_64 random(4);
  const auto path = random_path(random, 4);
  ambf_arms::MotionRatio half;
  half.velocity = 0.5;
  half.acceleration = 0.5;
  const TimedPath slow(path, some_limits(), half);
  EXPECT_GT(slow.duration(), 1.4 * TimedPath(path, some_limits()).duration());
  EXPECT_LE(slow.load(some_limits(), 0.002), 0.5 + 1e-9);
}

}  // namespace
}  // namespace ambf_planning
