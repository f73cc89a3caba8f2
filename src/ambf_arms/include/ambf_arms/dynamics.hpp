// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <Eigen/Core>

#include "ambf_arms/chain.hpp"
#include "ambf_arms/types.hpp"

namespace ambf_arms
{

/// A body of an arm. Its frame moves with `step`; links that follow others (of a parallelogram) say
/// so in their step, so that loops need no equations of their own.
struct Link
{
  int parent = -1;    ///< a link before this one; -1: the base
  Step step;          ///< without joints to follow: fixed to the parent
  double mass = 0.0;  ///< [kg]
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass, in the link's frame [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, link's axes [kg m^2]
};

/// Torques and forces of an arm's joints. Owns its working memory: one object per thread, and nothing
/// here allocates after the constructor. Vectors have one value per joint.
class Dynamics
{
public:
  /// Links in an order in which parents come first.
  Dynamics(std::vector<Link> links, int joints);

  int joints() const noexcept { return joints_; }
  const std::vector<Link> & links() const noexcept { return links_; }

  /// tau = M(q) qdd + C(q, qd) qd + g(q) [N m or N]. `gravity` in the axes of the base [m/s^2].
  void inverse_dynamics(
    const JointVector & q, const JointVector & velocity, const JointVector & acceleration,
    const Eigen::Vector3d & gravity, JointVector & effort) noexcept;
  /// What holds the arm still against gravity.
  void gravity_efforts(
    const JointVector & q, const Eigen::Vector3d & gravity, JointVector & effort) noexcept;
  void mass_matrix(const JointVector & q, JointMatrix & out) noexcept;

  double kinetic_energy(const JointVector & q, const JointVector & velocity) noexcept;
  double potential_energy(const JointVector & q, const Eigen::Vector3d & gravity) noexcept;

private:
  void place(const JointVector & q) noexcept;

  int joints_ = 0;
  std::vector<Link> links_;
  struct LinkState
  {
    Eigen::Matrix3d rotation;
    Eigen::Vector3d origin;
    Eigen::Vector3d axis;
    Eigen::Vector3d centre;  ///< of mass, base axes from the base's origin
    Eigen::Vector3d linear;  ///< velocity of the point at the base's origin, then its acceleration
    Eigen::Vector3d angular;
    Eigen::Vector3d linear_acceleration;
    Eigen::Vector3d angular_acceleration;
    Eigen::Vector3d force;
    Eigen::Vector3d moment;        ///< about the base's origin
    Eigen::Matrix3d inertia;       ///< about the base's origin; composite in mass_matrix
    Eigen::Vector3d first_moment;  ///< mass times centre
    double mass;
  };
  std::vector<LinkState> states_;
};

}  // namespace ambf_arms
