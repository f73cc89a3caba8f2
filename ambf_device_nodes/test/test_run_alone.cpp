// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>

#include <rclcpp/rclcpp.hpp>

#include "ambf_device_nodes/run_alone.hpp"

namespace ambf_device_nodes
{
namespace
{

int run(const NodeMaker & make)
{
  char name[] = "program";
  char * arguments[] = {name, nullptr};
  return run_alone(1, arguments, make);
}

TEST(RunAlone, ARefusalAndAFailureHaveDifferentCodes)
{
  EXPECT_EQ(
    run([](const rclcpp::NodeOptions &) -> rclcpp::Node::SharedPtr {
      throw std::invalid_argument("no");
    }),
    refused);

  rclcpp::TimerBase::SharedPtr timer;
  const auto with_timer = [&timer](auto callback) {
    return [&timer, callback](const rclcpp::NodeOptions & options) {
      auto node = std::make_shared<rclcpp::Node>("alone", options);
      timer = node->create_wall_timer(std::chrono::milliseconds(1), callback);
      return node;
    };
  };
  EXPECT_EQ(run(with_timer([] { throw std::runtime_error("broken"); })), failed);
  EXPECT_EQ(run(with_timer([] { rclcpp::shutdown(); })), 0);
}

}  // namespace
}  // namespace ambf_device_nodes
