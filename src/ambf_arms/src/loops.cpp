// SPDX-License-Identifier: BSD-3-Clause
// Which passive joints follow which driven ones: the loops' equations, linear at one posture and then
// tried over the whole range.

#include <cmath>
#include <cstdio>
#include <random>

#include <Eigen/Dense>

#include "mechanism_reader.hpp"

namespace ambf_arms
{

Eigen::VectorXd MechanismReader::gaps(
  const Eigen::VectorXd & q, const Eigen::VectorXd & followers) const
{
  const auto poses = place(q, followers);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(6 * closing.size()));
  for (std::size_t i = 0; i < closing.size(); ++i) {
    const Edge & e = closing[i];
    const Eigen::Isometry3d & parent = poses[static_cast<std::size_t>(e.parent)];
    const Eigen::Isometry3d & child = poses[static_cast<std::size_t>(e.child)];
    const Eigen::Isometry3d relative = parent.inverse() * child;
    Eigen::Vector3d gap =
      relative * (e.scale_child * e.value.child_pivot) - e.scale_parent * e.value.parent_pivot;
    Eigen::Vector3d twist = (relative.linear() * e.value.child_axis).cross(e.value.parent_axis);
    if (slides(e.value.type)) { gap -= gap.dot(e.value.parent_axis) * e.value.parent_axis; }
    if (slides(e.value.type) || e.value.type == JointType::Fixed) {
      const Eigen::AngleAxisd turn(
        relative.linear() * ambf_adf::child_rotation_at_zero(e.value).transpose());
      twist = turn.angle() * turn.axis();
    } else if (!turns(e.value.type)) {
      twist.setZero();
    }
    out.segment<3>(static_cast<Eigen::Index>(6 * i)) = gap;
    // A tenth of a metre weighs like a radian.
    out.segment<3>(static_cast<Eigen::Index>(6 * i + 3)) = 0.1 * twist;
  }
  return out;
}

bool MechanismReader::close_loops()
{
  const auto n_arm = static_cast<Eigen::Index>(arm.size());
  const auto n_passive = static_cast<Eigen::Index>(passive.size());
  ratios = Eigen::MatrixXd::Zero(n_passive, n_arm);
  offsets = Eigen::VectorXd::Zero(n_passive);
  decided.assign(passive.size(), false);
  if (closing.empty() || n_passive == 0) { return true; }
  const auto derivative = [&](const Eigen::VectorXd & q, const Eigen::VectorXd & p, bool of_arm) {
    const Eigen::Index n = of_arm ? n_arm : n_passive;
    Eigen::MatrixXd j(static_cast<Eigen::Index>(6 * closing.size()), n);
    constexpr double h = 1e-6;
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::VectorXd q1 = q, q2 = q, p1 = p, p2 = p;
      (of_arm ? q1 : p1)[i] += h;
      (of_arm ? q2 : p2)[i] -= h;
      j.col(i) = (gaps(q1, p1) - gaps(q2, p2)) / (2.0 * h);
    }
    return j;
  };
  const auto solver = [](const Eigen::MatrixXd & j) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> out;
    out.setThreshold(1e-6);
    out.compute(j);
    return out;
  };
  // The middle of the ranges; there the loops are closed first.
  Eigen::VectorXd q(n_arm);
  for (Eigen::Index i = 0; i < n_arm; ++i) {
    const auto & limits =
      model.joints[static_cast<std::size_t>(arm[static_cast<std::size_t>(i)])].limits;
    q[i] = limits ? 0.5 * (limits->low + limits->high) : 0.0;
  }
  Eigen::VectorXd p = Eigen::VectorXd::Zero(n_passive);
  for (int i = 0; i < 30; ++i) { p -= solver(derivative(q, p, false)).solve(gaps(q, p)); }
  const Eigen::MatrixXd of_passive = derivative(q, p, false);
  ratios = -solver(of_passive).solve(derivative(q, p, true));
  for (double & r : ratios.reshaped()) {
    const double whole = std::nearbyint(r);
    r = std::abs(r - whole) < 1e-5 ? whole : r;
  }
  offsets = p - ratios * q;
  for (double & o : offsets.reshaped()) { o = std::abs(o) < 1e-7 ? 0.0 : o; }
  for (Eigen::Index i = 0; i < n_passive; ++i) {
    decided[static_cast<std::size_t>(i)] = of_passive.col(i).norm() > 1e-6;
  }
  // The proportion must hold over the whole range, not only here.
  std::mt19937 random(1);
  double worst = 0.0;
  std::size_t worst_joint = 0;
  for (int sample = 0; sample < 64; ++sample) {
    Eigen::VectorXd at(n_arm);
    for (Eigen::Index i = 0; i < n_arm; ++i) {
      const auto & limits =
        model.joints[static_cast<std::size_t>(arm[static_cast<std::size_t>(i)])].limits;
      at[i] = std::uniform_real_distribution<double>(
        limits ? limits->low : -1.0, limits ? limits->high : 1.0)(random);
    }
    const Eigen::VectorXd gap = gaps(at, ratios * at + offsets);
    for (std::size_t i = 0; i < closing.size(); ++i) {
      const double size = gap.segment<6>(static_cast<Eigen::Index>(6 * i)).norm();
      if (size > worst) {
        worst = size;
        worst_joint = i;
      }
    }
  }
  if (worst > 2e-5) {
    const Joint & joint = closing[worst_joint].value;
    char text[64];
    std::snprintf(text, sizeof(text), "a gap of %.3g mm within the range", 1e3 * worst);
    error(
      ProblemKind::Unsupported, joint.header.where, joint.header.identifier, text,
      "a loop whose passive joints follow the driven ones in proportion, as a parallelogram's",
      "choose base, tip and joints so that this loop lies outside, or make its links parallel");
    return false;
  }
  return true;
}

}  // namespace ambf_arms
