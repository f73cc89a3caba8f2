// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <ambf_msgs/srv/load_model.hpp>
#include <ambf_msgs/srv/remove_object.hpp>
#include <rclcpp/rclcpp.hpp>

#include "arm_place.hpp"

namespace ambf_arm_nodes
{

/// Asks the world to take bodies of a tool off an arm and to put others on. One request at a time; what
/// comes next is decided by the manifest that the world then has, so that it does not matter who asked
/// before, or whether an answer was lost. Answers only tell refusals.
class ToolExchange
{
public:
  using LoadModel = ambf_msgs::srv::LoadModel;
  using RemoveObject = ambf_msgs::srv::RemoveObject;

  ToolExchange(
    rclcpp::Node & node, const std::string & world,
    std::function<void(const std::string &)> refused);

  /// The manifest that the world has now.
  void heard_of(std::uint32_t revision) noexcept { revision_ = revision; }
  /// May something be asked for? `now` is wall time [s].
  bool free(double now) const;
  void remove(const std::string & name, double now);
  void load(LoadModel::Request::SharedPtr request, double now);

private:
  struct Asked
  {
    std::uint32_t revision = 0;
    double at = 0.0;
    std::uint64_t number = 0;
  };
  template <class Service>
  void ask(
    rclcpp::Client<Service> & client, typename Service::Request::SharedPtr request, double now);

  rclcpp::Client<LoadModel>::SharedPtr load_;
  rclcpp::Client<RemoveObject>::SharedPtr remove_;
  std::function<void(const std::string &)> refused_;
  std::uint32_t revision_ = 0;
  std::uint64_t count_ = 0;
  std::optional<Asked> asked_;
};

/// The new tool where the arm's carriage is, its joints where they are asked to be.
ToolExchange::LoadModel::Request::SharedPtr load_request(
  const ToolSituation & tool, const ambf_arms::ArmDescription & description,
  const ambf_arms::ArmControl & control, const std::string & tools_address,
  const ambf_msgs::msg::WorldSnapshot & snapshot);

/// "LARGE_NEEDLE_DRIVER:400006" of large_needle_driver_400006, "Classic_HD_UP" of endoscope_classic_up;
/// "" for what is neither.
std::string tool_name(const ambf_arms::ToolBodies & bodies, ambf_arms::ArmKind kind);

}  // namespace ambf_arm_nodes
