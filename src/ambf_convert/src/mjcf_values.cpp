// SPDX-License-Identifier: BSD-3-Clause
#include "mjcf_values.hpp"

#include <algorithm>
#include <cctype>

namespace ambf_convert
{

using ambf_adf::ProblemKind;

void MjcfCompiler::read(XmlSource & source, const XMLElement & element)
{
  const std::string unit = source.word(element, "angle");
  if (unit == "radian") {
    angle = 1.0;
  } else if (unit == "degree") {
    angle = MjcfCompiler{}.angle;
  } else if (!unit.empty()) {
    source.error(
      element, ProblemKind::UnknownEnum, "'" + unit + "'", "degree or radian", "", "angle");
  }
  euler = source.word(element, "eulerseq", euler.c_str());
  const std::string folder = source.word(element, "assetdir", mesh_folder.c_str());
  mesh_folder = source.word(element, "meshdir", folder.c_str());
  auto_limits = source.flag(element, "autolimits", auto_limits);
  inertia_from_geoms = source.word(element, "inertiafromgeom", inertia_from_geoms.c_str());
  if (source.word(element, "coordinate", "local") != "local") {
    source.error(
      element, ProblemKind::Unsupported, "global coordinates", "local coordinates",
      "MuJoCo gave them up in version 2.3.3", "coordinate");
  }
  for (const char * other : {"settotalmass", "boundmass", "boundinertia", "fusestatic"}) {
    if (element.FindAttribute(other) != nullptr) {
      source.lost(element, "the setting '" + std::string(other) + "'", "it is left out");
    }
  }
}

void MjcfDefaults::read(const XMLElement & element, const std::string & parent_class)
{
  const char * own = element.Attribute("class");
  const std::string name = own != nullptr ? own : parent_class.empty() ? "main" : parent_class;
  auto & mine = classes_[name];
  if (!parent_class.empty() && name != parent_class) {
    for (const auto & [kind, attributes] : classes_[parent_class]) {
      mine[kind].insert(attributes.begin(), attributes.end());
    }
  }
  for (auto * child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()) == "default") { continue; }
    for (auto * a = child->FirstAttribute(); a != nullptr; a = a->Next()) {
      mine[child->Name()][a->Name()] = a->Value();
    }
  }
  for (const auto * child : children(element, "default")) { read(*child, name); }
}

const MjcfDefaults::Attributes & MjcfDefaults::of(
  const std::string & name, const std::string & element) const
{
  static const Attributes nothing;
  const auto found = classes_.find(name.empty() ? "main" : name);
  if (found == classes_.end()) { return nothing; }
  const auto attributes = found->second.find(element);
  return attributes == found->second.end() ? nothing : attributes->second;
}

MjcfElement::MjcfElement(
  XmlSource & source, const XMLElement & element, const MjcfDefaults & defaults,
  const std::string & child_class, const std::string & kind)
: source_(source),
  element_(element),
  defaults_(defaults.of(source.word(element, "class", child_class.c_str()), kind))
{
  const std::string name = source.word(element, "class");
  if (!name.empty() && name != "main" && !defaults.has(name)) {
    source.error(
      element, ProblemKind::UnresolvedReference, "'" + name + "'", "a class of <default>", "",
      "class");
  }
}

bool MjcfElement::has(const char * attribute) const
{
  return element_.FindAttribute(attribute) != nullptr || defaults_.count(attribute) != 0;
}

std::string MjcfElement::word(const char * attribute, const std::string & fallback) const
{
  if (const char * own = element_.Attribute(attribute)) { return own; }
  const auto found = defaults_.find(attribute);
  return found == defaults_.end() ? fallback : found->second;
}

std::optional<std::vector<double>> MjcfElement::numbers(const char * attribute) const
{
  if (element_.FindAttribute(attribute) != nullptr) { return source_.numbers(element_, attribute); }
  const auto found = defaults_.find(attribute);
  if (found == defaults_.end()) { return std::nullopt; }
  auto values = parse_numbers(found->second);
  if (!values) {
    source_.error(
      element_, ProblemKind::WrongType, "'" + found->second + "' of its class", "finite numbers",
      "", attribute);
  }
  return values;
}

double MjcfElement::number(const char * attribute, double fallback) const
{
  const auto values = numbers(attribute);
  return values && !values->empty() ? values->front() : fallback;
}

Vector3d MjcfElement::vector(const char * attribute, const Vector3d & fallback) const
{
  const auto values = numbers(attribute);
  if (!values) { return fallback; }
  if (values->size() != 3) {
    source_.error(
      element_, ProblemKind::WrongType, std::to_string(values->size()) + " numbers",
      "three numbers", "", attribute);
    return fallback;
  }
  return {(*values)[0], (*values)[1], (*values)[2]};
}

Matrix3d MjcfElement::rotation(const MjcfCompiler & compiler) const
{
  const auto values = [&](const char * attribute, std::size_t count) {
    auto found = numbers(attribute);
    if (found && found->size() != count) {
      source_.error(
        element_, ProblemKind::WrongType, std::to_string(found->size()) + " numbers",
        std::to_string(count) + " numbers", "", attribute);
      found.reset();
    }
    return found;
  };
  const auto direction = [&](const char * attribute, const Vector3d & v) -> Vector3d {
    if (v.norm() > 1e-12) { return v.normalized(); }
    source_.error(
      element_, ProblemKind::BadValue, "a direction of length 0", "a direction", "", attribute);
    return Vector3d::UnitZ();
  };
  if (const auto q = values("quat", 4)) {
    const Eigen::Quaterniond rotation((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if (rotation.norm() > 1e-12) { return rotation.normalized().toRotationMatrix(); }
    source_.error(
      element_, ProblemKind::BadValue, "a quaternion of length 0", "w x y z", "", "quat");
  }
  if (const auto a = values("axisangle", 4)) {
    return Eigen::AngleAxisd(
             (*a)[3] * compiler.angle, direction("axisangle", {(*a)[0], (*a)[1], (*a)[2]}))
      .toRotationMatrix();
  }
  if (const auto angles = values("euler", 3)) {
    Matrix3d r = Matrix3d::Identity();
    for (std::size_t i = 0; i < 3 && i < compiler.euler.size(); ++i) {
      const char axis = compiler.euler[i];
      const int index = std::tolower(static_cast<unsigned char>(axis)) - 'x';
      const Vector3d about = Vector3d::Unit(std::clamp(index, 0, 2));
      const Matrix3d turn =
        Eigen::AngleAxisd((*angles)[i] * compiler.angle, about).toRotationMatrix();
      // Small letters turn with the frame, capitals stay with the parent.
      r = std::islower(static_cast<unsigned char>(axis)) != 0 ? Matrix3d(r * turn)
                                                              : Matrix3d(turn * r);
    }
    return r;
  }
  if (const auto xy = values("xyaxes", 6)) {
    const Vector3d x = direction("xyaxes", {(*xy)[0], (*xy)[1], (*xy)[2]});
    Vector3d y{(*xy)[3], (*xy)[4], (*xy)[5]};
    y = direction("xyaxes", y - x.dot(y) * x);
    Matrix3d r;
    r << x, y, x.cross(y);
    return r;
  }
  if (const auto z = values("zaxis", 3)) {
    return Eigen::Quaterniond::FromTwoVectors(
             Vector3d::UnitZ(), direction("zaxis", {(*z)[0], (*z)[1], (*z)[2]}))
      .toRotationMatrix();
  }
  return Matrix3d::Identity();
}

Isometry3d MjcfElement::pose(const MjcfCompiler & compiler) const
{
  return isometry(vector("pos", Vector3d::Zero()), rotation(compiler));
}

}  // namespace ambf_convert
