// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include <ambf_msgs/msg/device_command.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_device_nodes/command_gate.hpp"
#include "ambf_devices/device_cycle.hpp"

namespace ambf_device_nodes
{

/// <device>/Command: what agents and supervisors ask of a hand, judged before it comes to the loop.
/// Of two who ask at once the first counts until it is silent; what means nothing is refused in words.
class CommandListener
{
public:
  struct Rules
  {
    std::string device;
    ambf_devices::GainBounds bounds;
    double silence = 0.030;  ///< of the one who leads, until another may [s]
  };

  CommandListener(
    rclcpp::Node & node, const std::string & topic, const Rules & rules,
    std::function<void(const ambf_devices::GuidanceCommand &)> take);

  /// No command comes to the loop after this, but for one that is under way.
  void close() { commands_.reset(); }

  /// The node that was listened to last; into `name`, which keeps its capacity. From any thread.
  void copy_sender(std::string & name) const;
  std::uint64_t refused() const { return refused_; }
  std::uint64_t foreign() const { return foreign_; }

private:
  void receive(const ambf_msgs::msg::DeviceCommand & message, const rclcpp::MessageInfo & info);
  std::string node_of(const CommandGate::Gid & sender) const;
  void look_up(const CommandGate::Gid & sender, double time);

  rclcpp::Node & node_;
  Rules rules_;
  std::function<void(const ambf_devices::GuidanceCommand &)> take_;
  CommandGate gate_;
  std::uint64_t refused_ = 0;  // of the executor, as is the rest
  std::uint64_t foreign_ = 0;
  double next_report_ = 0.0;
  double next_look_up_ = 0.0;
  bool is_known_ = false;
  mutable std::mutex mutex_;
  std::string sender_;
  rclcpp::Subscription<ambf_msgs::msg::DeviceCommand>::SharedPtr commands_;
};

}  // namespace ambf_device_nodes
