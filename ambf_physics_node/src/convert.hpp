// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/rigid_body_state.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <builtin_interfaces/msg/time.hpp>
#include <geometry_msgs/msg/pose.hpp>

#include "ambf_simulation/commands.hpp"
#include "roster.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// Simulation time of a state, exact for any step size: seconds and nanoseconds of step * step_size.
builtin_interfaces::msg::Time to_stamp(double seconds);
builtin_interfaces::msg::Time wall_stamp();

/// Checks a command whole and turns it into indices; the error says what was wrong, where, and what
/// would be right. Nothing of a bad command is taken.
ambf_adf::expected<void, std::string> to_order(
  const ambf_msgs::msg::RigidBodyCmd & command, const Roster & roster,
  ambf_dynamics::BodyIndex body, BodyOrder & out);

/// The commands for single joints of a step request.
ambf_adf::expected<void, std::string> to_orders(
  const ambf_msgs::srv::StepWorld::Request & request, const Roster & roster,
  std::vector<JointOrder> & out);

ambf_adf::expected<Eigen::Isometry3d, std::string> to_isometry(
  const geometry_msgs::msg::Pose & pose);
/// Of the first seven numbers of a body's state.
geometry_msgs::msg::Pose to_pose(const double * body);
Eigen::Isometry3d body_pose(const double * body);
geometry_msgs::msg::Pose to_pose(const Eigen::Isometry3d & t);

/// Fields that change from step to step; names and masses are set once by `describe`.
void describe(ambf_msgs::msg::RigidBodyState & message, const Roster::Body & body);
void fill(
  ambf_msgs::msg::RigidBodyState & message, const Roster::Body & body,
  const ambf_dynamics::State & state, ambf_dynamics::BodyIndex index);
void fill(
  ambf_msgs::msg::WorldSnapshot & message, const SharedState & shared, bool contacts, bool rays);

}  // namespace ambf_physics
