// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/paths.hpp"
#include "assembly.hpp"

namespace ambf_convert
{
namespace
{

namespace fs = std::filesystem;

/// No robot has a part of more than this, and none of its parts is smaller than a tenth of a millimetre.
constexpr double too_large = 100.0;  // [m]
constexpr double too_small = 1e-4;   // [m]

bool is_file(const fs::path & path)
{
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// "scheme://name/rest" as its three parts.
struct Address
{
  std::string scheme, name, rest;
};

std::optional<Address> address_of(const std::string & text)
{
  const auto colon = text.find("://");
  if (colon == std::string::npos) { return std::nullopt; }
  const std::string both = text.substr(colon + 3);
  const auto slash = both.find('/');
  return Address{
    text.substr(0, colon), both.substr(0, slash),
    slash == std::string::npos ? "" : both.substr(slash + 1)};
}

/// Where simulators of SDF look for models.
std::vector<fs::path> model_folders()
{
  std::vector<fs::path> folders;
  for (const char * variable :
       {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH", "GAZEBO_MODEL_PATH"}) {
    const char * const value = std::getenv(variable);
    std::istringstream list(value == nullptr ? "" : value);
    for (std::string folder; std::getline(list, folder, ':');) {
      if (!folder.empty()) { folders.emplace_back(folder); }
    }
  }
  return folders;
}

/// A folder above the description that is called like the package or model, or has it beside itself.
std::optional<fs::path> beside(const fs::path & description, const Address & address)
{
  std::error_code error;
  fs::path folder = fs::absolute(description, error).lexically_normal().parent_path();
  for (; !folder.empty() && folder != folder.root_path(); folder = folder.parent_path()) {
    if (folder.filename() == address.name && is_file(folder / address.rest)) {
      return folder / address.rest;
    }
    if (is_file(folder / address.name / address.rest)) {
      return folder / address.name / address.rest;
    }
  }
  return std::nullopt;
}

}  // namespace

ambf_adf::MeshFile find_mesh(const std::string & name, const std::string & description_file)
{
  ambf_adf::MeshFile mesh;
  const fs::path description(description_file);
  const auto address = address_of(name);
  if (!address || address->scheme == "file") {
    std::error_code error;
    const fs::path folder = fs::absolute(description, error).lexically_normal().parent_path();
    mesh.path = ambf_adf::resolve_path(folder.string(), name);
    mesh.file = fs::path(mesh.path).filename().string();
    mesh.exists = is_file(mesh.path);
    return mesh;
  }
  mesh.file = mesh.path = name;
  if (address->scheme == "package") {
    mesh.path = ambf_adf::resolve_path("", name);
    mesh.exists = is_file(mesh.path);
  }
  if (mesh.exists) { return mesh; }
  auto found = beside(description, *address);
  for (const auto & folder : model_folders()) {
    const fs::path path = folder / address->name / address->rest;
    if (!found && is_file(path)) { found = path; }
  }
  if (found) {
    mesh.path = found->lexically_normal().string();
    mesh.file = found->filename().string();
    mesh.exists = true;
  }
  return mesh;
}

namespace
{

class MeshCheck
{
public:
  MeshCheck(Model & model, bool look_inside) : model_(model), look_inside_(look_inside) {}

  void body(const ambf_adf::RigidBody & body)
  {
    if (const auto * mesh = std::get_if<ambf_adf::MeshFile>(&body.visual.geometry)) {
      file(body, *mesh, Vector3d::Constant(body.scale));
    } else if (const auto * list = std::get_if<ambf_adf::ShapeList>(&body.visual.geometry)) {
      parts(body, *list);
    }
    if (const auto * mesh = std::get_if<ambf_adf::CollisionMesh>(&body.collision)) {
      file(body, mesh->mesh, Vector3d::Constant(body.scale));
    } else if (const auto * list = std::get_if<ambf_adf::ShapeList>(&body.collision)) {
      parts(body, *list);
    }
  }

private:
  void parts(const ambf_adf::RigidBody & body, const ambf_adf::ShapeList & list)
  {
    for (const auto & placed : list.shapes) {
      if (const auto * part = std::get_if<ambf_adf::MeshPart>(&placed.shape)) {
        file(body, part->mesh, part->scale);
      }
    }
  }

  void file(
    const ambf_adf::RigidBody & body, const ambf_adf::MeshFile & mesh, const Vector3d & scale)
  {
    std::ostringstream key;
    key << mesh.path << scale.transpose();
    if (mesh.path.empty() || !seen_.insert(key.str()).second) { return; }
    const auto warn = [&](
                        ambf_adf::ProblemKind kind, const std::string & found,
                        const std::string & expected, const std::string & hint) {
      model_.warnings.push_back(
        {ambf_adf::Severity::Warning, kind, model_.source_file, body.header.where,
         "link '" + body.header.name + "'", found, expected, hint});
    };
    if (!mesh.exists) {
      const std::string trouble = ambf_adf::problem_of_address(mesh.path);
      warn(
        ambf_adf::ProblemKind::MissingFile, "'" + mesh.path + "', which is not there",
        "a mesh file", trouble.empty() ? "correct the name or add the file" : trouble);
      return;
    }
    if (!look_inside_) { return; }
    const auto loaded = ambf_adf::load_mesh(mesh.path);
    if (!loaded) {
      warn(
        ambf_adf::ProblemKind::MissingFile, "'" + mesh.path + "': " + loaded.error().reason,
        "a readable mesh", "");
      return;
    }
    const double size = loaded->bounds.sizes().cwiseProduct(scale.cwiseAbs()).maxCoeff();
    if (size > too_large || size < too_small) {
      std::ostringstream found;
      found << "'" << mesh.path << "', which is " << size << " m large";
      warn(
        ambf_adf::ProblemKind::BadValue, found.str(), "a part in metres",
        size > too_large ? "a mesh in millimetres needs the scale 0.001"
                         : "a mesh in metres needs no scale");
    }
  }

  Model & model_;
  bool look_inside_;
  std::set<std::string> seen_;
};

}  // namespace

void check_meshes(Model & model, bool look_inside)
{
  MeshCheck check(model, look_inside);
  for (const auto & body : model.bodies) { check.body(body); }
}

}  // namespace ambf_convert
