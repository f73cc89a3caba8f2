// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <string>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_node_support/component.hpp"

namespace ambf_device_nodes
{

/// Stands for the physics: answers each sample of a device at once with a proxy that lies `offset`
/// metres along x beside the reference. What a device's force is tried and measured with.
class ProxyEcho : public rclcpp::Node
{
public:
  explicit ProxyEcho(const rclcpp::NodeOptions & options) : rclcpp::Node("proxy_echo", options)
  {
    Declared declared(*this);
    const auto of = [](const std::string & device) { return "/ambf/env/" + device; };
    const auto device = declared.topic("device", "mock", "name of the device that is answered", of);
    const double offset =
      declared.real("offset", 0.02, -1.0, 1.0, "of the proxy beside the reference, along x [m]");
    const int copies = declared.whole("copies", 1, 1, 1000, "answers per sample; many: a flood");
    const auto proxies =
      create_publisher<ambf_msgs::msg::ProxyState>(of(device) + "/Proxy", newest_value());
    samples_ = create_subscription<ambf_msgs::msg::DeviceSample>(
      of(device) + "/Sample", newest_value(),
      [proxies, offset, copies,
       clock = get_clock()](ambf_msgs::msg::DeviceSample::ConstSharedPtr sample) {
        ambf_msgs::msg::ProxyState state;
        state.header.stamp = clock->now();
        state.pose = state.reference_pose = sample->pose;
        state.pose.position.x += offset;
        state.sequence = sample->sequence;
        for (int i = 0; i < copies; ++i) { proxies->publish(state); }
      });
  }

private:
  rclcpp::Subscription<ambf_msgs::msg::DeviceSample>::SharedPtr samples_;
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, ProxyEcho)
