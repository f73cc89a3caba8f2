// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>

#include "ambf_adf/names.hpp"
#include "ambf_adf/paths.hpp"
#include "write_objects.hpp"

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

const char * axis_name(Axis axis)
{
  switch (axis) {
    case Axis::X:
      return "X";
    case Axis::Y:
      return "Y";
    case Axis::Z:
      break;
  }
  return "Z";
}

const char * type_name(MeshCollisionType type)
{
  switch (type) {
    case MeshCollisionType::ConvexMesh:
      return "CONVEX_MESH";
    case MeshCollisionType::ConvexHull:
      return "CONVEX_HULL";
    case MeshCollisionType::PointCloud:
      return "POINT_CLOUD";
    case MeshCollisionType::Concave:
      break;
  }
  return "CONCAVE_MESH";
}

/// Writes a primitive under the two keys of its place.
struct PrimitiveWriter
{
  AdfEmitter & out;
  const char * shape_key;
  const char * geometry_key;
  const WriteContext & file;

  void round(const char * name, double radius, double height, Axis axis) const
  {
    out.put(shape_key, name);
    out.begin_flow_map(geometry_key);
    out.put("radius", radius);
    out.put("height", height);
    out.put("axis", axis_name(axis));
    out.end_map();
  }
  void operator()(const Box & box) const
  {
    out.put(shape_key, "BOX");
    out.put(geometry_key, box.size);
  }
  void operator()(const Sphere & sphere) const
  {
    out.put(shape_key, "SPHERE");
    out.begin_flow_map(geometry_key);
    out.put("radius", sphere.radius);
    out.end_map();
  }
  void operator()(const Cylinder & c) const { round("CYLINDER", c.radius, c.height, c.axis); }
  void operator()(const Capsule & c) const { round("CAPSULE", c.radius, c.height, c.axis); }
  void operator()(const Cone & c) const { round("CONE", c.radius, c.height, c.axis); }
  void operator()(const Plane & plane) const
  {
    out.put(shape_key, "PLANE");
    out.begin_flow_map(geometry_key);
    out.put("normal", plane.normal);
    out.put("offset", plane.offset);
    out.end_map();
  }
  void operator()(const MeshPart & part) const
  {
    const MeshPart usual;
    const bool usual_place = resolve_path(file.resource_base, part.mesh.file) == part.mesh.path;
    out.put(shape_key, "MESH");
    out.begin_map(geometry_key);
    out.put(
      "mesh",
      usual_place || part.mesh.path.empty() ? part.mesh.file : unresolve(file, part.mesh.path));
    out.put_unless("scale", part.scale, usual.scale);
    out.put_unless("type", std::string(type_name(part.type)), std::string(type_name(usual.type)));
    out.end_map();
  }
};

void put_compound(
  AdfEmitter & out, const char * key, const std::vector<PlacedShape> & shapes,
  const WriteContext & file)
{
  out.begin_list(key);
  for (const auto & placed : shapes) {
    out.begin_map();
    if (!placed.name.empty()) { out.put("name", placed.name); }
    std::visit(PrimitiveWriter{out, "shape", "geometry", file}, placed.shape);
    out.put("offset", placed.offset);
    put_material(out, placed.material);
    out.end_map();
  }
  out.end_list();
}

void put_visual(AdfEmitter & out, const Visual & visual, const WriteContext & file)
{
  if (const auto * mesh = std::get_if<MeshFile>(&visual.geometry)) {
    out.put("mesh", mesh->file);
    put_mesh_folder(out, "high resolution path", *mesh, file.high_resolution_path, file);
  } else if (const auto * list = std::get_if<ShapeList>(&visual.geometry)) {
    if (list->compound) {
      put_compound(out, "compound shape", list->shapes, file);
    } else if (!list->shapes.empty()) {
      std::visit(PrimitiveWriter{out, "shape", "geometry", file}, list->shapes.front().shape);
    }
  }
  out.put_unless("visible", visual.visible, true);
  out.put_unless("mesh remove duplicates", visual.remove_duplicates, false);
  put_material(out, visual.material);
  put_shaders(out, "shaders", visual.shaders, file);
}

void put_collision(AdfEmitter & out, const Collision & collision, const WriteContext & file)
{
  if (const auto * list = std::get_if<ShapeList>(&collision)) {
    if (list->compound) {
      put_compound(out, "compound collision shape", list->shapes, file);
    } else if (!list->shapes.empty()) {
      std::visit(
        PrimitiveWriter{out, "collision shape", "collision geometry", file},
        list->shapes.front().shape);
      out.put("collision offset", list->shapes.front().offset);
    }
  } else if (const auto * mesh = std::get_if<CollisionMesh>(&collision)) {
    out.put("collision mesh", mesh->mesh.file);
    put_mesh_folder(out, "low resolution path", mesh->mesh, file.low_resolution_path, file);
    out.put_unless(
      "collision mesh type", std::string(type_name(mesh->type)), std::string("CONCAVE_MESH"));
  } else {
    out.put("collision mesh", "");
  }
}

void put_pid(AdfEmitter & out, const char * key, const Pid & pid)
{
  out.begin_flow_map(key);
  out.put("P", pid.p);
  out.put("I", pid.i);
  out.put("D", pid.d);
  out.end_map();
}

/// ADF has one output type for both parts; the presence of gains says the rest.
void put_controller(AdfEmitter & out, const CartesianController & c)
{
  const CartesianController usual;
  const bool both_velocity =
    c.linear_output == ControlOutput::Velocity && c.angular_output == ControlOutput::Velocity;
  const bool linear =
    both_velocity || c.linear_output == ControlOutput::Effort || !(c.linear == usual.linear);
  const bool angular =
    both_velocity || c.angular_output == ControlOutput::Effort || !(c.angular == usual.angular);
  out.begin_map("controller");
  if (linear) { put_pid(out, "linear", c.linear); }
  if (angular) { put_pid(out, "angular", c.angular); }
  out.end_map();
  if (both_velocity) { out.put("controller output type", "VELOCITY"); }
}

void put_soft_config(AdfEmitter & out, const SoftBodyConfig & c)
{
  const SoftBodyConfig usual;
  out.begin_map("config");
  const std::tuple<const char *, double, double> numbers[] = {
    {"kLST", c.kLST, usual.kLST},
    {"kAST", c.kAST, usual.kAST},
    {"kVST", c.kVST, usual.kVST},
    {"kVCF", c.kVCF, usual.kVCF},
    {"kDP", c.kDP, usual.kDP},
    {"kDG", c.kDG, usual.kDG},
    {"kLF", c.kLF, usual.kLF},
    {"kPR", c.kPR, usual.kPR},
    {"kVC", c.kVC, usual.kVC},
    {"kDF", c.kDF, usual.kDF},
    {"kCHR", c.kCHR, usual.kCHR},
    {"kKHR", c.kKHR, usual.kKHR},
    {"kSHR", c.kSHR, usual.kSHR},
    {"kAHR", c.kAHR, usual.kAHR},
    {"kSRHR_CL", c.kSRHR_CL, usual.kSRHR_CL},
    {"kSKHR_CL", c.kSKHR_CL, usual.kSKHR_CL},
    {"kSSHR_CL", c.kSSHR_CL, usual.kSSHR_CL},
    {"kSR_SPLT_CL", c.kSR_SPLT_CL, usual.kSR_SPLT_CL},
    {"kSK_SPLT_CL", c.kSK_SPLT_CL, usual.kSK_SPLT_CL},
    {"kSS_SPLT_CL", c.kSS_SPLT_CL, usual.kSS_SPLT_CL},
    {"maxvolume", c.maxvolume, usual.maxvolume},
    {"timescale", c.timescale, usual.timescale}};
  for (const auto & [key, value, default_value] : numbers) {
    out.put_unless(key, value, default_value);
  }
  out.put_unless("viterations", c.viterations, usual.viterations);
  out.put_unless("piterations", c.piterations, usual.piterations);
  out.put_unless("diterations", c.diterations, usual.diterations);
  out.put_unless("citerations", c.citerations, usual.citerations);
  out.put("flags", c.flags);
  out.put_optional("kMT", c.kMT);
  out.put_optional("bending constraint", c.bending_constraint);
  out.put_optional("clusters", c.clusters);
  out.put("fixed nodes", c.fixed_nodes);
  if (!c.fixed_node_positions.empty()) {
    out.begin_list("fixed node positions");
    for (const auto & p : c.fixed_node_positions) {
      out.begin_map();
      out.put("x", p.x());
      out.put("y", p.y());
      out.put("z", p.z());
      out.end_map();
    }
    out.end_list();
  }
  out.end_map();
}

}  // namespace

std::string unresolve(const WriteContext & file, const std::string & path)
{
  if (path.empty() || file.resource_base.empty() || fs::path(path).is_relative()) { return path; }
  const fs::path relative =
    fs::path(path).lexically_relative(fs::path(file.resource_base).lexically_normal());
  return relative.empty() ? path : relative.string();
}

void put_mesh_folder(
  AdfEmitter & out, const char * key, const MeshFile & mesh, const std::string & file_folder,
  const WriteContext & file)
{
  const std::string usual = resolve_path(file.resource_base, file_folder, mesh.file);
  if (mesh.path.empty() || usual == mesh.path) { return; }
  // The folder is what is left of the path when the file's name is taken off its end.
  const std::string name = fs::path(mesh.file).lexically_normal().string();
  std::string folder = mesh.path;
  if (folder.ends_with(name)) { folder.resize(folder.size() - name.size()); }
  folder = unresolve(file, folder);
  out.put(key, folder.empty() ? "./" : folder);
}

void put_header(
  AdfEmitter & out, const ObjectHeader & header, const WriteContext & file, bool usually_passive)
{
  out.put("name", header.name);
  out.put_unless("namespace", header.ns, file.ns);
  out.put_unless("passive", header.passive, usually_passive);
  const PublishFrequency usual;
  if (!(header.publish_frequency == usual)) {
    out.begin_flow_map("publish frequency");
    out.put("low", header.publish_frequency.low);
    out.put("high", header.publish_frequency.high);
    out.end_map();
  }
  out.put("plugins", header.plugins);
}

void put_shaders(
  AdfEmitter & out, const char * key, const std::optional<Shaders> & shaders,
  const WriteContext & file)
{
  if (!shaders) { return; }
  out.begin_map(key);
  out.put("path", unresolve(file, shaders->path));
  out.put("vertex", shaders->vertex);
  out.put("fragment", shaders->fragment);
  out.end_map();
}

void put_material(AdfEmitter & out, const std::optional<Material> & material)
{
  if (!material) { return; }
  const Material usual;
  out.begin_map("color components");
  if (material->ambient_level) {
    out.begin_flow_map("ambient");
    out.put("level", *material->ambient_level);
    out.end_map();
  }
  out.put("diffuse", material->diffuse, {"r", "g", "b"});
  out.put("specular", material->specular, {"r", "g", "b"});
  if (material->emission != usual.emission) {
    out.put("emission", material->emission, {"r", "g", "b"});
  }
  out.put_unless(
    "shininess", static_cast<int>(material->shininess), static_cast<int>(usual.shininess));
  out.put("transparency", material->alpha);
  out.end_map();
}

void put_object(AdfEmitter & out, const RigidBody & body, const WriteContext & file)
{
  put_header(out, body.header, file);
  put_visual(out, body.visual, file);
  out.put("mass", body.mass);
  if (body.inertia) { out.put("inertia", *body.inertia, {"ix", "iy", "iz"}); }
  out.put_optional("inertial offset", body.inertial_offset);
  out.put("scale", body.scale);
  out.put("location", body.location);
  put_collision(out, body.collision, file);
  out.put("collision margin", body.collision_margin);
  out.put("collision groups", body.collision_groups);
  out.begin_flow_map("friction");
  out.put("static", body.surface.friction);
  out.put("rolling", body.surface.rolling_friction);
  out.end_map();
  out.put("restitution", body.surface.restitution);
  out.begin_flow_map("damping");
  out.put("linear", body.damping.linear);
  out.put("angular", body.damping.angular);
  out.end_map();
  if (body.gravity != file.gravity) { out.put_optional("gravity", body.gravity); }
  if (body.controller) { put_controller(out, *body.controller); }
  if (body.pose_hold) {
    out.begin_map("pose hold");
    out.put("max force", body.pose_hold->max_force);
    out.put("max torque", body.pose_hold->max_torque);
    out.end_map();
  }
  out.put("publish children names", body.publish_children_names);
  out.put("publish joint names", body.publish_joint_names);
  out.put("publish joint positions", body.publish_joint_positions);
  out.put_entries(body.header.extensions);
}

void put_object(AdfEmitter & out, const SoftBody & body, const WriteContext & file)
{
  put_header(out, body.header, file, true);
  put_visual(out, body.visual, file);
  out.put("collision mesh", body.collision_mesh.file);
  put_mesh_folder(out, "low resolution path", body.collision_mesh, file.low_resolution_path, file);
  out.put("mass", body.mass);
  out.put_optional("inertial offset", body.inertial_offset);
  out.put("scale", body.scale);
  out.put("location", body.location);
  out.put("collision margin", body.collision_margin);
  out.put("collision groups", body.collision_groups);
  if (body.gravity != file.gravity) { out.put_optional("gravity", body.gravity); }
  put_soft_config(out, body.config);
  if (body.randomize_constraints) { out.put("randomize constraints", true); }
  if (!body.anchors.empty()) {
    out.begin_list("anchors");
    for (const auto & anchor : body.anchors) {
      out.begin_map();
      out.put("body", anchor.body);
      out.put("nodes", anchor.nodes);
      out.put("faces", anchor.faces);
      out.end_map();
    }
    out.end_list();
  }
  out.put_entries(body.header.extensions);
}

void put_object(AdfEmitter & out, const GhostObject & ghost, const WriteContext & file)
{
  put_header(out, ghost.header, file);
  out.put_unless("parent", ghost.parent, std::string());
  put_visual(out, ghost.visual, file);
  out.put("scale", ghost.scale);
  out.put("location", ghost.location);
  put_collision(out, ghost.collision, file);
  out.put("collision margin", ghost.collision_margin);
  out.put("collision groups", ghost.collision_groups);
  out.put_entries(ghost.header.extensions);
}

}  // namespace ambf_adf
