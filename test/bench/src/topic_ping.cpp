// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <chrono>
#include <memory>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "round_trip_times.hpp"

namespace ambf_bench
{

/// The bare way: a sample a millisecond, and the time until its answer is in the callback. No loop,
/// no force. Prints quantiles [us].
class TopicPing : public rclcpp::Node
{
public:
  explicit TopicPing(const rclcpp::NodeOptions & options) : rclcpp::Node("topic_ping", options)
  {
    const int count = ambf_node_support::Declared(*this).whole(
      "round_trips", 1000, 10, 1'000'000, "how many are measured");
    times_ = std::make_unique<RoundTripTimes>("bare", count);
    samples_ = create_publisher<ambf_msgs::msg::DeviceSample>(
      "/ambf/env/gamepad/Sample", ambf_device_nodes::newest_value());
    proxies_ = create_subscription<ambf_msgs::msg::ProxyState>(
      "/ambf/env/gamepad/Proxy", ambf_device_nodes::newest_value(),
      [this](ambf_msgs::msg::ProxyState::ConstSharedPtr state) {
        const auto sent = sent_at_[state->sequence % sent_at_.size()];
        times_->add(std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count());
      });
    sample_.pose.orientation.w = 1.0;
    sample_.actions.resize(8);
    timer_ = create_wall_timer(std::chrono::milliseconds(1), [this] {
      ++sample_.sequence;
      sent_at_[sample_.sequence % sent_at_.size()] = std::chrono::steady_clock::now();
      samples_->publish(sample_);
    });
  }

private:
  std::array<std::chrono::steady_clock::time_point, 1024> sent_at_;
  std::unique_ptr<RoundTripTimes> times_;
  ambf_msgs::msg::DeviceSample sample_;
  rclcpp::Publisher<ambf_msgs::msg::DeviceSample>::SharedPtr samples_;
  rclcpp::Subscription<ambf_msgs::msg::ProxyState>::SharedPtr proxies_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_bench

AMBF_NODE_COMPONENT(ambf_bench, TopicPing)
