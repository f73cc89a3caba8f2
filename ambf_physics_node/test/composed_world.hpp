// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <ambf_msgs/srv/step_world.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <rclcpp/rclcpp.hpp>

#include "physics_node.hpp"

namespace ambf_physics_test
{

using StepWorld = ambf_msgs::srv::StepWorld;
using namespace std::chrono_literals;  // NOLINT

inline bool long_tier()
{
  const char * set = std::getenv("AMBF_TEST_LONG");
  return set != nullptr && std::string(set) == "1";
}

inline std::string description(const std::string & name)
{
  return ament_index_cpp::get_package_share_directory("ambf_description") + "/" + name;
}

inline bool eventually(
  const std::function<bool()> & condition, std::chrono::milliseconds limit = 90s)
{
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) { return false; }
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

/// A physics node in this process with whatever is composed with it, and a client of its step service.
class ComposedWorld
{
public:
  explicit ComposedWorld(
    const std::vector<std::string> & models, bool intra_process = true,
    const std::vector<rclcpp::Parameter> & more = {})
  {
    rclcpp::NodeOptions options;
    options.use_intra_process_comms(intra_process);
    std::vector<std::string> files;
    for (const auto & model : models) { files.push_back(description(model)); }
    std::vector<rclcpp::Parameter> parameters{{"mode", "lockstep"}, {"models", files}};
    parameters.insert(parameters.end(), more.begin(), more.end());
    options.parameter_overrides(parameters);
    physics = std::make_shared<ambf_physics::PhysicsNode>(options);
    client_node = std::make_shared<rclcpp::Node>("caller");
    client = client_node->create_client<StepWorld>("/ambf/env/World/step");
    add(physics);
    add(client_node);
    spinner_ = std::thread([this] { executor_.spin(); });
    EXPECT_TRUE(client->wait_for_service(20s));
  }
  ~ComposedWorld() { stop(); }

  /// No callback runs any more: for whoever goes before the world does and has callbacks in its executor.
  void stop()
  {
    executor_.cancel();
    if (spinner_.joinable()) { spinner_.join(); }
  }

  void add(const rclcpp::Node::SharedPtr & node) { executor_.add_node(node); }
  void remove(const rclcpp::Node::SharedPtr & node) { executor_.remove_node(node); }

  StepWorld::Response::SharedPtr step(
    StepWorld::Request request, std::chrono::milliseconds limit = 90s)
  {
    if (request.agent.empty()) { request.agent = "caller"; }
    auto future =
      client->async_send_request(std::make_shared<StepWorld::Request>(std::move(request)));
    if (future.wait_for(limit) != std::future_status::ready) { return nullptr; }
    return future.get();
  }

  std::shared_ptr<ambf_physics::PhysicsNode> physics;
  rclcpp::Node::SharedPtr client_node;
  rclcpp::Client<StepWorld>::SharedPtr client;

private:
  rclcpp::executors::MultiThreadedExecutor executor_{rclcpp::ExecutorOptions(), 3};
  std::thread spinner_;
};

/// A program in a process of its own, killed at the end.
class Process
{
public:
  explicit Process(const std::vector<std::string> & command)
  {
    std::vector<char *> arguments;
    for (const auto & word : command) { arguments.push_back(const_cast<char *>(word.c_str())); }
    arguments.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      execv(arguments[0], arguments.data());
      _exit(127);
    }
  }
  ~Process()
  {
    kill(pid_, SIGCONT);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  void signal(int number) const { kill(pid_, number); }

private:
  pid_t pid_ = -1;
};

/// rclcpp for the whole program.
class Ros : public ::testing::Environment
{
public:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override { rclcpp::shutdown(); }
};

}  // namespace ambf_physics_test
