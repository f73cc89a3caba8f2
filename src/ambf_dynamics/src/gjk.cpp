// SPDX-License-Identifier: BSD-3-Clause
#include "gjk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ambf_dynamics
{
namespace
{

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double accuracy = 1e-7;  // [m]
/// Distance of the bare shapes below which they count as overlapping [m].
constexpr double touching = 1e-11;
constexpr int most_iterations = 200;

/// A point of the difference of both shapes, and the points that it is the difference of.
struct Vertex
{
  btVector3 w, on_a, on_b;
};

/// The part of a simplex that is nearest to the origin: at most three vertices with their weights, or the
/// origin is inside of four.
struct Nearest
{
  double squared = infinite;
  btVector3 v{0, 0, 0};
  std::array<int, 3> vertices{};
  std::array<double, 3> weights{};
  int count = 0;
  bool inside = false;
};

struct Simplex
{
  std::array<Vertex, 4> vertices;
  int count = 0;

  const btVector3 & w(int i) const { return vertices[static_cast<std::size_t>(i)].w; }

  void look_at_vertex(int i, Nearest & best) const
  {
    const double squared = w(i).length2();
    if (squared < best.squared) { best = {squared, w(i), {i, 0, 0}, {1, 0, 0}, 1, false}; }
  }
  void look_at_edge(int i, int j, Nearest & best) const
  {
    const btVector3 edge = w(j) - w(i);
    const double length = edge.length2();
    const double share = -w(i).dot(edge);
    if (share <= 0.0 || share >= length) { return; }  // one of its ends is nearer
    const double t = share / length;
    const btVector3 v = w(i) + t * edge;
    const double squared = v.length2();
    if (squared < best.squared) { best = {squared, v, {i, j, 0}, {1 - t, t, 0}, 2, false}; }
  }
  void look_at_triangle(int i, int j, int k, Nearest & best) const
  {
    const btVector3 e = w(j) - w(i);
    const btVector3 f = w(k) - w(i);
    const btVector3 normal = e.cross(f);
    const double area = normal.length2();
    if (area <= 0.0) { return; }
    // Weights of the origin's foot in the plane.
    const double u = f.cross(w(i)).dot(normal) / area;
    const double s = w(i).cross(e).dot(normal) / area;
    if (u <= 0.0 || s <= 0.0 || u + s >= 1.0) { return; }
    const btVector3 v = normal * (w(i).dot(normal) / area);
    const double squared = v.length2();
    if (squared < best.squared) { best = {squared, v, {i, j, k}, {1 - u - s, u, s}, 3, false}; }
  }
  bool is_origin_inside() const
  {
    // On the same side of each face as the vertex across from it.
    for (const auto & [i, j, k, across] :
         {std::array{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}) {
      const btVector3 normal = (w(j) - w(i)).cross(w(k) - w(i));
      const double height = normal.dot(w(across) - w(i));
      const double origin = -normal.dot(w(i));
      if (height * origin <= 0.0) { return false; }
    }
    return true;
  }
  /// Every vertex, edge and face is looked at: fifteen at most, and no case is left out by rounding.
  Nearest nearest() const
  {
    Nearest best;
    if (count == 4 && is_origin_inside()) {
      best.inside = true;
      return best;
    }
    for (int i = 0; i < count; ++i) {
      look_at_vertex(i, best);
      for (int j = i + 1; j < count; ++j) {
        look_at_edge(i, j, best);
        for (int k = j + 1; k < count; ++k) { look_at_triangle(i, j, k, best); }
      }
    }
    return best;
  }
  void reduce_to(const Nearest & part)
  {
    std::array<Vertex, 4> kept;
    for (int i = 0; i < part.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      kept[at] = vertices[static_cast<std::size_t>(part.vertices[at])];
    }
    vertices = kept;
    count = part.count;
  }
  bool has(const btVector3 & point) const
  {
    for (int i = 0; i < count; ++i) {
      if (w(i) == point) { return true; }
    }
    return false;
  }
};

}  // namespace

CoreDistance core_distance(
  const btConvexShape & a, const btTransform & t_a, const btConvexShape & b,
  const btTransform & t_b, double limit, double enough)
{
  const auto support = [&](const btVector3 & direction) {
    Vertex out;
    out.on_a = t_a * a.localGetSupportVertexWithoutMarginNonVirtual(direction * t_a.getBasis());
    out.on_b = t_b * b.localGetSupportVertexWithoutMarginNonVirtual(-direction * t_b.getBasis());
    out.w = out.on_a - out.on_b;
    return out;
  };
  CoreDistance out;
  btVector3 v = t_a.getOrigin() - t_b.getOrigin();
  if (v.length2() < 1e-20) { v = btVector3(1, 0, 0); }
  Simplex simplex;
  simplex.vertices[0] = support(-v);
  simplex.count = 1;
  Nearest part = simplex.nearest();
  double bound = 0.0;
  for (int i = 0; i < most_iterations; ++i) {
    v = part.v;
    const double distance = std::sqrt(part.squared);
    if (part.inside || distance < touching) {
      out.kind = CoreDistance::Kind::Overlap;
      return out;
    }
    if (distance < enough) { break; }
    const Vertex next = support(-v);
    bound = std::max(bound, v.dot(next.w) / distance);
    if (bound > limit) { return out; }
    if (distance - bound <= accuracy || simplex.has(next.w)) { break; }
    Simplex larger = simplex;
    larger.vertices[static_cast<std::size_t>(larger.count++)] = next;
    const Nearest nearer = larger.nearest();
    if (!nearer.inside && !(nearer.squared < part.squared)) { break; }  // rounding
    if (!nearer.inside) { larger.reduce_to(nearer); }
    simplex = larger;
    part = nearer;
    if (!part.inside) {
      // The vertices that are left are counted from 0.
      for (int k = 0; k < part.count; ++k) { part.vertices[static_cast<std::size_t>(k)] = k; }
    }
  }
  if (part.inside || part.squared < touching * touching) {
    out.kind = CoreDistance::Kind::Overlap;
    return out;
  }
  out.kind = CoreDistance::Kind::Apart;
  out.distance = std::sqrt(part.squared);
  for (int k = 0; k < part.count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Vertex & vertex = simplex.vertices[static_cast<std::size_t>(part.vertices[at])];
    out.on_a += part.weights[at] * vertex.on_a;
    out.on_b += part.weights[at] * vertex.on_b;
  }
  return out;
}

}  // namespace ambf_dynamics
