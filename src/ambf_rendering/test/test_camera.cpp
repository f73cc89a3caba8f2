// SPDX-License-Identifier: BSD-3-Clause
// Lenses, the two eyes of a stereo pair, and where they look.

#include <cmath>
#include <string>
#include <vector>

#include "ambf_rendering/camera.hpp"
#include "scene_fixture.hpp"

namespace
{

using ambf_rendering::Eye;
using Eigen::Vector3d;

class Stereo : public Drawing
{
protected:
  /// Column of the middle of the only body.
  double column(const Eigen::Isometry3d & pose, const ambf_rendering::Lens & lens)
  {
    ambf_rendering::View eye(*scene_, lens, 640, 480, 0);
    eye.place(pose);
    std::vector<std::int32_t> ids(640 * 480);
    eye.draw_identity(ids);
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < 640 * 480; ++i) {
      if (ids[static_cast<std::size_t>(i)] == 1) {
        sum += i % 640;
        ++count;
      }
    }
    EXPECT_GT(count, 20);
    return sum / count;
  }
};

TEST_F(Stereo, DisparityIsFocalLengthTimesBaselineOverDepth)
{
  add({"ball"}, body("ball", "shape: SPHERE\n  geometry: {radius: 0.05}", "{x: 0, y: 0, z: 0}"));
  const ambf_rendering::Lens lens{0.05, 20.0, 0.8, {}};
  const auto middle = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  const double baseline = 0.2;
  const double left = column(ambf_rendering::eye_pose(middle, baseline, Eye::Left), lens);
  const double right = column(ambf_rendering::eye_pose(middle, baseline, Eye::Right), lens);
  const double expected = ambf_rendering::intrinsics(lens, 640, 480).fx * baseline / 2.0;
  EXPECT_NEAR(left - right, expected, 0.5);
  EXPECT_GT(expected, 20.0);
}

TEST_F(Stereo, PicturesForPeopleMeetAtTheFocalLength)
{
  add({"ball"}, body("ball", "shape: SPHERE\n  geometry: {radius: 0.05}", "{x: 0, y: 0, z: 0}"));
  const ambf_rendering::Lens lens{0.05, 20.0, 0.8, {}};
  const auto middle = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  ambf_adf::Stereo stereo;
  stereo.eye_separation = 0.2;
  const auto disparity = [&] {
    double columns[2];
    for (const Eye eye : {Eye::Left, Eye::Right}) {
      columns[eye == Eye::Right] = column(
        ambf_rendering::eye_pose(middle, stereo.eye_separation, eye),
        ambf_rendering::eye_lens(lens, stereo, eye));
    }
    return columns[0] - columns[1];
  };
  stereo.focal_length = 2.0;
  EXPECT_NEAR(disparity(), 0.0, 0.5);
  stereo.focal_length = 1.0;
  EXPECT_LT(disparity(), -20.0);  // beyond the plane where they meet: crossed the other way
}

TEST(StereoPair, WithImpossibleNumbersIsRefused)
{
  ambf_adf::Camera camera;
  camera.header.name = "eyes";
  EXPECT_EQ(ambf_rendering::stereo_problem(camera), "");
  camera.stereo.emplace();
  EXPECT_EQ(ambf_rendering::stereo_problem(camera), "");
  camera.stereo->eye_separation = -0.1;
  EXPECT_NE(
    ambf_rendering::stereo_problem(camera).find("'eyes': stereo/eye separation: found -0.1"),
    std::string::npos);
  camera.stereo->eye_separation = 0.1;
  camera.stereo->focal_length = 0.0;
  EXPECT_NE(ambf_rendering::stereo_problem(camera).find("focal length"), std::string::npos);
}

TEST(Cameras, ImpossibleLensesAreRefusedWithTheValue)
{
  ambf_adf::Camera camera;
  camera.header.name = "eye";
  camera.near_plane = 2.0;
  camera.far_plane = 1.0;
  auto lens = ambf_rendering::to_lens(camera);
  ASSERT_FALSE(lens);
  EXPECT_NE(lens.error().find("'eye': clipping plane/far: found 1.0"), std::string::npos);
  camera.far_plane = 10.0;
  camera.field_view_angle = 4.0;
  EXPECT_FALSE(ambf_rendering::to_lens(camera));
  camera.field_view_angle = 0.8;
  camera.orthographic_view_width = -1.0;
  EXPECT_FALSE(ambf_rendering::to_lens(camera));
}

TEST(Cameras, LookAlongMinusXWithZUp)
{
  const auto pose = ambf_adf::looking({1, 0, 0}, {0, 0, 0}, {0, 0, 1});
  EXPECT_TRUE(pose.linear().isApprox(Eigen::Matrix3d::Identity()));
  const Eigen::Matrix3d optical = pose.linear() * ambf_rendering::optical_from_camera();
  EXPECT_TRUE(optical.col(2).isApprox(-Vector3d::UnitX()));  // ahead
  EXPECT_TRUE(optical.col(0).isApprox(Vector3d::UnitY()));   // right
  // Straight down, where `up` gives no direction.
  EXPECT_TRUE(ambf_adf::looking({0, 0, 1}, {0, 0, 0}, {0, 0, 1}).linear().allFinite());
}

}  // namespace
