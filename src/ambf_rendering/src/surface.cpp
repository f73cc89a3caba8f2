// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/surface.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include <Eigen/Geometry>

namespace ambf_rendering
{

namespace
{

using Eigen::Vector2f;
using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr int kSegments = 48;

/// Angle of a triangle at its first corner.
float angle_at(const Vector3f & a, const Vector3f & b, const Vector3f & c)
{
  const Vector3f u = b - a, v = c - a;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

/// One normal per corner of the triangles.
std::vector<Vector3f> corner_normals(const ambf_adf::Mesh & mesh)
{
  const std::size_t corners = mesh.triangles.size();
  const auto place = [&](std::size_t corner) -> const Vector3f & {
    return mesh.vertices[mesh.triangles[corner]];
  };
  std::vector<Vector3f> faces(corners / 3);
  std::vector<std::vector<std::uint32_t>> around(mesh.unified.size());
  for (std::size_t t = 0; t < faces.size(); ++t) {
    const Vector3f n = (place(3 * t + 1) - place(3 * t)).cross(place(3 * t + 2) - place(3 * t));
    const float length = n.norm();
    faces[t] = length > 0.0F ? Vector3f(n / length) : Vector3f::UnitZ();
    for (std::size_t k = 0; k < 3; ++k) {
      around[mesh.to_unified[mesh.triangles[3 * t + k]]].push_back(
        static_cast<std::uint32_t>(3 * t + k));
    }
  }
  const float least = static_cast<float>(std::cos(kCreaseAngle));
  std::vector<Vector3f> normals(corners);
  for (std::size_t corner = 0; corner < corners; ++corner) {
    const Vector3f & own = faces[corner / 3];
    Vector3f sum = Vector3f::Zero();
    for (const std::uint32_t other : around[mesh.to_unified[mesh.triangles[corner]]]) {
      const Vector3f & face = faces[other / 3];
      if (own.dot(face) < least) { continue; }
      const std::size_t t = other / 3, k = other % 3;
      sum += face * angle_at(place(other), place(3 * t + (k + 1) % 3), place(3 * t + (k + 2) % 3));
    }
    normals[corner] = sum.norm() > 1e-6F ? Vector3f(sum.normalized()) : own;
  }
  return normals;
}

/// Collects vertices, equal ones once.
class Collector
{
public:
  explicit Collector(Surface & out) : out_(out) {}

  void corner(const Vector3f & position, const Vector3f & normal, const Vector2f & uv)
  {
    // Normals that differ by less than a thousandth look the same.
    const auto q = [](float v) { return static_cast<int>(std::lround(v * 1000.0F)); };
    const Key key{position.x(),  position.y(),  position.z(), q(normal.x()),
                  q(normal.y()), q(normal.z()), uv.x(),       uv.y()};
    const auto [it, fresh] =
      seen_.try_emplace(key, static_cast<std::uint32_t>(out_.positions.size()));
    if (fresh) {
      out_.positions.push_back(position);
      out_.normals.push_back(normal);
      out_.texture_coordinates.push_back(uv);
    }
    out_.triangles.push_back(it->second);
  }

private:
  using Key = std::tuple<float, float, float, int, int, int, float, float>;
  Surface & out_;
  std::map<Key, std::uint32_t> seen_;
};

void close_part(Surface & surface)
{
  surface.parts = {{0, static_cast<std::uint32_t>(surface.triangles.size() / 3), 0}};
}

/// A point of a profile that is turned about z: radius, height, and its normal in that plane.
struct ProfilePoint
{
  double radius, z, normal_radius, normal_z;
};

/// Turns a profile about z. Neighbours with different normals at one place make an edge.
Surface revolve(const std::vector<ProfilePoint> & profile)
{
  Surface surface;
  constexpr std::uint32_t columns = kSegments + 1;
  for (std::size_t row = 0; row < profile.size(); ++row) {
    const ProfilePoint & p = profile[row];
    for (int k = 0; k <= kSegments; ++k) {
      const double phi = 2.0 * std::numbers::pi * (k % kSegments) / kSegments;
      const double c = std::cos(phi), s = std::sin(phi);
      surface.positions.push_back(Vector3d(p.radius * c, p.radius * s, p.z).cast<float>());
      surface.normals.push_back(
        Vector3d(p.normal_radius * c, p.normal_radius * s, p.normal_z).normalized().cast<float>());
      surface.texture_coordinates.emplace_back(
        static_cast<float>(k) / kSegments,
        static_cast<float>(row) / static_cast<float>(profile.size() - 1));
    }
  }
  for (std::uint32_t row = 0; row + 1 < profile.size(); ++row) {
    const bool degenerate =
      profile[row].radius == profile[row + 1].radius && profile[row].z == profile[row + 1].z;
    if (degenerate) { continue; }
    for (std::uint32_t k = 0; k < kSegments; ++k) {
      const std::uint32_t a = row * columns + k, b = a + 1, c = a + columns, d = c + 1;
      surface.triangles.insert(surface.triangles.end(), {a, b, d, a, d, c});
    }
  }
  close_part(surface);
  return surface;
}

/// Maps z of the shape to the given axis, keeping it right-handed.
void turn(Surface & surface, ambf_adf::Axis axis)
{
  const auto map = [axis](Vector3f & v) {
    if (axis == ambf_adf::Axis::X) { v = Vector3f(v.z(), v.x(), v.y()); }
    if (axis == ambf_adf::Axis::Y) { v = Vector3f(v.y(), v.z(), v.x()); }
  };
  for (auto & v : surface.positions) { map(v); }
  for (auto & v : surface.normals) { map(v); }
}

Surface box(const Vector3d & size)
{
  Surface surface;
  Collector collect(surface);
  const Vector3f half = (0.5 * size).cast<float>();
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0F, 1.0F}) {
      Vector3f normal = Vector3f::Zero();
      normal[axis] = side;
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::array<Vector3f, 4> corners;
      const std::array<Vector2f, 4> uv{
        Vector2f(0, 0), Vector2f(1, 0), Vector2f(1, 1), Vector2f(0, 1)};
      for (std::size_t k = 0; k < 4; ++k) {
        corners[k][axis] = side * half[axis];
        corners[k][u] = (2.0F * uv[k].x() - 1.0F) * half[u];
        corners[k][v] = (2.0F * uv[k].y() - 1.0F) * half[v];
      }
      for (const std::size_t k : {0U, 1U, 2U, 0U, 2U, 3U}) {
        collect.corner(corners[k], normal, uv[k]);
      }
    }
  }
  close_part(surface);
  return surface;
}

std::vector<ProfilePoint> cap(double radius, double centre, double from, double to, int rings)
{
  std::vector<ProfilePoint> points;
  for (int k = 0; k <= rings; ++k) {
    const double a = from + (to - from) * k / rings;
    points.push_back(
      {radius * std::cos(a), centre + radius * std::sin(a), std::cos(a), std::sin(a)});
  }
  return points;
}

struct Build
{
  Surface operator()(const ambf_adf::Box & s) const { return box(s.size); }
  Surface operator()(const ambf_adf::Sphere & s) const
  {
    return revolve(cap(s.radius, 0.0, -std::numbers::pi / 2, std::numbers::pi / 2, kSegments / 2));
  }
  Surface operator()(const ambf_adf::Cylinder & s) const
  {
    const double h = 0.5 * s.height, r = s.radius;
    auto surface = revolve(
      {{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, 1, 0}, {r, h, 1, 0}, {r, h, 0, 1}, {0, h, 0, 1}});
    turn(surface, s.axis);
    return surface;
  }
  Surface operator()(const ambf_adf::Capsule & s) const
  {
    const double h = std::max(0.0, 0.5 * s.height - s.radius);
    auto profile = cap(s.radius, -h, -std::numbers::pi / 2, 0.0, kSegments / 4);
    const auto upper = cap(s.radius, h, 0.0, std::numbers::pi / 2, kSegments / 4);
    profile.insert(profile.end(), upper.begin(), upper.end());
    auto surface = revolve(profile);
    turn(surface, s.axis);
    return surface;
  }
  Surface operator()(const ambf_adf::Cone & s) const
  {
    const double h = 0.5 * s.height, r = s.radius;
    auto surface =
      revolve({{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, s.height, r}, {0, h, s.height, r}});
    turn(surface, s.axis);
    return surface;
  }
  Surface operator()(const ambf_adf::Plane & s) const
  {
    Surface surface;
    Collector collect(surface);
    const Vector3d n = s.normal.normalized();
    const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
    const Vector3d foot = s.offset * n;
    constexpr double half = kPlaneSize / 2;
    for (const auto & [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}}) {
      collect.corner(
        (foot + half * (x * u + y * v)).cast<float>(), n.cast<float>(),
        Vector2f(static_cast<float>(x), static_cast<float>(y)) * static_cast<float>(half));
    }
    close_part(surface);
    return surface;
  }
  Surface operator()(const ambf_adf::MeshPart &) const { return {}; }  // made of its file
};

}  // namespace

Surface to_surface(const ambf_adf::Mesh & mesh)
{
  Surface surface;
  Collector collect(surface);
  const bool has_normals = mesh.normals.size() == mesh.vertices.size();
  const bool has_uv = mesh.texture_coordinates.size() == mesh.vertices.size();
  const auto computed = has_normals ? std::vector<Vector3f>{} : corner_normals(mesh);
  for (std::size_t corner = 0; corner < mesh.triangles.size(); ++corner) {
    const std::uint32_t vertex = mesh.triangles[corner];
    collect.corner(
      mesh.vertices[vertex], has_normals ? mesh.normals[vertex] : computed[corner],
      has_uv ? mesh.texture_coordinates[vertex] : Vector2f(0, 0));
  }
  for (const auto & part : mesh.parts) {
    if (part.triangle_count > 0) {
      surface.parts.push_back({part.first_triangle, part.triangle_count, part.material});
    }
  }
  return surface;
}

Surface to_surface(const ambf_adf::Primitive & shape) { return std::visit(Build{}, shape); }

Surface placeholder()
{
  Surface surface;
  for (const Vector3d & size :
       {Vector3d(1.0, 0.2, 0.2), Vector3d(0.2, 1.0, 0.2), Vector3d(0.2, 0.2, 1.0)}) {
    const Surface arm = box(size);
    const auto base = static_cast<std::uint32_t>(surface.positions.size());
    surface.positions.insert(surface.positions.end(), arm.positions.begin(), arm.positions.end());
    surface.normals.insert(surface.normals.end(), arm.normals.begin(), arm.normals.end());
    surface.texture_coordinates.insert(
      surface.texture_coordinates.end(), arm.texture_coordinates.begin(),
      arm.texture_coordinates.end());
    for (const std::uint32_t index : arm.triangles) { surface.triangles.push_back(base + index); }
  }
  close_part(surface);
  return surface;
}

}  // namespace ambf_rendering
