// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_simulation/world_runner.hpp"
#include "ambf_simulation/simulation.hpp"
#include "edit_services.hpp"
#include "parameters.hpp"
#include "publishing.hpp"
#include "service_thread.hpp"
#include "source_names.hpp"
#include "step_server.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// The world as a node of the graph: wiring only. Throws std::runtime_error with every error of the
/// description when the world cannot be loaded.
class PhysicsNode : public rclcpp::Node
{
public:
  explicit PhysicsNode(const rclcpp::NodeOptions & options);
  ~PhysicsNode() override;

private:
  void start();
  void load_world();
  void world_changed();
  void report_diagnostics();

  Parameters parameters_;
  std::string world_namespace_;
  std::string root_frame_;
  SourceNames sources_;
  std::atomic<std::uint64_t> rejected_{0};
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<WorldRunner> runner_;
  std::unique_ptr<Publishing> publishing_;
  std::unique_ptr<StepServer> step_server_;
  std::unique_ptr<EditServices> edit_services_;
  rclcpp::CallbackGroup::SharedPtr command_group_;
  rclcpp::CallbackGroup::SharedPtr service_group_;
  rclcpp::CallbackGroup::SharedPtr clock_group_;
  std::unique_ptr<ServiceThread> service_thread_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  rclcpp::TimerBase::SharedPtr tidying_timer_;
  std::uint64_t conflicts_reported_ = 0;
  double slip_reported_ = 0.0;
};

}  // namespace ambf_physics
