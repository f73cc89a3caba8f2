// SPDX-License-Identifier: BSD-3-Clause
#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <sstream>

#include <BulletCollision/CollisionShapes/btEmptyShape.h>

namespace ambf_dynamics
{
namespace
{

using ambf_adf::Axis;

std::unique_ptr<btCollisionShape> primitive(const ambf_adf::Primitive & shape, double margin)
{
  struct Visitor
  {
    double margin;
    std::unique_ptr<btCollisionShape> with_margin(std::unique_ptr<btCollisionShape> s) const
    {
      s->setMargin(margin);
      return s;
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::Box & s) const
    {
      return with_margin(std::make_unique<btBoxShape>(to_bt(Eigen::Vector3d(0.5 * s.size))));
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::Sphere & s) const
    {
      return std::make_unique<btSphereShape>(s.radius);  // its margin is its radius
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::Cylinder & s) const
    {
      const double r = s.radius;
      const double h = 0.5 * s.height;
      switch (s.axis) {
        case Axis::X:
          return with_margin(std::make_unique<btCylinderShapeX>(btVector3(h, r, r)));
        case Axis::Y:
          return with_margin(std::make_unique<btCylinderShape>(btVector3(r, h, r)));
        default:
          return with_margin(std::make_unique<btCylinderShapeZ>(btVector3(r, r, h)));
      }
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::Capsule & s) const
    {
      const double straight = std::max(0.0, s.height - 2.0 * s.radius);
      switch (s.axis) {
        case Axis::X:
          return std::make_unique<btCapsuleShapeX>(s.radius, straight);
        case Axis::Y:
          return std::make_unique<btCapsuleShape>(s.radius, straight);
        default:
          return std::make_unique<btCapsuleShapeZ>(s.radius, straight);
      }
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::Cone & s) const
    {
      switch (s.axis) {
        case Axis::X:
          return with_margin(std::make_unique<btConeShapeX>(s.radius, s.height));
        case Axis::Y:
          return with_margin(std::make_unique<btConeShape>(s.radius, s.height));
        default:
          return with_margin(std::make_unique<btConeShapeZ>(s.radius, s.height));
      }
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::Plane & s) const
    {
      return with_margin(std::make_unique<btStaticPlaneShape>(to_bt(s.normal), s.offset));
    }
    std::unique_ptr<btCollisionShape> operator()(const ambf_adf::MeshPart &) const
    {
      return nullptr;  // made of a file, see add_mesh_part
    }
  };
  return std::visit(Visitor{margin}, shape);
}

std::unique_ptr<btCollisionShape> hull(
  const std::vector<Eigen::Vector3d> & points, double scale,
  const Eigen::Isometry3d & t_inertial_body, double margin)
{
  auto shape = std::make_unique<btConvexHullShape>();
  for (const Eigen::Vector3d & p : points) {
    shape->addPoint(to_bt(Eigen::Vector3d(t_inertial_body * (scale * p))), false);
  }
  // Bullet keeps the box with the margin of this moment, and adds the margin again to what it kept.
  shape->setMargin(0.0);
  shape->recalcLocalAabb();
  shape->setMargin(margin);
  return shape;
}

// One root for all parts: the part itself where it needs no frame, else a compound.
void assemble(BuiltShape & built, const std::vector<btTransform> & frames)
{
  if (built.parts.size() == 1 && frames[0] == btTransform::getIdentity()) {
    built.root = std::move(built.parts[0]);
    built.parts.clear();
    return;
  }
  auto compound = std::make_unique<btCompoundShape>(false, static_cast<int>(built.parts.size()));
  for (std::size_t i = 0; i < built.parts.size(); ++i) {
    compound->addChildShape(frames[i], built.parts[i].get());
  }
  built.root = std::move(compound);
}

void make_empty(BuiltShape & built)
{
  built.parts.clear();
  built.root = std::make_unique<btEmptyShape>();
  built.empty = true;
}

std::string key_of(const ShapeRequest & r, const ambf_adf::CollisionMesh & mesh)
{
  std::ostringstream key;
  key.precision(17);
  key << mesh.mesh.path << '|' << static_cast<int>(mesh.type) << '|' << r.scale << '|' << r.margin
      << '|' << r.moving << '|' << r.t_body_inertial.matrix();
  return key.str();
}

std::unique_ptr<btTriangleMesh> triangles_of(const ambf_adf::Mesh & mesh, const Eigen::Affine3d & t)
{
  auto triangles = std::make_unique<btTriangleMesh>();
  for (const Eigen::Vector3d & p : mesh.unified) {
    triangles->findOrAddVertex(to_bt(Eigen::Vector3d(t * p)), false);
  }
  for (std::size_t i = 0; i + 2 < mesh.unified_triangles.size(); i += 3) {
    triangles->addTriangleIndices(
      static_cast<int>(mesh.unified_triangles[i]), static_cast<int>(mesh.unified_triangles[i + 1]),
      static_cast<int>(mesh.unified_triangles[i + 2]));
  }
  return triangles;
}

void add_mesh(
  BuiltShape & built, const ambf_adf::Mesh & mesh, ambf_adf::MeshCollisionType type,
  const ShapeRequest & r)
{
  using Type = ambf_adf::MeshCollisionType;
  const Eigen::Isometry3d t_inertial_body = r.t_body_inertial.inverse();
  constexpr std::size_t most_spheres = 256;
  if (type == Type::PointCloud && mesh.unified.size() <= most_spheres) {
    std::vector<btTransform> frames;
    for (const Eigen::Vector3d & p : mesh.unified) {
      built.parts.push_back(std::make_unique<btSphereShape>(r.margin));
      frames.emplace_back(
        btMatrix3x3::getIdentity(), to_bt(Eigen::Vector3d(t_inertial_body * (r.scale * p))));
    }
    assemble(built, frames);
    return;
  }
  // Bullet's tree of triangles never ends on none: lines and points alone get a hull.
  const bool surface = !mesh.unified_triangles.empty();
  if (type == Type::Concave && surface && !r.moving) {
    built.triangles =
      triangles_of(mesh, Eigen::Affine3d(t_inertial_body) * Eigen::Scaling(r.scale));
    built.root = std::make_unique<btBvhTriangleMeshShape>(built.triangles.get(), true);
    built.root->setMargin(r.margin);
    return;
  }
  std::vector<std::vector<Eigen::Vector3d>> parts;
  if (type == Type::Concave && surface) {
    parts = convex_parts(mesh);
    built.filled = true;
  } else {
    parts.push_back(reduced_hull(mesh.unified, 64));
  }
  for (const auto & points : parts) {
    built.parts.push_back(hull(points, r.scale, t_inertial_body, r.margin));
  }
  assemble(built, std::vector<btTransform>(built.parts.size(), btTransform::getIdentity()));
}

// A mesh among other shapes: its triangles where it stands still, else hulls.
void add_mesh_part(
  BuiltShape & built, std::vector<btTransform> & frames, const ambf_adf::Mesh & mesh,
  const ambf_adf::MeshPart & part, const btTransform & frame, const ShapeRequest & r)
{
  using Type = ambf_adf::MeshCollisionType;
  const bool concave = part.type == Type::Concave && !mesh.unified_triangles.empty();
  const auto add = [&](std::unique_ptr<btCollisionShape> shape) {
    built.parts.push_back(std::move(shape));
    frames.push_back(frame);
  };
  if (concave && !r.moving) {
    built.part_triangles.push_back(triangles_of(mesh, Eigen::Affine3d(Eigen::Scaling(part.scale))));
    auto surface =
      std::make_unique<btBvhTriangleMeshShape>(built.part_triangles.back().get(), true);
    surface->setMargin(r.margin);
    add(std::move(surface));
    return;
  }
  auto hulls = concave ? convex_parts(mesh)
                       : std::vector<std::vector<Eigen::Vector3d>>{reduced_hull(mesh.unified, 64)};
  for (auto & points : hulls) {
    for (Eigen::Vector3d & p : points) { p = p.cwiseProduct(part.scale); }
    add(hull(points, 1.0, Eigen::Isometry3d::Identity(), r.margin));
  }
}

ambf_adf::Problem mesh_problem(const std::string & owner, const std::string & found)
{
  ambf_adf::Problem problem;
  problem.severity = ambf_adf::Severity::Warning;
  problem.kind = ambf_adf::ProblemKind::MissingFile;
  problem.key = owner + "/collision mesh";
  problem.found = found;
  problem.expected = "a readable mesh";
  problem.hint = "the body takes part without a collision shape";
  return problem;
}

}  // namespace

std::shared_ptr<BuiltShape> ShapeFactory::make(
  const ShapeRequest & request, const std::string & owner, ambf_adf::Problems & warnings)
{
  auto built = std::make_shared<BuiltShape>();
  if (const auto * list = std::get_if<ambf_adf::ShapeList>(request.collision)) {
    std::vector<btTransform> frames;
    for (const ambf_adf::PlacedShape & placed : list->shapes) {
      const btTransform frame =
        to_bt(Eigen::Isometry3d(request.t_body_inertial.inverse() * placed.offset.isometry()));
      if (const auto * part = std::get_if<ambf_adf::MeshPart>(&placed.shape)) {
        const auto loaded = meshes_.get(part->mesh.path);
        if (!loaded || (*loaded)->unified.empty()) {
          warnings.push_back(mesh_problem(
            owner, loaded ? part->mesh.path + ": no vertices"
                          : loaded.error().file + ": " + loaded.error().reason));
          continue;
        }
        add_mesh_part(*built, frames, **loaded, *part, frame, request);
        continue;
      }
      built->parts.push_back(primitive(placed.shape, request.margin));
      frames.push_back(frame);
    }
    if (built->parts.empty()) {
      make_empty(*built);
    } else {
      // An offset equal to the inertial one leaves rounding behind: take it for none.
      for (btTransform & frame : frames) {
        const bool straight = (frame.getBasis()[0] - btVector3(1, 0, 0)).fuzzyZero() &&
                              (frame.getBasis()[1] - btVector3(0, 1, 0)).fuzzyZero();
        if (straight && frame.getOrigin().length() < 1e-12) { frame.setIdentity(); }
      }
      assemble(*built, frames);
    }
    return built;
  }
  if (const auto * mesh = std::get_if<ambf_adf::CollisionMesh>(request.collision)) {
    if (mesh->mesh.path.empty()) {
      if (!mesh->mesh.file.empty()) { warnings.push_back(mesh_problem(owner, mesh->mesh.file)); }
      make_empty(*built);
      return built;
    }
    const std::string key = key_of(request, *mesh);
    if (auto known = shared_[key].lock()) { return known; }
    auto loaded = meshes_.get(mesh->mesh.path);
    if (!loaded || (*loaded)->unified.empty()) {
      warnings.push_back(mesh_problem(
        owner, loaded ? mesh->mesh.path + ": no vertices"
                      : loaded.error().file + ": " + loaded.error().reason));
      make_empty(*built);
      return built;
    }
    add_mesh(*built, **loaded, mesh->type, request);
    if (built->filled) {
      built->source = *loaded;
      built->t_inertial_mesh =
        Eigen::Affine3d(request.t_body_inertial.inverse()) * Eigen::Scaling(request.scale);
    }
    shared_[key] = built;
    return built;
  }
  make_empty(*built);
  return built;
}

const btBvhTriangleMeshShape & ShapeFactory::surface(BuiltShape & filled) const
{
  if (!filled.surface) {
    filled.surface_triangles = triangles_of(*filled.source, filled.t_inertial_mesh);
    filled.surface = std::make_unique<btBvhTriangleMeshShape>(filled.surface_triangles.get(), true);
    filled.surface->setMargin(0.0);
  }
  return *filled.surface;
}

std::optional<Eigen::Vector3d> ShapeFactory::mean_vertex(
  const ambf_adf::Collision & collision, double scale)
{
  const auto * mesh = std::get_if<ambf_adf::CollisionMesh>(&collision);
  if (!mesh || mesh->mesh.path.empty()) { return std::nullopt; }
  auto loaded = meshes_.get(mesh->mesh.path);
  if (!loaded || (*loaded)->unified.empty()) { return std::nullopt; }
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d & p : (*loaded)->unified) { sum += p; }
  return Eigen::Vector3d(scale * sum / static_cast<double>((*loaded)->unified.size()));
}

namespace
{

// Box around the shape itself: the margin that Bullet puts around hulls and cones has no mass.
Eigen::AlignedBox3d solid_bounds(const btCollisionShape & shape, const btTransform & frame)
{
  Eigen::AlignedBox3d box;
  if (shape.isCompound()) {
    const auto & compound = static_cast<const btCompoundShape &>(shape);
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
      box.extend(solid_bounds(*compound.getChildShape(i), frame * compound.getChildTransform(i)));
    }
    return box;
  }
  btVector3 low;
  btVector3 high;
  shape.getAabb(frame, low, high);
  const int type = shape.getShapeType();
  if (type == CONVEX_HULL_SHAPE_PROXYTYPE || type == CONE_SHAPE_PROXYTYPE) {
    const btVector3 margin = btVector3(1, 1, 1) * shape.getMargin();
    low += margin;
    high -= margin;
  }
  return {to_eigen(low), to_eigen(high)};
}

Eigen::Vector3d box_inertia(const Eigen::Vector3d & size, double mass)
{
  const Eigen::Vector3d square = size.cwiseProduct(size);
  return mass / 12.0 * (Eigen::Vector3d::Constant(square.sum()) - square);
}

// Of a solid cone about its centre of mass.
Eigen::Vector3d cone_inertia(const btConeShape & cone, double mass)
{
  const double r = cone.getRadius();
  const double h = cone.getHeight();
  Eigen::Vector3d inertia = Eigen::Vector3d::Constant(mass * (0.15 * r * r + 0.0375 * h * h));
  inertia[cone.getConeUpIndex()] = 0.3 * mass * r * r;
  return inertia;
}

}  // namespace

Eigen::Vector3d estimate_inertia(const BuiltShape & shape, double mass)
{
  if (shape.empty) {
    // Nothing is known about the body: a solid ball of 0.1 m radius.
    return Eigen::Vector3d::Constant(0.4 * mass * 0.01);
  }
  Eigen::Vector3d inertia;
  if (shape.root->getShapeType() == CONE_SHAPE_PROXYTYPE) {
    inertia = cone_inertia(static_cast<const btConeShape &>(*shape.root), mass);
  } else if (
    shape.root->isConcave() || shape.root->isCompound() ||
    shape.root->getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE) {
    inertia = box_inertia(solid_bounds(*shape.root, btTransform::getIdentity()).sizes(), mass);
  } else {
    btVector3 own(0, 0, 0);
    shape.root->calculateLocalInertia(mass, own);
    inertia = to_eigen(own);
  }
  // No body is thinner than a ball of 1 mm: keeps flat and tiny shapes solvable.
  const double least = 0.4 * mass * 1e-6;
  return inertia.cwiseMax(least);
}

}  // namespace ambf_dynamics
