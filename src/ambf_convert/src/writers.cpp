// SPDX-License-Identifier: BSD-3-Clause
#include "writers.hpp"

#include "xml.hpp"

namespace ambf_convert
{

namespace fs = std::filesystem;

namespace
{

fs::path whole_path(const ambf_adf::MeshFile & mesh, const std::string & resource_base)
{
  const std::string & path = mesh.path.empty() ? mesh.file : mesh.path;
  std::error_code error;
  const fs::path joined =
    fs::path(path).is_relative() ? fs::path(resource_base) / path : fs::path(path);
  return fs::absolute(joined, error).lexically_normal();
}

bool is_address(const ambf_adf::MeshFile & mesh)
{
  return mesh.path.find("://") != std::string::npos || mesh.file.starts_with("package://");
}

std::string address(const ambf_adf::MeshFile & mesh)
{
  return mesh.file.find("://") != std::string::npos ? mesh.file : mesh.path;
}

}  // namespace

std::string mesh_name(
  const ambf_adf::MeshFile & mesh, const std::string & resource_base, const fs::path & folder)
{
  if (is_address(mesh)) { return address(mesh); }
  const fs::path path = whole_path(mesh, resource_base);
  std::error_code error;
  const fs::path base = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  const fs::path relative = path.lexically_relative(base);
  const bool common = !relative.empty() && path.root_path() != path.parent_path() &&
                      std::next(path.begin()) != path.end() &&
                      std::next(base.begin()) != base.end() &&
                      *std::next(path.begin()) == *std::next(base.begin());
  return common ? relative.string() : path.string();
}

std::string mesh_address(const ambf_adf::MeshFile & mesh, const std::string & resource_base)
{
  return is_address(mesh) ? address(mesh) : "file://" + whole_path(mesh, resource_base).string();
}

std::vector<ambf_adf::PlacedShape> visuals_of(const ambf_adf::RigidBody & body)
{
  if (!body.visual.visible) { return {}; }
  std::vector<ambf_adf::PlacedShape> shapes;
  if (const auto * mesh = std::get_if<ambf_adf::MeshFile>(&body.visual.geometry)) {
    if (!mesh->file.empty()) {
      shapes.push_back({ambf_adf::MeshPart{*mesh, Vector3d::Constant(body.scale), {}}, {}, "", {}});
    }
  } else if (const auto * list = std::get_if<ambf_adf::ShapeList>(&body.visual.geometry)) {
    shapes = list->shapes;
  }
  for (auto & shape : shapes) {
    if (!shape.material) { shape.material = body.visual.material; }
  }
  return shapes;
}

std::vector<ambf_adf::PlacedShape> collisions_of(const ambf_adf::RigidBody & body)
{
  if (const auto * mesh = std::get_if<ambf_adf::CollisionMesh>(&body.collision)) {
    if (mesh->mesh.file.empty()) { return {}; }
    return {
      {ambf_adf::MeshPart{mesh->mesh, Vector3d::Constant(body.scale), mesh->type}, {}, "", {}}};
  }
  const auto * list = std::get_if<ambf_adf::ShapeList>(&body.collision);
  return list == nullptr ? std::vector<ambf_adf::PlacedShape>{} : list->shapes;
}

Element::Element(tinyxml2::XMLDocument & document, const char * name)
: element_(document.NewElement(name))
{
  document.InsertEndChild(element_);
}

Element Element::child(const char * name) const
{
  return Element(element_->InsertNewChildElement(name));
}

Element & Element::set(const char * attribute, const std::string & value)
{
  element_->SetAttribute(attribute, value.c_str());
  return *this;
}

Element & Element::set(const char * attribute, double value)
{
  return set(attribute, text_of(value));
}

Element & Element::set(const char * attribute, const Vector3d & value)
{
  return set(attribute, text_of(value));
}

Element & Element::put(const char * name, const std::string & text)
{
  element_->InsertNewChildElement(name)->SetText(text.c_str());
  return *this;
}

Element & Element::put(const char * name, double value) { return put(name, text_of(value)); }

Element & Element::comment(const std::string & text)
{
  element_->InsertNewComment(text.c_str());
  return *this;
}

std::string print(tinyxml2::XMLDocument & document)
{
  tinyxml2::XMLPrinter printer;
  printer.PushHeader(false, true);
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace ambf_convert
