// Stands for the physics: answers each sample of a device with a proxy that lies `offset` metres
// along x beside the reference, in a process of its own. Arguments: device, offset, [floods per sample].
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <rclcpp/rclcpp.hpp>

int main(int argc, char ** argv)
{
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  const std::string device = arguments.at(1);
  const double offset = std::stod(arguments.at(2));
  const int copies = arguments.size() > 3 ? std::stoi(arguments.at(3)) : 1;

  const auto node = std::make_shared<rclcpp::Node>("proxy_echo");
  const auto newest = rclcpp::QoS(1).best_effort();
  const auto proxies = node->create_publisher<ambf_msgs::msg::ProxyState>("/ambf/env/" + device + "/Proxy", newest);
  const auto samples = node->create_subscription<ambf_msgs::msg::DeviceSample>(
    "/ambf/env/" + device + "/Sample", newest, [&](ambf_msgs::msg::DeviceSample::ConstSharedPtr sample) {
      ambf_msgs::msg::ProxyState state;
      state.header.stamp = node->now();
      state.pose = state.reference_pose = sample->pose;
      state.pose.position.x += offset;
      state.sequence = sample->sequence;
      for (int i = 0; i < copies; ++i) {proxies->publish(state);}
    });
  rclcpp::spin(node);
  rclcpp::shutdown();
  return 0;
}
