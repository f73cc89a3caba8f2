// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <Eigen/Eigenvalues>

#include "ambf_adf/mesh.hpp"

namespace ambf_adf
{
namespace
{

/// Integrals over the solid: volume, first and second moments.
struct Moments
{
  double volume = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
};

/// Sum of signed tetrahedra (o, a, b, c). With D = det(a, b, c) and S = a + b + c a tetrahedron has
/// volume D/6, first moment D/24 S and second moment D/120 (a a' + b b' + c c' + S S').
Moments moments(const Mesh & mesh)
{
  Moments m;
  if (mesh.unified.empty()) { return m; }
  // A nearby origin keeps the differences of large numbers small.
  const Eigen::Vector3d origin = mesh.bounds.center();
  for (std::size_t i = 0; i + 2 < mesh.unified_triangles.size(); i += 3) {
    const Eigen::Vector3d a = mesh.unified[mesh.unified_triangles[i]] - origin;
    const Eigen::Vector3d b = mesh.unified[mesh.unified_triangles[i + 1]] - origin;
    const Eigen::Vector3d c = mesh.unified[mesh.unified_triangles[i + 2]] - origin;
    const double det = a.dot(b.cross(c));
    const Eigen::Vector3d sum = a + b + c;
    m.volume += det / 6.0;
    m.first += det / 24.0 * sum;
    m.second += det / 120.0 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  return m;
}

}  // namespace

bool is_closed(const Mesh & mesh)
{
  std::unordered_map<std::uint64_t, int> edges;
  for (std::size_t i = 0; i + 2 < mesh.unified_triangles.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t from = mesh.unified_triangles[i + k];
      const std::uint64_t to = mesh.unified_triangles[i + (k + 1) % 3];
      // Counts runs from the smaller to the larger vertex up and the others down.
      edges[(std::min(from, to) << 32) | std::max(from, to)] += from < to ? 1 : -1;
    }
  }
  return !edges.empty() &&
         std::all_of(edges.begin(), edges.end(), [](const auto & e) { return e.second == 0; });
}

expected<MassProperties, MeshError> mass_properties(const Mesh & mesh, double density, double scale)
{
  if (!(density > 0.0) || !(scale > 0.0)) {
    return unexpected(MeshError{"", "density and scale must be above 0"});
  }
  if (!is_closed(mesh)) {
    return unexpected(MeshError{"", "the mesh is open: its volume is not defined"});
  }
  Moments m = moments(mesh);
  if (m.volume < 0.0) {
    m.volume = -m.volume;
    m.first = -m.first;
    m.second = -m.second;
  }
  const double size = mesh.bounds.diagonal().norm();
  if (!(m.volume > 1e-12 * size * size * size)) {
    return unexpected(MeshError{"", "the mesh encloses no volume"});
  }
  const Eigen::Vector3d center = m.first / m.volume;
  const Eigen::Matrix3d about_center = m.second - m.volume * center * center.transpose();
  MassProperties result;
  const double scale3 = scale * scale * scale;
  result.volume = m.volume * scale3;
  result.mass = density * result.volume;
  result.center_of_mass = scale * (mesh.bounds.center() + center);
  result.inertia = density * scale3 * scale * scale *
                   (about_center.trace() * Eigen::Matrix3d::Identity() - about_center);
  return result;
}

PrincipalInertia principal(const Eigen::Matrix3d & inertia)
{
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia);
  PrincipalInertia result{solver.eigenvalues(), solver.eigenvectors()};
  if (result.rotation.determinant() < 0.0) { result.rotation.col(2) = -result.rotation.col(2); }
  return result;
}

}  // namespace ambf_adf
