// SPDX-License-Identifier: BSD-3-Clause
#include "mjcf_geoms.hpp"

#include <algorithm>
#include <numbers>

#include "ambf_adf/mesh.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::ProblemKind;

/// Geoms of higher groups are not drawn by MuJoCo's viewer.
constexpr int last_drawn_group = 2;

std::optional<ambf_adf::Material> colour_of(const MjcfElement & element)
{
  const auto rgba = element.numbers("rgba");
  if (!rgba || rgba->size() < 3) { return std::nullopt; }
  ambf_adf::Material material;
  material.diffuse = Vector3d((*rgba)[0], (*rgba)[1], (*rgba)[2]).cwiseMax(0.0).cwiseMin(1.0);
  if (rgba->size() > 3) { material.alpha = std::clamp((*rgba)[3], 0.0, 1.0); }
  return material;
}

Matrix3d cross_tensor(double mass, const Vector3d & r)
{
  return mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

/// Volume and, for a mass of 1, the tensor about the centre.
struct Solid
{
  double volume = 0.0;
  Matrix3d tensor = Matrix3d::Zero();
  Isometry3d t_shape_center = Isometry3d::Identity();
};

Matrix3d diagonal(double x, double y, double z) { return Vector3d(x, y, z).asDiagonal(); }

Solid box(const Vector3d & size)
{
  const Vector3d s = size.cwiseProduct(size) / 12.0;
  return {size.prod(), diagonal(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
}

Solid cylinder(double r, double h)
{
  const double across = r * r / 4.0 + h * h / 12.0;
  return {std::numbers::pi * r * r * h, diagonal(across, across, 0.5 * r * r)};
}

Solid capsule(double r, double h)
{
  const double balls = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const Solid middle = cylinder(r, h);
  const double volume = balls + middle.volume;
  const double a = middle.volume / volume, b = balls / volume;
  const double along = a * 0.5 * r * r + b * 0.4 * r * r;
  // Half a ball has its centre 3/8 r behind its face.
  const double across =
    a * (r * r / 4.0 + h * h / 12.0) + b * (0.4 * r * r + h * h / 4.0 + 0.375 * r * h);
  return {volume, diagonal(across, across, along)};
}

Solid mesh_solid(const MjcfElement & geom, const MjcfAssets::MeshAsset & asset)
{
  auto mesh = ambf_adf::load_mesh(asset.file.path);
  if (!mesh) { return {}; }
  for (auto & p : mesh->unified) { p = p.cwiseProduct(asset.scale); }
  mesh->bounds.setEmpty();
  for (const auto & p : mesh->unified) { mesh->bounds.extend(p); }
  const auto properties = ambf_adf::mass_properties(*mesh, 1.0);
  if (!properties) {
    geom.source().warn(
      geom.xml(), ProblemKind::BadValue, "a mesh that gives no mass: " + properties.error().reason,
      "a closed mesh, or <inertial>", "the mass of its bounding box is taken");
    Solid solid = box(mesh->bounds.sizes());
    solid.t_shape_center = isometry(mesh->bounds.center());
    return solid;
  }
  return {
    properties->volume, properties->inertia / properties->volume,
    isometry(properties->center_of_mass)};
}

/// A geom's shape with its pose, and its solid.
struct Geom
{
  std::optional<ambf_adf::Primitive> shape;
  Isometry3d t_frame_shape = Isometry3d::Identity();
  Solid solid;
};

class GeomReader
{
public:
  GeomReader(
    const MjcfElement & geom, const MjcfCompiler & compiler, const MjcfAssets & assets, bool weighs)
  : geom_(geom), compiler_(compiler), assets_(assets), weighs_(weighs)
  {
  }

  Geom read()
  {
    Geom result;
    result.t_frame_shape = geom_.pose(compiler_);
    const bool by_mesh = geom_.has("mesh");
    const std::string type = geom_.word("type", by_mesh ? "mesh" : "sphere");
    const auto size = geom_.numbers("size").value_or(std::vector<double>{});
    const auto length = [&](std::size_t i) {
      if (i < size.size() && size[i] > 0.0) { return size[i]; }
      error(ProblemKind::BadValue, "no size above 0", "sizes [m] for a " + type);
      return 1.0;
    };
    if (type == "mesh") {
      read_mesh(result);
    } else if (by_mesh) {
      geom_.source().lost(geom_.xml(), "a shape that is fitted to a mesh", "it is left out");
    } else if (type == "plane") {
      result.shape = ambf_adf::Plane{};
    } else if (type == "sphere") {
      result.shape = ambf_adf::Sphere{length(0)};
      const double r = length(0);
      result.solid = {4.0 / 3.0 * std::numbers::pi * r * r * r, 0.4 * r * r * Matrix3d::Identity()};
    } else if (type == "box") {
      const Vector3d whole = 2.0 * (from_to(result) ? Vector3d(length(0), length(0), half_)
                                                    : Vector3d(length(0), length(1), length(2)));
      result.shape = ambf_adf::Box{whole};
      result.solid = box(whole);
    } else if (type == "cylinder" || type == "capsule") {
      const double r = length(0);
      const double h = 2.0 * (from_to(result) ? half_ : length(1));
      if (type == "cylinder") {
        result.shape = ambf_adf::Cylinder{r, h, ambf_adf::Axis::Z};
        result.solid = cylinder(r, h);
      } else {
        result.shape = ambf_adf::Capsule{r, h + 2.0 * r, ambf_adf::Axis::Z};
        result.solid = capsule(r, h);
      }
    } else if (type == "ellipsoid") {
      const Vector3d r = from_to(result) ? Vector3d(length(0), length(0), half_)
                                         : Vector3d(length(0), length(1), length(2));
      geom_.source().lost(geom_.xml(), "an ellipsoid", "a ball of the mean radius is taken");
      result.shape = ambf_adf::Sphere{r.mean()};
      const Vector3d s = 0.2 * r.cwiseProduct(r);
      result.solid = {
        4.0 / 3.0 * std::numbers::pi * r.prod(),
        diagonal(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
    } else if (type == "hfield" || type == "sdf") {
      geom_.source().lost(geom_.xml(), "the shape '" + type + "'", "it is left out");
    } else {
      error(
        ProblemKind::UnknownEnum, "the shape '" + type + "'",
        "plane, sphere, capsule, ellipsoid, cylinder, box or mesh");
    }
    return result;
  }

private:
  void error(ProblemKind kind, const std::string & found, const std::string & expected)
  {
    geom_.source().error(geom_.xml(), kind, found, expected);
  }

  /// Turns z from the first point to the second; half of their distance goes to `half_`.
  bool from_to(Geom & result)
  {
    const auto points = geom_.numbers("fromto");
    if (!points) { return false; }
    if (points->size() != 6) {
      error(ProblemKind::WrongType, "'fromto' without six numbers", "two points");
      return true;
    }
    const auto & p = *points;
    const Vector3d a(p[0], p[1], p[2]), b(p[3], p[4], p[5]);
    half_ = 0.5 * (b - a).norm();
    if (half_ < 1e-12) {
      error(ProblemKind::BadValue, "'fromto' with two equal points", "two points");
      return true;
    }
    result.t_frame_shape = isometry(
      0.5 * (a + b),
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), b - a).toRotationMatrix());
    return true;
  }

  void read_mesh(Geom & result)
  {
    const auto found = assets_.meshes.find(geom_.word("mesh"));
    if (found == assets_.meshes.end()) {
      error(
        ProblemKind::UnresolvedReference, "the mesh '" + geom_.word("mesh") + "'",
        "a mesh of <asset>");
      return;
    }
    const auto & asset = found->second;
    result.shape =
      ambf_adf::MeshPart{asset.file, asset.scale, ambf_adf::MeshCollisionType::ConvexHull};
    result.t_frame_shape = result.t_frame_shape * asset.t_mesh_file;
    if (asset.file.exists && weighs_) { result.solid = mesh_solid(geom_, asset); }
  }

  const MjcfElement & geom_;
  const MjcfCompiler & compiler_;
  const MjcfAssets & assets_;
  bool weighs_;  ///< its mesh is looked into
  double half_ = 1.0;
};

}  // namespace

void MassSum::add(double part_mass, const Isometry3d & t_body_part, const Matrix3d & tensor)
{
  const Vector3d place = t_body_part.translation();
  mass += part_mass;
  first += part_mass * place;
  second += t_body_part.linear() * tensor * t_body_part.linear().transpose() +
            cross_tensor(part_mass, place);
}

Matrix3d MassSum::about_center() const { return second - cross_tensor(mass, center()); }

void MjcfAssets::read(
  XmlSource & source, const XMLElement & element, const MjcfDefaults & defaults,
  const MjcfCompiler & compiler, const std::string & file)
{
  source.expect_children(element, {"mesh", "material", "texture", "hfield", "skin", "model"});
  for (const auto * child : children(element, "mesh")) {
    const MjcfElement mesh(source, *child, defaults, "", "mesh");
    const std::string path = mesh.word("file");
    if (path.empty()) {
      source.lost(*child, "a mesh without a file", "geoms with it are left out");
      continue;
    }
    const std::filesystem::path whole = std::filesystem::path(compiler.mesh_folder) / path;
    MeshAsset asset{
      find_mesh(whole.string(), file), mesh.vector("scale", Vector3d::Ones()),
      Isometry3d::Identity()};
    const Vector3d place = mesh.vector("refpos", Vector3d::Zero());
    if (const auto q = mesh.numbers("refquat"); q && q->size() == 4) {
      asset.t_mesh_file.linear() =
        Eigen::Quaterniond((*q)[0], (*q)[1], (*q)[2], (*q)[3]).normalized().toRotationMatrix();
    }
    asset.t_mesh_file = isometry(place, asset.t_mesh_file.linear()).inverse();
    const std::string name = mesh.word("name", std::filesystem::path(path).stem().string());
    if (!meshes.emplace(name, asset).second) {
      source.error(
        *child, ProblemKind::DuplicateName, "a second mesh of this name", "different names");
    }
  }
  for (const auto * child : children(element, "material")) {
    const MjcfElement material(source, *child, defaults, "", "material");
    materials[material.word("name")] = colour_of(material).value_or(ambf_adf::Material{});
    if (material.has("texture")) { source.lost(*child, "a texture", "its colour is taken"); }
  }
  for (const char * other : {"hfield", "skin", "model"}) {
    for (const auto * child : children(element, other)) {
      source.lost(*child, "an asset that ADF does not have", "it is left out");
    }
  }
}

void read_geom(
  const MjcfElement & geom, const MjcfCompiler & compiler, const MjcfAssets & assets,
  const Isometry3d & t_body_frame, Link & link, MassSum * sum)
{
  const bool weightless = geom.has("mass") && geom.number("mass", 0.0) == 0.0;
  const Geom read = GeomReader(geom, compiler, assets, sum != nullptr && !weightless).read();
  if (!read.shape) { return; }
  const Isometry3d t_body_shape = t_body_frame * read.t_frame_shape;
  const double mass = geom.has("mass") ? geom.number("mass", 0.0)
                                       : geom.number("density", 1000.0) * read.solid.volume;
  if (mass < 0.0) {
    geom.source().error(geom.xml(), ProblemKind::BadValue, "a mass below 0", "0 or more");
  } else if (mass > 0.0 && sum != nullptr) {
    sum->add(mass, t_body_shape * read.solid.t_shape_center, mass * read.solid.tensor);
  }
  ambf_adf::PlacedShape placed{
    *read.shape, pose_of(t_body_shape), geom.word("name"), colour_of(geom)};
  const auto material = assets.materials.find(geom.word("material"));
  if (!placed.material && material != assets.materials.end()) {
    placed.material = material->second;
  }
  const bool collides = geom.number("contype", 1) != 0.0 || geom.number("conaffinity", 1) != 0.0;
  if (collides) {
    if (link.collisions.empty()) {
      link.body.surface.friction = geom.number("friction", 1.0);
      link.body.surface.rolling_friction = 0.0;
      link.body.surface.restitution = 0.0;
    }
    link.collisions.push_back(placed);
  }
  if (static_cast<int>(geom.number("group", 0)) <= last_drawn_group) {
    link.visuals.push_back(std::move(placed));
  }
}

}  // namespace ambf_convert
