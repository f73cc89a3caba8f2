// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembly.hpp"
#include "xml.hpp"

namespace ambf_convert
{

/// Pose of an element's <origin>; the identity without one.
ambf_adf::Pose urdf_origin(XmlSource & source, const XMLElement & element);

/// Reads shapes and materials of URDF.
class UrdfShapes
{
public:
  UrdfShapes(XmlSource & source, const std::string & file) : source_(source), file_(file) {}

  /// Materials that links refer to by name.
  void define_materials(const XMLElement & robot);
  /// All children `kind` of a link.
  void read(
    const XMLElement & link, const char * kind, std::vector<ambf_adf::PlacedShape> & shapes);

private:
  /// Nothing for a reference to a material of the robot.
  std::optional<ambf_adf::Material> colour(const XMLElement & element);
  std::optional<ambf_adf::Material> material_of(const XMLElement & visual);
  std::optional<ambf_adf::Primitive> geometry(const XMLElement & owner);

  XmlSource & source_;
  const std::string & file_;
  std::map<std::string, ambf_adf::Material> materials_;
};

}  // namespace ambf_convert
