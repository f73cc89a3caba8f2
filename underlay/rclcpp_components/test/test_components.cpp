// SPDX-License-Identifier: BSD-3-Clause
// Components that work and components that fail, for test_containers.py.

#include <chrono>
#include <memory>
#include <stdexcept>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "std_msgs/msg/int64.hpp"

namespace test_components {

/// Publishes the parameter "start" and what follows it.
class Counter : public rclcpp::Node {
public:
  explicit Counter(const rclcpp::NodeOptions & options)
  : Node("counter", options), next_(declare_parameter("start", 0)) {
    publisher_ = create_publisher<std_msgs::msg::Int64>("count", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(20), [this]() {
      auto message = std::make_unique<std_msgs::msg::Int64>();
      message->data = next_++;
      publisher_->publish(std::move(message));
    });
  }

private:
  int64_t next_;
  rclcpp::Publisher<std_msgs::msg::Int64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

class Throwing : public rclcpp::Node {
public:
  explicit Throwing(const rclcpp::NodeOptions & options) : Node("throwing", options) {
    throw std::runtime_error("not today");
  }
};

class ThrowingNumber : public rclcpp::Node {
public:
  explicit ThrowingNumber(const rclcpp::NodeOptions & options) : Node("throwing_number", options) { throw 42; }
};

}  // namespace test_components

RCLCPP_COMPONENTS_REGISTER_NODE(test_components::Counter)
RCLCPP_COMPONENTS_REGISTER_NODE(test_components::Throwing)
RCLCPP_COMPONENTS_REGISTER_NODE(test_components::ThrowingNumber)
