// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <chrono>
#include <memory>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_device_nodes/run_alone.hpp"
#include "round_trips.hpp"

namespace ambf_device_nodes
{

/// The bare way: a sample a millisecond, and the time until its answer is in the callback. No loop,
/// no force. Prints quantiles [us].
class TopicPing : public rclcpp::Node
{
public:
  explicit TopicPing(const rclcpp::NodeOptions & options) : rclcpp::Node("topic_ping", options)
  {
    const int count =
      Declared(*this).whole("round_trips", 1000, 10, 1'000'000, "how many are measured");
    times_ = std::make_unique<RoundTrips>("bare", count);
    samples_ =
      create_publisher<ambf_msgs::msg::DeviceSample>("/ambf/env/gamepad/Sample", newest_value());
    proxies_ = create_subscription<ambf_msgs::msg::ProxyState>(
      "/ambf/env/gamepad/Proxy", newest_value(),
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
  std::unique_ptr<RoundTrips> times_;
  ambf_msgs::msg::DeviceSample sample_;
  rclcpp::Publisher<ambf_msgs::msg::DeviceSample>::SharedPtr samples_;
  rclcpp::Subscription<ambf_msgs::msg::ProxyState>::SharedPtr proxies_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_device_nodes

AMBF_DEVICE_COMPONENT(TopicPing)
