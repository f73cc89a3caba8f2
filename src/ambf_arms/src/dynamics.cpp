// SPDX-License-Identifier: BSD-3-Clause
// Recursive Newton-Euler and composite rigid bodies, with everything in the axes of the base and
// about its origin: no transforms between links are needed then.

#include "ambf_arms/dynamics.hpp"

#include <cmath>
#include <utility>

namespace ambf_arms
{
namespace
{

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d & v) noexcept
{
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// Sum of ratio times rate over what a step follows.
double rate(const Step & step, const JointVector & rates) noexcept
{
  double sum = 0.0;
  for (int i = 0; i < step.n_follows; ++i) {
    const Follows & f = step.follows[static_cast<std::size_t>(i)];
    sum += f.ratio * rates[f.joint];
  }
  return sum;
}

void spread(const Step & step, double effort, JointVector & out) noexcept
{
  for (int i = 0; i < step.n_follows; ++i) {
    const Follows & f = step.follows[static_cast<std::size_t>(i)];
    out[f.joint] += f.ratio * effort;
  }
}

}  // namespace

Dynamics::Dynamics(std::vector<Link> links, int joints)
: joints_(joints), links_(std::move(links)), states_(links_.size())
{
}

void Dynamics::place(const JointVector & q) noexcept
{
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link & link = links_[i];
    LinkState & s = states_[i];
    Eigen::Matrix3d parent = Eigen::Matrix3d::Identity();
    Eigen::Vector3d from = Eigen::Vector3d::Zero();
    if (link.parent >= 0) {
      parent = states_[static_cast<std::size_t>(link.parent)].rotation;
      from = states_[static_cast<std::size_t>(link.parent)].origin;
    }
    s.origin = from + parent * link.step.position;
    const Eigen::Matrix3d fixed = parent * link.step.rotation;
    const double value = link.step.value(q);
    s.axis = fixed.col(2);
    if (link.step.slides) {
      s.rotation = fixed;
      s.origin += value * s.axis;
    } else {
      const double c = std::cos(value);
      const double sn = std::sin(value);
      s.rotation.col(0) = c * fixed.col(0) + sn * fixed.col(1);
      s.rotation.col(1) = c * fixed.col(1) - sn * fixed.col(0);
      s.rotation.col(2) = s.axis;
    }
    s.centre = s.origin + s.rotation * link.centre;
  }
}

void Dynamics::inverse_dynamics(
  const JointVector & q, const JointVector & velocity, const JointVector & acceleration,
  const Eigen::Vector3d & gravity, JointVector & effort) noexcept
{
  place(q);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link & link = links_[i];
    LinkState & s = states_[i];
    if (link.parent >= 0) {
      const LinkState & p = states_[static_cast<std::size_t>(link.parent)];
      s.linear = p.linear;
      s.angular = p.angular;
      s.linear_acceleration = p.linear_acceleration;
      s.angular_acceleration = p.angular_acceleration;
    } else {
      s.linear.setZero();
      s.angular.setZero();
      // Gravity is a base that accelerates upwards.
      s.linear_acceleration = -gravity;
      s.angular_acceleration.setZero();
    }
    const double speed = rate(link.step, velocity);
    const double growth = rate(link.step, acceleration);
    // Twist of the joint about the base's origin.
    const Eigen::Vector3d turn = link.step.slides ? Eigen::Vector3d::Zero().eval() : s.axis;
    const Eigen::Vector3d slide =
      link.step.slides ? s.axis : Eigen::Vector3d(s.origin.cross(s.axis));
    s.linear_acceleration +=
      growth * slide + speed * (s.angular.cross(slide) + s.linear.cross(turn));
    s.angular_acceleration += growth * turn + speed * s.angular.cross(turn);
    s.linear += speed * slide;
    s.angular += speed * turn;
    // Of the centre of mass.
    const Eigen::Vector3d arm = s.centre;
    const Eigen::Vector3d centre_velocity = s.linear + s.angular.cross(arm);
    const Eigen::Vector3d centre_acceleration =
      s.linear_acceleration + s.angular_acceleration.cross(arm) + s.angular.cross(centre_velocity);
    const Eigen::Matrix3d inertia = s.rotation * link.inertia * s.rotation.transpose();
    s.force = link.mass * centre_acceleration;
    s.moment =
      inertia * s.angular_acceleration + s.angular.cross(inertia * s.angular) + arm.cross(s.force);
  }
  effort.setZero(joints_);
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link & link = links_[i];
    const LinkState & s = states_[i];
    const double along =
      link.step.slides ? s.axis.dot(s.force) : s.axis.dot(s.moment - s.origin.cross(s.force));
    spread(link.step, along, effort);
    if (link.parent >= 0) {
      LinkState & p = states_[static_cast<std::size_t>(link.parent)];
      p.force += s.force;
      p.moment += s.moment;
    }
  }
}

void Dynamics::gravity_efforts(
  const JointVector & q, const Eigen::Vector3d & gravity, JointVector & effort) noexcept
{
  place(q);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    states_[i].mass = links_[i].mass;
    states_[i].first_moment = links_[i].mass * states_[i].centre;
  }
  effort.setZero(joints_);
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link & link = links_[i];
    const LinkState & s = states_[i];
    const double along = link.step.slides
                           ? -s.mass * s.axis.dot(gravity)
                           : -s.axis.dot((s.first_moment - s.mass * s.origin).cross(gravity));
    spread(link.step, along, effort);
    if (link.parent >= 0) {
      LinkState & p = states_[static_cast<std::size_t>(link.parent)];
      p.mass += s.mass;
      p.first_moment += s.first_moment;
    }
  }
}

void Dynamics::mass_matrix(const JointVector & q, JointMatrix & out) noexcept
{
  place(q);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    LinkState & s = states_[i];
    const Eigen::Matrix3d c = cross_matrix(s.centre);
    s.mass = links_[i].mass;
    s.first_moment = s.mass * s.centre;
    s.inertia = s.rotation * links_[i].inertia * s.rotation.transpose() - s.mass * c * c;
  }
  out.setZero(joints_, joints_);
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link & link = links_[i];
    const LinkState & s = states_[i];
    if (link.parent >= 0) {
      LinkState & p = states_[static_cast<std::size_t>(link.parent)];
      p.mass += s.mass;
      p.first_moment += s.first_moment;
      p.inertia += s.inertia;
    }
    if (link.step.n_follows == 0) { continue; }
    const Eigen::Vector3d turn = link.step.slides ? Eigen::Vector3d::Zero().eval() : s.axis;
    const Eigen::Vector3d slide =
      link.step.slides ? s.axis : Eigen::Vector3d(s.origin.cross(s.axis));
    // Momentum of everything beyond the joint when only this joint moves.
    const Eigen::Vector3d force = s.mass * slide + turn.cross(s.first_moment);
    const Eigen::Vector3d moment = s.inertia * turn + s.first_moment.cross(slide);
    for (int k = static_cast<int>(i); k >= 0; k = links_[static_cast<std::size_t>(k)].parent) {
      const Step & other = links_[static_cast<std::size_t>(k)].step;
      if (other.n_follows == 0) { continue; }
      const LinkState & o = states_[static_cast<std::size_t>(k)];
      const double entry =
        other.slides ? o.axis.dot(force) : o.axis.dot(moment - o.origin.cross(force));
      const bool twice = k != static_cast<int>(i);
      for (int a = 0; a < link.step.n_follows; ++a) {
        for (int b = 0; b < other.n_follows; ++b) {
          const Follows & fa = link.step.follows[static_cast<std::size_t>(a)];
          const Follows & fb = other.follows[static_cast<std::size_t>(b)];
          const double term = fa.ratio * fb.ratio * entry;
          out(fa.joint, fb.joint) += term;
          if (twice) { out(fb.joint, fa.joint) += term; }
        }
      }
    }
  }
}

double Dynamics::kinetic_energy(const JointVector & q, const JointVector & velocity) noexcept
{
  JointMatrix mass;
  mass_matrix(q, mass);
  return 0.5 * velocity.dot(mass * velocity);
}

double Dynamics::potential_energy(const JointVector & q, const Eigen::Vector3d & gravity) noexcept
{
  place(q);
  double sum = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    sum -= links_[i].mass * gravity.dot(states_[i].centre);
  }
  return sum;
}

}  // namespace ambf_arms
