// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <Eigen/Core>

namespace ambf_dynamics
{

/// How velocities are made to satisfy joints and contacts. All kinds share contacts, friction and
/// integration; README.md has the figures that chose the default.
enum class SolverKind : std::uint8_t
{
  /// Bilateral joint rows, motors and active limits are solved exactly (sparse block Cholesky over
  /// the joint graph); contacts iterate by sequential impulses around them.
  DirectJoints,
  /// Bullet's sequential impulses for everything: what AMBF uses.
  SequentialImpulse,
  /// Bullet's MLCP solver with Dantzig pivoting for everything. Exact, cubic in the number of rows;
  /// allocates.
  Dantzig,
};

/// Settings of a world. Defaults are the ones that the figures in README.md were measured with.
struct Parameters
{
  Eigen::Vector3d gravity{
    0.0, 0.0, -9.8};         ///< [m/s^2], world frame; models and bodies may override
  double step_size = 0.001;  ///< one step of simulated time [s], > 0
  SolverKind solver = SolverKind::DirectJoints;
  int solver_iterations = 10;  ///< sequential-impulse sweeps per sub-step, >= 1
  /// Integration steps per step, >= 1. Commands, controllers, sensors, hash and step counter still
  /// happen once per step.
  int sub_steps = 1;
  /// Fraction of a joint's position error that is corrected per integration step, where the ADF file
  /// gives no `joint erp`. 0..1
  double joint_erp = 0.2;
  /// Compliance of joints that are part of closed loops, relative to the typical inverse mass (inertia) of the
  /// bodies in the loop, where the file gives no `joint cfm` (AMBF: 0.1, relative to single rows, for all joints).
  /// It lets loops move whose numbers in the file contradict each other by rounding. The default solver leaves it
  /// in those directions only; joints of chains have none in any solver. Limits of joints: relative to their row.
  double joint_cfm = 1e-3;
  double contact_erp = 0.2;  ///< as joint_erp, for penetration of contacts
  /// Apply the `damping` of one-axis joints. AMBF 1.0 did, AMBF 2.0 reads the key without effect.
  bool joint_damping = true;
  /// Position commands that follow each other faster than this are motions whose rate is fed
  /// forward; larger jumps are steps. [rad/s] and [m/s]; 0 switches feed-forward off (AMBF).
  double feed_forward_limit = 8.0;
  /// Write contact points with their forces into State::contacts.
  bool report_contacts = true;
  /// Keep the constraint forces of joints for World::body_wrench.
  bool report_wrenches = false;
  /// A body faster than this [m/s, rad/s] means that the world has diverged.
  double runaway_speed = 1.0e5;
};

}  // namespace ambf_dynamics
