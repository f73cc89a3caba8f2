// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace ambf_arms
{
namespace
{

Eigen::Isometry3d about_x(double angle)
{
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()));
}
Eigen::Isometry3d about_z(double angle)
{
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
}

Eigen::Isometry3d along(double x, double z)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Eigen::Vector3d(x, 0.0, z);
  return t;
}

/// Right angles exactly: cos(pi / 2) is 6e-17 in floating point.
void snap(Eigen::Matrix3d & rotation)
{
  for (double & x : rotation.reshaped()) {
    const double whole = std::nearbyint(x);
    if (std::abs(x - whole) < 1e-15) { x = whole; }
  }
}

/// Walks one step on. `rotation` and `position` become those of the step's frame after the motion.
inline void advance(
  const Step & step, double value, Eigen::Matrix3d & rotation, Eigen::Vector3d & position) noexcept
{
  position.noalias() += rotation * step.position;
  const Eigen::Matrix3d fixed = rotation * step.rotation;
  if (step.slides) {
    rotation = fixed;
    position += value * fixed.col(2);
    return;
  }
  const double c = std::cos(value);
  const double s = std::sin(value);
  rotation.col(0) = c * fixed.col(0) + s * fixed.col(1);
  rotation.col(1) = c * fixed.col(1) - s * fixed.col(0);
  rotation.col(2) = fixed.col(2);
}

Eigen::Isometry3d make(const Eigen::Matrix3d & rotation, const Eigen::Vector3d & position) noexcept
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = rotation;
  t.translation() = position;
  return t;
}

}  // namespace

Chain make_chain(
  std::span<const DhRow> rows, DhConvention convention, const Eigen::Isometry3d & tip)
{
  Chain chain;
  chain.joints = static_cast<int>(rows.size());
  Eigen::Isometry3d before = Eigen::Isometry3d::Identity();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DhRow & row = rows[i];
    // Turn about and slide along z commute: theta and d at zero belong in front of the motion.
    const Eigen::Isometry3d twist = about_x(row.alpha) * along(row.a, 0.0);
    const Eigen::Isometry3d screw = about_z(row.theta) * along(0.0, row.d);
    Eigen::Isometry3d constant =
      before * (convention == DhConvention::Modified ? twist * screw : screw);
    before = convention == DhConvention::Modified ? Eigen::Isometry3d::Identity() : twist;
    Step step;
    step.rotation = constant.linear();
    snap(step.rotation);
    step.position = constant.translation();
    step.slides = row.slides;
    step.n_follows = 1;
    step.follows[0] = {static_cast<int>(i), 1.0};
    chain.steps.push_back(step);
  }
  append(chain, before * tip);
  return chain;
}

void append(Chain & chain, const Eigen::Isometry3d & transform)
{
  chain.tip_position += chain.tip_rotation * transform.translation();
  chain.tip_rotation = chain.tip_rotation * transform.linear();
  snap(chain.tip_rotation);
}

Eigen::Isometry3d forward(const Chain & chain, const JointVector & q) noexcept
{
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  for (const Step & step : chain.steps) { advance(step, step.value(q), rotation, position); }
  position += rotation * chain.tip_position;
  return make(rotation * chain.tip_rotation, position);
}

Eigen::Isometry3d forward(const Chain & chain, const JointVector & q, int step) noexcept
{
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  for (int i = 0; i <= step && i < static_cast<int>(chain.steps.size()); ++i) {
    const Step & s = chain.steps[static_cast<std::size_t>(i)];
    advance(s, s.value(q), rotation, position);
  }
  return make(rotation, position);
}

void tip_motion(const Chain & chain, const JointVector & q, TipMotion & out) noexcept
{
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::array<Eigen::Vector3d, max_steps> axes;
  std::array<Eigen::Vector3d, max_steps> origins;
  std::size_t n = 0;
  for (const Step & step : chain.steps) {
    advance(step, step.value(q), rotation, position);
    axes[n] = rotation.col(2);
    origins[n] = position;
    ++n;
  }
  position += rotation * chain.tip_position;
  out.tip = make(rotation * chain.tip_rotation, position);
  out.jacobian.setZero(6, chain.joints);
  for (std::size_t i = 0; i < n; ++i) {
    const Step & step = chain.steps[i];
    Vector6 column;
    if (step.slides) {
      column << axes[i], Eigen::Vector3d::Zero();
    } else {
      column << axes[i].cross(position - origins[i]), axes[i];
    }
    for (int k = 0; k < step.n_follows; ++k) {
      const Follows & f = step.follows[static_cast<std::size_t>(k)];
      out.jacobian.col(f.joint) += f.ratio * column;
    }
  }
}

void body_jacobian(const TipMotion & motion, Jacobian & out) noexcept
{
  const Eigen::Matrix3d to_tip = motion.tip.linear().transpose();
  const Eigen::Index n = motion.jacobian.cols();
  out.resize(6, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    out.col(i).head<3>().noalias() = to_tip * motion.jacobian.col(i).head<3>();
    out.col(i).tail<3>().noalias() = to_tip * motion.jacobian.col(i).tail<3>();
  }
}

void spatial_jacobian(const TipMotion & motion, Jacobian & out) noexcept
{
  const Eigen::Vector3d p = motion.tip.translation();
  const Eigen::Index n = motion.jacobian.cols();
  out.resize(6, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Vector3d angular = motion.jacobian.col(i).tail<3>();
    out.col(i).head<3>() = motion.jacobian.col(i).head<3>() + p.cross(angular);
    out.col(i).tail<3>() = angular;
  }
}

Manipulability manipulability(const Jacobian & jacobian, double length) noexcept
{
  Manipulability out;
  const Eigen::Index n = jacobian.cols();
  if (n == 0 || !jacobian.allFinite() || !(length > 0.0)) { return out; }
  Jacobian scaled = jacobian;
  scaled.topRows<3>() /= length;
  JointMatrix gram(std::min<Eigen::Index>(n, 6), std::min<Eigen::Index>(n, 6));
  if (n >= 6) {
    gram.noalias() = scaled * scaled.transpose();
  } else {
    gram.noalias() = scaled.transpose() * scaled;
  }
  const Eigen::SelfAdjointEigenSolver<JointMatrix> solver(gram, Eigen::EigenvaluesOnly);
  double product = 1.0;
  for (Eigen::Index i = 0; i < gram.rows(); ++i) {
    product *= std::max(0.0, solver.eigenvalues()[i]);
  }
  out.volume = std::sqrt(product);
  out.smallest = std::sqrt(std::max(0.0, solver.eigenvalues()[0]));
  out.largest = std::sqrt(std::max(0.0, solver.eigenvalues()[gram.rows() - 1]));
  return out;
}

}  // namespace ambf_arms
