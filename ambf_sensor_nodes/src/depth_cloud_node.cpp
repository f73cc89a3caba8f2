// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "depth_cloud.hpp"

namespace ambf_sensors
{

using namespace std::chrono_literals;
using sensor_msgs::msg::CameraInfo;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::PointCloud2;

/// Turns the depth image of a camera into a point cloud: <camera>/DepthImage, camera_info and (with
/// `colour`) ImageData in, <camera>/points out. With `barrier` it is a member of the world clock's
/// barrier under its node name.
class DepthCloudNode : public rclcpp::Node
{
public:
  explicit DepthCloudNode(const rclcpp::NodeOptions & options)
  : rclcpp::Node("depth_cloud", options)
  {
    ambf_node_support::Declared declared(*this);
    // As everything of a world, topics are below the node's namespace.
    const std::string ns = get_namespace();
    const std::string below = ns == "/" ? "" : ns;
    const auto camera = below + declared.word(
                                  "camera", "/ambf/env/cameras/main_camera",
                                  "topic of the camera below the node's namespace, e.g. "
                                  "/ambf/env/cameras/main_camera");
    const bool colour = declared.flag("colour", false, "colour the points with <camera>/ImageData");
    const bool barrier = declared.flag("barrier", false, "take part in the world clock's barrier");
    const auto world = below +
                       declared.word(
                         "world_namespace", "/ambf/env",
                         "namespace of the world's topics below the node's namespace") +
                       "/World";

    // An image that is lost between two hosts would hold up the barrier.
    const auto images = rclcpp::QoS(1).reliable();
    points_ = create_publisher<PointCloud2>(camera + "/points", rclcpp::QoS(1).reliable());
    info_ = create_subscription<CameraInfo>(
      camera + "/camera_info", images, [this](CameraInfo::ConstSharedPtr info) {
        latest_info_ = std::move(info);
        publish_if_complete();
      });
    if (colour) {
      image_ = create_subscription<Image>(
        camera + "/ImageData", images,
        [this](Image::ConstSharedPtr image) { latest_colour_ = std::move(image); });
    }
    depth_ = create_subscription<Image>(
      camera + "/DepthImage", images, [this](Image::ConstSharedPtr depth) {
        latest_depth_ = std::move(depth);
        publish_if_complete();
      });
    missing_timer_ = create_wall_timer(5s, [this] {
      if (count_publishers(depth_->get_topic_name()) == 0) {
        RCLCPP_WARN(
          get_logger(),
          "no clouds yet: nobody publishes %s; is this the camera's topic, and does a renderer "
          "run?",
          depth_->get_topic_name());
      }
      missing_timer_->cancel();
    });
    if (!barrier) { return; }
    hello_ = create_publisher<ambf_msgs::msg::BarrierMember>(
      world + "/Barrier", rclcpp::QoS(10)
                            .reliable()
                            .liveliness(rclcpp::LivelinessPolicy::Automatic)
                            .liveliness_lease_duration(rclcpp::Duration(2s)));
    done_ =
      create_publisher<ambf_msgs::msg::StepDone>(world + "/StepDone", rclcpp::QoS(100).reliable());
    manifest_ = create_subscription<ambf_msgs::msg::WorldManifest>(
      world + "/Manifest", rclcpp::QoS(1).reliable().transient_local(),
      [this](ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest) {
        step_size_ = manifest->step_size;
      });
    timer_ = create_wall_timer(500ms, [this] {
      ambf_msgs::msg::BarrierMember member;
      member.name = get_name();
      member.process = get_fully_qualified_name();
      hello_->publish(member);
    });
  }

private:
  /// A cloud needs a depth image and the lens that it was taken with: the info of the same camera
  /// changes rarely, so that any info of the same size will do.
  void publish_if_complete()
  {
    if (!latest_depth_ || !latest_info_) { return; }
    const auto depth = std::exchange(latest_depth_, nullptr);
    if (const auto wrong = problem(*depth, *latest_info_)) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "no cloud: %s", wrong->c_str());
      finish(*depth, false, *wrong);
      return;
    }
    const bool coloured = latest_colour_ && fits(*depth, *latest_colour_);
    auto cloud = std::make_unique<PointCloud2>();
    fill(*cloud, *depth, *latest_info_, coloured ? latest_colour_.get() : nullptr);
    points_->publish(std::move(cloud));
    finish(*depth, true, "");
  }

  void finish(const Image & depth, bool ok, const std::string & message)
  {
    if (!done_ || step_size_ <= 0.0) { return; }
    const double seconds = depth.header.stamp.sec + 1e-9 * depth.header.stamp.nanosec;
    ambf_msgs::msg::StepDone done;
    done.member = get_name();
    done.step = static_cast<std::uint64_t>(std::llround(seconds / step_size_));
    done.ok = ok;
    done.message = message;
    done_->publish(done);
  }

  Image::ConstSharedPtr latest_depth_, latest_colour_;
  CameraInfo::ConstSharedPtr latest_info_;
  double step_size_ = 0.0;
  rclcpp::Publisher<PointCloud2>::SharedPtr points_;
  rclcpp::Publisher<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
  rclcpp::Publisher<ambf_msgs::msg::StepDone>::SharedPtr done_;
  rclcpp::Subscription<CameraInfo>::SharedPtr info_;
  rclcpp::Subscription<Image>::SharedPtr depth_, image_;
  rclcpp::Subscription<ambf_msgs::msg::WorldManifest>::SharedPtr manifest_;
  rclcpp::TimerBase::SharedPtr timer_, missing_timer_;
};

}  // namespace ambf_sensors

AMBF_NODE_COMPONENT(ambf_sensors, DepthCloudNode)
