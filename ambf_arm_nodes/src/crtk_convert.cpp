// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_convert.hpp"

#include <algorithm>

#include "ambf_arms/pose.hpp"

namespace ambf_arm_nodes
{
namespace
{

ambf_arms::HalfPlaneGains to_gains(const crtk_msgs::msg::CartesianImpedanceHalfPlaneGains & gains)
{
  return {to_eigen(gains.p), to_eigen(gains.d), to_eigen(gains.bias), to_eigen(gains.deadband)};
}

}  // namespace

JointVector to_joints(const std::vector<double> & values)
{
  const auto size = std::min(values.size(), static_cast<std::size_t>(ambf_arms::max_joints));
  JointVector out(static_cast<Eigen::Index>(size));
  std::copy_n(values.begin(), size, out.data());
  return out;
}

ambf_arms::Result<Eigen::Isometry3d> to_pose(const geometry_msgs::msg::Pose & pose)
{
  return ambf_arms::make_pose(to_eigen(pose.position), to_eigen(pose.orientation));
}

ambf_arms::Result<Eigen::Isometry3d> to_pose(const geometry_msgs::msg::Quaternion & orientation)
{
  return ambf_arms::make_pose(Eigen::Vector3d::Zero(), to_eigen(orientation));
}

Vector6 to_wrench(const geometry_msgs::msg::Wrench & wrench)
{
  Vector6 out;
  out << to_eigen(wrench.force), to_eigen(wrench.torque);
  return out;
}

ambf_arms::CartesianImpedance to_impedance(const crtk_msgs::msg::CartesianImpedance & message)
{
  ambf_arms::CartesianImpedance law;
  law.force_orientation = to_eigen(message.force_orientation);
  law.force_position = to_eigen(message.force_position);
  law.torque_orientation = to_eigen(message.torque_orientation);
  law.position_positive = to_gains(message.position_positive);
  law.position_negative = to_gains(message.position_negative);
  law.orientation_positive = to_gains(message.orientation_positive);
  law.orientation_negative = to_gains(message.orientation_negative);
  return law;
}

void fill(geometry_msgs::msg::Twist & out, const Vector6 & twist)
{
  fill(out.linear, Eigen::Vector3d(twist.head<3>()));
  fill(out.angular, Eigen::Vector3d(twist.tail<3>()));
}

void fill(geometry_msgs::msg::Wrench & out, const Vector6 & wrench)
{
  fill(out.force, Eigen::Vector3d(wrench.head<3>()));
  fill(out.torque, Eigen::Vector3d(wrench.tail<3>()));
}

void fill(std_msgs::msg::Float64MultiArray & out, const ambf_arms::Jacobian & jacobian)
{
  const auto columns = static_cast<std::uint32_t>(jacobian.cols());
  if (out.layout.dim.size() != 2) {
    out.layout.dim.resize(2);
    out.layout.dim[0].label = "rows";
    out.layout.dim[0].size = 6;
    out.layout.dim[0].stride = 1;
    out.layout.dim[1].label = "cols";
    out.layout.dim[1].stride = 6;
  }
  out.layout.dim[1].size = columns;
  out.data.resize(6 * columns);
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      out.data[row * columns + column] =
        jacobian(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
    }
  }
}

void fill(std::vector<double> & out, const JointVector & values)
{
  out.assign(values.data(), values.data() + values.size());
}

void fill(crtk_msgs::msg::OperatingState & out, const ambf_arms::ControlEvent & event)
{
  out.state = ambf_arms::to_string(event.mode);
  out.is_homed = event.homed;
  out.is_busy = event.busy;
}

}  // namespace ambf_arm_nodes
