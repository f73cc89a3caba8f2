// SPDX-License-Identifier: BSD-3-Clause
// Markers for rviz2 against the snapshot that they were made of.

#include <gtest/gtest.h>

#include "markers.hpp"

namespace
{

using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;
using visualization_msgs::msg::Marker;

/// A body with a ray of 2 m ahead, and a soft crate.
WorldManifest manifest()
{
  WorldManifest world;
  world.revision = 3;
  world.root_frame = "world";
  world.models.resize(1);
  world.models[0].name = "m";
  world.models[0].resource_base = TEST_FOLDER;
  world.models[0].adf =
    "bodies: [BODY eye]\njoints: []\nsensors: [SENSOR ray]\nsoft bodies: [BODY jelly]\nnamespace: "
    "/w/\n"
    "high resolution path: ./\nlow resolution path: ./\n"
    "BODY eye:\n  name: eye\n  shape: SPHERE\n  geometry: {radius: 0.1}\n  mass: 1.0\n"
    "SENSOR ray:\n  name: ray\n  type: Proximity\n  parent: BODY eye\n  range: 2.0\n"
    "  array: [{offset: {x: 0, y: 0, z: 0}, direction: {x: 1, y: 0, z: 0}}]\n"
    "BODY jelly:\n  name: jelly\n  mesh: crate.obj\n  mass: 1.0\n  color rgba: {r: 0.5, g: 0.25, "
    "b: 0.75, a: 1.0}\n";
  world.bodies.resize(1);
  world.bodies[0].identifier = "/w/BODY eye";
  world.soft_bodies.resize(1);
  world.soft_bodies[0].identifier = "/w/BODY jelly";
  return world;
}

WorldSnapshot snapshot()
{
  WorldSnapshot now;
  now.manifest_revision = 3;
  now.bodies = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};  // at y = 1, not turned
  now.soft_offsets = {0};
  for (int i = 0; i < 8; ++i) {
    now.soft_nodes.insert(now.soft_nodes.end(), {static_cast<float>(i), 0.0F, 10.0F});
  }
  now.ray_flags = {1};
  now.ray_hits = {0.25F};
  now.contacts.resize(1);
  now.contacts[0].position.z = 2.0;
  now.contacts[0].normal.z = 1.0;
  now.contacts[0].normal_force = 50.0;
  return now;
}

const Marker * find(const visualization_msgs::msg::MarkerArray & array, const std::string & ns)
{
  for (const auto & marker : array.markers) {
    if (marker.ns == ns) { return &marker; }
  }
  return nullptr;
}

TEST(Markers, ShowSoftBodiesContactsAndRays)
{
  ambf_sensors::MarkerMaker maker;
  EXPECT_FALSE(maker.fits(snapshot()));
  maker.build(manifest());
  EXPECT_TRUE(maker.warnings().empty()) << maker.warnings()[0];
  ASSERT_TRUE(maker.fits(snapshot()));
  const auto array = maker.make(snapshot());
  EXPECT_EQ(array.markers.front().action, Marker::DELETEALL);

  const Marker * soft = find(array, "soft_bodies");
  ASSERT_NE(soft, nullptr);
  EXPECT_EQ(soft->type, Marker::TRIANGLE_LIST);
  EXPECT_EQ(soft->header.frame_id, "world");
  EXPECT_EQ(soft->points.size(), 36U);  // twelve triangles of the crate
  for (const auto & point : soft->points) { EXPECT_EQ(point.z, 10.0); }
  EXPECT_FLOAT_EQ(soft->color.g, 0.25F);

  const Marker * rays = find(array, "rays");
  ASSERT_NE(rays, nullptr);
  ASSERT_EQ(rays->points.size(), 2U);
  EXPECT_DOUBLE_EQ(rays->points[0].y, 1.0);
  EXPECT_DOUBLE_EQ(rays->points[1].x, 1.5);  // 2 m less a quarter
  ASSERT_EQ(rays->colors.size(), 2U);
  EXPECT_GT(rays->colors[0].r, rays->colors[0].g);

  const Marker * forces = find(array, "contact_forces");
  ASSERT_NE(forces, nullptr);
  ASSERT_EQ(forces->points.size(), 2U);
  EXPECT_DOUBLE_EQ(forces->points[1].z, 2.5);  // a centimetre for a newton
}

TEST(Markers, OfWhatIsGoneAreTakenAway)
{
  ambf_sensors::MarkerMaker maker;
  maker.build(manifest());
  maker.make(snapshot());
  WorldSnapshot later = snapshot();
  later.contacts.clear();
  later.ray_flags[0] = 0;
  const auto array = maker.make(later);
  EXPECT_NE(array.markers.front().action, Marker::DELETEALL);
  EXPECT_EQ(find(array, "contact_points")->action, Marker::DELETE);
  EXPECT_DOUBLE_EQ(find(array, "rays")->points[1].x, 2.0);
}

TEST(Markers, OfAnotherRevisionOrWithTooFewNodesAreNotMade)
{
  ambf_sensors::MarkerMaker maker;
  maker.build(manifest());
  WorldSnapshot other = snapshot();
  other.manifest_revision = 4;
  EXPECT_FALSE(maker.fits(other));
  other = snapshot();
  other.soft_nodes.resize(6);
  EXPECT_EQ(find(maker.make(other), "soft_bodies"), nullptr);
}

}  // namespace
