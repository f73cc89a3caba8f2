// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <builtin_interfaces/msg/time.hpp>
#include <crtk_msgs/msg/cartesian_impedance.hpp>
#include <crtk_msgs/msg/operating_state.hpp>
#include <geometry_msgs/msg/pose.hpp>
#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <geometry_msgs/msg/wrench.hpp>
#include <std_msgs/msg/float64_multi_array.hpp>

#include "ambf_arms/arm_control.hpp"
#include "ambf_node_support/eigen.hpp"

// Messages and the library's values.

namespace ambf_arm_nodes
{

using ambf_arms::JointVector;
using ambf_arms::Vector6;
using ambf_node_support::fill;
using ambf_node_support::to_eigen;

/// At most as many values as an arm can have joints.
JointVector to_joints(const std::vector<double> & values);
ambf_arms::Result<Eigen::Isometry3d> to_pose(const geometry_msgs::msg::Pose & pose);
ambf_arms::Result<Eigen::Isometry3d> to_pose(const geometry_msgs::msg::Quaternion & orientation);
Vector6 to_wrench(const geometry_msgs::msg::Wrench & wrench);
ambf_arms::CartesianImpedance to_impedance(const crtk_msgs::msg::CartesianImpedance & message);

void fill(geometry_msgs::msg::Twist & out, const Vector6 & twist);
void fill(geometry_msgs::msg::Wrench & out, const Vector6 & wrench);
/// Row by row, with the dimensions as cisst-ros writes them.
void fill(std_msgs::msg::Float64MultiArray & out, const ambf_arms::Jacobian & jacobian);
void fill(std::vector<double> & out, const JointVector & values);
void fill(crtk_msgs::msg::OperatingState & out, const ambf_arms::ControlEvent & event);

inline double seconds(const builtin_interfaces::msg::Time & time)
{
  return time.sec + 1e-9 * time.nanosec;
}

}  // namespace ambf_arm_nodes
