// SPDX-License-Identifier: BSD-3-Clause
#include "follow_action.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <control_msgs/action/follow_joint_trajectory.hpp>
#include <rclcpp_action/rclcpp_action.hpp>

#include "crtk_convert.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_arms::ArmControl;
using ambf_arms::FollowCode;
using ambf_arms::FollowOutcome;
using ambf_arms::JointTrajectoryGoal;
using Follow = control_msgs::action::FollowJointTrajectory;
using Handle = rclcpp_action::ServerGoalHandle<Follow>;
using Tolerances = std::vector<JointTrajectoryGoal::Tolerance>;

double seconds(const builtin_interfaces::msg::Duration & d) { return d.sec + 1e-9 * d.nanosec; }

Tolerances to_tolerances(const std::vector<control_msgs::msg::JointTolerance> & from)
{
  Tolerances out;
  for (const auto & t : from) { out.push_back({t.name, t.position, t.velocity}); }
  return out;
}

/// `now`: simulated time [s].
ambf_adf::expected<JointTrajectoryGoal, FollowOutcome> to_goal(
  const Follow::Goal & from, double now)
{
  if (
    !from.multi_dof_trajectory.joint_names.empty() || !from.multi_dof_trajectory.points.empty() ||
    !from.component_path_tolerance.empty() || !from.component_goal_tolerance.empty()) {
    return tl::unexpected(FollowOutcome{
      FollowCode::InvalidGoal,
      "multi_dof_trajectory: expected nothing, an arm has no joints of several degrees of "
      "freedom"});
  }
  JointTrajectoryGoal goal;
  goal.joints = from.trajectory.joint_names;
  for (const auto & point : from.trajectory.points) {
    goal.points.push_back(
      {seconds(point.time_from_start), point.positions, point.velocities, point.accelerations});
  }
  goal.path = to_tolerances(from.path_tolerance);
  goal.end = to_tolerances(from.goal_tolerance);
  goal.end_time = seconds(from.goal_time_tolerance);
  const double begin = ambf_arm_nodes::seconds(from.trajectory.header.stamp);
  goal.begins_in = begin == 0.0 ? 0.0 : begin - now;
  return goal;
}

rcl_interfaces::msg::ParameterDescriptor tolerance(const std::string & text)
{
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].to_value = 3600.0;
  return descriptor;
}

class FollowServer final : public FollowAction
{
public:
  FollowServer(rclcpp::Node & node, const std::string & arm, FollowSink sink)
  : node_(node), sink_(std::move(sink)), feedback_(std::make_shared<Follow::Feedback>())
  {
    auto rate = tolerance("feedback of follow_joint_trajectory [Hz of simulated time]");
    rate.floating_point_range[0].from_value = 1.0;
    node.declare_parameter<double>("action_monitor_rate", 20.0, rate);
    node.declare_parameter<double>(
      "constraints.goal_time", 2.0,
      tolerance("how late the end of a trajectory may be reached [s]; 0: at any time"));
    node.declare_parameter<double>(
      "constraints.stopped_velocity_tolerance", 0.01,
      tolerance("how fast a joint may be at the end of a trajectory [rad/s or m/s]; 0: any"));
    server_ = rclcpp_action::create_server<Follow>(
      &node, arm + "/follow_joint_trajectory",
      [](const rclcpp_action::GoalUUID &, Follow::Goal::ConstSharedPtr) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<Handle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [this](std::shared_ptr<Handle> handle) { accepted(std::move(handle)); });
  }

  void arm_known(const ArmControl & arm) override { defaults(arm); }

  void serve(ArmControl & arm) override
  {
    if (active_ && active_->is_canceling()) { arm.stop_following(); }
  }

  void tell_progress(
    const ArmControl & arm, const builtin_interfaces::msg::Time & simulated) override
  {
    if (!active_) { return; }
    const double now = ambf_arm_nodes::seconds(simulated);
    if (now >= told_at_ && now < told_at_ + period_ - 1e-9) { return; }
    told_at_ = now;
    const bool jaw = arm.drives_jaw();
    const auto & measured = arm.measured();
    feedback_->header.stamp = simulated;
    feedback_->joint_names = ambf_arms::followed_joints(arm.arm(), jaw);
    const auto time = rclcpp::Duration::from_seconds(std::max(arm.follow_time(), 0.0));
    for (auto * point : {&feedback_->desired, &feedback_->actual, &feedback_->error}) {
      point->time_from_start = time;
    }
    fill(feedback_->desired.positions, arm.motion().position);
    fill(feedback_->desired.velocities, arm.motion().velocity);
    fill(feedback_->desired.accelerations, arm.motion().acceleration);
    fill(feedback_->actual.positions, measured.position);
    fill(feedback_->actual.velocities, measured.velocity);
    if (jaw) {
      feedback_->actual.positions.push_back(measured.jaw_position);
      feedback_->actual.velocities.push_back(measured.jaw_velocity);
    }
    const auto difference = [](const auto & a, const auto & b, auto & out) {
      out.resize(a.size());
      std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::minus<>());
    };
    difference(
      feedback_->desired.positions, feedback_->actual.positions, feedback_->error.positions);
    difference(
      feedback_->desired.velocities, feedback_->actual.velocities, feedback_->error.velocities);
    guarded([&] { active_->publish_feedback(feedback_); });
  }

  void ended(const ambf_arms::ControlEvent & event) override
  {
    if (active_) { finish(*std::exchange(active_, nullptr), {event.outcome, event.text}); }
  }

private:
  void accepted(std::shared_ptr<Handle> handle)
  {
    ArmControl * const arm = sink_.command.arm();
    if (arm == nullptr) {
      finish(
        *handle,
        {FollowCode::InvalidGoal, "the arm is not there yet: its model has not been loaded"});
      return;
    }
    const auto goal = to_goal(*handle->get_goal(), sink_.lived());
    const auto taken = goal ? arm->follow(*goal, defaults(*arm))
                            : ambf_adf::expected<void, FollowOutcome>(tl::unexpected(goal.error()));
    // First the end of the trajectory that this one replaces.
    sink_.tell_events();
    if (!taken) {
      finish(*handle, taken.error());
      return;
    }
    active_ = std::move(handle);
    told_at_ = -1.0;
    period_ = 1.0 / node_.get_parameter("action_monitor_rate").as_double();
    sink_.command.commanded();
  }

  /// Parameters named as those of joint_trajectory_controller, so that its files can be used.
  ambf_arms::FollowDefaults defaults(const ArmControl & arm)
  {
    auto out = ambf_arms::follow_defaults(arm.arm(), arm.drives_jaw());
    const auto joints = ambf_arms::followed_joints(arm.arm(), arm.drives_jaw());
    const auto value = [this](const std::string & name, double standard, const char * text) {
      if (!node_.has_parameter(name)) {
        node_.declare_parameter<double>(name, standard, tolerance(text));
      }
      return node_.get_parameter(name).as_double();
    };
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const std::string key = "constraints." + joints[i];
      out.path[k] = value(
        key + ".trajectory", out.path[k],
        "how far off it may be on the way of a trajectory [rad or m]; 0: any");
      out.end[k] = value(
        key + ".goal", out.end[k],
        "how far off it may be at the end of a trajectory [rad or m]; 0: any");
    }
    out.end_time = node_.get_parameter("constraints.goal_time").as_double();
    out.stopped_velocity =
      node_.get_parameter("constraints.stopped_velocity_tolerance").as_double();
    return out;
  }

  void finish(Handle & handle, const FollowOutcome & outcome)
  {
    auto result = std::make_shared<Follow::Result>();
    result->error_code = static_cast<std::int32_t>(outcome.code);
    result->error_string = outcome.text;
    guarded([&] {
      if (handle.is_canceling()) {
        handle.canceled(result);
      } else if (outcome.code == FollowCode::Successful) {
        handle.succeed(result);
      } else {
        handle.abort(result);
      }
    });
  }

  /// After Ctrl-C there is nobody to tell.
  template <class Tell>
  void guarded(Tell && tell)
  {
    try {
      tell();
    } catch (const rclcpp::exceptions::RCLErrorBase &) {
      if (node_.get_node_base_interface()->get_context()->is_valid()) { throw; }
    }
  }

  rclcpp::Node & node_;
  FollowSink sink_;
  std::shared_ptr<Follow::Feedback> feedback_;
  std::shared_ptr<Handle> active_;
  double told_at_ = -1.0;  ///< simulated time of the last feedback [s]
  double period_ = 0.05;   ///< of feedback [s]
  rclcpp_action::Server<Follow>::SharedPtr server_;
};

}  // namespace

std::unique_ptr<FollowAction> make_follow_action(
  rclcpp::Node & node, const std::string & arm, FollowSink sink)
{
  return std::make_unique<FollowServer>(node, arm, std::move(sink));
}

}  // namespace ambf_arm_nodes
