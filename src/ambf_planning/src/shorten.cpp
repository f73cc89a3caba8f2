// SPDX-License-Identifier: BSD-3-Clause
#include "shorten.hpp"

#include <algorithm>

#include "path_measures.hpp"

namespace ambf_planning
{
namespace
{

/// Random cuts, and how many in vain end the search for them.
constexpr int most_cuts = 60;
constexpr int most_in_vain = 20;

double distance(const SearchContext & context, const JointVector & a, const JointVector & b)
{
  return context.weights.cwiseProduct(b - a).norm();
}

/// Corners that a straight way can leave out, the farthest first.
void drop_corners(
  const SearchContext & context, std::vector<JointVector> & path,
  const std::function<bool()> & stop)
{
  for (std::size_t i = 0; i + 2 < path.size() && !stop(); ++i) {
    for (std::size_t j = path.size() - 1; j > i + 1 && !stop(); --j) {
      if (!context.way_is_free(path[i], path[j], nullptr)) { continue; }
      path.erase(
        path.begin() + static_cast<std::ptrdiff_t>(i) + 1,
        path.begin() + static_cast<std::ptrdiff_t>(j));
      break;
    }
  }
}

struct Place
{
  std::size_t piece;
  JointVector q;
};

Place place_at(const SearchContext & context, const std::vector<JointVector> & path, double along)
{
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const double length = distance(context, path[i], path[i + 1]);
    if (along <= length || i + 2 == path.size()) {
      const double share = length > 0.0 ? std::min(1.0, along / length) : 0.0;
      return {i, context.between(path[i], path[i + 1], share)};
    }
    along -= length;
  }
  return {0, path.front()};
}

}  // namespace

void shorten(
  const SearchContext & context, std::vector<JointVector> & path,
  const std::function<bool()> & stop)
{
  drop_corners(context, path, stop);
  std::mt19937_64 random(context.seed);
  int in_vain = 0;
  for (int cut = 0; cut < most_cuts && in_vain < most_in_vain && path.size() > 2 && !stop();
       ++cut) {
    const double length = weighted_length(context, path);
    std::uniform_real_distribution<double> anywhere(0.0, length);
    const auto [first, last] = std::minmax(anywhere(random), anywhere(random));
    const Place a = place_at(context, path, first);
    const Place b = place_at(context, path, last);
    ++in_vain;
    if (a.piece == b.piece) { continue; }
    // All three pieces are new where constraints bend them.
    std::vector<JointVector> shorter(
      path.begin(), path.begin() + static_cast<std::ptrdiff_t>(a.piece) + 1);
    shorter.push_back(a.q);
    shorter.push_back(b.q);
    shorter.insert(
      shorter.end(), path.begin() + static_cast<std::ptrdiff_t>(b.piece) + 1, path.end());
    if (weighted_length(context, shorter) > 0.995 * length) { continue; }
    const bool bent = !context.constraints.empty();
    if (
      !context.way_is_free(a.q, b.q, nullptr) ||
      (bent && (!context.way_is_free(path[a.piece], a.q, nullptr) ||
                !context.way_is_free(b.q, path[b.piece + 1], nullptr)))) {
      continue;
    }
    path = std::move(shorter);
    in_vain = 0;
  }
  drop_corners(context, path, stop);
}

}  // namespace ambf_planning
