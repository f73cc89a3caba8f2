// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>

#include <rclcpp/rclcpp.hpp>

#include "ambf_node_support/run_alone.hpp"

namespace ambf_node_support
{
namespace
{

int run(const NodeMaker & make_node, Callbacks callbacks)
{
  char name[] = "program";
  char * arguments[] = {name, nullptr};
  return run_alone(1, arguments, make_node, callbacks);
}

class RunAlone : public ::testing::TestWithParam<Callbacks>
{
};

TEST_P(RunAlone, ARefusalAndAFailureHaveDifferentCodes)
{
  EXPECT_EQ(
    run(
      [](const rclcpp::NodeOptions &) -> rclcpp::Node::SharedPtr {
        throw std::invalid_argument("no");
      },
      GetParam()),
    refused);

  rclcpp::TimerBase::SharedPtr timer;
  const auto with_timer = [&timer](auto callback) {
    return [&timer, callback](const rclcpp::NodeOptions & options) {
      auto node = std::make_shared<rclcpp::Node>("alone", options);
      timer = node->create_wall_timer(std::chrono::milliseconds(1), callback);
      return node;
    };
  };
  EXPECT_EQ(run(with_timer([] { throw std::runtime_error("broken"); }), GetParam()), failed);
  EXPECT_EQ(run(with_timer([] { rclcpp::shutdown(); }), GetParam()), 0);
}

INSTANTIATE_TEST_SUITE_P(
  Executors, RunAlone, ::testing::Values(Callbacks::OnWaitSet, Callbacks::OnEvents));

}  // namespace
}  // namespace ambf_node_support
