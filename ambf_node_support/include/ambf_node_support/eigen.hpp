// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include <Eigen/Geometry>

namespace ambf_node_support
{

/// A message with x, y, z: geometry_msgs' Vector3 and Point.
template <class Message>
concept VectorMessage = requires(Message m) {
  m.x;
  m.y;
  m.z;
} && !requires(Message m) { m.w; };

/// geometry_msgs' Quaternion.
template <class Message>
concept QuaternionMessage = requires(Message m) {
  m.x;
  m.y;
  m.z;
  m.w;
};

/// geometry_msgs' Pose.
template <class Message>
concept PoseMessage = requires(Message m) {
  m.position;
  m.orientation;
};

/// geometry_msgs' Transform.
template <class Message>
concept TransformMessage = requires(Message m) {
  m.translation;
  m.rotation;
};

template <VectorMessage Message>
Eigen::Vector3d to_eigen(const Message & v)
{
  return {v.x, v.y, v.z};
}

/// As it stands: not normalised, not checked.
template <QuaternionMessage Message>
Eigen::Quaterniond to_eigen(const Message & q)
{
  return {q.w, q.x, q.y, q.z};
}

template <VectorMessage Message>
void fill(Message & message, const Eigen::Vector3d & v)
{
  message.x = v.x();
  message.y = v.y();
  message.z = v.z();
}

template <QuaternionMessage Message>
void fill(Message & message, const Eigen::Quaterniond & q)
{
  message.x = q.x();
  message.y = q.y();
  message.z = q.z();
  message.w = q.w();
}

template <PoseMessage Message>
void fill(
  Message & message, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation)
{
  fill(message.position, position);
  fill(message.orientation, orientation);
}

template <TransformMessage Message>
void fill(
  Message & message, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation)
{
  fill(message.translation, position);
  fill(message.rotation, orientation);
}

/// A pose or a transform; its quaternion has unit length.
template <class Message>
  requires PoseMessage<Message> || TransformMessage<Message>
void fill(Message & message, const Eigen::Isometry3d & t)
{
  fill(message, Eigen::Vector3d(t.translation()), Eigen::Quaterniond(t.linear()).normalized());
}

template <VectorMessage Message>
bool is_finite(const Message & v)
{
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

template <QuaternionMessage Message>
bool is_finite(const Message & q)
{
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

/// The pose of a flat array: x y z, then the quaternion x y z w.
inline Eigen::Isometry3d to_isometry(const double * p)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() << p[0], p[1], p[2];
  t.linear() = Eigen::Quaterniond(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix();
  return t;
}

}  // namespace ambf_node_support
