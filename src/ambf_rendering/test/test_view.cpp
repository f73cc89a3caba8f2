// SPDX-License-Identifier: BSD-3-Clause
// What the camera sensors measure, against geometry.

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene_fixture.hpp"

namespace
{

using ambf_rendering::intrinsics;
using Eigen::Vector3d;

/// The ray of a pixel in the optical frame, with z = 1.
Vector3d ray(const ambf_rendering::Intrinsics & k, int u, int v)
{
  return {(u - k.cx) / k.fx, (v - k.cy) / k.fy, 1.0};
}

class Depth : public Drawing
{
};
class Segmentation : public Drawing
{
};
class Projection : public Drawing
{
};

TEST_F(Depth, OfASlantedPlaneIsExactToAMillimetre)
{
  add(
    {"plane"},
    body("plane", "shape: BOX\n  geometry: {x: 20, y: 20, z: 1}", "{x: 0, y: 0, z: -0.5}"));
  const Vector3d from(0, -2, 1);
  auto camera = view(from, {0, 0, 0});
  std::vector<float> depth(160 * 120);
  camera->draw_depth(depth);
  const auto k = intrinsics(camera->lens(), 160, 120);
  const Eigen::Matrix3d to_world = camera->pose().linear() * ambf_rendering::optical_from_camera();
  int checked = 0;
  for (int v = 0; v < 120; ++v) {
    for (int u = 0; u < 160; ++u) {
      const Vector3d direction = to_world * ray(k, u, v);
      if (direction.z() > -0.05) { continue; }
      const double expected = -from.z() / direction.z();
      const Vector3d hit = from + expected * direction;
      if (hit.head<2>().cwiseAbs().maxCoeff() > 9.9 || expected > 19.0) { continue; }
      // A pixel at a grazing angle spans centimetres of plane: 1 mm holds per 2 m of distance.
      ASSERT_NEAR(depth[static_cast<std::size_t>(160 * v + u)], expected, 0.0005 * expected)
        << u << " " << v;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10000);
}

TEST_F(Depth, OfASphereIsExactToTwoMillimetresAndInfiniteBeside)
{
  const double radius = 0.3;
  add({"ball"}, body("ball", "shape: SPHERE\n  geometry: {radius: 0.3}", "{x: 0, y: 0, z: 0}"));
  auto camera = view({2, 0, 0}, {0, 0, 0});
  std::vector<float> depth(160 * 120);
  camera->draw_depth(depth);
  const auto k = intrinsics(camera->lens(), 160, 120);
  const Vector3d centre(0, 0, 2);
  double worst = 0.0;
  int hits = 0;
  for (int v = 0; v < 120; ++v) {
    for (int u = 0; u < 160; ++u) {
      const Vector3d d = ray(k, u, v);
      const float found = depth[static_cast<std::size_t>(160 * v + u)];
      const double b = d.dot(centre), a = d.squaredNorm();
      const double away = (centre - b / a * d).norm();
      if (away > 1.02 * radius) {
        EXPECT_TRUE(std::isinf(found)) << u << " " << v;
      } else if (away < 0.7 * radius) {
        // Near the rim the facets stand so steep that a pixel is no measure of them.
        const double expected =
          (b - std::sqrt(b * b - a * (centre.squaredNorm() - radius * radius))) / a;
        worst = std::max(worst, std::abs(found - expected));
        ++hits;
      }
    }
  }
  EXPECT_GT(hits, 400);
  EXPECT_LT(
    worst,
    0.002);  // sagittas of 48 segments, r (1 - cos(pi / 48)) = 0.64 mm each way, at 45 degrees
}

TEST_F(Segmentation, NamesTheObjectOfEachPixel)
{
  add(
    {"left", "right"},
    body("left", "shape: BOX\n  geometry: {x: 0.2, y: 0.2, z: 0.2}", "{x: 0, y: -0.3, z: 0}") +
      body("right", "shape: BOX\n  geometry: {x: 0.2, y: 0.2, z: 0.2}", "{x: 0, y: 0.3, z: 0}"));
  scene_->identify(*scene_->body("/w/BODY left"), 7);
  scene_->identify(*scene_->body("/w/BODY right"), 70000);
  auto camera = view({2, 0, 0}, {0, 0, 0});
  std::vector<std::int32_t> ids(160 * 120);
  camera->draw_identity(ids);
  const auto k = intrinsics(camera->lens(), 160, 120);
  const auto at = [&](double y) {
    // The camera at +x sees +y to its right.
    return ids[static_cast<std::size_t>(160 * 60 + std::lround(k.cx + k.fx * y / 1.9))];
  };
  EXPECT_EQ(at(-0.3), 7);
  EXPECT_EQ(at(0.3), 70000);
  EXPECT_EQ(at(0.0), 0);
}

TEST_F(Projection, OfSmallBallsFallsOnTheirPixels)
{
  const std::vector<Vector3d> places{
    {0, 0, 0}, {0.3, 0.4, 0.2}, {-0.2, -0.5, 0.3}, {0.1, 0.3, -0.4}};
  std::string blocks;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < places.size(); ++i) {
    names.push_back("b" + std::to_string(i));
    blocks += body(
      names.back(), "shape: SPHERE\n  geometry: {radius: 0.02}",
      "{x: " + std::to_string(places[i].x()) + ", y: " + std::to_string(places[i].y()) +
        ", z: " + std::to_string(places[i].z()) + "}");
  }
  add(names, blocks);
  auto camera = view({1.5, -1.0, 0.7}, {0, 0, 0}, 640, 480);
  std::vector<std::int32_t> ids(640 * 480);
  camera->draw_identity(ids);
  const auto k = intrinsics(camera->lens(), 640, 480);
  for (std::size_t i = 0; i < places.size(); ++i) {
    Eigen::Isometry3d optical = camera->pose();
    optical.linear() = optical.linear() * ambf_rendering::optical_from_camera();
    const Vector3d p = optical.inverse() * places[i];
    double u = 0, v = 0;
    int count = 0;
    for (int y = 0; y < 480; ++y) {
      for (int x = 0; x < 640; ++x) {
        if (ids[static_cast<std::size_t>(640 * y + x)] != static_cast<int>(i + 1)) { continue; }
        u += x;
        v += y;
        ++count;
      }
    }
    ASSERT_GT(count, 20);
    EXPECT_NEAR(u / count, k.fx * p.x() / p.z() + k.cx, 0.5) << i;
    EXPECT_NEAR(v / count, k.fy * p.y() / p.z() + k.cy, 0.5) << i;
  }
}

TEST_F(Projection, OfAnOrthographicCameraKeepsSizes)
{
  add(
    {"far", "near"},
    body("far", "shape: BOX\n  geometry: {x: 0.1, y: 0.2, z: 0.2}", "{x: -3, y: -0.3, z: 0}") +
      body("near", "shape: BOX\n  geometry: {x: 0.1, y: 0.2, z: 0.2}", "{x: 1, y: 0.3, z: 0}"));
  auto camera = view({2, 0, 0}, {0, 0, 0}, 160, 120);
  camera->set_lens({0.05, 20.0, 0.8, 1.6});
  std::vector<std::int32_t> ids(160 * 120);
  camera->draw_identity(ids);
  EXPECT_NEAR(
    static_cast<double>(std::count(ids.begin(), ids.end(), 1)), 400.0,
    41.0);  // 0.2 m of 1.6 m in 160 pixels
  EXPECT_NEAR(static_cast<double>(std::count(ids.begin(), ids.end(), 2)), 400.0, 41.0);
}

}  // namespace
