// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "depth_cloud.hpp"

namespace
{

using sensor_msgs::msg::CameraInfo;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::PointCloud2;

constexpr std::uint32_t kWidth = 64, kHeight = 48;

CameraInfo lens()
{
  CameraInfo info;
  info.width = kWidth;
  info.height = kHeight;
  info.k = {60.0, 0.0, 31.5, 0.0, 60.0, 23.5, 0.0, 0.0, 1.0};
  return info;
}

/// Depth of the plane n . p = d in the optical frame; infinite where a ray misses it.
Image plane(const double (&n)[3], double d)
{
  const auto info = lens();
  Image image;
  image.width = kWidth;
  image.height = kHeight;
  image.encoding = "32FC1";
  image.step = 4 * kWidth;
  image.data.resize(image.step * kHeight);
  for (std::uint32_t v = 0; v < kHeight; ++v) {
    for (std::uint32_t u = 0; u < kWidth; ++u) {
      const double x = (u - info.k[2]) / info.k[0], y = (v - info.k[5]) / info.k[4];
      const double along = n[0] * x + n[1] * y + n[2];
      const float z =
        along > 1e-3 ? static_cast<float>(d / along) : std::numeric_limits<float>::infinity();
      std::memcpy(&image.data[4 * (kWidth * v + u)], &z, 4);
    }
  }
  return image;
}

TEST(DepthCloud, OfAPlaneLiesInThePlane)
{
  const double n[3] = {0.2, -0.3, 0.9327379053};
  PointCloud2 cloud;
  ambf_sensors::fill(cloud, plane(n, 1.5), lens(), nullptr);
  ASSERT_EQ(cloud.data.size(), 12U * kWidth * kHeight);
  for (std::size_t i = 0; i < kWidth * kHeight; ++i) {
    float p[3];
    std::memcpy(p, &cloud.data[12 * i], 12);
    // Float32 at 2 m resolves a quarter of a micrometre.
    ASSERT_NEAR(n[0] * p[0] + n[1] * p[1] + n[2] * p[2], 1.5, 1e-5);
  }
}

TEST(DepthCloud, WhereNothingIsHoldsNoPoint)
{
  const double n[3] = {1.0, 0.0, 0.0};
  PointCloud2 cloud;
  ambf_sensors::fill(cloud, plane(n, 1.0), lens(), nullptr);
  float left[3], right[3];
  std::memcpy(left, &cloud.data[0], 12);
  std::memcpy(right, &cloud.data[12 * (kWidth - 1)], 12);
  EXPECT_TRUE(std::isnan(left[0]) && std::isnan(left[2]));
  EXPECT_TRUE(std::isfinite(right[0]));
  EXPECT_FALSE(cloud.is_dense);
}

TEST(DepthCloud, OfAnOrthographicCameraKeepsItsWidthAtAnyDepth)
{
  const double n[3] = {0.0, 0.0, 1.0};
  CameraInfo info = lens();
  info.k.fill(0.0);  // no pin-hole
  info.p = {32.0, 0.0,  0.0, 31.5, 0.0, 32.0,
            0.0,  23.5, 0.0, 0.0,  0.0, 1.0};  // 32 pixels to the metre
  for (const double depth : {0.5, 3.0}) {
    Image image = plane(n, depth);
    const float nothing = std::numeric_limits<float>::infinity();
    std::memcpy(&image.data[4], &nothing, 4);
    ASSERT_FALSE(ambf_sensors::problem(image, info));
    PointCloud2 cloud;
    ambf_sensors::fill(cloud, image, info, nullptr);
    float first[3], second[3], last[3];
    std::memcpy(first, &cloud.data[0], 12);
    std::memcpy(second, &cloud.data[12], 12);
    std::memcpy(last, &cloud.data[12 * (kWidth * kHeight - 1)], 12);
    for (const float value : second) { EXPECT_TRUE(std::isnan(value)); }
    EXPECT_FLOAT_EQ(first[0], -31.5F / 32.0F);
    EXPECT_FLOAT_EQ(first[1], -23.5F / 32.0F);
    EXPECT_FLOAT_EQ(last[0], 31.5F / 32.0F);
    EXPECT_FLOAT_EQ(last[1], 23.5F / 32.0F);
    EXPECT_FLOAT_EQ(last[2], static_cast<float>(depth));
  }
  info.p[0] = 0.0;
  EXPECT_NE(
    ambf_sensors::problem(plane(n, 1.0), info)->find("focal lengths 0.0"), std::string::npos);
}

TEST(DepthCloud, TakesTheColoursOfAFittingImage)
{
  const double n[3] = {0.0, 0.0, 1.0};
  const Image depth = plane(n, 1.0);
  Image colour;
  colour.width = kWidth;
  colour.height = kHeight;
  colour.encoding = "rgb8";
  colour.step = 3 * kWidth;
  colour.data.assign(colour.step * kHeight, 0);
  colour.data[0] = 0x12;
  colour.data[1] = 0x34;
  colour.data[2] = 0x56;
  ASSERT_TRUE(ambf_sensors::fits(depth, colour));
  PointCloud2 cloud;
  ambf_sensors::fill(cloud, depth, lens(), &colour);
  std::uint32_t packed = 0;
  std::memcpy(&packed, &cloud.data[12], 4);
  EXPECT_EQ(packed, 0x123456U);
  colour.encoding = "bgr8";
  EXPECT_FALSE(ambf_sensors::fits(depth, colour));
}

TEST(DepthCloud, SaysWhatIsWrongWithItsInput)
{
  const double n[3] = {0.0, 0.0, 1.0};
  Image depth = plane(n, 1.0);
  CameraInfo info = lens();
  EXPECT_FALSE(ambf_sensors::problem(depth, info));
  info.k[0] = 0.0;
  EXPECT_NE(ambf_sensors::problem(depth, info)->find("focal lengths 0.0"), std::string::npos);
  info = lens();
  info.width = 10;
  EXPECT_NE(ambf_sensors::problem(depth, info)->find("10 x 48"), std::string::npos);
  info = lens();
  depth.data.resize(5);
  EXPECT_NE(ambf_sensors::problem(depth, info)->find("found 5 bytes"), std::string::npos);
  depth.encoding = "mono8";
  EXPECT_NE(ambf_sensors::problem(depth, info)->find("mono8"), std::string::npos);
}

}  // namespace
