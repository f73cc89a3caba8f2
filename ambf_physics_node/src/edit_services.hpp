#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

#include "core/driver.hpp"
#include "publishing.hpp"

namespace ambf_physics
{

/// The services that look at or change the world as a whole: load_model, remove, reset, save_state,
/// restore_state, query, set_mode, get_mode.
class EditServices
{
public:
  EditServices(
    rclcpp::Node & node, Simulation & simulation, Driver & driver, Publishing & publishing,
    const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group);

  /// Called after bodies or joints came or went, with the ownership.
  std::function<void()> world_changed;
  /// Called when time or state jumped, or the mode leaves lockstep: what waits must end.
  std::function<void(const std::string &)> abandon_waiting;

private:
  rclcpp::Node & node_;
  Simulation & simulation_;
  Driver & driver_;
  Publishing & publishing_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
};

/// Turns a path, file:// or package:// address into a path; the error says what is wrong.
ambf_adf::expected<std::string, std::string> resolve_uri(const std::string & uri);

}  // namespace ambf_physics
