// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include <rclcpp/rclcpp.hpp>

namespace ambf_physics
{

/// Calls the callbacks of one group on a thread of its own, whatever executor the node is in: a service
/// that reads a large model must not keep commands from a robot.
class ServiceThread
{
public:
  ServiceThread(rclcpp::Node & node, rclcpp::CallbackGroup::SharedPtr group)
  : logger_(node.get_logger()),
    context_(node.get_node_base_interface()->get_context()),
    executor_(options(context_))
  {
    executor_.add_callback_group(group, node.get_node_base_interface());
    thread_ = std::thread([this] { run(); });
  }
  ServiceThread(const ServiceThread &) = delete;
  ServiceThread & operator=(const ServiceThread &) = delete;
  ~ServiceThread()
  {
    stopping_.store(true);
    executor_.cancel();
    thread_.join();
  }

private:
  static rclcpp::ExecutorOptions options(const rclcpp::Context::SharedPtr & context)
  {
    rclcpp::ExecutorOptions options;
    options.context = context;
    return options;
  }

  void run()
  {
    // A cancel that comes before a spin is lost, so none lasts for ever.
    while (!stopping_.load() && context_->is_valid()) {
      try {
        executor_.spin_once(std::chrono::milliseconds(200));
      } catch (const std::exception & error) {
        if (context_->is_valid()) { RCLCPP_ERROR(logger_, "a service failed: %s", error.what()); }
      }
    }
  }

  rclcpp::Logger logger_;
  rclcpp::Context::SharedPtr context_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace ambf_physics
