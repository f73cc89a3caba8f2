// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "shapes.hpp"

namespace ambf_dynamics
{
namespace
{

// Union-find over the vertices of a mesh.
struct Groups
{
  explicit Groups(std::size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0u); }
  std::uint32_t find(std::uint32_t i)
  {
    while (parent[i] != i) { i = parent[i] = parent[parent[i]]; }
    return i;
  }
  void unite(std::uint32_t a, std::uint32_t b)
  {
    a = find(a);
    b = find(b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> parent;
};

struct Part
{
  std::vector<Eigen::Vector3d> points;
  Eigen::AlignedBox3d box;
};

std::vector<Part> connected_parts(const ambf_adf::Mesh & mesh)
{
  Groups groups(mesh.unified.size());
  for (std::size_t i = 0; i + 2 < mesh.unified_triangles.size(); i += 3) {
    groups.unite(mesh.unified_triangles[i], mesh.unified_triangles[i + 1]);
    groups.unite(mesh.unified_triangles[i], mesh.unified_triangles[i + 2]);
  }
  std::vector<int> part_of(mesh.unified.size(), -1);
  std::vector<Part> parts;
  for (std::uint32_t v = 0; v < mesh.unified.size(); ++v) {
    const std::uint32_t root = groups.find(v);
    if (part_of[root] < 0) {
      part_of[root] = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    Part & part = parts[static_cast<std::size_t>(part_of[root])];
    part.points.push_back(mesh.unified[v]);
    part.box.extend(mesh.unified[v]);
  }
  return parts;
}

}  // namespace

std::vector<Eigen::Vector3d> reduced_hull(
  const std::vector<Eigen::Vector3d> & points, std::size_t max_vertices)
{
  if (points.size() <= max_vertices) { return points; }
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d & p : points) { box.extend(p); }
  // Stretch to a cube, so that flat and long shapes keep corners along all axes.
  const Eigen::Vector3d stretch = box.sizes().cwiseMax(1e-9).cwiseInverse();
  std::set<std::size_t> kept;
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (std::size_t k = 0; k < max_vertices; ++k) {
    // Fibonacci sphere.
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(max_vertices);
    const double r = std::sqrt(std::max(0.0, 1.0 - z * z));
    const double angle = golden * static_cast<double>(k);
    const Eigen::Vector3d direction =
      Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), z).cwiseProduct(stretch);
    std::size_t best = 0;
    double reach = points[0].dot(direction);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const double d = points[i].dot(direction);
      if (d > reach) {
        reach = d;
        best = i;
      }
    }
    kept.insert(best);
  }
  std::vector<Eigen::Vector3d> result;
  for (const std::size_t i : kept) { result.push_back(points[i]); }
  return result;
}

std::vector<std::vector<Eigen::Vector3d>> convex_parts(
  const ambf_adf::Mesh & mesh, std::size_t max_parts, std::size_t max_vertices)
{
  std::vector<Part> parts = connected_parts(mesh);
  std::stable_sort(parts.begin(), parts.end(), [](const Part & a, const Part & b) {
    return a.box.diagonal().norm() > b.box.diagonal().norm();
  });
  // Small parts inside a larger one's box add nothing (screws in a housing); others beyond the limit
  // join the nearest large part.
  std::vector<Part> kept;
  for (Part & part : parts) {
    const bool inside = std::any_of(
      kept.begin(), kept.end(), [&](const Part & large) { return large.box.contains(part.box); });
    if (inside) { continue; }
    if (kept.size() < max_parts) {
      kept.push_back(std::move(part));
      continue;
    }
    const auto nearest =
      std::min_element(kept.begin(), kept.end(), [&](const Part & a, const Part & b) {
        return a.box.squaredExteriorDistance(part.box.center()) <
               b.box.squaredExteriorDistance(part.box.center());
      });
    nearest->points.insert(nearest->points.end(), part.points.begin(), part.points.end());
    nearest->box.extend(part.box);
  }
  std::vector<std::vector<Eigen::Vector3d>> hulls;
  for (const Part & part : kept) { hulls.push_back(reduced_hull(part.points, max_vertices)); }
  return hulls;
}

}  // namespace ambf_dynamics
