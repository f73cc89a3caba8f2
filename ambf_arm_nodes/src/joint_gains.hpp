// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ambf_msgs/srv/set_joint_gains.hpp>
#include <rclcpp/rclcpp.hpp>

namespace ambf_arm_nodes
{

/// The gains of an arm's joints as parameters of its node: `gains.<joint>` is a list of P, I and D.
///
/// Who sets one changes the world's, by its service set_joint_gains. What others change there is read
/// again when the world tells that something happened: a new manifest, a reset.
class JointGains
{
public:
  /// Joints of the arm by name, each with the identifiers of the world's joints that it moves.
  using Joints = std::map<std::string, std::vector<std::string>>;

  JointGains(rclcpp::Node & node, const std::string & world);

  /// The joints that the arm has now; none while it is not in the world.
  void arm_known(Joints joints);
  /// Read the world's gains again, as soon as it answers.
  void read_again() { wanted_ = true; }
  /// To be called now and then; `now` is wall time [s].
  void serve(double now);

private:
  using SetJointGains = ambf_msgs::srv::SetJointGains;

  rcl_interfaces::msg::SetParametersResult check(
    const std::vector<rclcpp::Parameter> & parameters) const;
  void write(const std::vector<rclcpp::Parameter> & parameters);
  /// `changes`: it is to change gains, else to read them.
  void ask(SetJointGains::Request::SharedPtr request, bool changes);
  void take(const SetJointGains::Response & gains);
  void declare(const rclcpp::Parameter & now);

  rclcpp::Node & node_;
  rclcpp::Client<SetJointGains>::SharedPtr client_;
  Joints joints_;
  bool wanted_ = false;
  bool taking_ = false;            ///< parameters are set to what the world has
  std::optional<double> read_at_;  ///< wall; no answer yet [s]
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr checked_;
  rclcpp::node_interfaces::PostSetParametersCallbackHandle::SharedPtr written_;
};

}  // namespace ambf_arm_nodes
