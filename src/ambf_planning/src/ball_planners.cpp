// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/ball_planners.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

namespace ambf_planning
{
namespace
{

/// States and the edges between them.
struct Tree
{
  std::vector<Point> states;
  std::vector<int> parents;
  std::vector<double> costs;

  explicit Tree(const Point & start) { add(start, -1); }
  int add(const Point & q, int parent)
  {
    const auto from = static_cast<std::size_t>(parent);
    costs.push_back(parent < 0 ? 0.0 : costs[from] + (q - states[from]).norm());
    states.push_back(q);
    parents.push_back(parent);
    return static_cast<int>(states.size()) - 1;
  }
  int nearest(const Point & q) const
  {
    const auto at =
      std::min_element(states.begin(), states.end(), [&](const auto & a, const auto & b) {
        return (a - q).squaredNorm() < (b - q).squaredNorm();
      });
    return static_cast<int>(at - states.begin());
  }
  const Point & at(int i) const { return states[static_cast<std::size_t>(i)]; }
  std::vector<Point> path_to(int state) const
  {
    std::vector<Point> out;
    for (int i = state; i >= 0; i = parents[static_cast<std::size_t>(i)]) { out.push_back(at(i)); }
    std::reverse(out.begin(), out.end());
    return out;
  }
};

/// Algorithm 2: a step of at most h towards q_rand.
Point extend(const Point & q_nn, const Point & q_rand, double h)
{
  const Point way = q_rand - q_nn;
  const double distance = way.norm();
  return distance > h ? Point(q_nn + way * (h / distance)) : q_rand;
}

class Planner
{
public:
  Planner(const BallWorld & world, const BallRequest & request)
  : world_(world), request_(request), random_(request.seed)
  {
  }

  BallPlan run(BallPlanner planner)
  {
    Tree tree(request_.start);
    int end = -1;
    switch (planner) {
      case BallPlanner::Extend:
        end = grow(tree, request_.goal, request_.goal_radius, true);
        break;
      case BallPlanner::Connect:
        end = connect(tree);
        break;
      case BallPlanner::Lazy:
        lazy(tree);
        break;
      case BallPlanner::Star:
        end = star(tree);
        break;
    }
    if (end >= 0) {
      plan_.path = tree.path_to(end);
      plan_.found = true;
    }
    plan_.explored = explored_;
    plan_.time = elapsed();
    for (std::size_t i = 1; i < plan_.path.size(); ++i) {
      plan_.cost += (plan_.path[i] - plan_.path[i - 1]).norm();
    }
    if (!plan_.found) { plan_.text = "no path within the time and the states of the request"; }
    plan_.states = std::move(tree.states);
    plan_.parents = std::move(tree.parents);
    return std::move(plan_);
  }

private:
  double elapsed() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  /// The planner termination condition: asked after every sample.
  bool over() const { return elapsed() > request_.time || explored_ >= request_.most_states; }

  Point sample(const Point & goal)
  {
    ++explored_;
    std::uniform_real_distribution<double> share(0.0, 1.0);
    if (share(random_) < request_.goal_share) { return goal; }
    Point q(world_.dimension());
    for (int i = 0; i < q.size(); ++i) {
      q[i] = std::uniform_real_distribution<double>(world_.low[i], world_.high[i])(random_);
    }
    return q;
  }

  /// Algorithm 1, RRT-Extend. The state that is within `radius` of the goal, or -1. Without `validate` balls
  /// are passed through.
  int grow(Tree & tree, const Point & goal, double radius, bool validate)
  {
    for (;;) {
      const Point q_rand = sample(goal);
      const int nn = tree.nearest(q_rand);
      const Point q_new = extend(tree.at(nn), q_rand, request_.step);
      if (!validate || world_.free(tree.at(nn), q_new)) {
        const int added = tree.add(q_new, nn);
        if ((q_new - goal).norm() <= radius) { return added; }
      }
      if (over()) { return -1; }
    }
  }

  /// Algorithms 3 and 4: steps of h towards each sample, until something is in the way.
  int connect(Tree & tree)
  {
    while (!over()) {
      const Point q_rand = sample(request_.goal);
      int seed = tree.nearest(q_rand);
      for (bool arrived = false; !arrived;) {
        const Point q_new = extend(tree.at(seed), q_rand, request_.step);
        arrived = q_new == q_rand;
        if (!world_.free(tree.at(seed), q_new)) { break; }
        seed = tree.add(q_new, seed);
        if (!arrived) { ++explored_; }
        if ((q_new - request_.goal).norm() <= request_.goal_radius) { return seed; }
        if (over()) { return -1; }
      }
    }
    return -1;
  }

  /// A path through everything, then each piece of it that collides is found anew with RRT-Extend.
  void lazy(Tree & tree)
  {
    const int end = grow(tree, request_.goal, request_.goal_radius, false);
    if (end < 0) { return; }
    std::vector<Point> first = tree.path_to(end);
    // The goal region may reach into a ball; the goal itself does not.
    if (!world_.free(first.back())) { first.push_back(request_.goal); }
    std::vector<Point> path{first.front()};
    std::size_t i = 0;
    while (i + 1 < first.size()) {
      // A state inside a ball is no start of a repair: the piece ends at the next one that is free.
      std::size_t next = i + 1;
      while (next + 1 < first.size() && !world_.free(first[next])) { ++next; }
      if (next == i + 1 && world_.free(first[i], first[next])) {
        path.push_back(first[next]);
      } else {
        Tree repair(first[i]);
        // Exactly to the state, as the path goes on from there.
        const int at = grow(repair, first[next], 1e-12, true);
        if (at < 0) { return; }
        const auto piece = repair.path_to(at);
        path.insert(path.end(), piece.begin() + 1, piece.end());
      }
      i = next;
    }
    plan_.path = std::move(path);
    plan_.found = true;
  }

  int star(Tree & tree)
  {
    std::vector<int> in_goal;
    while (!over() && (in_goal.empty() || request_.until_states)) {
      const Point q_rand = sample(request_.goal);
      const int nn = tree.nearest(q_rand);
      const Point q_new = extend(tree.at(nn), q_rand, request_.step);
      if (!world_.free(tree.at(nn), q_new) || q_new == tree.at(nn)) { continue; }
      const double radius =
        near_radius(tree.states.size(), world_.dimension(), request_.gamma, request_.eta);
      std::vector<int> near;
      for (int i = 0; i < static_cast<int>(tree.states.size()); ++i) {
        if ((tree.at(i) - q_new).norm() <= radius) { near.push_back(i); }
      }
      const auto cost = [&](int from) {
        return tree.costs[static_cast<std::size_t>(from)] + (q_new - tree.at(from)).norm();
      };
      int best = nn;
      for (const int i : near) {
        if (cost(i) < cost(best) && world_.free(tree.at(i), q_new)) { best = i; }
      }
      const int added = tree.add(q_new, best);
      for (const int i : near) { rewire(tree, added, i); }
      if ((q_new - request_.goal).norm() <= request_.goal_radius) { in_goal.push_back(added); }
    }
    const auto cheapest = std::min_element(in_goal.begin(), in_goal.end(), [&](int a, int b) {
      return tree.costs[static_cast<std::size_t>(a)] < tree.costs[static_cast<std::size_t>(b)];
    });
    return cheapest == in_goal.end() ? -1 : *cheapest;
  }

  /// A cheaper way to `state` over `over` takes the place of its old one. The thesis prints no collision check
  /// here; without it edges would pass through balls.
  void rewire(Tree & tree, int over, int state)
  {
    const auto i = static_cast<std::size_t>(state);
    const double cost =
      tree.costs[static_cast<std::size_t>(over)] + (tree.at(over) - tree.at(state)).norm();
    if (cost >= tree.costs[i] || !world_.free(tree.at(over), tree.at(state))) { return; }
    const double saved = tree.costs[i] - cost;
    tree.parents[i] = over;
    // What hangs on it becomes cheaper, too.
    std::vector<int> cheaper{state};
    while (!cheaper.empty()) {
      const int parent = cheaper.back();
      cheaper.pop_back();
      tree.costs[static_cast<std::size_t>(parent)] -= saved;
      for (int k = 0; k < static_cast<int>(tree.parents.size()); ++k) {
        if (tree.parents[static_cast<std::size_t>(k)] == parent) { cheaper.push_back(k); }
      }
    }
  }

  const BallWorld & world_;
  const BallRequest & request_;
  std::mt19937_64 random_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t explored_ = 0;
  BallPlan plan_;
};

std::string problem_of(const BallWorld & world, const BallRequest & request)
{
  const auto inside = [&](const Point & p) {
    return p.size() == world.low.size() && p.allFinite();
  };
  if (world.dimension() < 1 || world.low.size() != world.high.size()) {
    return "the world needs a box of at least one dimension";
  }
  if (!inside(request.start) || !inside(request.goal)) {
    return "start and goal need " + std::to_string(world.dimension()) + " finite numbers each";
  }
  if (!(request.step > 0.0) || !(request.goal_radius >= 0.0)) {
    return "the step must be above 0 and the goal's radius not below it";
  }
  if (!world.free(request.start)) { return "the start is in a ball or outside of the box"; }
  if (!world.free(request.goal)) { return "the goal is in a ball or outside of the box"; }
  return {};
}

}  // namespace

const char * to_string(BallPlanner planner)
{
  switch (planner) {
    case BallPlanner::Extend:
      return "RRT-Extend";
    case BallPlanner::Connect:
      return "RRT-Connect";
    case BallPlanner::Lazy:
      return "Lazy RRT";
    case BallPlanner::Star:
      return "RRT*";
  }
  return "unknown";
}

double near_radius(std::size_t n, int dimension, double gamma, double eta)
{
  if (n < 2) { return eta; }
  const double d = dimension;
  const double unit_ball = std::pow(std::numbers::pi, d / 2.0) / std::tgamma(d / 2.0 + 1.0);
  const double count = static_cast<double>(n);
  return std::min(std::pow(gamma * std::log(count) / (unit_ball * count), 1.0 / d), eta);
}

BallPlan plan_among_balls(const BallWorld & world, BallPlanner planner, const BallRequest & request)
{
  BallPlan refused;
  refused.text = problem_of(world, request);
  if (!refused.text.empty()) { return refused; }
  return Planner(world, request).run(planner);
}

}  // namespace ambf_planning
