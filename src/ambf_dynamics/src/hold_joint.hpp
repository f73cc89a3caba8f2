// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "axis_joint.hpp"

namespace ambf_dynamics
{

/// Holds the body frame of one body at a pose in the world: six rows, solved with the joints, whose
/// force and torque have limits. Body A is an anchor that does not move.
///
/// On the way to a pose that was commanded in a jump the body keeps to an acceleration and a speed, and
/// arrives without overshoot. Where it is held it does not give way at all below the limits.
class HoldJoint final : public AxisJoint
{
public:
  static constexpr double fastest = 1.0;                 ///< on the way to the pose [m/s]
  static constexpr double acceleration = 50.0;           ///< [m/s^2]
  static constexpr double fastest_turn = 10.0;           ///< [rad/s]
  static constexpr double angular_acceleration = 500.0;  ///< [rad/s^2]

  BT_DECLARE_ALIGNED_ALLOCATOR();

  /// `frame_body`: the body frame in the body's inertial frame.
  HoldJoint(btRigidBody & anchor, btRigidBody & body, const btTransform & frame_body);

  struct Aim
  {
    btTransform pose;         ///< of the body frame, world
    btVector3 rate;           ///< of the commanded position [m/s]
    btVector3 turn_rate;      ///< of the commanded orientation [rad/s], world axes
    double max_force = 0.0;   ///< [N]
    double max_torque = 0.0;  ///< [N m]
  };
  void aim(const Aim & aim) { aim_ = aim; }

  /// What it did to the body in the last integration step, at the origin of the body frame, world axes.
  /// The next step reads it: it tells in which direction the limits count.
  const btVector3 & force() const { return force_; }
  const btVector3 & torque() const { return torque_; }
  void restore_efforts(const btVector3 & force, const btVector3 & torque)
  {
    force_ = force;
    torque_ = torque;
  }

  void take_impulse(int row, double impulse, double step) override;
  void getInfo2(btConstraintInfo2 * info) override;

private:
  Aim aim_;
  btVector3 force_{0, 0, 0};
  btVector3 torque_{0, 0, 0};
  btVector3 axes_[6];  // of the rows of this integration step
};

}  // namespace ambf_dynamics
