// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <Eigen/Geometry>

#include "ambf_adf/model.hpp"

namespace ambf_convert
{

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Position and roll, pitch, yaw, exact also where the pitch is near a right angle.
ambf_adf::Pose pose_of(const Isometry3d & t);
Isometry3d isometry(const Vector3d & position, const Matrix3d & rotation = Matrix3d::Identity());

/// Moments about principal axes and where these stand.
struct Principal
{
  Vector3d moments;
  Isometry3d t_link_principal;
};

/// Of a tensor about the centre of mass in the axes of `t_link_center`. A tensor without products keeps its
/// axes, so that its numbers come back as they are.
Principal principal_axes(const Matrix3d & tensor, const Isometry3d & t_link_center);

/// Why no body has such moments: "" where one may.
std::string impossible_moments(const Vector3d & moments);

/// Pivots, axes and offsets of an ADF joint from its frame in the parent and in the child (at joint value 0).
/// `axis` is in the joint frame, unit. Joints with several freedoms have z as their axis, and x and y count.
void place_joint(
  ambf_adf::Joint & joint, const Isometry3d & t_parent_joint, const Isometry3d & t_child_joint,
  const Vector3d & axis);

/// The frame of an ADF joint at its parent, z along the axis, and at its child (at joint value 0).
Isometry3d frame_at_parent(const ambf_adf::Joint & joint, double parent_scale);
Isometry3d frame_at_child(const ambf_adf::Joint & joint, double child_scale);

/// Turns z onto the axis of a round shape.
Isometry3d turn_to(ambf_adf::Axis axis);

bool turns(ambf_adf::JointType type);
bool slides(ambf_adf::JointType type);

}  // namespace ambf_convert
