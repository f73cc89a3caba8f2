// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "ambf_adf/placement.hpp"
#include "ambf_arms/mechanism.hpp"

namespace ambf_arms
{

using ambf_adf::Errors;
using ambf_adf::Joint;
using ambf_adf::JointType;
using ambf_adf::Model;
using ambf_adf::ProblemKind;

inline bool turns(JointType type)
{
  return type == JointType::Revolute || type == JointType::Continuous;
}
inline bool slides(JointType type) { return type == JointType::Prismatic; }
inline bool one_axis(JointType type) { return turns(type) || slides(type); }

/// A joint of the spanning tree, turned so that its parent is the one nearer to the base.
struct Edge
{
  int joint = -1;  ///< of the model
  Joint value;
  int parent = -1;  ///< bodies
  int child = -1;
  double scale_parent = 1.0;
  double scale_child = 1.0;
  int arm = -1;  ///< index among the arm's joints
};

/// Reads a mechanism in steps; each says false when it found errors.
struct MechanismReader
{
  const Model & model;
  const MechanismRequest & request;
  Errors errors;
  int base = -1;
  int tip = -1;
  std::vector<int> arm;       ///< model's joints
  std::vector<Edge> tree;     ///< parents first
  std::vector<Edge> closing;  ///< joints beside the tree
  std::vector<int> edge_to;   ///< body -> index in tree, -1
  std::vector<int> passive;   ///< tree edges whose value loops decide
  Eigen::MatrixXd ratios;     ///< passive x arm
  Eigen::VectorXd offsets;    ///< passive
  std::vector<bool> decided;  ///< passive edge is held by a loop

  void error(
    ProblemKind kind, const ambf_adf::Mark & where, std::string key, std::string found,
    std::string expected, std::string hint)
  {
    errors.push_back(
      {ambf_adf::Severity::Error, kind, model.source_file, where, std::move(key), std::move(found),
       std::move(expected), std::move(hint)});
  }

  bool find_ends();
  bool grow_tree();
  bool find_arm_joints();
  bool close_loops();
  Step step_of(const Edge & edge, Eigen::Isometry3d & after) const;
  Mechanism result() const;

  std::vector<int> path() const
  {
    std::vector<int> out;
    for (int body = tip; body != base;) {
      const int edge = edge_to[static_cast<std::size_t>(body)];
      out.push_back(edge);
      body = tree[static_cast<std::size_t>(edge)].parent;
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  double value(std::size_t edge, const Eigen::VectorXd & q, const Eigen::VectorXd & followers) const
  {
    const Edge & e = tree[edge];
    if (e.arm >= 0) { return q[e.arm]; }
    const auto at = std::find(passive.begin(), passive.end(), static_cast<int>(edge));
    return at == passive.end() ? 0.0 : followers[at - passive.begin()];
  }

  std::vector<Eigen::Isometry3d> place(
    const Eigen::VectorXd & q, const Eigen::VectorXd & followers) const
  {
    std::vector<Eigen::Isometry3d> poses(model.bodies.size(), Eigen::Isometry3d::Identity());
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const Edge & e = tree[i];
      poses[static_cast<std::size_t>(e.child)] =
        poses[static_cast<std::size_t>(e.parent)] *
        ambf_adf::child_in_parent(e.value, value(i, q, followers), e.scale_parent, e.scale_child);
    }
    return poses;
  }

  Eigen::VectorXd gaps(const Eigen::VectorXd & q, const Eigen::VectorXd & followers) const;
};

}  // namespace ambf_arms
