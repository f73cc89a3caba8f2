// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <string>

#include <rclcpp/rclcpp.hpp>

#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "markers.hpp"

namespace ambf_sensors
{

using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;
using visualization_msgs::msg::MarkerArray;

/// World/Manifest and World/Snapshot in, World/Markers out: for rviz2 beside URDFs and tf. Nothing is
/// made while nobody listens.
class MarkerNode : public rclcpp::Node
{
public:
  explicit MarkerNode(const rclcpp::NodeOptions & options) : rclcpp::Node("markers", options)
  {
    ambf_node_support::Declared declared(*this);
    const std::string ns = get_namespace();
    const std::string base =
      (ns == "/" ? "" : ns) +
      declared.word("world_namespace", "/ambf/env", "namespace of the world's topics") + "/World";
    const double rate =
      declared.real("rate", 20.0, 0.1, 1000.0, "largest rate of the markers [Hz of wall time]");

    markers_ = create_publisher<MarkerArray>(base + "/Markers", rclcpp::QoS(10).reliable());
    manifest_ = create_subscription<WorldManifest>(
      base + "/Manifest", rclcpp::QoS(1).reliable().transient_local(),
      [this](WorldManifest::ConstSharedPtr manifest) {
        maker_.build(*manifest);
        for (const auto & text : maker_.warnings()) {
          RCLCPP_WARN(get_logger(), "%s", text.c_str());
        }
      });
    snapshot_ = create_subscription<WorldSnapshot>(
      base + "/Snapshot", rclcpp::QoS(1).best_effort(),
      [this](WorldSnapshot::ConstSharedPtr snapshot) { latest_ = std::move(snapshot); });
    timer_ = create_wall_timer(std::chrono::duration<double>(1.0 / rate), [this] { publish(); });
  }

private:
  void publish()
  {
    const auto listeners =
      markers_->get_subscription_count() + markers_->get_intra_process_subscription_count();
    if (listeners == 0 || !latest_ || !maker_.fits(*latest_)) { return; }
    markers_->publish(maker_.make(*latest_));
  }

  MarkerMaker maker_;
  WorldSnapshot::ConstSharedPtr latest_;
  rclcpp::Publisher<MarkerArray>::SharedPtr markers_;
  rclcpp::Subscription<WorldManifest>::SharedPtr manifest_;
  rclcpp::Subscription<WorldSnapshot>::SharedPtr snapshot_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_sensors

AMBF_NODE_COMPONENT(ambf_sensors, MarkerNode)
