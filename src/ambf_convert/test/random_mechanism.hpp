// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <string>

#include "ambf_adf/model.hpp"
#include "ambf_adf/placement.hpp"

namespace test
{

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Trees and mechanisms of random bodies and joints, whose bodies stand where their joints have them.
class RandomMechanism
{
public:
  explicit RandomMechanism(unsigned seed) : random_(seed) {}

  /// `loops`: joints that close loops, too.
  ambf_adf::Model make(bool loops)
  {
    ambf_adf::Model model;
    model.name = "random";
    model.ns = "/ambf/env/random/";
    const int count = 3 + static_cast<int>(random_() % 6);
    const bool fixed = random_() % 2 == 0;
    for (int i = 0; i < count; ++i) { model.bodies.push_back(body(i, i == 0 && fixed)); }
    model.bodies[0].location = fixed && random_() % 2 == 0 ? pose() : ambf_adf::Pose{};
    t_world_body_ = {model.bodies[0].location.isometry()};
    for (int i = 1; i < count; ++i) {
      model.joints.push_back(
        joint(model, i, static_cast<int>(random_() % static_cast<unsigned>(i))));
    }
    if (loops && count > 3) { model.joints.push_back(loop(model)); }
    ambf_adf::complete_headers(model);
    return model;
  }

  double number(double low = -1.0, double high = 1.0)
  {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3d vector(double size = 1.0) { return size * Vector3d(number(), number(), number()); }
  /// Sometimes along an axis, in either sense: rotations between such are the hard ones.
  Vector3d axis()
  {
    if (random_() % 2 == 0) {
      return (random_() % 2 == 0 ? 1.0 : -1.0) * Vector3d::Unit(static_cast<int>(random_() % 3));
    }
    return vector().normalized();
  }
  ambf_adf::Pose pose()
  {
    ambf_adf::Pose p;
    p.position = vector();
    p.rpy = 3.0 * vector();
    if (random_() % 3 == 0) { p.rpy.y() = 1.5707963267948966; }
    return p;
  }

private:
  ambf_adf::RigidBody body(int index, bool still)
  {
    ambf_adf::RigidBody b;
    b.header.identifier = "BODY b" + std::to_string(index);
    b.header.name = "b" + std::to_string(index);
    b.damping = {0.0, 0.0};
    if (still) {
      b.mass = 0.0;
      return b;
    }
    b.mass = number(0.5, 3.0);
    // Any three lengths of a box give moments that a body can have.
    const Vector3d size(number(0.1, 1.0), number(0.1, 1.0), number(0.1, 1.0));
    const Vector3d s = size.cwiseProduct(size);
    b.inertia = b.mass / 12.0 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
    b.inertial_offset = pose();
    b.inertial_offset->position *= 0.3;
    return b;
  }

  ambf_adf::Joint joint(ambf_adf::Model & model, int child, int parent)
  {
    using ambf_adf::JointType;
    static constexpr JointType types[] = {JointType::Revolute,     JointType::Continuous,
                                          JointType::Prismatic,    JointType::Fixed,
                                          JointType::LinearSpring, JointType::TorsionSpring};
    ambf_adf::Joint j;
    j.header.identifier = "JOINT j" + std::to_string(child);
    j.header.name = "j" + std::to_string(child);
    j.type = types[random_() % std::size(types)];
    j.parent = model.bodies[static_cast<std::size_t>(parent)].header.identifier;
    j.child = model.bodies[static_cast<std::size_t>(child)].header.identifier;
    j.parent_pivot = vector(0.5);
    j.child_pivot = vector(0.5);
    j.parent_axis = axis();
    j.child_axis = axis();
    j.child_offset = number(-3.0, 3.0);
    if (j.type != JointType::Fixed && j.type != JointType::Continuous) {
      j.limits = ambf_adf::JointLimits{number(-2.0, -0.5), number(0.5, 2.0)};
    }
    if (j.type == JointType::LinearSpring || j.type == JointType::TorsionSpring) {
      j.stiffness = number(1.0, 50.0);
      j.equilibrium = number(-0.3, 0.3);
    }
    if (j.type != JointType::Fixed) { j.damping = number(0.0, 1.0); }
    const Isometry3d t =
      t_world_body_[static_cast<std::size_t>(parent)] * ambf_adf::child_in_parent(j, 0.0);
    t_world_body_.push_back(t);
    place(model.bodies[static_cast<std::size_t>(child)], t);
    return j;
  }

  static void place(ambf_adf::RigidBody & b, const Isometry3d & t)
  {
    b.location = ambf_adf::Pose::from(t);
  }

  /// Ties the last body to another one by a ball, where both are.
  ambf_adf::Joint loop(const ambf_adf::Model & model)
  {
    const std::size_t last = model.bodies.size() - 1;
    const std::size_t other = random_() % last;
    ambf_adf::Joint j;
    j.header.identifier = "JOINT closing";
    j.header.name = "closing";
    j.type = ambf_adf::JointType::PointToPoint;
    j.parent = model.bodies[other].header.identifier;
    j.child = model.bodies[last].header.identifier;
    j.child_pivot = vector(0.5);
    j.parent_pivot = t_world_body_[other].inverse() * t_world_body_[last] * j.child_pivot;
    return j;
  }

  std::mt19937 random_;
  std::vector<Isometry3d> t_world_body_;
};

}  // namespace test
