// SPDX-License-Identifier: BSD-3-Clause
#include "closure.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Sparse>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/placement.hpp"

namespace ambf_dynamics
{
namespace
{

using ambf_adf::JointType;
using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double far_position = 0.01;  // [m] beyond this a body is put onto its joint first
constexpr double far_angle = 0.05;     // [rad]
constexpr double good_position = 1e-7;
constexpr double good_angle = 1e-7;
constexpr int max_rounds = 60;

std::size_t u(int i) { return static_cast<std::size_t>(i); }

bool slides(const ambf_adf::Joint & j)
{
  return j.type == JointType::Prismatic || j.type == JointType::LinearSpring;
}
bool turns(const ambf_adf::Joint & j)
{
  return j.type == JointType::Revolute || j.type == JointType::Continuous ||
         j.type == JointType::TorsionSpring;
}
// Six-dof joints lock nothing that placement could repair: their limits act in the simulation.
bool binds(const ambf_adf::Joint & j)
{
  return j.type != JointType::SixDof && j.type != JointType::SixDofSpring;
}

struct JointFrames
{
  Vector3d pivot_parent;  // in the parent
  Vector3d pivot_child;   // in the child
  Vector3d axis_parent;
  Matrix3d r_zero;  // R_PC at q = 0
};

JointFrames frames_of(const PlacedJoint & p)
{
  return {
    p.parent_scale * p.joint->parent_pivot, p.child_scale * p.joint->child_pivot,
    p.joint->parent_axis, ambf_adf::child_rotation_at_zero(*p.joint)};
}

Vector3d rotation_vector(const Matrix3d & r)
{
  const Eigen::AngleAxisd a(r);
  return a.angle() * a.axis();
}

// Residuals of the locked directions in world axes, and their derivatives with respect to small
// motions (translation, rotation about the body origin) of parent and child.
struct Rows
{
  int count = 0;
  Eigen::Matrix<double, 6, 1> value;
  Eigen::Matrix<double, 6, 6> parent;
  Eigen::Matrix<double, 6, 6> child;

  void add(
    double v, const Vector3d & linear, const Vector3d & ang_parent, const Vector3d & ang_child)
  {
    value(count) = v;
    parent.row(count) << -linear.transpose(), -ang_parent.transpose();
    child.row(count) << linear.transpose(), ang_child.transpose();
    ++count;
  }
};

Rows rows_of(const PlacedJoint & p, const Isometry3d & t_parent, const Isometry3d & t_child)
{
  const JointFrames f = frames_of(p);
  Rows rows;
  const Vector3d z = t_parent.linear() * f.axis_parent;
  const Vector3d x = z.unitOrthogonal();
  const Vector3d y = z.cross(x);
  const Vector3d pivot_child = t_child * f.pivot_child;
  const Vector3d gap = pivot_child - t_parent * f.pivot_parent;
  const Vector3d arm_parent = pivot_child - t_parent.translation();
  const Vector3d arm_child = pivot_child - t_child.translation();
  for (const Vector3d & n : {x, y, z}) {
    if (slides(*p.joint) && n == z) { continue; }
    rows.add(n.dot(gap), n, arm_parent.cross(n), arm_child.cross(n));
  }
  if (p.joint->type == JointType::PointToPoint || p.joint->type == JointType::ConeTwist) {
    return rows;
  }
  const Matrix3d r_off = t_child.linear() * (t_parent.linear() * f.r_zero).transpose();
  if (turns(*p.joint)) {
    const Vector3d z_child = r_off * z;
    const Vector3d error = z.cross(z_child);
    // Opposite axes have no direction to turn in: take one.
    const Vector3d e = z.dot(z_child) < 0.0 && error.norm() < 1e-6 ? x : error;
    rows.add(x.dot(e), Vector3d::Zero(), x, x);
    rows.add(y.dot(e), Vector3d::Zero(), y, y);
  } else {
    const Vector3d error = rotation_vector(r_off);
    for (const Vector3d & n : {x, y, z}) { rows.add(n.dot(error), Vector3d::Zero(), n, n); }
  }
  return rows;
}

struct Misfit
{
  double position = 0.0;
  double angle = 0.0;
  const PlacedJoint * worst = nullptr;
};

Misfit worst_errors(const std::vector<PlacedBody> & bodies, const std::vector<PlacedJoint> & joints)
{
  Misfit e;
  double worst = -1.0;
  for (const PlacedJoint & p : joints) {
    if (!binds(*p.joint)) { continue; }
    const Rows rows = rows_of(p, bodies[u(p.parent)].t_world_body, bodies[u(p.child)].t_world_body);
    const int linear = slides(*p.joint) ? 2 : 3;
    const double position = rows.value.head(linear).norm();
    const double angle =
      rows.count > linear ? rows.value.segment(linear, rows.count - linear).norm() : 0.0;
    e.position = std::max(e.position, position);
    e.angle = std::max(e.angle, angle);
    if (position + 0.1 * angle > worst) {
      worst = position + 0.1 * angle;
      e.worst = &p;
    }
  }
  return e;
}

bool fits(const PlacedJoint & p, const std::vector<PlacedBody> & bodies)
{
  if (!binds(*p.joint)) { return true; }
  const ambf_adf::JointFit fit = ambf_adf::fit_joint(
    *p.joint, bodies[u(p.parent)].t_world_body, bodies[u(p.child)].t_world_body, p.parent_scale,
    p.child_scale);
  return fit.position_error < far_position && fit.angle_error < far_angle;
}

// Walks the tree of joints from held bodies (and first bodies of free sets) and puts every body whose
// joint does not fit where the joint wants it, keeping the joint's value where the file's poses gave
// one.
void place_along_tree(std::vector<PlacedBody> & bodies, const std::vector<PlacedJoint> & joints)
{
  const std::vector<PlacedBody> original = bodies;
  std::vector<bool> placed(bodies.size(), false);
  std::vector<bool> used(joints.size(), false);
  for (std::size_t i = 0; i < bodies.size(); ++i) { placed[i] = bodies[i].held; }
  const auto spread = [&] {
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t k = 0; k < joints.size(); ++k) {
        const PlacedJoint & p = joints[k];
        if (used[k] || !binds(*p.joint)) { continue; }
        const bool down = placed[u(p.parent)] && !placed[u(p.child)];
        const bool up = placed[u(p.child)] && !placed[u(p.parent)];
        if (!down && !up) { continue; }
        const double q = fits(p, original)
                           ? ambf_adf::fit_joint(
                               *p.joint, original[u(p.parent)].t_world_body,
                               original[u(p.child)].t_world_body, p.parent_scale, p.child_scale)
                               .q
                           : 0.0;
        const Isometry3d t_pc =
          ambf_adf::child_in_parent(*p.joint, q, p.parent_scale, p.child_scale);
        const bool point =
          p.joint->type == JointType::PointToPoint || p.joint->type == JointType::ConeTwist;
        PlacedBody & moved = bodies[u(down ? p.child : p.parent)];
        if (point) {
          // Only the pivot is known: keep the orientation.
          const Vector3d gap =
            bodies[u(p.child)].t_world_body * (p.child_scale * p.joint->child_pivot) -
            bodies[u(p.parent)].t_world_body * (p.parent_scale * p.joint->parent_pivot);
          moved.t_world_body.pretranslate(down ? Vector3d(-gap) : gap);
        } else {
          moved.t_world_body = down ? bodies[u(p.parent)].t_world_body * t_pc
                                    : bodies[u(p.child)].t_world_body * t_pc.inverse();
        }
        placed[u(p.child)] = placed[u(p.parent)] = true;
        used[k] = true;
        progress = true;
      }
    }
  };
  spread();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (placed[i]) { continue; }
    placed[i] = true;
    spread();
  }
}

double cost_of(const std::vector<PlacedBody> & bodies, const std::vector<PlacedJoint> & joints)
{
  double cost = 0.0;
  for (const PlacedJoint & p : joints) {
    if (!binds(*p.joint)) { continue; }
    const Rows rows = rows_of(p, bodies[u(p.parent)].t_world_body, bodies[u(p.child)].t_world_body);
    cost += rows.value.head(rows.count).squaredNorm();
  }
  return cost;
}

void levenberg_marquardt(
  std::vector<PlacedBody> & bodies, const std::vector<PlacedJoint> & joints,
  const std::vector<int> & column)
{
  const int unknowns = 6 * (1 + *std::max_element(column.begin(), column.end()));
  if (unknowns <= 0) { return; }
  double damping = 1e-9;
  double cost = cost_of(bodies, joints);
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(unknowns);
    for (const PlacedJoint & p : joints) {
      if (!binds(*p.joint)) { continue; }
      const Rows rows =
        rows_of(p, bodies[u(p.parent)].t_world_body, bodies[u(p.child)].t_world_body);
      const auto value = rows.value.head(rows.count);
      const Eigen::Matrix<double, 6, 6> * jac[2] = {&rows.parent, &rows.child};
      const int at[2] = {column[u(p.parent)], column[u(p.child)]};
      for (int a = 0; a < 2; ++a) {
        if (at[a] < 0) { continue; }
        gradient.segment<6>(6 * at[a]) += jac[a]->topRows(rows.count).transpose() * value;
        for (int b = 0; b < 2; ++b) {
          if (at[b] < 0) { continue; }
          const Eigen::Matrix<double, 6, 6> h =
            jac[a]->topRows(rows.count).transpose() * jac[b]->topRows(rows.count);
          for (int r = 0; r < 6; ++r) {
            for (int c = 0; c < 6; ++c) {
              entries.emplace_back(6 * at[a] + r, 6 * at[b] + c, h(r, c));
            }
          }
        }
      }
    }
    for (int i = 0; i < unknowns; ++i) { entries.emplace_back(i, i, damping); }
    Eigen::SparseMatrix<double> h(unknowns, unknowns);
    h.setFromTriplets(entries.begin(), entries.end());
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(h);
    if (factor.info() != Eigen::Success) {
      damping *= 100.0;
      continue;
    }
    const Eigen::VectorXd step = factor.solve(-gradient);
    std::vector<PlacedBody> moved = bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (column[i] < 0) { continue; }
      const Vector3d translation = step.segment<3>(6 * column[i]);
      const Vector3d rotation = step.segment<3>(6 * column[i] + 3);
      const double angle = rotation.norm();
      moved[i].t_world_body.translation() += translation;
      if (angle > 0.0) {
        const Eigen::Quaterniond turned(
          Eigen::AngleAxisd(angle, rotation / angle) * moved[i].t_world_body.linear());
        moved[i].t_world_body.linear() = turned.normalized().toRotationMatrix();
      }
    }
    const double new_cost = cost_of(moved, joints);
    if (!(new_cost < cost)) {
      if (damping > 1e3) { break; }
      damping = std::max(damping * 10.0, 1e-12);
      continue;
    }
    const bool converged = cost - new_cost < 1e-10 * cost || new_cost < 1e-22;
    bodies = std::move(moved);
    cost = new_cost;
    damping = std::max(damping * 0.1, 1e-12);
    if (converged) { break; }
  }
}

}  // namespace

ClosureReport close_joints(
  std::vector<PlacedBody> & bodies, const std::vector<PlacedJoint> & joints)
{
  ClosureReport report;
  const Misfit before = worst_errors(bodies, joints);
  report.position_error_before = report.position_error_after = before.position;
  report.angle_error_before = report.angle_error_after = before.angle;
  if (before.worst) { report.worst_joint = before.worst->joint->header.identifier; }
  if (!before.worst || (before.position < good_position && before.angle < good_angle)) {
    return report;
  }
  report.moved = true;

  if (before.position > far_position || before.angle > far_angle) {
    place_along_tree(bodies, joints);
  }

  // One body of every free set stays: without it the whole set could drift.
  ambf_adf::Lineage graph;
  for (std::size_t i = 0; i < bodies.size(); ++i) { graph.add_body(); }
  for (const PlacedJoint & p : joints) { graph.add_joint(u(p.parent), u(p.child)); }
  std::vector<int> column(bodies.size(), -1);
  int next = 0;
  for (const auto & set : graph.components()) {
    const bool anchored =
      std::any_of(set.begin(), set.end(), [&](std::size_t i) { return bodies[i].held; });
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (set.size() == 1 || bodies[set[k]].held || (!anchored && k == 0)) { continue; }
      column[set[k]] = next++;
    }
  }
  levenberg_marquardt(bodies, joints, column);
  const Misfit after = worst_errors(bodies, joints);
  report.position_error_after = after.position;
  report.angle_error_after = after.angle;
  return report;
}

}  // namespace ambf_dynamics
