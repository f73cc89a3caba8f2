// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_device_nodes/command_listener.hpp"

#include <algorithm>
#include <utility>

#include "ambf_devices/gain_check.hpp"
#include "ambf_node_support/time.hpp"
#include "convert.hpp"

namespace ambf_device_nodes
{
namespace
{

constexpr double report_period = 1.0;   // [s]
constexpr double look_up_period = 0.1;  // of a name that is not known yet [s]

/// Until the middleware tells the name of a node, which may come after its topics.
bool is_a_name(const std::string & name)
{
  return !name.empty() && name.find("_NODE_NAME_UNKNOWN_") == std::string::npos;
}

}  // namespace

CommandListener::CommandListener(
  rclcpp::Node & node, const std::string & topic, const Rules & rules,
  std::function<void(const ambf_devices::GuidanceCommand &)> take)
: node_(node), rules_(rules), take_(std::move(take))
{
  commands_ = node.create_subscription<ambf_msgs::msg::DeviceCommand>(
    topic, rclcpp::QoS(1).best_effort(),
    [this](const ambf_msgs::msg::DeviceCommand & message, const rclcpp::MessageInfo & info) {
      receive(message, info);
    });
}

void CommandListener::receive(
  const ambf_msgs::msg::DeviceCommand & message, const rclcpp::MessageInfo & info)
{
  const double time = ambf_node_support::steady_seconds();
  const auto command = from_msg(message);
  const auto fits = command ? check_guidance(*command, rules_.bounds)
                            : tl::expected<void, std::string>(tl::unexpected(command.error()));
  if (!fits) {
    ++refused_;
    if (time >= next_report_) {
      next_report_ = time + report_period;
      RCLCPP_WARN(
        node_.get_logger(), "device '%s': a command on %s is refused: %s (%lu so far)",
        rules_.device.c_str(), commands_->get_topic_name(), fits.error().c_str(),
        static_cast<unsigned long>(refused_));
    }
    return;
  }
  CommandGate::Gid sender;
  std::copy_n(
    std::begin(info.get_rmw_message_info().publisher_gid.data), sender.size(), sender.begin());
  const auto verdict = gate_.judge(sender, time, rules_.silence);
  if (verdict == CommandGate::Verdict::Refused) {
    ++foreign_;
    if (time >= next_report_) {
      next_report_ = time + report_period;
      std::string leads;
      copy_sender(leads);
      RCLCPP_WARN(
        node_.get_logger(),
        "device '%s' is led by %s until that is silent: commands of %s are left out (%lu so far)",
        rules_.device.c_str(), leads.c_str(), node_of(sender).c_str(),
        static_cast<unsigned long>(foreign_));
    }
    return;
  }
  if (verdict == CommandGate::Verdict::New) { is_known_ = false; }
  if (!is_known_ && (verdict == CommandGate::Verdict::New || time >= next_look_up_)) {
    look_up(sender, time);
  }
  take_(*command);
}

void CommandListener::look_up(const CommandGate::Gid & sender, double time)
{
  const std::string name = node_of(sender);
  is_known_ = is_a_name(name);
  next_look_up_ = time + look_up_period;
  const std::lock_guard lock(mutex_);
  sender_ = is_known_ ? name : "a node without a name";
}

std::string CommandListener::node_of(const CommandGate::Gid & sender) const
{
  for (const auto & end : node_.get_publishers_info_by_topic(commands_->get_topic_name())) {
    if (std::equal(sender.begin(), sender.end(), end.endpoint_gid().begin())) {
      const std::string & ns = end.node_namespace();
      return ns + (ns.ends_with('/') ? "" : "/") + end.node_name();
    }
  }
  return {};
}

void CommandListener::copy_sender(std::string & name) const
{
  const std::lock_guard lock(mutex_);
  name = sender_;
}

}  // namespace ambf_device_nodes
