// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <random>

#include "ambf_planning/ball_planners.hpp"

namespace ambf_planning
{
namespace
{

double distance_to_segment(const Point & p, const Point & from, const Point & to)
{
  const Point way = to - from;
  const double length = way.squaredNorm();
  const double share = length > 0.0 ? std::clamp((p - from).dot(way) / length, 0.0, 1.0) : 0.0;
  return (from + share * way - p).norm();
}

}  // namespace

bool BallWorld::free(const Point & p) const
{
  if ((p.array() < low.array()).any() || (p.array() > high.array()).any()) { return false; }
  return std::none_of(balls.begin(), balls.end(), [&](const Ball & ball) {
    return (p - ball.centre).norm() <= ball.radius;
  });
}

bool BallWorld::free(const Point & from, const Point & to) const
{
  if (!free(from) || !free(to)) { return false; }
  return std::none_of(balls.begin(), balls.end(), [&](const Ball & ball) {
    return distance_to_segment(ball.centre, from, to) <= ball.radius;
  });
}

BallWorld random_balls(
  int dimension, int count, double least, double most, const std::vector<Point> & keep,
  std::uint64_t seed)
{
  BallWorld world{Point::Zero(dimension), Point::Ones(dimension), {}};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(0.0, 1.0);
  std::uniform_real_distribution<double> size(least, most);
  // Balls that would hold a kept point are drawn anew, as often as a crowded box allows.
  for (int tries = 0; static_cast<int>(world.balls.size()) < count && tries < 100 * count;
       ++tries) {
    Ball ball{Point(dimension), size(random)};
    for (int i = 0; i < dimension; ++i) { ball.centre[i] = place(random); }
    const bool holds = std::any_of(keep.begin(), keep.end(), [&](const Point & p) {
      return (p - ball.centre).norm() <= ball.radius;
    });
    if (!holds) { world.balls.push_back(std::move(ball)); }
  }
  return world;
}

Point study_start(int dimension) { return Point::Constant(dimension, 0.05); }
Point study_goal(int dimension) { return Point::Constant(dimension, 0.95); }

BallWorld study_world(int dimension)
{
  // A ball in the middle, and one at either side of it that leaves a gap.
  BallWorld world{Point::Zero(dimension), Point::Ones(dimension), {}};
  Point side = Point::Constant(dimension, 0.25);
  side[0] = 0.75;
  world.balls.push_back({Point::Constant(dimension, 0.5), 0.18});
  world.balls.push_back({side, 0.12});
  world.balls.push_back({Point::Ones(dimension) - side, 0.12});
  return world;
}

}  // namespace ambf_planning
