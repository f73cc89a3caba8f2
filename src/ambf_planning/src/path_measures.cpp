// SPDX-License-Identifier: BSD-3-Clause
#include "path_measures.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_planning
{
namespace
{

constexpr double clearance_limit = 0.1;  // [m]; beyond, a path is far from everything
constexpr double clearance_step = 0.05;  // in weighted joint space

}  // namespace

double weighted_length(const SearchContext & context, const std::vector<JointVector> & path)
{
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    sum += context.weights.cwiseProduct(path[i + 1] - path[i]).norm();
  }
  return sum;
}

double clearance_of(const SearchContext & context, const std::vector<JointVector> & path)
{
  double least = clearance_limit;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const JointVector & from = path[i == 0 ? 0 : i - 1];
    const double length = context.weights.cwiseProduct(path[i] - from).norm();
    const int steps = std::max(1, static_cast<int>(std::ceil(length / clearance_step)));
    for (int k = 1; k <= steps; ++k) {
      const JointVector q = context.between(from, path[i], static_cast<double>(k) / steps);
      least = std::min(least, context.checker->nearest(q, least).distance);
    }
  }
  return least;
}

double smoothness_of(const SearchContext & context, const std::vector<JointVector> & path)
{
  double sum = 0.0;
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    const Eigen::VectorXd a = context.weights.cwiseProduct(path[i] - path[i - 1]);
    const Eigen::VectorXd b = context.weights.cwiseProduct(path[i + 1] - path[i]);
    const double norms = a.norm() * b.norm();
    if (norms < 1e-12) { continue; }
    const double turn = std::acos(std::clamp(a.dot(b) / norms, -1.0, 1.0));
    sum += turn * turn;
  }
  const double length = weighted_length(context, path);
  return length > 0.0 ? sum / length : 0.0;
}

}  // namespace ambf_planning
