// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ambf_msgs/srv/load_model.hpp>
#include <ambf_msgs/srv/load_world.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_simulation/world_runner.hpp"
#include "publishing.hpp"
#include "short_names.hpp"
#include "step_server.hpp"

namespace ambf_physics
{

/// The services that look at or change the world as a whole.
class EditServices
{
public:
  EditServices(
    rclcpp::Node & node, Simulation & simulation, WorldRunner & runner, Publishing & publishing,
    StepServer & clock, SourceNames & sources, const std::string & world_namespace,
    rclcpp::CallbackGroup::SharedPtr group);

  /// To be set before anybody calls: after bodies or joints came or went, with the ownership.
  std::function<void()> world_changed;

private:
  using LoadModel = ambf_msgs::srv::LoadModel;
  using LoadWorld = ambf_msgs::srv::LoadWorld;

  /// load_model, load_world, remove
  void add_edit_services(const std::string & base, rclcpp::CallbackGroup::SharedPtr group);
  void load_model(const LoadModel::Request & request, LoadModel::Response & response);
  void load_world(const LoadWorld::Request & request, LoadWorld::Response & response);
  /// Not by whoever owns the world: writing may block.
  void log_warnings(const char * service, const std::vector<std::string> & warnings) const;
  /// reset, save_state, restore_state, read, set_body_state, query
  void add_state_services(const std::string & base, rclcpp::CallbackGroup::SharedPtr group);
  /// set_joint_gains, set_gravity_compensation
  void add_law_services(const std::string & base, rclcpp::CallbackGroup::SharedPtr group);
  /// World/Command/Reset and ResetBodies: AMBF's way to ask for a reset
  void add_reset_topics(const std::string & base, rclcpp::CallbackGroup::SharedPtr group);
  /// set_mode, get_mode
  void add_clock_services(const std::string & base, rclcpp::CallbackGroup::SharedPtr group);

  /// Puts back what the scope's bits name; 0: time and state. Why it was refused, or empty. With the clock
  /// held and the ownership.
  std::string reset(std::uint8_t scope);
  /// Why the world cannot be edited now: its numbers are no longer any. Empty: it can. With the ownership.
  std::string divergence() const;

  /// What the names of all objects begin with.
  std::string node_namespace() const;

  rclcpp::Node & node_;
  Simulation & simulation_;
  WorldRunner & runner_;
  Publishing & publishing_;
  StepServer & clock_;
  SourceNames & sources_;
  std::string world_namespace_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> topics_;
};

/// Turns a path, file:// or package:// address into a path; the error says what is wrong.
ambf_adf::expected<std::string, std::string> resolve_uri(const std::string & uri);

}  // namespace ambf_physics
