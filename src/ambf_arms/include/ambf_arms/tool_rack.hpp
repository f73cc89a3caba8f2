// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_arms/arm.hpp"

// Instruments and endoscopes as bodies: which file has those of a tool, what hangs on an arm now, and
// how a tool begins at the joint values that the arm has.

namespace ambf_arms
{

/// A tool as an ADF model of its own. The frame of the file is that of the carriage on which it hangs.
struct ToolBodies
{
  std::string name;  ///< of the file without its ending: "large_needle_driver_400006"
  ambf_adf::Model model;
  std::string carriage;  ///< the body that its first joint names and it does not have
};

/// Every tool of a folder, in the order of the files' names. What cannot be read is a warning.
struct ToolRack
{
  std::vector<ToolBodies> tools;
  std::vector<std::string> warnings;
};
ToolRack read_tool_rack(const std::filesystem::path & folder);

/// The bodies that stand for a tool. `note` says what is odd: bodies of another tool, or why there are
/// none.
struct ToolChoice
{
  const ToolBodies * bodies = nullptr;
  std::string note;
};
/// Of an instrument: its own bodies, else those of the instrument of the same generation and wrist
/// that is nearest; none where shaft or wrist would be more than a millimetre off.
/// Of an endoscope: those of its view and generation. NONE has none, and no note.
ToolChoice choose_bodies(const ToolRack & rack, ArmKind kind, std::string_view tool);

/// Several joints of a model that one joint of the arm moves, each by `ratio` times its value.
struct MovedJoints
{
  std::vector<std::string> joints;  ///< identifiers; none: nothing moves
  double ratio = 1.0;
};
/// The joints between carriage and `tip`, one entry for each of the arm's joints from the first behind
/// the carriage on: three of a wristed tool, five of a snake wrist (whose pitch moves the first and the
/// last of four, whose yaw the two between), one of an endoscope. Empty where there are others.
std::vector<MovedJoints> moved_joints(const ToolBodies & tool, const std::string & tip);

/// The tool with its bodies where they are at these joint values: one of the arm's for each entry of
/// `moved`. All of `fingers` turn by `finger`. Values are clipped to the joints' limits.
ambf_adf::Model posed(
  const ToolBodies & tool, const std::vector<MovedJoints> & moved, const JointVector & values,
  const std::vector<std::string> & fingers, double finger);

/// What of the rack an arm carries. `arm` is its model, with the models that hang on it merged in.
struct CarriedTool
{
  bool exchangeable = false;  ///< it has the carriage, and no tool that the rack does not know
  const ToolBodies * tool = nullptr;   ///< all bodies of this one, and no others
  std::vector<std::string> left_over;  ///< qualified names of tool bodies, outermost first
};
CarriedTool find_tool_bodies(const ToolRack & rack, const ambf_adf::Model & arm);
/// Are exactly these bodies there? Some tools differ by so little that `find_tool_bodies` may take one for
/// the other.
bool carries(const ToolRack & rack, const ambf_adf::Model & arm, const ToolBodies & tool);

/// Bodies and joints of `part` become the arm's; both have been resolved in one world.
void merge(ambf_adf::Model & arm, const ambf_adf::Model & part);

}  // namespace ambf_arms
