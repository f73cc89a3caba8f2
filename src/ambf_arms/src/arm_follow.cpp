// SPDX-License-Identifier: BSD-3-Clause
// How an arm under control follows a trajectory that somebody else has planned.

#include <cstdio>
#include <utility>

#include "ambf_arms/arm_control.hpp"

namespace ambf_arms
{

ambf_adf::expected<void, FollowOutcome> ArmControl::follow(
  const JointTrajectoryGoal & goal, const FollowDefaults & defaults)
{
  constexpr ArmOrder order = ArmOrder::FollowJointTrajectory;
  const auto refused = [&](FollowOutcome why) {
    why.text = arm_.name() + ": " + why.text;
    return tl::unexpected(std::move(why));
  };
  if (!ready(order)) {
    return refused(
      {FollowCode::InvalidGoal,
       state_.ready() ? "the machine does not answer"
                      : "the arm is " + state_.describe() +
                          ", expected ENABLED (homed): the state_commands enable and home"});
  }
  MotionState start = set_;
  const bool goes_on = moving() && !(goal.begins_in > 0.0);
  if (!goes_on) {
    start.velocity.setZero();
    start.acceleration.setZero();
  }
  auto plan = plan_following(goal, arm_, drives_jaw_, start, defaults);
  if (!plan) {
    refuse(order, plan.error().text);
    return refused(plan.error());
  }
  if (mode_ == ControlMode::Follow) {
    follow_ended(FollowCode::InvalidGoal, "a newer trajectory has taken its place");
  } else if (mode_ != ControlMode::Move) {
    enter(ControlMode::Position);
  }
  if (!goes_on) {
    set_.velocity.setZero();
    set_.acceleration.setZero();
  }
  if (plan->moves_jaw) { jaw_effort_mode_ = false; }
  follow_ = std::move(*plan);
  follow_time_ = -follow_.begins_in;
  mode_ = ControlMode::Follow;
  happened(state_.moving(true));
  return {};
}

void ArmControl::stop_following()
{
  if (mode_ != ControlMode::Follow) { return; }
  end_move(false);
  follow_ended(FollowCode::Successful, "canceled, the arm holds");
}

void ArmControl::end_follow(FollowCode code, std::string why)
{
  end_move(code == FollowCode::Successful);
  follow_ended(code, std::move(why));
}

void ArmControl::follow_ended(FollowCode code, std::string why)
{
  ControlEvent event;
  event.kind = ControlEvent::Kind::FollowEnded;
  event.outcome = code;
  event.text = why.empty() ? std::string() : arm_.name() + ": " + std::move(why);
  add(std::move(event));
}

void ArmControl::machine_lost()
{
  if (mode_ == ControlMode::Follow) {
    end_follow(FollowCode::InvalidGoal, "the world does not answer");
  }
  measured_once_ = false;
}

void ArmControl::tick_follow(double dt)
{
  follow_time_ += dt;
  if (follow_time_ < 0.0) { return; }
  const Eigen::Index n = arm_.joints();
  const double jaw = jaw_setpoint();
  follow_.trajectory.sample(follow_time_, set_);
  // Between points that are within the limits a polynomial may be beyond them.
  JointVector clipped = set_.position.head(n);
  arm_.clip_joints(clipped);
  set_.position.head(n) = clipped;
  if (drives_jaw_) { set_.position[n] = follow_.moves_jaw ? clip_jaw(set_.position[n]) : jaw; }
  const double late = follow_time_ - follow_.trajectory.duration();
  const auto told = [&](int joint, const char * where) {
    const auto i = static_cast<Eigen::Index>(joint);
    const bool is_jaw = i == n;
    const double at = is_jaw ? measured_.jaw_position : measured_.position[i];
    const double moves = is_jaw ? measured_.jaw_velocity : measured_.velocity[i];
    char numbers[160];
    std::snprintf(
      numbers, sizeof numbers, "is at %.4g and moves at %.3g, expected %.4g and %.3g, %s", at,
      moves, set_.position[i], set_.velocity[i], where);
    return "joint '" +
           (is_jaw ? std::string("jaw") : arm_.joint_names()[static_cast<std::size_t>(i)]) + "' " +
           numbers;
  };
  if (late < 0.0) {
    if (const int joint = follow_violation(follow_.path); joint >= 0) {
      std::string why = told(joint, "farther off than path_tolerance; the arm holds where it is");
      end_follow(FollowCode::PathToleranceViolated, std::move(why));
      set_at_measured();
    }
    return;
  }
  const int joint = follow_violation(follow_.end);
  if (joint < 0) {
    end_follow(FollowCode::Successful, {});
  } else if (late > follow_.end_time) {
    end_follow(
      FollowCode::GoalToleranceViolated,
      told(joint, "farther off than goal_tolerance when goal_time_tolerance is over"));
  }
}

int ArmControl::follow_violation(const JointTolerances & tolerances) const noexcept
{
  const Eigen::Index n = arm_.joints();
  JointVector position = set_.position, velocity = set_.velocity;
  position.head(n) -= measured_.position;
  velocity.head(n) -= measured_.velocity;
  if (drives_jaw_) {
    position[n] -= measured_.jaw_position;
    velocity[n] -= measured_.jaw_velocity;
  }
  return tolerances.violated(position, velocity);
}

}  // namespace ambf_arms
