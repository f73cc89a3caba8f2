// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bullet.hpp"

namespace ambf_dynamics
{

/// An axis-aligned box by its centre and half lengths.
struct HalfBox
{
  btVector3 centre{0, 0, 0};
  btVector3 half{0, 0, 0};

  btVector3 low() const { return centre - half; }
  btVector3 high() const { return centre + half; }
};

/// Around what the box holds after it was moved.
inline HalfBox moved(const HalfBox & box, const btTransform & t)
{
  return {t(box.centre), t.getBasis().absolute() * box.half};
}

/// 0 where they overlap.
inline double squared_gap(const HalfBox & a, const HalfBox & b)
{
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double gap = std::abs(a.centre[i] - b.centre[i]) - a.half[i] - b.half[i];
    if (gap > 0.0) { sum += gap * gap; }
  }
  return sum;
}

/// Triangles in a tree of boxes. Bullet's own tree counts its visits in a global variable, so two threads
/// must not ask it at once; this one never changes.
class TriangleTree
{
public:
  using Triangle = std::array<btVector3, 3>;

  explicit TriangleTree(std::vector<Triangle> triangles);

  const std::vector<Triangle> & triangles() const { return triangles_; }

  /// Calls `look(triangle)` for triangles whose boxes are at most `limit` away from `box`, the nearer ones
  /// first by and large; `look` returns the limit from then on, below zero to stop.
  template <class Look>
  void visit(const HalfBox & box, double limit, Look && look) const
  {
    if (nodes_.empty()) { return; }
    visit(0, box, limit, look);
  }

private:
  struct Node
  {
    HalfBox box;
    std::uint32_t first = 0;  ///< of the triangles of a leaf; the left child follows its parent
    std::uint32_t count = 0;  ///< 0: an inner node
    std::uint32_t right = 0;
  };
  static constexpr std::uint32_t leaf_size = 4;

  std::uint32_t build(std::uint32_t first, std::uint32_t count);

  template <class Look>
  void visit(std::uint32_t index, const HalfBox & box, double & limit, Look & look) const
  {
    const Node & node = nodes_[index];
    if (node.count > 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count && limit >= 0.0; ++i) {
        if (squared_gap(boxes_[i], box) <= limit * limit) { limit = look(triangles_[i]); }
      }
      return;
    }
    std::uint32_t near = index + 1;
    std::uint32_t far = node.right;
    double gap_near = squared_gap(nodes_[near].box, box);
    double gap_far = squared_gap(nodes_[far].box, box);
    if (gap_far < gap_near) {
      std::swap(near, far);
      std::swap(gap_near, gap_far);
    }
    if (limit >= 0.0 && gap_near <= limit * limit) { visit(near, box, limit, look); }
    if (limit >= 0.0 && gap_far <= limit * limit) { visit(far, box, limit, look); }
  }

  std::vector<Triangle> triangles_;
  std::vector<HalfBox> boxes_;
  std::vector<Node> nodes_;
};

}  // namespace ambf_dynamics
