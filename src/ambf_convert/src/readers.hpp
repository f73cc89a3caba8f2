// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "assembly.hpp"
#include "xml.hpp"

namespace ambf_convert
{

expected<Model, Errors> read_urdf(
  std::unique_ptr<XmlSource> source, const std::filesystem::path & file,
  const ReadOptions & options);
expected<Model, Errors> read_sdf(
  std::unique_ptr<XmlSource> source, const std::filesystem::path & file,
  const ReadOptions & options);
expected<Model, Errors> read_mjcf(
  std::unique_ptr<XmlSource> source, const std::filesystem::path & file,
  const ReadOptions & options);

/// URDF text of a xacro file, by the command `xacro`.
expected<std::string, Errors> expand_xacro(const std::filesystem::path & file);

/// Checks mass and moments of an element and sets them.
void set_inertial(
  XmlSource & source, const XMLElement & element, Link & link, double mass,
  const Isometry3d & t_link_center, const Matrix3d & tensor);

/// A length of a shape must be above 0; without one the shape is left out, and this is 0.
double positive(XmlSource & source, const XMLElement & element, const char * attribute);

/// An axis of length 0 is an error; others get the length 1.
Vector3d unit_axis(
  XmlSource & source, const XMLElement & element, const char * attribute, const Vector3d & axis);

/// A file in millimetres has joints hundreds of metres apart.
void check_units(XmlSource & source, const Assembly & assembly);

}  // namespace ambf_convert
