// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "geometry.hpp"
#include "xml.hpp"

namespace ambf_convert
{

/// Settings of <compiler>.
struct MjcfCompiler
{
  double angle = 0.017453292519943295;  ///< factor to radians
  std::string euler = "xyz";
  std::string mesh_folder;
  bool auto_limits = true;
  std::string inertia_from_geoms = "auto";

  void read(XmlSource & source, const XMLElement & element);
};

/// Attributes that <default> gives to elements, by class and element.
class MjcfDefaults
{
public:
  using Attributes = std::map<std::string, std::string>;

  void read(const XMLElement & element, const std::string & parent_class);
  const Attributes & of(const std::string & name, const std::string & element) const;
  bool has(const std::string & name) const { return classes_.count(name) != 0; }

private:
  std::map<std::string, std::map<std::string, Attributes>> classes_;
};

/// An element with the defaults of its class.
class MjcfElement
{
public:
  /// `kind` is what the defaults call it ("joint" also for <freejoint>).
  MjcfElement(
    XmlSource & source, const XMLElement & element, const MjcfDefaults & defaults,
    const std::string & child_class, const std::string & kind);

  const XMLElement & xml() const { return element_; }
  XmlSource & source() const { return source_; }
  bool has(const char * attribute) const;
  std::string word(const char * attribute, const std::string & fallback = "") const;
  std::optional<std::vector<double>> numbers(const char * attribute) const;
  double number(const char * attribute, double fallback) const;
  Vector3d vector(const char * attribute, const Vector3d & fallback) const;
  /// From quat, axisangle, euler, xyaxes or zaxis.
  Matrix3d rotation(const MjcfCompiler & compiler) const;
  Isometry3d pose(const MjcfCompiler & compiler) const;

private:
  XmlSource & source_;
  const XMLElement & element_;
  const MjcfDefaults::Attributes & defaults_;
};

}  // namespace ambf_convert
