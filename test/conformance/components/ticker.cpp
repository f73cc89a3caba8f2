// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "stamped_bytes.hpp"

namespace ambf_conformance
{

/// Publishes `size` bytes at `rate` hertz on `ticks`; the first eight carry the time of sending.
class Ticker : public rclcpp::Node
{
public:
  explicit Ticker(const rclcpp::NodeOptions & options) : Node("ticker", options)
  {
    const double rate = std::max(declare_parameter("rate", 200.0), 0.1);
    const auto size = declare_parameter("size", 64);
    size_ = std::max<std::size_t>(stamp_size, static_cast<std::size_t>(std::max<int64_t>(size, 0)));
    publisher_ = create_publisher<Bytes>("ticks", rclcpp::QoS(10));
    timer_ = create_wall_timer(std::chrono::duration<double>(1.0 / rate), [this] { tick(); });
  }

private:
  void tick()
  {
    auto message = std::make_unique<Bytes>();
    message->data.resize(size_);
    stamp(*message);
    publisher_->publish(std::move(message));
  }

  std::size_t size_{stamp_size};
  rclcpp::Publisher<Bytes>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_conformance

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_conformance::Ticker)
