// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "ambf_rendering/view.hpp"

namespace ambf_render
{

/// One camera as a sensor: ImageData (rgb8), DepthImage (32FC1), DepthData (AMBF's cloud), SegmentationData
/// (32SC1), camera_info, and its optical frame on /tf, with DepthData also the camera frame; for a stereo
/// pair also left/ and right/ with ImageData and
/// camera_info, rectified, both in the frame of the left eye. Nothing is drawn while nobody listens.
class CameraTopics
{
public:
  CameraTopics(
    rclcpp::Node & node, const ambf_adf::Camera & camera, const std::string & root_frame,
    rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf);

  /// `frame` counts the frames drawn, for the description's intervals; `every`: ignore those.
  void publish(
    ambf_rendering::View & view, const builtin_interfaces::msg::Time & stamp, std::uint64_t frame,
    bool every);
  const std::string & frame_id() const { return frame_id_; }

private:
  using Time = builtin_interfaces::msg::Time;
  struct EyeTopics
  {
    ambf_rendering::Eye eye;
    rclcpp::Publisher<sensor_msgs::msg::Image>::SharedPtr image;
    rclcpp::Publisher<sensor_msgs::msg::CameraInfo>::SharedPtr info;
  };
  void fill(
    sensor_msgs::msg::Image & image, const ambf_rendering::View & view, const std::string & frame,
    const char * encoding, std::size_t pixel) const;
  void add_noise(sensor_msgs::msg::Image & image);
  sensor_msgs::msg::CameraInfo info(
    const ambf_rendering::View & view, const std::string & frame) const;
  void publish_cloud(
    const ambf_rendering::View & view, std::span<const float> depth,
    std::span<const std::uint8_t> rgb);
  void publish_eyes(ambf_rendering::View & view);
  void publish_optical_frame(const Eigen::Isometry3d & pose, const std::string & frame);
  void publish_frame(const Eigen::Isometry3d & pose, const std::string & frame);

  ambf_adf::Camera camera_;
  std::string root_frame_, camera_frame_, frame_id_, left_frame_;
  builtin_interfaces::msg::Time stamp_;
  std::mt19937 random_{1};
  rclcpp::Publisher<sensor_msgs::msg::Image>::SharedPtr image_, depth_, segmentation_;
  rclcpp::Publisher<sensor_msgs::msg::PointCloud2>::SharedPtr cloud_;
  rclcpp::Publisher<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  std::vector<EyeTopics> eyes_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
};

}  // namespace ambf_render
