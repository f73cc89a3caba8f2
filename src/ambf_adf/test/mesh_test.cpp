// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/mesh.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

using namespace ambf_adf;
using Eigen::Vector3d;

namespace
{

namespace fs = std::filesystem;

/// A folder that goes away with the test.
struct Folder
{
  Folder() : path(fs::temp_directory_path() / ("ambf_adf_mesh_" + std::to_string(::getpid())))
  {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path write(const std::string & name, const std::string & text) const
  {
    std::ofstream(path / name, std::ios::binary) << text;
    return path / name;
  }
  fs::path path;
};

struct Shape
{
  std::vector<Vector3d> points;
  std::vector<std::array<std::size_t, 3>> faces;
};

std::string to_stl(const Shape & shape)
{
  std::ostringstream out;
  out.precision(9);
  out << "solid s\n";
  for (const auto & f : shape.faces) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const auto i : f) { out << "vertex " << shape.points[i].transpose() << "\n"; }
    out << "endloop\nendfacet\n";
  }
  out << "endsolid s\n";
  return out.str();
}

std::string to_obj(const Shape & shape)
{
  std::ostringstream out;
  out.precision(9);
  for (const auto & p : shape.points) { out << "v " << p.transpose() << "\n"; }
  for (const auto & f : shape.faces) {
    out << "f " << f[0] + 1 << " " << f[1] + 1 << " " << f[2] + 1 << "\n";
  }
  return out.str();
}

std::string to_ply(const Shape & shape)
{
  std::ostringstream out;
  out.precision(9);
  out << "ply\nformat ascii 1.0\nelement vertex " << shape.points.size()
      << "\nproperty float x\nproperty float y\nproperty float z\nelement face "
      << shape.faces.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const auto & p : shape.points) { out << p.transpose() << "\n"; }
  for (const auto & f : shape.faces) { out << "3 " << f[0] << " " << f[1] << " " << f[2] << "\n"; }
  return out.str();
}

Shape box(const Vector3d & size, const Vector3d & center)
{
  Shape s;
  for (int i = 0; i < 8; ++i) {
    s.points.push_back(
      center +
      Vector3d(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5).cwiseProduct(size));
  }
  s.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
             {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return s;
}

/// A body of revolution about z given by (radius, height) from pole to pole.
Shape revolve(const std::vector<std::pair<double, double>> & profile, std::size_t n)
{
  Shape s;
  s.points.emplace_back(0, 0, profile.front().second);
  for (std::size_t k = 1; k + 1 < profile.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const double a = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
      s.points.emplace_back(
        profile[k].first * std::cos(a), profile[k].first * std::sin(a), profile[k].second);
    }
  }
  s.points.emplace_back(0, 0, profile.back().second);
  const std::size_t rings = profile.size() - 2, last = s.points.size() - 1;
  const auto at = [&](std::size_t ring, std::size_t i) { return 1 + ring * n + i % n; };
  for (std::size_t i = 0; i < n; ++i) {
    s.faces.push_back({0, at(0, i + 1), at(0, i)});
    for (std::size_t r = 0; r + 1 < rings; ++r) {
      s.faces.push_back({at(r, i), at(r, i + 1), at(r + 1, i)});
      s.faces.push_back({at(r, i + 1), at(r + 1, i + 1), at(r + 1, i)});
    }
    s.faces.push_back({at(rings - 1, i), at(rings - 1, i + 1), last});
  }
  return s;
}

Mesh load(const fs::path & file)
{
  auto mesh = load_mesh(file);
  EXPECT_TRUE(mesh) << (mesh ? "" : mesh.error().reason);
  return mesh ? std::move(*mesh) : Mesh{};
}

}  // namespace

TEST(Mesh, BoxOfEveryFormatHasEightPlacesAndTwelveTriangles)
{
  const Folder folder;
  const Shape shape = box({1, 2, 3}, {0.1, 0.2, 0.3});
  for (const auto & file :
       {folder.write("b.stl", to_stl(shape)), folder.write("b.obj", to_obj(shape)),
        folder.write("b.ply", to_ply(shape)), folder.write("B.STL", to_stl(shape))}) {
    const Mesh mesh = load(file);
    EXPECT_EQ(mesh.unified.size(), 8u) << file;
    EXPECT_EQ(mesh.triangles.size(), 36u) << file;
    EXPECT_EQ(mesh.unified_triangles.size(), 36u) << file;
    ASSERT_EQ(mesh.to_unified.size(), mesh.vertices.size()) << file;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      EXPECT_EQ(mesh.vertices[i].cast<double>(), mesh.unified[mesh.to_unified[i]]) << file;
    }
    EXPECT_TRUE(is_closed(mesh)) << file;
  }
}

// Exact for a polyhedron; single-precision vertices give 1e-7 of the size.
TEST(MassProperties, BoxIsExact)
{
  const Folder folder;
  const Mesh mesh = load(folder.write("b.stl", to_stl(box({1, 2, 3}, {0.5, -0.25, 4}))));
  const auto p = mass_properties(mesh, 10.0);
  ASSERT_TRUE(p) << p.error().reason;
  EXPECT_NEAR(p->mass, 60.0, 1e-5);
  EXPECT_LT((p->center_of_mass - Vector3d(0.5, -0.25, 4)).norm(), 1e-6);
  EXPECT_NEAR(p->inertia(0, 0), 60.0 * (4 + 9) / 12, 1e-4);
  EXPECT_NEAR(p->inertia(1, 1), 60.0 * (1 + 9) / 12, 1e-4);
  EXPECT_NEAR(p->inertia(2, 2), 60.0 * (1 + 4) / 12, 1e-4);
  EXPECT_NEAR(p->inertia(0, 1), 0.0, 1e-4);
}

// A tessellation with n segments misses the round body by O(1/n^2): 128 segments, 0.1 %.
TEST(MassProperties, TessellatedCylinderApproachesItsClosedForm)
{
  const Folder folder;
  const double r = 0.5, h = 2.0;
  const Shape shape = revolve({{0, -h / 2}, {r, -h / 2}, {r, h / 2}, {0, h / 2}}, 128);
  const auto p = mass_properties(load(folder.write("c.stl", to_stl(shape))), 1000.0);
  ASSERT_TRUE(p) << p.error().reason;
  const double m = 1000.0 * std::numbers::pi * r * r * h;
  EXPECT_NEAR(p->mass, m, 1e-3 * m);
  EXPECT_NEAR(p->inertia(2, 2), 0.5 * m * r * r, 1e-3 * m);
  EXPECT_NEAR(p->inertia(0, 0), m * (3 * r * r + h * h) / 12, 1e-3 * m);
  EXPECT_LT(p->center_of_mass.norm(), 1e-6);
}

TEST(MassProperties, TessellatedSphereConvergesQuadratically)
{
  const Folder folder;
  const double r = 0.3, volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  double last_error = 0.0;
  for (const std::size_t n : {16u, 32u, 64u}) {
    std::vector<std::pair<double, double>> profile;
    for (std::size_t k = 0; k <= n; ++k) {
      const double a = std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      profile.emplace_back(r * std::sin(a), -r * std::cos(a));
    }
    const auto p =
      mass_properties(load(folder.write("s.stl", to_stl(revolve(profile, 2 * n)))), 1.0);
    ASSERT_TRUE(p) << p.error().reason;
    const double error = std::abs(p->volume - volume) / volume;
    if (last_error > 0.0) { EXPECT_NEAR(last_error / error, 4.0, 0.2); }
    last_error = error;
    const double inertia = 0.4 * p->mass * r * r;
    EXPECT_NEAR(p->inertia(0, 0) / inertia, 1.0, 20.0 / static_cast<double>(n * n));
  }
}

TEST(MassProperties, ScaleAndInsideOutMeshesAreHandled)
{
  const Folder folder;
  Shape shape = box({1, 1, 1}, {0, 0, 0});
  for (auto & f : shape.faces) { std::swap(f[0], f[1]); }
  const auto p = mass_properties(load(folder.write("b.stl", to_stl(shape))), 2.0, 0.5);
  ASSERT_TRUE(p) << p.error().reason;
  EXPECT_NEAR(p->mass, 0.25, 1e-9);
  EXPECT_NEAR(p->inertia(0, 0), 0.25 * 0.25 / 6, 1e-9);
}

TEST(MassProperties, OpenAndEmptyMeshesAreRefusedWithAReason)
{
  const Folder folder;
  Shape shape = box({1, 1, 1}, {0, 0, 0});
  shape.faces.pop_back();
  const Mesh open = load(folder.write("open.stl", to_stl(shape)));
  EXPECT_FALSE(is_closed(open));
  const auto p = mass_properties(open, 1.0);
  ASSERT_FALSE(p);
  EXPECT_NE(p.error().reason.find("open"), std::string::npos);
  EXPECT_FALSE(mass_properties(Mesh{}, 1.0));
}

TEST(MassProperties, PrincipalAxesOfATurnedBox)
{
  const Eigen::Matrix3d r =
    (Eigen::AngleAxisd(0.4, Vector3d::UnitX()) * Eigen::AngleAxisd(1.1, Vector3d::UnitZ()))
      .toRotationMatrix();
  const PrincipalInertia p = principal(r * Vector3d(1, 2, 3).asDiagonal() * r.transpose());
  EXPECT_LT((p.moments - Vector3d(1, 2, 3)).norm(), 1e-12);
  EXPECT_NEAR(p.rotation.determinant(), 1.0, 1e-12);
  EXPECT_NEAR(std::abs(p.rotation.col(2).dot(r.col(2))), 1.0, 1e-12);
}

TEST(Mesh, ObjKeepsMaterialsPolylinesAndTheFilesVertexNumbers)
{
  const Folder folder;
  folder.write("m.mtl", "newmtl red\nKd 1 0 0\nd 0.5\nmap_Kd skin.png\n");
  const auto file = folder.write(
    "m.obj",
    "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nv 6 6 6\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl "
    "red\n"
    "f 3/3 2/2 1/1\nl 4 5\n");
  const Mesh mesh = load(file);
  EXPECT_EQ(mesh.triangles.size(), 3u);
  ASSERT_EQ(mesh.unified_lines.size(), 2u);
  EXPECT_EQ(mesh.unified[mesh.unified_lines[0]], Vector3d(5, 5, 5));
  ASSERT_EQ(mesh.file_to_unified.size(), 5u);
  EXPECT_EQ(mesh.unified[mesh.file_to_unified[1]], Vector3d(1, 0, 0));
  EXPECT_EQ(mesh.unified[mesh.file_to_unified[2]], Vector3d(0, 1, 0));
  ASSERT_FALSE(mesh.parts.empty());
  const auto & material = mesh.materials.at(mesh.parts[0].material);
  EXPECT_EQ(material.color.diffuse, Rgb(1, 0, 0));
  EXPECT_NEAR(material.color.alpha, 0.5, 1e-6);
  EXPECT_EQ(material.diffuse_texture, "skin.png");
  EXPECT_FALSE(mesh.texture_coordinates.empty());
}

TEST(Mesh, ColladaKeepsItsOwnAxesAndUsesItsUnit)
{
  const Folder folder;
  const auto file = folder.write("t.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 1000 0 0 0 0 2000</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)");
  const Mesh mesh = load(file);
  EXPECT_LT((mesh.bounds.max() - Vector3d(1, 0, 2)).norm(), 1e-5) << mesh.bounds.max().transpose();
}

TEST(Mesh, UnreadableFilesGiveAReason)
{
  const Folder folder;
  EXPECT_EQ(load_mesh(folder.path / "none.stl").error().reason, "no such file");
  for (const char * name : {"x.stl", "x.obj", "x.3ds", "x.ply", "x.dae", "x.unknown"}) {
    const auto mesh = load_mesh(folder.write(name, "this is no mesh"));
    ASSERT_FALSE(mesh) << name;
    EXPECT_FALSE(mesh.error().reason.empty()) << name;
  }
}

TEST(MeshCache, SharesFilesAndReadsThemAgainWhenTheyChange)
{
  const Folder folder;
  const auto file = folder.write("b.stl", to_stl(box({1, 1, 1}, {0, 0, 0})));
  MeshCache cache;
  const auto first = cache.get(file).value();
  EXPECT_EQ(first, cache.get(folder.path / "." / "b.stl").value());
  folder.write("b.stl", to_stl(revolve({{0, -1}, {1, -1}, {1, 1}, {0, 1}}, 12)));
  const auto second = cache.get(file).value();
  EXPECT_NE(first, second);
  EXPECT_EQ(second->unified.size(), 26u);
  EXPECT_EQ(cache.size(), 1u);
  cache.drop_unused();
  EXPECT_EQ(cache.size(), 1u) << "still held";
}
