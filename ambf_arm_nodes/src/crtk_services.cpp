// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_services.hpp"

#include <crtk_msgs/srv/query_forward_kinematics.hpp>
#include <crtk_msgs/srv/query_inverse_kinematics.hpp>
#include <crtk_msgs/srv/trigger_operating_state.hpp>
#include <std_srvs/srv/trigger.hpp>

#include "crtk_convert.hpp"

namespace ambf_arm_nodes
{

using ambf_arms::ArmControl;
using Forward = crtk_msgs::srv::QueryForwardKinematics;
using Inverse = crtk_msgs::srv::QueryInverseKinematics;

namespace
{

constexpr const char * no_arm = "the arm is not there yet: its model has not been loaded";

void answer(
  const ArmControl * control, bool local, const Forward::Request & request,
  Forward::Response & response)
{
  if (control == nullptr) {
    response.message = no_arm;
    return;
  }
  const JointVector q = to_joints(request.jp);
  const auto tip = local ? control->arm().forward_local(q) : control->arm().forward(q);
  response.result = tip.has_value();
  fill(response.cp, tip ? *tip : Eigen::Isometry3d::Identity());
  if (!tip) { response.message = to_string(tip.error()); }
}

void answer(
  const ArmControl * control, const Inverse::Request & request, Inverse::Response & response)
{
  if (control == nullptr) {
    response.message = no_arm;
    return;
  }
  // Without a place to begin: where the arm is.
  const JointVector seed =
    request.jp.empty() ? control->measured().position : to_joints(request.jp);
  const auto goal = to_pose(request.cp);
  const auto solution = goal ? control->arm().inverse(*goal, seed, ambf_arms::restarts_of_moves)
                             : ambf_arms::Result<ambf_arms::Solution>(tl::unexpected(goal.error()));
  response.result = solution.has_value();
  if (solution) {
    fill(response.jp, solution->q);
    const auto off = ambf_arms::how_far_off(control->arm(), *solution);
    if (!off.empty()) { response.message = "as near as the limits let the arm: " + off; }
  } else {
    response.message = to_string(solution.error());
  }
}

}  // namespace

ArmServices::ArmServices(
  rclcpp::Node & node, const std::string & arm, std::function<const ArmControl *()> control,
  std::function<crtk_msgs::msg::OperatingState()> state)
{
  for (const bool local : {false, true}) {
    services_.push_back(node.create_service<Forward>(
      arm + (local ? "/local/forward_kinematics" : "/forward_kinematics"),
      [control, local](Forward::Request::SharedPtr request, Forward::Response::SharedPtr response) {
        answer(control(), local, *request, *response);
      }));
  }
  services_.push_back(node.create_service<Inverse>(
    arm + "/inverse_kinematics",
    [control](Inverse::Request::SharedPtr request, Inverse::Response::SharedPtr response) {
      answer(control(), *request, *response);
    }));
  using State = crtk_msgs::srv::TriggerOperatingState;
  services_.push_back(node.create_service<State>(
    arm + "/operating_state",
    [state](State::Request::SharedPtr, State::Response::SharedPtr response) {
      response->operating_state = state();
    }));
  using Trigger = std_srvs::srv::Trigger;
  services_.push_back(node.create_service<Trigger>(
    arm + "/crtk_version", [](Trigger::Request::SharedPtr, Trigger::Response::SharedPtr response) {
      response->success = true;
      response->message = "1.1.0";
    }));
}

}  // namespace ambf_arm_nodes
