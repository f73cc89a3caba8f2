// SPDX-License-Identifier: BSD-3-Clause
#include <sstream>

#include "readers.hpp"

namespace ambf_convert
{

using ambf_adf::ProblemKind;

void set_inertial(
  XmlSource & source, const XMLElement & element, Link & link, double mass,
  const Isometry3d & t_link_center, const Matrix3d & tensor)
{
  if (mass < 0.0) {
    source.error(element, ProblemKind::BadValue, "a mass below 0", "a mass above 0 [kg]");
    return;
  }
  link.set_inertial(mass, t_link_center, tensor);
  const std::string wrong =
    impossible_moments(principal_axes(tensor, Isometry3d::Identity()).moments);
  if (wrong.empty() || mass == 0.0) {
    if (mass > 0.0 && !link.body.inertia) {
      source.warn(
        element, ProblemKind::BadValue, "a mass without inertia", "moments above 0",
        "they are estimated from the collision shape");
    }
    return;
  }
  if (wrong.starts_with("a negative")) {
    source.error(
      element, ProblemKind::BadValue, wrong, "a tensor of inertia that a body can have",
      "check the signs; the tensor is about the centre of mass");
  } else {
    source.warn(
      element, ProblemKind::BadValue, wrong, "a tensor of inertia that a body can have",
      "it is taken as it is");
  }
}

double positive(XmlSource & source, const XMLElement & element, const char * attribute)
{
  const auto value = source.number(element, attribute);
  if (!value) {
    if (element.Attribute(attribute) == nullptr) {
      source.error(
        element, ProblemKind::MissingKey, "nothing for '" + std::string(attribute) + "'",
        "a length [m]");
    }
    return 1.0;
  }
  if (*value == 0.0) {
    // Robots have balls without a size where something was wanted and nothing to be seen.
    source.warn(
      element, ProblemKind::BadValue, "a length of 0", "a length above 0 [m]",
      "the shape is left out", attribute);
    return 0.0;
  }
  if (*value < 0.0) {
    source.error(
      element, ProblemKind::BadValue, text_of(*value), "a length above 0 [m]", "", attribute);
    return 1.0;
  }
  return *value;
}

Vector3d unit_axis(
  XmlSource & source, const XMLElement & element, const char * attribute, const Vector3d & axis)
{
  const double length = axis.norm();
  if (length < 1e-9) {
    source.error(
      element, ProblemKind::BadValue, "an axis of length 0", "a direction", "", attribute);
    return Vector3d::UnitZ();
  }
  // Unit vectors stay as they are to the last bit.
  return std::abs(length - 1.0) < 1e-15 ? axis : Vector3d(axis / length);
}

void check_units(XmlSource & source, const Assembly & assembly)
{
  constexpr double far = 100.0;  // [m]
  double largest = 0.0;
  std::string where;
  for (const auto & tie : assembly.ties) {
    if (tie.parent < 0 || tie.joint.six_dof) { continue; }  // where it stands in the world
    const double distance = tie.t_parent_joint.translation().norm();
    if (distance > largest) {
      largest = distance;
      where = tie.joint.header.name;
    }
  }
  if (largest <= far) { return; }
  std::ostringstream found;
  found << "joint '" << where << "' " << largest << " m away from its parent";
  source.warn(
    *source.root(), ProblemKind::BadValue, found.str(), "lengths in metres",
    "the file looks as if it were in millimetres");
}

}  // namespace ambf_convert
