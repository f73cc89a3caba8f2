// SPDX-License-Identifier: BSD-3-Clause
#include "joint_gains.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ambf_arm_nodes
{
namespace
{

const std::string prefix = "gains.";
/// A request of which nothing is heard for so long was lost, e.g. with a world that was killed [s].
constexpr double lost_after = 3.0;

bool is_gain(const rclcpp::Parameter & parameter)
{
  return parameter.get_name().rfind(prefix, 0) == 0;
}

bool all_good(const std::vector<double> & gains)
{
  return gains.size() == 3 && std::all_of(gains.begin(), gains.end(), [](double gain) {
           return std::isfinite(gain) && gain >= 0.0;
         });
}

}  // namespace

JointGains::JointGains(rclcpp::Node & node, const std::string & world)
: node_(node), client_(node.create_client<SetJointGains>(world + "/World/set_joint_gains"))
{
  checked_ = node.add_on_set_parameters_callback(
    [this](const std::vector<rclcpp::Parameter> & parameters) { return check(parameters); });
  written_ = node.add_post_set_parameters_callback(
    [this](const std::vector<rclcpp::Parameter> & parameters) { write(parameters); });
}

void JointGains::arm_known(Joints joints)
{
  for (const auto & [name, ids] : joints_) {
    // A tool that is gone takes its joints with it.
    if (!joints.contains(name) && node_.has_parameter(prefix + name)) {
      node_.undeclare_parameter(prefix + name);
    }
  }
  joints_ = std::move(joints);
  wanted_ = !joints_.empty();
}

void JointGains::serve(double now)
{
  const bool waits = read_at_ && now - *read_at_ < lost_after;
  if (!wanted_ || waits || joints_.empty() || !client_->service_is_ready()) { return; }
  wanted_ = false;
  read_at_ = now;
  auto request = std::make_shared<SetJointGains::Request>();
  for (const auto & [name, ids] : joints_) { request->names.push_back(ids.front()); }
  ask(std::move(request), false);
}

rcl_interfaces::msg::SetParametersResult JointGains::check(
  const std::vector<rclcpp::Parameter> & parameters) const
{
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  for (const auto & parameter : parameters) {
    if (!is_gain(parameter) || taking_) { continue; }
    const bool list = parameter.get_type() == rclcpp::ParameterType::PARAMETER_DOUBLE_ARRAY;
    if (list && all_good(parameter.as_double_array())) { continue; }
    result.successful = false;
    result.reason = "parameter '" + parameter.get_name() +
                    "': expected three numbers from 0 on, P, I and D, for example [20.0, 0.0, 1.0]";
  }
  return result;
}

void JointGains::write(const std::vector<rclcpp::Parameter> & parameters)
{
  auto request = std::make_shared<SetJointGains::Request>();
  for (const auto & parameter : parameters) {
    if (!is_gain(parameter) || taking_) { continue; }
    const auto joint = joints_.find(parameter.get_name().substr(prefix.size()));
    if (joint == joints_.end()) { continue; }
    const auto gains = parameter.as_double_array();
    for (const std::string & id : joint->second) {
      request->names.push_back(id);
      request->p.push_back(gains[0]);
      request->i.push_back(gains[1]);
      request->d.push_back(gains[2]);
    }
  }
  if (request->names.empty()) { return; }
  if (!client_->service_is_ready()) {
    RCLCPP_WARN(
      node_.get_logger(),
      "gains are not changed: the world does not answer; set them again when it is there");
    read_again();
    return;
  }
  ask(std::move(request), true);
}

void JointGains::ask(SetJointGains::Request::SharedPtr request, bool changes)
{
  client_->prune_pending_requests();
  client_->async_send_request(
    std::move(request), [this, changes](rclcpp::Client<SetJointGains>::SharedFuture done) {
      const auto response = done.get();
      read_at_.reset();
      if (response->ok) {
        take(*response);
        return;
      }
      // Between two manifests joints come and go: those of the next one are read with it.
      if (!changes) { return; }
      RCLCPP_WARN(node_.get_logger(), "gains are not changed: %s", response->message.c_str());
      read_again();
    });
}

void JointGains::take(const SetJointGains::Response & gains)
{
  taking_ = true;
  for (const auto & [name, ids] : joints_) {
    const auto at = std::find(gains.names.begin(), gains.names.end(), ids.front());
    if (at == gains.names.end()) { continue; }
    const auto i = static_cast<std::size_t>(at - gains.names.begin());
    const std::vector<double> now{gains.p[i], gains.i[i], gains.d[i]};
    if (node_.has_parameter(prefix + name)) {
      node_.set_parameter(rclcpp::Parameter(prefix + name, now));
      continue;
    }
    declare(rclcpp::Parameter(prefix + name, now));
  }
  taking_ = false;
}

void JointGains::declare(const rclcpp::Parameter & now)
{
  rcl_interfaces::msg::ParameterDescriptor text;
  text.description =
    "P, I and D of the joint's position law in the world, as in World/set_joint_gains";
  text.dynamic_typing = true;  // it goes with its joint
  const rclcpp::Parameter chosen(
    now.get_name(), node_.declare_parameter(now.get_name(), now.get_parameter_value(), text));
  if (chosen == now) { return; }
  // Who starts the node may choose gains: the world gets them.
  taking_ = false;
  const auto fits = check({chosen});
  if (fits.successful) { write({chosen}); }
  taking_ = true;
  if (!fits.successful) {
    RCLCPP_WARN(node_.get_logger(), "%s", fits.reason.c_str());
    node_.set_parameter(now);
  }
}

}  // namespace ambf_arm_nodes
