// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "stamped_bytes.hpp"
#include "std_msgs/msg/float64_multi_array.hpp"

namespace ambf_conformance
{

/// Measures the age of what arrives on `ticks`. After every `samples` messages it logs median,
/// quartiles and maximum, and publishes them on `~/report` as
/// [samples, first quartile, median, third quartile, maximum, intra-process] in microseconds.
class Latency : public rclcpp::Node
{
public:
  explicit Latency(const rclcpp::NodeOptions & options) : Node("latency", options)
  {
    samples_ = static_cast<std::size_t>(std::max<int64_t>(declare_parameter("samples", 200), 1));
    ages_.reserve(samples_);
    report_ = create_publisher<std_msgs::msg::Float64MultiArray>(
      "~/report", rclcpp::QoS(1).transient_local());
    subscription_ = create_subscription<Bytes>(
      "ticks", rclcpp::QoS(10),
      [this](Bytes::ConstSharedPtr message, const rclcpp::MessageInfo & info) {
        hear(*message, info.get_rmw_message_info().from_intra_process);
      });
  }

private:
  void hear(const Bytes & message, bool intra_process)
  {
    const double age = age_in_microseconds(message);
    if (age < 0.0) {
      RCLCPP_WARN_ONCE(
        get_logger(), "a message on %s holds %zu bytes, a stamp needs %zu: ignored",
        subscription_->get_topic_name(), message.data.size(), stamp_size);
      return;
    }
    ages_.push_back(age);
    if (ages_.size() == samples_) {
      report(intra_process, message.data.size());
      ages_.clear();
    }
  }

  void report(bool intra_process, std::size_t size)
  {
    std::sort(ages_.begin(), ages_.end());
    const auto at = [this](std::size_t quarter) { return ages_[(ages_.size() - 1) * quarter / 4]; };
    RCLCPP_INFO(
      get_logger(),
      "%zu messages of %zu bytes, %s: median %.1f us, quartiles %.1f and %.1f, maximum %.1f",
      ages_.size(), size, intra_process ? "intra-process" : "through the middleware", at(2), at(1),
      at(3), ages_.back());
    auto message = std::make_unique<std_msgs::msg::Float64MultiArray>();
    message->data = {static_cast<double>(ages_.size()), at(1), at(2), at(3), ages_.back(),
                     intra_process ? 1.0 : 0.0};
    report_->publish(std::move(message));
  }

  std::size_t samples_{1};
  std::vector<double> ages_;
  rclcpp::Publisher<std_msgs::msg::Float64MultiArray>::SharedPtr report_;
  rclcpp::Subscription<Bytes>::SharedPtr subscription_;
};

}  // namespace ambf_conformance

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_conformance::Latency)
