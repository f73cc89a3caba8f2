// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/model.hpp"
#include "ambf_arms/chain.hpp"
#include "ambf_arms/description.hpp"
#include "ambf_arms/inverse.hpp"
#include "ambf_arms/mechanism.hpp"
#include "ambf_arms/trajectory.hpp"

namespace ambf_arms
{

/// Fingers of a jaw or gripper: one value for the angle between them, negative squeezes.
struct Jaw
{
  std::vector<std::string> joints;  ///< of the model, in step with each other
  double ratio = 0.5;               ///< finger's angle = ratio * jaw's
  double low = 0.0, high = 0.0;     ///< [rad]
  double velocity = 1.0, acceleration = 1.0, jerk = 20.0;
  double effort = 0.0;  ///< [N m]
};

/// An arm: joints with names and limits, kinematics, tool and base frame. A value; what is const and
/// noexcept neither allocates nor throws, so that control loops may call it. Cartesian poses are in
/// the reference of the base frame; `local` ones are in the arm's own base.
class Arm
{
public:
  /// From a description, with the model that it is a part of. PSM, ECM and MTM need none: they are
  /// kinematic then. `warnings` gets what is odd, e.g. a model that moves otherwise than its kind.
  static ambf_adf::expected<Arm, ambf_adf::Errors> make(
    const ArmDescription & description, const ambf_adf::Model * model,
    ambf_adf::Problems * warnings = nullptr);

  const std::string & name() const noexcept { return name_; }
  ArmKind kind() const noexcept { return kind_; }
  int joints() const noexcept { return chain_.joints; }
  const std::vector<std::string> & joint_names() const noexcept { return names_; }
  /// Of the model, in the same order; empty strings for a kinematic arm.
  const std::vector<std::string> & model_joints() const noexcept { return model_joints_; }
  bool slides(int joint) const noexcept;

  const Chain & chain() const noexcept { return chain_; }
  const Bounds & bounds() const noexcept { return bounds_; }
  const MotionLimits & limits() const noexcept { return limits_; }
  const JointVector & effort_limits() const noexcept { return efforts_; }
  const JointVector & home() const noexcept { return home_; }
  const std::optional<Jaw> & jaw() const noexcept { return jaw_; }
  /// As its model has it; empty for a kinematic arm.
  const std::optional<Mechanism> & mechanism() const noexcept { return mechanism_; }

  const Eigen::Isometry3d & base_frame() const noexcept { return base_frame_; }
  const std::string & reference() const noexcept { return reference_; }
  /// Refuses what is no rigid transform.
  Result<void> set_base_frame(const Eigen::Isometry3d & frame, std::string reference);

  /// "LARGE_NEEDLE_DRIVER:400006", an endoscope's name, or "".
  const std::string & tool() const noexcept { return tool_; }
  /// Another tool (PSM) or endoscope (ECM). The error is a sentence that names the nearest one.
  ambf_adf::expected<void, std::string> set_tool(std::string_view name);

  Result<Eigen::Isometry3d> forward_local(const JointVector & q) const noexcept;
  Result<Eigen::Isometry3d> forward(const JointVector & q) const noexcept;
  /// Solve, then clip; the seed chooses between solutions. Where there is no closed form, `restarts`
  /// are further starts over the range, for goals far from the seed.
  Result<Solution> inverse_local(
    const Eigen::Isometry3d & goal, const JointVector & seed, int restarts = 0) const noexcept;
  Result<Solution> inverse(
    const Eigen::Isometry3d & goal, const JointVector & seed, int restarts = 0) const noexcept;
  /// Tip and Jacobian in the arm's own base.
  Result<void> motion(const JointVector & q, TipMotion & out) const noexcept;

  /// Clips a goal in place; bit i: joint i was beyond its range.
  Result<std::uint32_t> clip_joints(JointVector & q) const noexcept;
  /// Is the tool out of the cannula, so that Cartesian commands make sense? Always true for arms
  /// without a remote centre.
  bool cartesian_ready(const JointVector & q) const noexcept;

private:
  struct Numeric
  {
  };
  using Solver = std::variant<Numeric, PsmGeometry, EcmGeometry, MtmGeometry>;

  /// For rows that have the geometry of the kind; numeric otherwise.
  Solver closed_form(const DhDescription & dh, const Eigen::Isometry3d & tip) const;

  void use_tool(const Tool & tool);
  void use_dh(const DhDescription & dh, const std::optional<Eigen::Isometry3d> & tip);
  void use_endoscope(const Endoscope & endoscope);
  void set_joints(std::span<const JointData> joints, int first);

  std::string name_;
  ArmKind kind_ = ArmKind::Generic;
  Generation generation_ = Generation::Classic;
  std::string tool_;
  Chain chain_;
  Solver solver_;
  Bounds bounds_;
  MotionLimits limits_;
  JointVector efforts_;
  JointVector home_;
  std::vector<std::string> names_;
  std::vector<std::string> model_joints_;
  std::vector<JointDescription> overrides_;
  std::optional<double> velocity_, acceleration_, jerk_;
  std::optional<Jaw> jaw_;
  std::optional<JawDescription> jaw_description_;
  std::optional<DhDescription> arm_dh_;  ///< of a PSM: the rows before the tool's
  std::optional<Mechanism> mechanism_;
  Eigen::Isometry3d base_frame_ = Eigen::Isometry3d::Identity();
  std::string reference_;

  friend struct ArmMaker;
};

/// "12.3 mm and 4.5 degrees off"; "" where the pose is met, as far as an arm with so few joints can.
std::string how_far_off(const Arm & arm, const Solution & solution);

}  // namespace ambf_arms
