// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <Eigen/Geometry>

namespace ambf_dynamics
{

/// What a joint is asked to do. The numbers are those of the message interface.
enum class JointMode : std::uint8_t
{
  None = 0,      ///< leave the last command standing
  Effort = 1,    ///< [N m] or [N] on the child along the joint axis, opposite on the parent
  Position = 2,  ///< [rad] or [m], through the joint's PID
  Velocity = 3,  ///< [rad/s] or [m/s], through the joint's motor
  Release = 4,   ///< no command: the joint moves freely, or with `hold position` stays where it is
  /// [rad/s^2] or [m/s^2], through the joint's motor: each step changes the joint's velocity by this
  /// much, whatever pulls at it, as far as the motor is strong enough. Nothing is made up for later.
  Acceleration = 5,
};
inline constexpr JointMode last_joint_mode = JointMode::Acceleration;

enum class BodyMode : std::uint8_t
{
  None = 0,     ///< leave the last command standing
  Wrench = 1,   ///< force and torque at the centre of mass, world axes
  Pose = 2,     ///< pose of the body frame, through the body's Cartesian controller
  Twist = 3,    ///< velocity of the body frame's origin and angular velocity, world axes
  Release = 4,  ///< no command
  /// Pose of the body frame, held by a constraint that is solved together with joints and contacts and
  /// gives way only at its limits.
  Hold = 5,
};

struct BodyCommand
{
  BodyMode mode = BodyMode::None;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();                  ///< [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();                 ///< [N m]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< p_WB [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< R_WB
  Eigen::Vector3d linear_velocity = Eigen::Vector3d::Zero();        ///< [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       ///< [rad/s]
  double max_force = 0.0;   ///< Hold: at the origin of the body frame [N]; 0: the body's default
  double max_torque = 0.0;  ///< Hold: about that origin [N m]; 0: the body's default
};

/// Answer to a command; nothing but Ok changes the world.
enum class CommandResult : std::uint8_t
{
  Ok,
  UnknownIndex,    ///< no such joint or body
  NotFinite,       ///< NaN or infinity
  NotNormalised,   ///< the quaternion's length is not 1 within 1e-3
  BadLimit,        ///< a force or torque limit below 0
  BadGain,         ///< a gain below 0
  NotCommandable,  ///< joint without a single free axis, or `enable motor: false`
};

[[gnu::visibility("default")]] const char * to_string(CommandResult result);

}  // namespace ambf_dynamics
