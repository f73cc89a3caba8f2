// SPDX-License-Identifier: BSD-3-Clause
// Properties of trajectories from any state with any limits.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ambf_arms/trajectory.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

AxisLimits random_limits(Random & random)
{
  const auto spread = [&](double low, double high) {
    return std::exp(random.within(std::log(low), std::log(high)));
  };
  return {spread(0.1, 10.0), spread(0.1, 20.0), spread(0.5, 200.0)};
}

/// A start from which no limit need be exceeded.
AxisState random_start(Random & random, const AxisLimits & limits, int kind)
{
  AxisState s;
  s.position = random.within(-2, 2);
  if (kind % 4 == 0) {
    return s;  // at rest
  }
  s.acceleration = random.within(-limits.acceleration, limits.acceleration);
  const double gain = 0.5 * s.acceleration * std::abs(s.acceleration) / limits.jerk;
  const double low = std::max(-limits.velocity, -limits.velocity - gain);
  const double high = std::min(limits.velocity, limits.velocity - gain);
  if (low > high) {
    s.acceleration = 0.0;
    s.velocity = random.within(-limits.velocity, limits.velocity);
  } else {
    s.velocity = random.within(low, high);
  }
  if (kind % 4 == 1) { s.acceleration = 0.0; }
  return s;
}

/// Goals from far to the width of a hair around the place where the joint stops anyway.
double random_goal(Random & random, const AxisState & start, const AxisLimits & limits, int kind)
{
  switch (kind % 5) {
    case 0:
      return start.position;
    case 1:
      return start.position + random.within(-1e-6, 1e-6);
    case 2: {
      const AxisProfile there = fastest_profile(start, start.position + 1e3, limits);
      return there.at(0.3 * random.within(0, 1)).position;
    }
    case 3:
      return start.position + random.within(-0.1, 0.1);
    default:
      return start.position + random.within(-5, 5);
  }
}

/// Limits at the ends and at every extremum inside of each phase; continuity needs no test within a
/// profile, because phases follow from each other.
void expect_within(
  const AxisProfile & profile, double goal, const AxisLimits & limits, const char * what)
{
  AxisState s = profile.start;
  const double slack = 1.0 + 1e-9;
  for (int i = 0; i < profile.count; ++i) {
    const auto & phase = profile.phases[static_cast<std::size_t>(i)];
    ASSERT_GE(phase.duration, 0.0);
    ASSERT_LE(std::abs(phase.jerk), limits.jerk * slack);
    const double t = phase.duration;
    // Velocity peaks where the acceleration vanishes.
    if (phase.jerk != 0.0) {
      const double peak = -s.acceleration / phase.jerk;
      if (peak > 0.0 && peak < t) {
        const double v = s.velocity + peak * (s.acceleration + 0.5 * peak * phase.jerk);
        ASSERT_LE(std::abs(v), limits.velocity * slack) << what << " phase " << i;
      }
    }
    s = {
      s.position + t * (s.velocity + t * (0.5 * s.acceleration + t * phase.jerk / 6.0)),
      s.velocity + t * (s.acceleration + 0.5 * t * phase.jerk), s.acceleration + t * phase.jerk};
    ASSERT_LE(std::abs(s.velocity), limits.velocity * slack) << what << " phase " << i;
    ASSERT_LE(std::abs(s.acceleration), limits.acceleration * slack) << what << " phase " << i;
  }
  const double scale = 1.0 + std::abs(goal) + std::abs(profile.start.position);
  EXPECT_NEAR(s.position, goal, 1e-9 * scale) << what;
  EXPECT_NEAR(s.velocity, 0.0, 1e-7 * limits.velocity) << what;
  EXPECT_NEAR(s.acceleration, 0.0, 1e-7 * limits.acceleration) << what;
}

int samples() { return long_tier() ? 200000 : 8000; }

TEST(FastestProfile, KeepsTheLimitsAndEndsAtTheGoal)
{
  Random random(31);
  for (int i = 0; i < samples(); ++i) {
    const AxisLimits limits = random_limits(random);
    const AxisState start = random_start(random, limits, i);
    const double goal = random_goal(random, start, limits, i / 4);
    const AxisProfile profile = fastest_profile(start, goal, limits);
    ASSERT_NO_FATAL_FAILURE(expect_within(profile, goal, limits, "fastest")) << "sample " << i;
  }
}

TEST(FastestProfile, MatchesClosedFormsFromRest)
{
  // Long: cruise. T = d / v + v / a + a / j.
  const AxisLimits limits{2.0, 4.0, 20.0};
  EXPECT_NEAR(
    fastest_profile({}, 10.0, limits).duration(), 10.0 / 2.0 + 2.0 / 4.0 + 4.0 / 20.0, 1e-12);
  // Short: jerk only, four equal phases. d = 2 j t^3.
  EXPECT_NEAR(fastest_profile({}, -0.001, limits).duration(), 4.0 * std::cbrt(0.001 / 40.0), 1e-9);
  EXPECT_EQ(fastest_profile({1.0, 0.0, 0.0}, 1.0, limits).duration(), 0.0);
}

TEST(FastestProfile, NothingSlowerIsFaster)
{
  // Halved limits never make it faster, from the same start within the halved limits.
  Random random(32);
  for (int i = 0; i < samples() / 4; ++i) {
    const AxisLimits limits = random_limits(random);
    const AxisLimits tight{0.5 * limits.velocity, 0.5 * limits.acceleration, 0.5 * limits.jerk};
    const AxisState start = random_start(random, tight, i);
    const double goal = random_goal(random, start, tight, i / 4);
    EXPECT_LE(
      fastest_profile(start, goal, limits).duration(),
      fastest_profile(start, goal, tight).duration() * (1.0 + 1e-9) + 1e-12)
      << "sample " << i;
  }
}

TEST(FastestProfile, OnTheWayTheRestIsStillTheFastest)
{
  // Planning again from a point of the profile must not take longer than what was left.
  Random random(33);
  int late = 0;
  for (int i = 0; i < samples() / 2; ++i) {
    const AxisLimits limits = random_limits(random);
    const AxisState start = random_start(random, limits, i);
    const double goal = random_goal(random, start, limits, 3 + i / 4 % 2);
    const AxisProfile profile = fastest_profile(start, goal, limits);
    const double t = random.within(0.05, 0.9) * profile.duration();
    const double left = profile.duration() - t;
    const double again = fastest_profile(profile.at(t), goal, limits).duration();
    late += std::abs(again - left) > 1e-4 * profile.duration() + 1e-6 ? 1 : 0;
    EXPECT_LE(again, 1.05 * left + 1e-6) << "sample " << i;
  }
  // On the brink of braking a rounding error may choose the neighbouring way: seen once in 100000.
  EXPECT_LE(late, samples() / 20000);
}

TEST(FastestProfile, ReturnsFromBeyondTheLimits)
{
  Random random(34);
  for (int i = 0; i < samples() / 4; ++i) {
    AxisLimits limits = random_limits(random);
    // With less jerk the return leads kilometres away, and rounding with it.
    limits.jerk =
      std::max(limits.jerk, limits.acceleration * limits.acceleration / limits.velocity);
    const AxisState start{
      random.within(-1, 1), random.within(-3, 3) * limits.velocity,
      random.within(-3, 3) * limits.acceleration};
    const double goal = random.within(-5, 5);
    const AxisProfile profile = fastest_profile(start, goal, limits);
    const AxisState end = profile.at(profile.duration());
    EXPECT_NEAR(end.position, goal, 1e-8 * (1.0 + std::abs(goal) + std::abs(start.velocity)))
      << "sample " << i;
    // Once within the limits it stays there.
    bool inside = false;
    for (int k = 0; k <= 400; ++k) {
      const AxisState s = profile.at(profile.duration() * k / 400.0);
      const bool now =
        std::abs(s.velocity) <= limits.velocity * (1 + 1e-9) &&
        std::abs(s.acceleration) <= limits.acceleration * (1 + 1e-9) &&
        std::abs(s.velocity + 0.5 * s.acceleration * std::abs(s.acceleration) / limits.jerk) <=
          limits.velocity * (1 + 1e-9);
      EXPECT_TRUE(now || !inside) << "sample " << i << " at " << k;
      inside = inside || now;
    }
    EXPECT_TRUE(inside);
  }
}

TEST(StretchedProfile, TakesTheTimeItIsGiven)
{
  Random random(35);
  int gaps = 0;
  for (int i = 0; i < samples() / 2; ++i) {
    const AxisLimits limits = random_limits(random);
    const AxisState start = random_start(random, limits, i);
    const double goal = random_goal(random, start, limits, 2 + i % 3);
    const double shortest = fastest_profile(start, goal, limits).duration();
    double duration = shortest * random.within(1.0, 3.0);
    AxisProfile profile;
    double next = 0.0;
    if (!stretched_profile(start, goal, limits, duration, profile, next)) {
      ++gaps;
      ASSERT_GT(next, duration) << "sample " << i;
      duration = next;
      ASSERT_TRUE(stretched_profile(start, goal, limits, duration, profile, next))
        << "sample " << i << " at " << duration << " of " << shortest;
    }
    ASSERT_NO_FATAL_FAILURE(expect_within(profile, goal, limits, "stretched")) << "sample " << i;
    // One that stops at its goal anyway may be there earlier and rests.
    EXPECT_LE(profile.duration(), duration * (1.0 + 1e-9) + 1e-9) << "sample " << i;
    if (profile.duration() > shortest * (1.0 + 1e-9)) {
      EXPECT_NEAR(profile.duration(), duration, 1e-7 * duration + 1e-9) << "sample " << i;
    }
  }
  EXPECT_LT(gaps, samples() / 8);
}

struct Plan
{
  MotionState start;
  JointVector goal;
  MotionLimits limits;
};

Plan random_plan(Random & random, int n, int kind)
{
  Plan out;
  for (JointVector * v :
       {&out.start.position, &out.start.velocity, &out.start.acceleration, &out.goal,
        &out.limits.velocity, &out.limits.acceleration, &out.limits.jerk}) {
    v->resize(n);
  }
  for (int i = 0; i < n; ++i) {
    const AxisLimits limits = random_limits(random);
    const AxisState s = random_start(random, limits, kind + i);
    out.start.position[i] = s.position;
    out.start.velocity[i] = s.velocity;
    out.start.acceleration[i] = s.acceleration;
    out.goal[i] = random_goal(random, s, limits, kind + 2 * i);
    out.limits.velocity[i] = limits.velocity;
    out.limits.acceleration[i] = limits.acceleration;
    out.limits.jerk[i] = limits.jerk;
  }
  return out;
}

TEST(Trajectory, AllJointsArriveTogetherWithinTheirLimits)
{
  Random random(36);
  for (int i = 0; i < samples() / 40; ++i) {
    const int n = 1 + i % 8;
    const Plan plan = random_plan(random, n, i);
    Trajectory trajectory;
    ASSERT_TRUE(trajectory.plan(plan.start, plan.goal, plan.limits).has_value());
    double slowest = 0.0;
    for (int k = 0; k < n; ++k) {
      const AxisState s{plan.start.position[k], plan.start.velocity[k], plan.start.acceleration[k]};
      const AxisLimits l{plan.limits.velocity[k], plan.limits.acceleration[k], plan.limits.jerk[k]};
      slowest = std::max(slowest, fastest_profile(s, plan.goal[k], l).duration());
    }
    EXPECT_GE(trajectory.duration(), slowest - 1e-12);
    MotionState state, last;
    const int steps = 300;
    const double h = trajectory.duration() / steps;
    trajectory.sample(0.0, last);
    EXPECT_LT((last.position - plan.start.position).norm(), 1e-15);
    EXPECT_LT((last.acceleration - plan.start.acceleration).norm(), 1e-15);
    for (int k = 1; k <= steps && h > 0.0; ++k) {
      trajectory.sample(h * k, state);
      for (int j = 0; j < n; ++j) {
        EXPECT_LE(std::abs(state.velocity[j]), plan.limits.velocity[j] * (1 + 1e-9) + 1e-12);
        EXPECT_LE(
          std::abs(state.acceleration[j]), plan.limits.acceleration[j] * (1 + 1e-9) + 1e-12);
        // Continuous up to the acceleration: its change is bounded by the jerk.
        EXPECT_LE(
          std::abs(state.acceleration[j] - last.acceleration[j]),
          plan.limits.jerk[j] * h * (1 + 1e-6) + 1e-7 * plan.limits.acceleration[j]);
        const double mean = 0.5 * (state.velocity[j] + last.velocity[j]);
        EXPECT_NEAR(
          state.position[j] - last.position[j], mean * h,
          plan.limits.jerk[j] * h * h * h + 1e-8 * (1.0 + std::abs(plan.goal[j])));
      }
      last = state;
    }
    trajectory.sample(trajectory.duration(), state);
    EXPECT_EQ((state.position - plan.goal).norm(), 0.0);
    EXPECT_EQ(state.velocity.norm(), 0.0);
    EXPECT_EQ(state.acceleration.norm(), 0.0);
  }
}

TEST(Trajectory, CanBeInterruptedAtAnyTime)
{
  Random random(37);
  for (int i = 0; i < samples() / 80; ++i) {
    const int n = 6;
    const Plan plan = random_plan(random, n, 4);
    Trajectory trajectory;
    ASSERT_TRUE(trajectory.plan(plan.start, plan.goal, plan.limits).has_value());
    MotionState now, after;
    trajectory.sample(random.within(0.0, 1.0) * trajectory.duration(), now);
    const JointVector other = plan.goal + random.vector(n, -1, 1);
    ASSERT_TRUE(trajectory.plan(now, other, plan.limits).has_value());
    trajectory.sample(0.0, after);
    EXPECT_EQ((after.position - now.position).norm(), 0.0);
    EXPECT_EQ((after.velocity - now.velocity).norm(), 0.0);
    EXPECT_EQ((after.acceleration - now.acceleration).norm(), 0.0);
    trajectory.sample(trajectory.duration(), after);
    EXPECT_EQ((after.position - other).norm(), 0.0);
  }
}

TEST(Trajectory, RatioSlowsItDown)
{
  Random random(38);
  Plan plan = random_plan(random, 6, 0);
  plan.start.velocity.setZero();
  plan.start.acceleration.setZero();
  plan.goal = plan.start.position + JointVector::Constant(6, 1.0);
  Trajectory full, half;
  ASSERT_TRUE(full.plan(plan.start, plan.goal, plan.limits).has_value());
  ASSERT_TRUE(half.plan(plan.start, plan.goal, plan.limits, {0.5, 0.5}).has_value());
  EXPECT_GT(half.duration(), 1.2 * full.duration());
  MotionState state;
  for (int k = 0; k <= 200; ++k) {
    half.sample(half.duration() * k / 200.0, state);
    EXPECT_TRUE((state.velocity.array().abs() <= 0.5 * plan.limits.velocity.array() + 1e-9).all());
    EXPECT_TRUE(
      (state.acceleration.array().abs() <= 0.5 * plan.limits.acceleration.array() + 1e-9).all());
  }
}

TEST(Trajectory, RefusesWhatMakesNoSense)
{
  Random random(39);
  Plan plan = random_plan(random, 3, 0);
  Trajectory trajectory;
  EXPECT_EQ(trajectory.plan(plan.start, zeros(4), plan.limits).error(), Refusal::WrongSize);
  JointVector bad = plan.goal;
  bad[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(trajectory.plan(plan.start, bad, plan.limits).error(), Refusal::NotFinite);
  MotionLimits limits = plan.limits;
  limits.jerk[2] = 0.0;
  EXPECT_EQ(trajectory.plan(plan.start, plan.goal, limits).error(), Refusal::BadLimits);
  for (const double ratio : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(
      trajectory.plan(plan.start, plan.goal, plan.limits, {ratio, 1.0}).error(), Refusal::BadRatio);
  }
  plan.start.velocity.setZero();
  plan.start.acceleration.setZero();
  ASSERT_TRUE(trajectory.plan(plan.start, plan.start.position, plan.limits).has_value());
  EXPECT_EQ(trajectory.duration(), 0.0);
}

}  // namespace
}  // namespace ambf_arms::test
