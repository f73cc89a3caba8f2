// SPDX-License-Identifier: BSD-3-Clause
#include "camera_topics.hpp"

#include <cmath>
#include <cstring>

#include "ambf_node_support/eigen.hpp"
#include "camera_cloud.hpp"

namespace ambf_render
{

namespace
{

rclcpp::QoS latest() { return rclcpp::QoS(1).reliable(); }

bool watched(const rclcpp::PublisherBase & publisher)
{
  return publisher.get_subscription_count() + publisher.get_intra_process_subscription_count() > 0;
}

}  // namespace

CameraTopics::CameraTopics(
  rclcpp::Node & node, const ambf_adf::Camera & camera, const std::string & root_frame,
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf)
: camera_(camera), root_frame_(root_frame), tf_(std::move(tf))
{
  const std::string & topic = camera.header.topic;
  camera_frame_ = topic.empty() || topic.front() != '/' ? topic : topic.substr(1);
  frame_id_ = camera_frame_ + "_optical";
  left_frame_ = camera_frame_ + "_left_optical";
  image_ = node.create_publisher<sensor_msgs::msg::Image>(topic + "/ImageData", latest());
  depth_ = node.create_publisher<sensor_msgs::msg::Image>(topic + "/DepthImage", latest());
  cloud_ = node.create_publisher<sensor_msgs::msg::PointCloud2>(topic + "/DepthData", latest());
  segmentation_ =
    node.create_publisher<sensor_msgs::msg::Image>(topic + "/SegmentationData", latest());
  info_ = node.create_publisher<sensor_msgs::msg::CameraInfo>(topic + "/camera_info", latest());
  if (!camera.stereo) { return; }
  for (const auto & [eye, name] :
       {std::pair(ambf_rendering::Eye::Left, "/left"), {ambf_rendering::Eye::Right, "/right"}}) {
    eyes_.push_back(
      {eye, node.create_publisher<sensor_msgs::msg::Image>(topic + name + "/ImageData", latest()),
       node.create_publisher<sensor_msgs::msg::CameraInfo>(
         topic + name + "/camera_info", latest())});
  }
}

void CameraTopics::fill(
  sensor_msgs::msg::Image & image, const ambf_rendering::View & view, const std::string & frame,
  const char * encoding, std::size_t pixel) const
{
  image.header.stamp = stamp_;
  image.header.frame_id = frame;
  image.width = static_cast<std::uint32_t>(view.width());
  image.height = static_cast<std::uint32_t>(view.height());
  image.encoding = encoding;
  image.is_bigendian = 0;
  image.step = static_cast<std::uint32_t>(pixel * image.width);
  image.data.resize(static_cast<std::size_t>(image.step) * image.height);
}

void CameraTopics::add_noise(sensor_msgs::msg::Image & image)
{
  if (!camera_.depth_noise) { return; }
  const auto & noise = *camera_.depth_noise;
  std::normal_distribution<float> normal(
    static_cast<float>(noise.mean + noise.bias),
    static_cast<float>(std::max(0.0, noise.standard_deviation)));
  auto * values = reinterpret_cast<float *>(image.data.data());
  for (std::size_t i = 0; i < image.data.size() / sizeof(float); ++i) {
    if (std::isfinite(values[i])) { values[i] += normal(random_); }
  }
}

void CameraTopics::publish(
  ambf_rendering::View & view, const builtin_interfaces::msg::Time & stamp, std::uint64_t frame,
  bool every)
{
  stamp_ = stamp;
  const auto due = [&](const ambf_adf::ImagePublishing & how) {
    return every || !how.enabled ||
           frame % static_cast<std::uint64_t>(std::max(1, how.interval)) == 0;
  };
  const auto pixels =
    static_cast<std::size_t>(view.width()) * static_cast<std::size_t>(view.height());
  bool sent = false;
  const bool cloud = watched(*cloud_) && due(camera_.depth);
  const bool colour = watched(*image_) && due(camera_.image);
  auto image = std::make_unique<sensor_msgs::msg::Image>();
  if (colour || cloud) {
    fill(*image, view, frame_id_, "rgb8", 3);
    view.draw_colour(image->data);
    sent = true;
  }
  if (cloud || (watched(*depth_) && due(camera_.depth))) {
    auto depth = std::make_unique<sensor_msgs::msg::Image>();
    fill(*depth, view, frame_id_, "32FC1", sizeof(float));
    const std::span<float> metres(reinterpret_cast<float *>(depth->data.data()), pixels);
    view.draw_depth(metres);
    add_noise(*depth);
    if (cloud) { publish_cloud(view, metres, image->data); }
    if (watched(*depth_)) { depth_->publish(std::move(depth)); }
    sent = true;
  }
  if (colour) { image_->publish(std::move(image)); }
  if (watched(*segmentation_) && due(camera_.image)) {
    auto message = std::make_unique<sensor_msgs::msg::Image>();
    fill(*message, view, frame_id_, "32SC1", sizeof(std::int32_t));
    view.draw_identity({reinterpret_cast<std::int32_t *>(message->data.data()), pixels});
    segmentation_->publish(std::move(message));
    sent = true;
  }
  if (sent || watched(*info_)) {
    info_->publish(info(view, frame_id_));
    publish_optical_frame(view.pose(), frame_id_);
  }
  if (due(camera_.image)) { publish_eyes(view); }
}

void CameraTopics::publish_cloud(
  const ambf_rendering::View & view, std::span<const float> depth,
  std::span<const std::uint8_t> rgb)
{
  auto message = std::make_unique<sensor_msgs::msg::PointCloud2>();
  message->header.stamp = stamp_;
  message->header.frame_id = camera_frame_;
  fill_camera_cloud(*message, view.lens(), view.width(), view.height(), depth, rgb);
  cloud_->publish(std::move(message));
  publish_frame(view.pose(), camera_frame_);
}

void CameraTopics::publish_eyes(ambf_rendering::View & view)
{
  const Eigen::Isometry3d middle = view.pose();
  bool sent = false;
  for (const auto & topics : eyes_) {
    if (!watched(*topics.image) && !watched(*topics.info)) { continue; }
    sent = true;
    // Both eyes look the same way, so that rows match and disparity is fx * separation / depth.
    auto lens = info(view, left_frame_);
    if (topics.eye == ambf_rendering::Eye::Right) {
      lens.p[3] = -lens.p[0] * camera_.stereo->eye_separation;
    }
    topics.info->publish(lens);
    if (!watched(*topics.image)) { continue; }
    view.place(ambf_rendering::eye_pose(middle, camera_.stereo->eye_separation, topics.eye));
    auto message = std::make_unique<sensor_msgs::msg::Image>();
    fill(*message, view, left_frame_, "rgb8", 3);
    view.draw_colour(message->data);
    topics.image->publish(std::move(message));
  }
  view.place(middle);
  if (sent) {
    publish_optical_frame(
      ambf_rendering::eye_pose(middle, camera_.stereo->eye_separation, ambf_rendering::Eye::Left),
      left_frame_);
  }
}

sensor_msgs::msg::CameraInfo CameraTopics::info(
  const ambf_rendering::View & view, const std::string & frame) const
{
  const ambf_rendering::Intrinsics k =
    ambf_rendering::intrinsics(view.lens(), view.width(), view.height());
  sensor_msgs::msg::CameraInfo info;
  info.header.stamp = stamp_;
  info.header.frame_id = frame;
  info.width = static_cast<std::uint32_t>(view.width());
  info.height = static_cast<std::uint32_t>(view.height());
  info.r = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  if (view.lens().orthographic_view_width) {
    // No pin-hole: K stays 0, which readers of pin-holes take for "not calibrated". P holds as always:
    // (u, v, w) = P (X, Y, Z, 1), here with w = 1 at any depth, and fx, fy in pixels per metre.
    info.p = {k.fx, 0.0, 0.0, k.cx, 0.0, k.fy, 0.0, k.cy, 0.0, 0.0, 0.0, 1.0};
    return info;
  }
  info.distortion_model = "plumb_bob";
  info.d.assign(5, 0.0);
  info.k = {k.fx, 0.0, k.cx, 0.0, k.fy, k.cy, 0.0, 0.0, 1.0};
  info.p = {k.fx, 0.0, k.cx, 0.0, 0.0, k.fy, k.cy, 0.0, 0.0, 0.0, 1.0, 0.0};
  return info;
}

void CameraTopics::publish_optical_frame(const Eigen::Isometry3d & pose, const std::string & frame)
{
  Eigen::Isometry3d optical = pose;
  optical.linear() = pose.linear() * ambf_rendering::optical_from_camera();
  publish_frame(optical, frame);
}

void CameraTopics::publish_frame(const Eigen::Isometry3d & pose, const std::string & frame)
{
  tf2_msgs::msg::TFMessage message;
  auto & transform = message.transforms.emplace_back();
  transform.header.stamp = stamp_;
  transform.header.frame_id = root_frame_;
  transform.child_frame_id = frame;
  ambf_node_support::fill(transform.transform, pose);
  tf_->publish(message);
}

}  // namespace ambf_render
