// SPDX-License-Identifier: BSD-3-Clause
#include "read_objects.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

struct Inertial
{
  double mass = 1.0;
  std::optional<Eigen::Vector3d> inertia;
  std::optional<Pose> offset;
};

std::optional<Eigen::Vector3d> read_inertia(MapReader & reader, double mass)
{
  const auto inertia = reader.triple("inertia", {"ix", "iy", "iz"});
  if (!inertia) { return std::nullopt; }
  if (inertia->minCoeff() < 0.0) {
    reader.warn(
      ProblemKind::BadValue, "inertia", "a negative moment of inertia", "ix, iy, iz of 0 or more",
      "the inertia is computed from the collision shape");
    return std::nullopt;
  }
  if (mass > 0.0 && inertia->minCoeff() == 0.0) {
    reader.warn(
      ProblemKind::BadValue, "inertia", "a moment of inertia of 0 with a mass above 0",
      "ix, iy, iz above 0", "the body does not turn about that axis");
  }
  return inertia;
}

Inertial read_inertial(MapReader & reader)
{
  Inertial inertial;
  const bool has_mass = reader.has("mass");
  const std::size_t first = reader.sink().problems.size();
  inertial.mass = reader.number("mass", 1.0, Range::NonNegative);
  inertial.inertia = read_inertia(reader, inertial.mass);
  inertial.offset = reader.pose("inertial offset");
  if (!has_mass) {
    reader.sink().soften(first, "it is not used, because there is no mass");
    reader.warn(
      ProblemKind::MissingKey, "mass", "nothing", "the mass [kg]",
      "1 kg is taken, and inertia and inertial offset are not used (as AMBF does)");
    inertial = Inertial{};
  }
  return inertial;
}

double read_scale(MapReader & reader) { return reader.number("scale", 1.0, Range::Positive); }

SoftBodyConfig read_soft_config(MapReader config)
{
  SoftBodyConfig c;
  const std::pair<const char *, double *> numbers[] = {
    {"kLST", &c.kLST},
    {"kAST", &c.kAST},
    {"kVST", &c.kVST},
    {"kVCF", &c.kVCF},
    {"kDP", &c.kDP},
    {"kDG", &c.kDG},
    {"kLF", &c.kLF},
    {"kPR", &c.kPR},
    {"kVC", &c.kVC},
    {"kDF", &c.kDF},
    {"kCHR", &c.kCHR},
    {"kKHR", &c.kKHR},
    {"kSHR", &c.kSHR},
    {"kAHR", &c.kAHR},
    {"kSRHR_CL", &c.kSRHR_CL},
    {"kSKHR_CL", &c.kSKHR_CL},
    {"kSSHR_CL", &c.kSSHR_CL},
    {"kSR_SPLT_CL", &c.kSR_SPLT_CL},
    {"kSK_SPLT_CL", &c.kSK_SPLT_CL},
    {"kSS_SPLT_CL", &c.kSS_SPLT_CL},
    {"maxvolume", &c.maxvolume}};
  for (const auto & [key, value] : numbers) { *value = config.number(key, *value); }
  c.timescale = config.number("timescale", c.timescale, Range::Positive);
  const std::pair<const char *, int *> counts[] = {
    {"viterations", &c.viterations},
    {"piterations", &c.piterations},
    {"diterations", &c.diterations},
    {"citerations", &c.citerations},
    {"flags", &c.flags}};
  for (const auto & [key, value] : counts) { *value = config.integer(key, *value); }
  c.kMT = config.number("kMT");
  c.bending_constraint = config.integer("bending constraint");
  c.clusters = config.integer("clusters");
  if (c.clusters && *c.clusters < 0) {
    config.warn(
      ProblemKind::BadValue, "clusters", std::to_string(*c.clusters), "0 or more",
      "no clusters are made");
    c.clusters.reset();
  }
  c.fixed_nodes = config.integers("fixed nodes");
  std::size_t index = 0;
  for (const auto & item : config.list("fixed node positions")) {
    MapReader point(
      item.get(), config.path() + "/fixed node positions[" + std::to_string(index++) + "]",
      config.sink());
    c.fixed_node_positions.emplace_back(
      point.number("x", 0.0), point.number("y", 0.0), point.number("z", 0.0));
    point.finish();
  }
  config.ineffective("margin", "use 'collision margin' of the body");
  config.ineffective("cutting", "AMBF reads it without effect");
  config.finish();
  return c;
}

std::vector<SoftAnchor> read_anchors(MapReader & reader)
{
  std::vector<SoftAnchor> anchors;
  std::size_t index = 0;
  for (const auto & item : reader.list("anchors")) {
    MapReader entry(
      item.get(), reader.path() + "/anchors[" + std::to_string(index++) + "]", reader.sink());
    SoftAnchor anchor;
    entry.require("body", "the identifier of a rigid body");
    anchor.body = entry.text("body", "");
    anchor.nodes = entry.integers("nodes");
    anchor.faces = entry.integers("faces");
    entry.finish();
    anchors.push_back(std::move(anchor));
  }
  return anchors;
}

}  // namespace

Pid read_pid(MapReader & reader)
{
  Pid pid;
  pid.p = reader.number("P", pid.p);
  pid.i = reader.number("I", pid.i);
  pid.d = reader.number("D", pid.d);
  for (const auto & [key, gain] : {std::pair{"P", pid.p}, {"I", pid.i}, {"D", pid.d}}) {
    if (gain < 0.0) {
      reader.warn(
        ProblemKind::BadValue, key, "a gain below 0", "0 or more",
        "it pushes away from the goal and counts as 0");
    }
  }
  reader.finish();
  return pid;
}

std::optional<ControlOutput> read_control_output(MapReader & reader)
{
  const std::string word = reader.text("controller output type", "");
  if (word.empty()) { return std::nullopt; }
  for (const char * effort : {"FORCE", "force", "Force", "EFFORT", "effort", "Effort"}) {
    if (word == effort) { return ControlOutput::Effort; }
  }
  for (const char * velocity : {"VELOCITY", "velocity", "Velocity"}) {
    if (word == velocity) { return ControlOutput::Velocity; }
  }
  const std::string hint = did_you_mean(word, {"FORCE", "EFFORT", "VELOCITY"});
  reader.warn(
    ProblemKind::UnknownEnum, "controller output type", "'" + word + "'",
    "FORCE, EFFORT or VELOCITY", hint.empty() ? "ignored: the presence of gains decides" : hint);
  return std::nullopt;
}

std::optional<CartesianController> read_cartesian_controller(
  MapReader & reader, std::string_view key)
{
  if (!reader.has(key)) { return std::nullopt; }
  MapReader map = reader.map(key);
  CartesianController controller;
  if (map.has("linear")) {
    MapReader linear = map.map("linear");
    controller.linear = read_pid(linear);
    controller.linear_output = ControlOutput::Effort;
  }
  if (map.has("angular")) {
    MapReader angular = map.map("angular");
    controller.angular = read_pid(angular);
    controller.angular_output = ControlOutput::Effort;
  }
  map.finish();
  return controller;
}

RigidBody read_body(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  RigidBody body;
  body.header = read_header(reader, block, file);
  body.location = reader.pose("location").value_or(Pose{});
  const Inertial inertial = read_inertial(reader);
  body.mass = inertial.mass;
  body.inertia = inertial.inertia;
  body.inertial_offset = inertial.offset;
  body.scale = read_scale(reader);
  body.visual = read_visual(reader, file);
  body.collision = read_collision(reader, body.inertial_offset, file);
  const bool drawn_as_shapes = std::holds_alternative<ShapeList>(body.visual.geometry);
  if (
    drawn_as_shapes && std::holds_alternative<NoShape>(body.collision) &&
    !reader.has("collision mesh")) {
    reader.warn(
      ProblemKind::MissingKey, "collision shape", "nothing", "the shape that it collides as",
      "it is drawn and collides with nothing, as in AMBF; \"collision mesh: ''\" says that this is "
      "meant");
  }
  body.collision_margin =
    reader.number("collision margin", body.collision_margin, Range::NonNegative);
  body.collision_groups = read_collision_groups(reader);
  if (reader.has("friction")) {
    MapReader friction = reader.map("friction");
    body.surface.friction = friction.number("static", body.surface.friction, Range::NonNegative);
    body.surface.rolling_friction =
      friction.number("rolling", body.surface.rolling_friction, Range::NonNegative);
    friction.finish();
  }
  body.surface.restitution =
    reader.number("restitution", body.surface.restitution, Range::NonNegative);
  if (reader.has("damping")) {
    MapReader damping = reader.map("damping");
    body.damping.linear = damping.number("linear", body.damping.linear, Range::NonNegative);
    body.damping.angular = damping.number("angular", body.damping.angular, Range::NonNegative);
    damping.finish();
  }
  body.gravity = reader.vector("gravity");
  body.controller = read_cartesian_controller(reader, "controller");
  const auto output = read_control_output(reader);
  if (output && body.controller) {
    body.controller->linear_output = *output;
    body.controller->angular_output = *output;
  }
  if (reader.has("pose hold")) {
    MapReader hold = reader.map("pose hold");
    body.pose_hold.emplace();
    body.pose_hold->max_force = hold.number("max force", 0.0, Range::NonNegative);
    body.pose_hold->max_torque = hold.number("max torque", 0.0, Range::NonNegative);
    hold.finish();
  }
  body.publish_children_names =
    reader.boolean("publish children names", body.publish_children_names);
  body.publish_joint_names = reader.boolean("publish joint names", body.publish_joint_names);
  body.publish_joint_positions =
    reader.boolean("publish joint positions", body.publish_joint_positions);
  reader.ineffective("resistive surface", "of AMBF 0.x; use a sensor of type Resistance");
  reader.ineffective("resistive surface1", "of AMBF 0.x; use a sensor of type Resistance");
  finish_block(reader, body.header);
  return body;
}

SoftBody read_soft_body(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  SoftBody body;
  body.header = read_header(reader, block, file);
  body.header.passive = reader.boolean("passive", true);
  body.location = reader.pose("location").value_or(Pose{});
  body.mass = reader.number("mass", 1.0, Range::Positive);
  body.inertial_offset = reader.pose("inertial offset");
  body.scale = read_scale(reader);
  body.visual = read_visual(reader, file);
  const Collision collision = read_collision(reader, std::nullopt, file);
  if (const auto * mesh = std::get_if<CollisionMesh>(&collision)) {
    body.collision_mesh = mesh->mesh;
  } else {
    reader.error(
      ProblemKind::MissingKey, "mesh", "a soft body without a mesh", "'mesh' or 'collision mesh'",
      "soft bodies are made of the vertices of their mesh");
  }
  body.collision_margin =
    reader.number("collision margin", body.collision_margin, Range::NonNegative);
  body.collision_groups = read_collision_groups(reader);
  body.gravity = reader.vector("gravity");
  body.config = read_soft_config(reader.map("config"));
  // AMBF looks only whether the key is there.
  body.randomize_constraints = reader.has("randomize constraints");
  body.anchors = read_anchors(reader);
  for (const char * key : {"linear gain", "angular gain"}) {
    reader.ineffective(key, "AMBF reads it without effect");
  }
  for (const char * key :
       {"friction", "restitution", "damping", "inertia", "publish children names",
        "publish joint names", "publish joint positions"}) {
    reader.ineffective(key, "it belongs to rigid bodies");
  }
  finish_block(reader, body.header);
  return body;
}

GhostObject read_ghost_object(const Block & block, const FileContext & file, ProblemSink & sink)
{
  MapReader reader(block.node, block.identifier, sink);
  GhostObject ghost;
  ghost.header = read_header(reader, block, file);
  ghost.parent = reader.text("parent", "");
  ghost.location = reader.pose("location").value_or(Pose{});
  ghost.scale = read_scale(reader);
  ghost.visual = read_visual(reader, file);
  ghost.collision = read_collision(reader, std::nullopt, file);
  ghost.collision_margin =
    reader.number("collision margin", ghost.collision_margin, Range::NonNegative);
  ghost.collision_groups = read_collision_groups(reader);
  if (std::holds_alternative<NoShape>(ghost.collision)) {
    reader.warn(
      ProblemKind::MissingKey, "collision shape", "a ghost object without a shape",
      "a collision shape or mesh", "it senses nothing");
  }
  finish_block(reader, ghost.header);
  return ghost;
}

}  // namespace ambf_adf
