// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "row_joint.hpp"

namespace ambf_dynamics
{

/// What moves a one-axis joint, evaluated with the joint's position of each integration step.
struct Drive
{
  enum class Kind
  {
    Off,
    Velocity,      ///< motor to `rate`
    Acceleration,  ///< motor to the velocity of before, changed by `rate` times the integration step
    PositionServo,  ///< motor to the velocity rate + p (target - q), implicit in q
    Pd,      ///< effort p (target - q) + d (rate - dq) + effort, implicit in q and dq; p + d > 0
    Effort,  ///< constant effort
  };
  Kind kind = Kind::Off;
  double p = 0.0;
  double d = 0.0;
  double target = 0.0;  ///< [rad or m]
  double rate = 0.0;    ///< [rad/s or m/s]; Acceleration: [rad/s^2 or m/s^2]
  double effort = 0.0;  ///< [N m or N], Effort: the command; Pd: what is added (integral part)
  double max_effort = std::numeric_limits<double>::infinity();
};

/// Joints whose rows we write ourselves: revolute, prismatic, fixed and point-to-point, with limits,
/// spring, damping and drive on the free axis.
///
/// Frames A (in the parent's centre-of-mass frame) and B (in the child's) coincide at q = 0; the free
/// axis is their z. Rows are velocities of the child relative to the parent: J v = z . (w_C - w_P) for
/// the free axis of a revolute joint, so a positive impulse pushes the child to larger q.
class AxisJoint : public RowJoint
{
public:
  enum class Kind
  {
    Revolute,
    Prismatic,
    Fixed,
    Point
  };

  struct Settings
  {
    Kind kind = Kind::Revolute;
    btTransform frame_parent;
    btTransform frame_child;
    bool limited = false;
    double low = 0.0;
    double high = 0.0;
    double damping = 0.0;      ///< [N m s/rad or N s/m]
    double stiffness = 0.0;    ///< [N m/rad or N/m]
    double equilibrium = 0.0;  ///< [rad or m]
  };

  BT_DECLARE_ALIGNED_ALLOCATOR();

  AxisJoint(btRigidBody & parent, btRigidBody & child, const Settings & settings);

  int most_rows() const override { return locked_rows_ + 3; }
  bool has_axis() const { return s_.kind == Kind::Revolute || s_.kind == Kind::Prismatic; }
  const Settings & settings() const { return s_; }
  Settings & settings() { return s_; }

  /// Reads position and velocity from the bodies' present state; the position continues from the last
  /// one over full turns. Rows use the last reading: call after every motion of the bodies.
  void measure() override;
  double position() const { return q_; }
  double velocity() const { return dq_; }
  /// Effort along the free axis in the last integration step: drive, spring, damping and limit.
  double effort() const { return effort_; }
  /// World axis of the joint.
  btVector3 axis() const;
  /// Distance of the pivots across the locked directions [m] and angle between the frames [rad].
  void closure_error(double & position, double & angle) const;

  /// Moves the child's joint frame onto the parent's where they miss each other by less than the given
  /// amounts, so that rounded numbers in a file do not strain a loop for ever. True if it did.
  bool absorb_misfit(double most_position, double most_angle);

  void set_position_continuation(double q) { q_ = q; }
  void set_effort_reading(double effort) { effort_ = effort; }
  void restore_readings(double q, double effort, bool saturated)
  {
    q_ = q;
    effort_ = effort;
    saturated_ = saturated;
  }
  Drive drive;

  void take_impulse(int row, double impulse, double step) override;
  void begin_impulses() override;
  /// Applies the drive of kind Effort as torques or forces on both bodies.
  void apply_effort();
  bool saturated() const { return saturated_; }

  void getInfo1(btConstraintInfo1 * info) override;
  void getInfo2(btConstraintInfo2 * info) override;

private:
  struct World
  {
    btTransform a;  // joint frame at the parent, world
    btTransform b;  // joint frame at the child, world
  };
  World frames() const;

  Settings s_;
  double q_ = 0.0;
  double dq_ = 0.0;
  double effort_ = 0.0;
  bool saturated_ = false;
  int locked_rows_ = 0;
  int passive_row_ = -1;
  int drive_row_ = -1;
  int limit_row_ = -1;
  bool at_low_ = false;
  double drive_max_impulse_ = 0.0;
};

}  // namespace ambf_dynamics
