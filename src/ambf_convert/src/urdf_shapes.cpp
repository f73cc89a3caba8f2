// SPDX-License-Identifier: BSD-3-Clause
#include "urdf_shapes.hpp"

#include <algorithm>

#include "readers.hpp"

namespace ambf_convert
{

using ambf_adf::PlacedShape;
using ambf_adf::ProblemKind;

ambf_adf::Pose urdf_origin(XmlSource & source, const XMLElement & element)
{
  const auto * origin = element.FirstChildElement("origin");
  if (origin == nullptr) { return {}; }
  ambf_adf::Pose pose;
  pose.position = source.vector(*origin, "xyz");
  if (const auto q = source.numbers(*origin, "quat_xyzw"); q && q->size() == 4) {
    const Eigen::Quaterniond rotation((*q)[3], (*q)[0], (*q)[1], (*q)[2]);
    return pose_of(isometry(pose.position, rotation.normalized().toRotationMatrix()));
  }
  pose.rpy = source.vector(*origin, "rpy");
  return pose;
}

void UrdfShapes::define_materials(const XMLElement & robot)
{
  for (const auto * material : children(robot, "material")) {
    if (const auto read = colour(*material)) {
      materials_[source_.word(*material, "name")] = *read;
    }
  }
}

std::optional<ambf_adf::Material> UrdfShapes::colour(const XMLElement & element)
{
  source_.expect_children(element, {"color", "texture"});
  if (const auto * texture = element.FirstChildElement("texture")) {
    source_.lost(*texture, "a texture", "the mesh's own material shows one");
  }
  const auto * color = element.FirstChildElement("color");
  if (color == nullptr) { return std::nullopt; }
  const auto rgba = source_.numbers(*color, "rgba");
  if (!rgba || rgba->size() != 4) {
    source_.error(
      *color, ProblemKind::WrongType, "no four numbers 'rgba'", "red, green, blue, alpha");
    return std::nullopt;
  }
  ambf_adf::Material material;
  for (Eigen::Index i = 0; i < 3; ++i) {
    material.diffuse[i] = std::clamp((*rgba)[static_cast<std::size_t>(i)], 0.0, 1.0);
  }
  material.alpha = std::clamp((*rgba)[3], 0.0, 1.0);
  return material;
}

std::optional<ambf_adf::Material> UrdfShapes::material_of(const XMLElement & visual)
{
  const auto * element = visual.FirstChildElement("material");
  if (element == nullptr) { return std::nullopt; }
  if (const auto own = colour(*element)) {
    // The first of a name counts for all of its name.
    materials_.try_emplace(source_.word(*element, "name"), *own);
    return own;
  }
  const auto known = materials_.find(source_.word(*element, "name"));
  if (known != materials_.end()) { return known->second; }
  if (element->FirstChildElement() == nullptr) {
    source_.warn(
      *element, ProblemKind::UnresolvedReference, "a material that the robot does not define",
      "the name of one of its materials", "no colour is taken");
  }
  return std::nullopt;
}

std::optional<ambf_adf::Primitive> UrdfShapes::geometry(const XMLElement & owner)
{
  const auto * geometry = owner.FirstChildElement("geometry");
  const auto * shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  if (shape == nullptr) {
    source_.error(owner, ProblemKind::MissingKey, "no geometry", "<geometry> with a shape");
    return std::nullopt;
  }
  const std::string kind = shape->Name();
  if (kind == "box") {
    const auto size = source_.vector(*shape, "size", Vector3d::Zero());
    if (size.minCoeff() <= 0.0) {
      source_.error(
        *shape, ProblemKind::BadValue, "no size above 0", "lengths above 0 [m]", "", "size");
    }
    return ambf_adf::Box{size};
  }
  if (kind == "sphere" || kind == "cylinder" || kind == "capsule") {
    const double radius = positive(source_, *shape, "radius");
    const double length = kind == "sphere" ? 1.0 : positive(source_, *shape, "length");
    if (radius == 0.0 || length == 0.0) { return std::nullopt; }
    if (kind == "sphere") { return ambf_adf::Sphere{radius}; }
    if (kind == "cylinder") { return ambf_adf::Cylinder{radius, length, ambf_adf::Axis::Z}; }
    return ambf_adf::Capsule{radius, length + 2.0 * radius, ambf_adf::Axis::Z};
  }
  if (kind == "mesh") {
    ambf_adf::MeshPart part;
    const std::string name = source_.required_word(*shape, "filename");
    part.mesh = find_mesh(name, file_);
    part.scale = source_.vector(*shape, "scale", part.scale);
    if ((part.scale.array() == 0.0).any()) {
      source_.error(*shape, ProblemKind::BadValue, "a scale of 0", "other than 0", "", "scale");
    }
    return part;
  }
  source_.error(
    *shape, ProblemKind::UnknownEnum, "the shape '" + kind + "'",
    "box, sphere, cylinder, capsule or mesh");
  return std::nullopt;
}

void UrdfShapes::read(const XMLElement & link, const char * kind, std::vector<PlacedShape> & shapes)
{
  for (const auto * element : children(link, kind)) {
    source_.expect_children(*element, {"origin", "geometry", "material", "verbose"});
    const auto shape = geometry(*element);
    if (!shape) { continue; }
    PlacedShape placed{*shape, {}, source_.word(*element, "name"), material_of(*element)};
    placed.offset = urdf_origin(source_, *element);
    shapes.push_back(std::move(placed));
  }
}

}  // namespace ambf_convert
