// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/problem.hpp"
#include "ambf_arms/dvrk_arms.hpp"

namespace ambf_arms
{

enum class ArmKind
{
  Generic,  ///< kinematics of the model, solved numerically
  Psm,
  Ecm,
  Mtm,
};
const char * to_string(ArmKind kind) noexcept;

/// A joint as the file has it; what it leaves out comes from the kind of arm or from the model.
struct JointDescription
{
  std::string name;   ///< for clients; "": the kind's, else the model's
  std::string joint;  ///< of the model; "": none, the arm is kinematic only
  std::optional<double> low, high, velocity, acceleration, jerk, effort;
};

/// Fingers that open together: the jaw of a PSM, the gripper of an MTM.
struct JawDescription
{
  std::vector<std::string> joints;  ///< of the model
  double ratio = 0.5;               ///< of each finger's angle to the angle between them
  std::optional<double> low, high;
};

/// Kinematics of one's own instead of the kind's.
struct DhDescription
{
  DhConvention convention = DhConvention::Modified;
  /// One per joint. A PSM's may be the first three alone: the rest is the tool's.
  std::vector<DhRow> rows;
};

/// The block that says which part of a model is an arm.
struct ArmDescription
{
  std::string source_file;
  ambf_adf::Mark where;
  std::string name;   ///< for clients: PSM1
  std::string topic;  ///< below which its topics are; "": its name
  ArmKind kind = ArmKind::Generic;
  Generation generation = Generation::Classic;
  Side side = Side::Right;
  std::string tool;       ///< of a PSM
  std::string endoscope;  ///< of an ECM
  std::string model;      ///< resolved path of the ADF file; "": whoever loads the world has it
  std::string base;       ///< body
  std::string tip;        ///< body
  std::vector<JointDescription> joints;
  std::optional<JawDescription> jaw;
  std::optional<DhDescription> dh;
  /// Tip in the tip body's frame, or behind the last row of `dh`; without `dh` only of generic arms,
  /// tools have their own.
  std::optional<Eigen::Isometry3d> tip_offset;
  /// Of the base body in the arm's own base frame; only of generic arms.
  Eigen::Isometry3d base_offset = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d base_frame = Eigen::Isometry3d::Identity();  ///< of the arm in `reference`
  std::string reference;                               ///< frame of the poses; "": <name>_base
  std::optional<double> velocity, acceleration, jerk;  ///< of joints that give none
  std::vector<double> home;  ///< where homing ends; empty: the kind's, else the middle
  /// Of set-up joints: the arm whose base is the tip, and the arm in whose tip frame that base is given.
  std::string carries, reference_arm;
};

struct ArmDescriptions
{
  std::vector<ArmDescription> arms;
  ambf_adf::Problems warnings;
};

/// Reads a file with one block `arm` or a list of them, `arms`. All problems are reported at once, with
/// line and column and what to do. Never throws for any content.
ambf_adf::expected<ArmDescriptions, ambf_adf::Errors> parse_arms_file(
  const std::filesystem::path & file);
/// `name` stands for the file in messages; relative paths refer to `folder`.
ambf_adf::expected<ArmDescriptions, ambf_adf::Errors> parse_arms_text(
  std::string_view text, const std::string & name, const std::filesystem::path & folder = {});

}  // namespace ambf_arms
