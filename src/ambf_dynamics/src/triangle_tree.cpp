// SPDX-License-Identifier: BSD-3-Clause
#include "triangle_tree.hpp"

#include <algorithm>
#include <numeric>

namespace ambf_dynamics
{
namespace
{

HalfBox around(const TriangleTree::Triangle & t)
{
  btVector3 low = t[0];
  btVector3 high = t[0];
  for (const btVector3 & p : {t[1], t[2]}) {
    low.setMin(p);
    high.setMax(p);
  }
  return {(low + high) * 0.5, (high - low) * 0.5};
}

}  // namespace

TriangleTree::TriangleTree(std::vector<Triangle> triangles) : triangles_(std::move(triangles))
{
  boxes_.reserve(triangles_.size());
  for (const Triangle & t : triangles_) { boxes_.push_back(around(t)); }
  if (!triangles_.empty()) { build(0, static_cast<std::uint32_t>(triangles_.size())); }
}

std::uint32_t TriangleTree::build(std::uint32_t first, std::uint32_t count)
{
  btVector3 low = boxes_[first].low();
  btVector3 high = boxes_[first].high();
  for (std::uint32_t i = first; i < first + count; ++i) {
    low.setMin(boxes_[i].low());
    high.setMax(boxes_[i].high());
  }
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({{(low + high) * 0.5, (high - low) * 0.5}, first, count, 0});
  if (count <= leaf_size) { return index; }
  // Half of them on each side of the middle one along the longest side.
  const int axis = (high - low).maxAxis();
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), first);
  const std::uint32_t half = count / 2;
  std::nth_element(order.begin(), order.begin() + half, order.end(), [&](auto a, auto b) {
    const double x = boxes_[a].centre[axis];
    const double y = boxes_[b].centre[axis];
    return x != y ? x < y : a < b;
  });
  std::vector<Triangle> triangles;
  std::vector<HalfBox> boxes;
  for (const std::uint32_t i : order) {
    triangles.push_back(triangles_[i]);
    boxes.push_back(boxes_[i]);
  }
  std::copy(triangles.begin(), triangles.end(), triangles_.begin() + first);
  std::copy(boxes.begin(), boxes.end(), boxes_.begin() + first);
  build(first, half);
  const std::uint32_t right = build(first + half, count - half);
  nodes_[index].count = 0;
  nodes_[index].right = right;
  return index;
}

}  // namespace ambf_dynamics
