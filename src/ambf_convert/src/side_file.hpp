// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ambf_convert/convert.hpp"
#include "xml.hpp"

namespace ambf_convert
{

/// What a URDF file cannot say and its comment block and side file do.
struct SideFile
{
  std::vector<ambf_adf::Joint> joints;  ///< parents and children are identifiers of bodies
  std::map<std::string, double> start;  ///< joint values at the start, by name [rad or m]
};

/// The comment block for a URDF file: which side file there is and where joints start.
std::string side_comment(
  const std::string & side_name, const std::map<std::string, double> & start);

/// What the comment block of a URDF file names; nothing where it has none.
expected<SideFile, Errors> read_side_file(
  const XmlSource & source, const std::filesystem::path & file);

/// The side file's text.
std::string side_text(const Model & model, const std::vector<ambf_adf::Joint> & joints);

/// Adds the joints of a side file to a model.
void add_side_joints(Model & model, const SideFile & side);

}  // namespace ambf_convert
