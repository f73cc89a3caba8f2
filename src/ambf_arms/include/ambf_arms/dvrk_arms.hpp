// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_arms/chain.hpp"
#include "ambf_arms/inverse.hpp"

// The arms and tools of the da Vinci Research Kit as data: DH rows, ranges, speeds, wrists, jaws.
// Numbers: the dVRK user guide as used by sawIntuitiveResearchKit 2.4; right angles are exact here,
// 1.5708 there.

namespace ambf_arms
{

enum class Generation
{
  Classic,
  Si,
};

/// One joint of a known arm.
struct JointData
{
  const char * name;
  double low, high;     ///< [rad or m]
  double velocity;      ///< [rad/s or m/s]
  double acceleration;  ///< [rad/s^2 or m/s^2]
  double effort;        ///< [N m or N]
};

/// The kind of wrist that a tool has.
enum class Wrist
{
  PitchYaw,  ///< two axes
  Snake,     ///< 5 mm tools: pitch, yaw, yaw, pitch, driven in pairs
};

/// An instrument of a PSM.
struct Tool
{
  const char * model;  ///< part number, e.g. "400006"
  const char * name;   ///< as the dVRK writes it, e.g. "LARGE_NEEDLE_DRIVER"
  const char * alias;  ///< second name, or ""
  Generation generation;
  Wrist wrist;
  double shaft;         ///< carriage to wrist pitch axis [m]
  double wrist_length;  ///< wrist pitch to wrist yaw axis; of a snake: between two of its axes [m]
  double roll, pitch, yaw;   ///< ranges are plus and minus [rad]; of a snake: both axes together
  double jaw_low, jaw_high;  ///< angle between the fingers [rad]; negative squeezes
  double jaw_effort;         ///< [N m]; 0: the tool has no jaw that moves
  double roll_offset;        ///< [rad]
  double tip_distance;       ///< of a snake: last axis to tip [m]

  bool has_jaw() const noexcept { return jaw_effort > 0.0; }
  /// Tip in the frame of the last wrist axis: x left in the picture, y up, z away. Wristed tools have
  /// no translation: the pose is that of the yaw axis.
  Eigen::Isometry3d tip() const;
  /// "LARGE_NEEDLE_DRIVER:400006".
  std::string full_name() const;
};

/// All tools that are known, Classic and Si.
std::span<const Tool> tools();
/// By "NAME:MODEL", name, alias or model number, in any case of letters; a name alone that both
/// generations have means that of `generation`. Null if there is none.
const Tool * find_tool(std::string_view name, Generation generation) noexcept;
/// For messages: the known name that is written most like this one.
/// For who wrote a name that is no tool's: "did you mean 'X'?", or an example where none is like it.
std::string tool_advice(std::string_view name);

/// Yaw, pitch, insertion.
std::span<const JointData> psm_joints(Generation generation);
/// Roll, wrist pitch, wrist yaw with the tool's ranges, then the jaw.
std::vector<JointData> tool_joints(const Tool & tool);
std::span<const JointData> ecm_joints(Generation generation);

enum class Side
{
  Left,
  Right,
};
std::span<const JointData> mtm_joints(Side side);

/// Endoscopes: NONE, or {Classic_SD, Classic_HD, Si_HD, Custom}_{STRAIGHT, UP, DOWN}.
struct Endoscope
{
  const char * name;
  double angle;   ///< of the view about x [rad]
  double length;  ///< beyond the shaft [m]
  double mass;    ///< [kg]
  Eigen::Isometry3d tip() const;
};
std::span<const Endoscope> endoscopes();
const Endoscope * find_endoscope(std::string_view name) noexcept;

/// The rows behind the chains below. A PSM's are those of the arm, then those of the tool.
std::vector<DhRow> psm_rows(Generation generation, const Tool & tool);
std::vector<DhRow> ecm_rows();
std::vector<DhRow> mtm_rows();

/// Chains from the base (remote centre or shoulder) to the tip.
Chain psm_chain(Generation generation, const Tool & tool);
/// Of other rows than the known ones, as many as `psm_rows` has for this tool.
Chain psm_chain(std::span<const DhRow> rows, DhConvention convention, const Tool & tool);
Chain ecm_chain(const Eigen::Isometry3d & tip = Eigen::Isometry3d::Identity());
Chain mtm_chain(const Eigen::Isometry3d & tip = Eigen::Isometry3d::Identity());

PsmGeometry psm_geometry(Generation generation, const Tool & tool);

}  // namespace ambf_arms
