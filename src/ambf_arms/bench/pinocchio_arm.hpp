// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

// Headers alone, compiled with the options of everything else here.
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "ambf_arms/chain.hpp"
#include "ambf_arms/dynamics.hpp"

namespace ambf_arms
{

/// The same chain for Pinocchio: one joint for each step, the tip as a frame of the last joint.
class PinocchioArm
{
public:
  using Jacobian6 = pinocchio::Data::Matrix6x;

  explicit PinocchioArm(const Chain & chain, const std::vector<Link> * links = nullptr)
  : model_(make_model(chain, links)), data_(model_), J_(6, model_.nv)
  {
    J_.setZero();
    tip_ = model_.getFrameId("tip");
    last_ = static_cast<pinocchio::JointIndex>(model_.njoints - 1);
    T_last_tip_ = pinocchio::SE3(chain.tip_rotation, chain.tip_position);
  }

  Eigen::Vector3d forward(const Eigen::VectorXd & q)
  {
    pinocchio::forwardKinematics(model_, data_, q);
    return (data_.oMi[last_] * T_last_tip_).translation();
  }

  /// In the axes of the base, of the tip's origin; and the pose, which the tip's Jacobian gives as well.
  const Jacobian6 & jacobian(const Eigen::VectorXd & q)
  {
    pinocchio::computeFrameJacobian(model_, data_, q, tip_, pinocchio::LOCAL_WORLD_ALIGNED, J_);
    return J_;
  }

  /// Damped least squares in closed loop, as Pinocchio's documentation has it, with full steps: its library
  /// has no inverse kinematics. No limits. False: not within `error` after `most` steps.
  bool inverse(
    const Eigen::VectorXd & seed, const Eigen::Isometry3d & goal, Eigen::VectorXd & q,
    double error = 1e-10, int most = 200)
  {
    constexpr double damping = 1e-8;
    const pinocchio::SE3 T_base_last =
      pinocchio::SE3(goal.linear(), goal.translation()) * T_last_tip_.inverse();
    q = seed;
    for (int i = 0; i < most; ++i) {
      pinocchio::computeJointJacobians(model_, data_, q);
      const pinocchio::SE3 T_last_goal = data_.oMi[last_].actInv(T_base_last);
      const Eigen::Matrix<double, 6, 1> off = pinocchio::log6(T_last_goal).toVector();
      if (off.norm() < error) { return true; }
      pinocchio::getJointJacobian(model_, data_, last_, pinocchio::LOCAL, J_);
      Eigen::Matrix<double, 6, 6> JJt = J_ * J_.transpose();
      JJt.diagonal().array() += damping;
      q += J_.transpose() * JJt.ldlt().solve(off);
    }
    return false;
  }

  const Eigen::VectorXd & inverse_dynamics(
    const Eigen::VectorXd & q, const Eigen::VectorXd & v, const Eigen::VectorXd & a)
  {
    return pinocchio::rnea(model_, data_, q, v, a);
  }
  const Eigen::VectorXd & gravity(const Eigen::VectorXd & q)
  {
    return pinocchio::computeGeneralizedGravity(model_, data_, q);
  }
  /// The upper triangle.
  const Eigen::MatrixXd & mass_matrix(const Eigen::VectorXd & q)
  {
    return pinocchio::crba(model_, data_, q);
  }

private:
  static pinocchio::Model make_model(const Chain & chain, const std::vector<Link> * links)
  {
    pinocchio::Model model;
    pinocchio::JointIndex parent = 0;
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
      const Step & step = chain.steps[i];
      const pinocchio::SE3 place(step.rotation, step.position);
      const std::string name = "joint_" + std::to_string(i + 1);
      parent = step.slides ? model.addJoint(parent, pinocchio::JointModelPZ(), place, name)
                           : model.addJoint(parent, pinocchio::JointModelRZ(), place, name);
      if (links == nullptr) { continue; }
      const Link & link = (*links)[i];
      model.appendBodyToJoint(
        parent, pinocchio::Inertia(link.mass, link.centre, link.inertia),
        pinocchio::SE3::Identity());
    }
    model.addFrame(pinocchio::Frame(
      "tip", parent, 0, pinocchio::SE3(chain.tip_rotation, chain.tip_position),
      pinocchio::OP_FRAME));
    return model;
  }

  pinocchio::Model model_;
  pinocchio::Data data_;
  Jacobian6 J_;
  pinocchio::FrameIndex tip_ = 0;
  pinocchio::JointIndex last_ = 0;
  pinocchio::SE3 T_last_tip_;
};

}  // namespace ambf_arms
