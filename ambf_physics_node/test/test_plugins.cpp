// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include <std_msgs/msg/float64.hpp>

#include "composed_world.hpp"

using namespace ambf_physics_test;  // NOLINT

TEST(Plugins, OneWithATopicIsMovedByIt)
{
  ComposedWorld world(
    {"adf/pendulum.yaml"}, true, {{"plugins", std::vector<std::string>{PUSH_PLUGIN}}});
  const auto publisher =
    world.client_node->create_publisher<std_msgs::msg::Float64>("/ambf/env/Push", 1);
  StepWorld::Request request;
  request.steps = 10;
  request.observe_all = true;
  const auto effort = [&] {
    const auto reply = world.step(request);
    return reply && reply->ok ? reply->joints.at(2) : -1.0;
  };
  EXPECT_EQ(effort(), 0.0);
  EXPECT_TRUE(eventually([&] {
    publisher->publish(std_msgs::msg::Float64().set__data(0.25));
    return effort() == 0.25;
  }));
}

TEST(Plugins, AParameterThatNamesNoPluginIsRefusedByItsName)
{
  const auto start = [](const std::string & file) {
    rclcpp::NodeOptions options;
    options.parameter_overrides({{"plugins", std::vector<std::string>{file}}});
    try {
      ambf_physics::PhysicsNode node(options);
    } catch (const std::runtime_error & error) {
      return std::string(error.what());
    }
    return std::string("it started");
  };
  EXPECT_NE(start("/nowhere/libdrill.so").find("parameter 'plugins'"), std::string::npos)
    << start("/nowhere/libdrill.so");
  const auto other = start(description("adf/pendulum.yaml"));
  EXPECT_NE(other.find("parameter 'plugins'"), std::string::npos) << other;
}

int main(int argc, char ** argv)
{
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::AddGlobalTestEnvironment(new Ros);
  return RUN_ALL_TESTS();
}
