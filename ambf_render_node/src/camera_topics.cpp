#include "camera_topics.hpp"

#include <cmath>
#include <cstring>

namespace ambf_render
{

namespace
{

rclcpp::QoS latest() {return rclcpp::QoS(1).reliable();}

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
  frame_id_ = (topic.empty() || topic.front() != '/' ? topic : topic.substr(1)) + "_optical";
  image_ = node.create_publisher<sensor_msgs::msg::Image>(topic + "/ImageData", latest());
  depth_ = node.create_publisher<sensor_msgs::msg::Image>(topic + "/DepthData", latest());
  segmentation_ = node.create_publisher<sensor_msgs::msg::Image>(topic + "/SegmentationData", latest());
  info_ = node.create_publisher<sensor_msgs::msg::CameraInfo>(topic + "/camera_info", latest());
}

void CameraTopics::fill(
  sensor_msgs::msg::Image & image, const View & view, const char * encoding, std::size_t pixel) const
{
  image.header.stamp = stamp_;
  image.header.frame_id = frame_id_;
  image.width = static_cast<std::uint32_t>(view.width());
  image.height = static_cast<std::uint32_t>(view.height());
  image.encoding = encoding;
  image.is_bigendian = 0;
  image.step = static_cast<std::uint32_t>(pixel * image.width);
  image.data.resize(static_cast<std::size_t>(image.step) * image.height);
}

void CameraTopics::add_noise(sensor_msgs::msg::Image & image)
{
  if (!camera_.depth_noise) {return;}
  const auto & noise = *camera_.depth_noise;
  std::normal_distribution<float> normal(
    static_cast<float>(noise.mean + noise.bias), static_cast<float>(std::max(0.0, noise.standard_deviation)));
  auto * values = reinterpret_cast<float *>(image.data.data());
  for (std::size_t i = 0; i < image.data.size() / sizeof(float); ++i) {
    if (std::isfinite(values[i])) {values[i] += normal(random_);}
  }
}

void CameraTopics::publish(
  View & view, const builtin_interfaces::msg::Time & stamp, std::uint64_t frame, bool every)
{
  stamp_ = stamp;
  const auto due = [&](const ambf_adf::ImagePublishing & how) {
      return every || !how.enabled || frame % static_cast<std::uint64_t>(std::max(1, how.interval)) == 0;
    };
  const auto pixels = static_cast<std::size_t>(view.width()) * static_cast<std::size_t>(view.height());
  bool sent = false;
  if (watched(*image_) && due(camera_.image)) {
    auto message = std::make_unique<sensor_msgs::msg::Image>();
    fill(*message, view, "rgb8", 3);
    view.draw_colour(message->data);
    image_->publish(std::move(message));
    sent = true;
  }
  if (watched(*depth_) && due(camera_.depth)) {
    auto message = std::make_unique<sensor_msgs::msg::Image>();
    fill(*message, view, "32FC1", sizeof(float));
    view.draw_depth({reinterpret_cast<float *>(message->data.data()), pixels});
    add_noise(*message);
    depth_->publish(std::move(message));
    sent = true;
  }
  if (watched(*segmentation_) && due(camera_.image)) {
    auto message = std::make_unique<sensor_msgs::msg::Image>();
    fill(*message, view, "32SC1", sizeof(std::int32_t));
    view.draw_identity({reinterpret_cast<std::int32_t *>(message->data.data()), pixels});
    segmentation_->publish(std::move(message));
    sent = true;
  }
  if (sent || watched(*info_)) {
    publish_info(view, stamp);
    publish_frame(view, stamp);
  }
}

void CameraTopics::publish_info(const View & view, const builtin_interfaces::msg::Time & stamp)
{
  const Intrinsics k = intrinsics(view.lens(), view.width(), view.height());
  sensor_msgs::msg::CameraInfo info;
  info.header.stamp = stamp;
  info.header.frame_id = frame_id_;
  info.width = static_cast<std::uint32_t>(view.width());
  info.height = static_cast<std::uint32_t>(view.height());
  info.distortion_model = "plumb_bob";
  info.d.assign(5, 0.0);
  info.k = {k.fx, 0.0, k.cx, 0.0, k.fy, k.cy, 0.0, 0.0, 1.0};
  info.r = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  info.p = {k.fx, 0.0, k.cx, 0.0, 0.0, k.fy, k.cy, 0.0, 0.0, 0.0, 1.0, 0.0};
  info_->publish(info);
}

void CameraTopics::publish_frame(const View & view, const builtin_interfaces::msg::Time & stamp)
{
  const Eigen::Vector3d p = view.pose().translation();
  const Eigen::Quaterniond q(view.pose().linear() * optical_from_camera());
  tf2_msgs::msg::TFMessage message;
  auto & transform = message.transforms.emplace_back();
  transform.header.stamp = stamp;
  transform.header.frame_id = root_frame_;
  transform.child_frame_id = frame_id_;
  transform.transform.translation.x = p.x();
  transform.transform.translation.y = p.y();
  transform.transform.translation.z = p.z();
  transform.transform.rotation.x = q.x();
  transform.transform.rotation.y = q.y();
  transform.transform.rotation.z = q.z();
  transform.transform.rotation.w = q.w();
  tf_->publish(message);
}

}  // namespace ambf_render
