// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

// The planners of Munawar's thesis (WPI 2015, section 6.4) as it tells them, to read and to compare: points
// among balls, in 2 or 3 dimensions (or more), with the Euclidean distance. For arms use plan.hpp.

namespace ambf_planning
{

using Point = Eigen::VectorXd;

struct Ball
{
  Point centre;
  double radius = 0.0;
};

/// Where a point may be: in a box, outside of all balls.
struct BallWorld
{
  Point low, high;
  std::vector<Ball> balls;

  int dimension() const { return static_cast<int>(low.size()); }
  bool free(const Point & p) const;
  /// The straight segment between two points: exact, however long it is.
  bool free(const Point & from, const Point & to) const;
};

/// `count` balls with radii from `least` to `most` of the box's side, none of which holds a kept point.
BallWorld random_balls(
  int dimension, int count, double least, double most, const std::vector<Point> & keep,
  std::uint64_t seed);
/// The world of the study: the unit box, start and goal in opposite corners.
BallWorld study_world(int dimension);
Point study_start(int dimension);
Point study_goal(int dimension);

enum class BallPlanner
{
  Extend,   ///< RRT: one step of at most h towards each sample (algorithms 1 and 2)
  Connect,  ///< steps of h until something is in the way; one tree (algorithms 3 and 4)
  Lazy,     ///< a path that passes through balls first, then repairs of what collides
  Star,     ///< RRT*: the cheapest parent in a ball, then rewiring (equation 6.1)
};
const char * to_string(BallPlanner planner);

struct BallRequest
{
  Point start, goal;
  double step = 0.05;         ///< h
  double goal_radius = 0.05;  ///< of the goal region
  double goal_share = 0.05;   ///< of samples that are the goal itself
  std::size_t most_states = 20000;
  double time = 10.0;  ///< [s]
  std::uint64_t seed = 1;
  // RRT* only.
  double gamma = 2.0;         ///< of equation 6.1
  double eta = 0.2;           ///< largest radius
  bool until_states = false;  ///< go on to `most_states` after the first solution
};

struct BallPlan
{
  bool found = false;
  std::string text;           ///< why not
  std::vector<Point> path;    ///< start to goal
  std::vector<Point> states;  ///< of the tree
  std::vector<int> parents;   ///< -1: the start
  std::size_t explored = 0;   ///< states that were sampled, in all trees
  double time = 0.0;          ///< [s]
  double cost = 0.0;          ///< length of the path
};

BallPlan plan_among_balls(
  const BallWorld & world, BallPlanner planner, const BallRequest & request);

/// Equation 6.1 with the natural logarithm: radius in which RRT* looks for parents among n states.
double near_radius(std::size_t n, int dimension, double gamma, double eta);

}  // namespace ambf_planning
