// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstring>

#include "world_impl.hpp"

namespace ambf_dynamics
{

template <>
inline constexpr bool is_plain<Parameters> = true;

namespace
{

/// Of the world's part of a saved state: the form of what follows it.
constexpr std::uint64_t format_mark = 0x34304e5944464d41ull;  // "AMFDYN04", little endian
constexpr std::string_view part_name = "world";

// Fields of a body that the next step reads.
struct SavedBody
{
  double transform[12];
  double linear[3];
  double angular[3];
  double goal[12];
  std::uint8_t kinematic;
  std::uint8_t moves_by_command;
  std::uint8_t mode;
  double command[21];
  CommandRate rate[3];
  CommandRate turn_rate[3];
  double turned[3];
  double integrals[6];
};

struct SavedJoint
{
  double position;
  double effort;
  std::uint8_t mode;
  std::uint8_t saturated;
  double value;
  CommandRate rate;
  double integral;
  ambf_adf::Pid gains;
};

void pack(const btTransform & t, double * out)
{
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) { out[3 * i + j] = t.getBasis()[i][j]; }
    out[9 + i] = t.getOrigin()[i];
  }
}

btTransform unpack(const double * in)
{
  return btTransform(
    btMatrix3x3(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8]),
    btVector3(in[9], in[10], in[11]));
}

void pack(const btVector3 & v, double * out)
{
  for (int i = 0; i < 3; ++i) { out[i] = v[i]; }
}

btVector3 unpack3(const double * in) { return {in[0], in[1], in[2]}; }

void pack(const BodyCommand & c, double * out)
{
  Eigen::Map<Eigen::Matrix<double, 21, 1>> m(out);
  m << c.force, c.torque, c.position, c.orientation.coeffs(), c.linear_velocity, c.angular_velocity,
    c.max_force, c.max_torque;
}

BodyCommand unpack_command(std::uint8_t mode, const double * in)
{
  const Eigen::Map<const Eigen::Matrix<double, 21, 1>> m(in);
  BodyCommand c;
  c.mode = static_cast<BodyMode>(mode);
  c.force = m.segment<3>(0);
  c.torque = m.segment<3>(3);
  c.position = m.segment<3>(6);
  c.orientation.coeffs() = m.segment<4>(9);
  c.linear_velocity = m.segment<3>(13);
  c.angular_velocity = m.segment<3>(16);
  c.max_force = m[19];
  c.max_torque = m[20];
  return c;
}

void add_rate(Hasher & h, const CommandRate & r)
{
  h.add(r.value, r.before, r.raw, r.raw_before);
  h.add(r.step, r.interval, std::uint64_t{r.any}, std::uint64_t{0});
}

}  // namespace

std::uint64_t WorldImpl::fingerprint() const
{
  Hasher h;
  const auto add_text = [&h](const std::string & text) {
    std::uint64_t word = text.size();
    for (const char c : text) { word = word * 1099511628211ull + static_cast<unsigned char>(c); }
    h.add(word, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3});
  };
  for (const auto & body : bodies_) {
    add_text(body->info.qualified);
    h.add(body->info.mass, body->info.inertia.x(), body->info.inertia.y(), body->info.inertia.z());
  }
  for (const auto & joint : joints_) {
    add_text(joint->info.qualified);
    h.add(
      static_cast<std::uint64_t>(joint->info.type), std::uint64_t{joint->info.parent},
      std::uint64_t{joint->info.child}, std::uint64_t{0});
  }
  h.add(std::uint64_t{models_.size()}, std::uint64_t{4}, std::uint64_t{5}, std::uint64_t{6});
  for (const auto & section : sections_) { section->describe(h); }
  return h.value();
}

std::uint64_t WorldImpl::hash() const
{
  Hasher h;
  h.add(step_, std::uint64_t{bodies_.size()}, std::uint64_t{joints_.size()}, std::uint64_t{0});
  const Parameters & p = parameters_;
  h.add(p.gravity.x(), p.gravity.y(), p.gravity.z(), p.step_size);
  h.add(
    static_cast<std::uint64_t>(p.solver), static_cast<std::uint64_t>(p.solver_iterations),
    static_cast<std::uint64_t>(p.sub_steps), std::uint64_t{p.joint_damping});
  h.add(p.joint_erp, p.joint_cfm, p.contact_erp, p.feed_forward_limit);
  for (const auto & body : bodies_) {
    const btRigidBody & rigid = *body->rigid;
    h.add(rigid.getWorldTransform());
    h.add(rigid.getLinearVelocity(), rigid.getAngularVelocity().x());
    const auto mode = static_cast<std::uint64_t>(body->command.mode);
    h.add(
      Hasher::word(rigid.getAngularVelocity().y()), Hasher::word(rigid.getAngularVelocity().z()),
      mode, std::uint64_t{body->moves_by_command});
    if (mode == 0) { continue; }
    double command[24] = {};
    pack(body->command, command);
    for (int i = 0; i < 24; i += 4) {
      h.add(command[i], command[i + 1], command[i + 2], command[i + 3]);
    }
    for (const CommandRate & rate : body->memory.rate) { add_rate(h, rate); }
    for (const CommandRate & rate : body->memory.turn_rate) { add_rate(h, rate); }
    h.add(body->memory.turned, 0.0);
    const ambf_adf::CartesianController & c = body->controller;
    h.add(body->memory.linear_integral, c.linear.p);
    h.add(body->memory.angular_integral, c.angular.p);
    h.add(c.linear.i, c.linear.d, c.angular.i, c.angular.d);
  }
  for (const auto & joint : joints_) {
    if (!joint->axis) { continue; }
    h.add(
      Hasher::word(joint->axis->position()), static_cast<std::uint64_t>(joint->mode),
      Hasher::word(joint->value), Hasher::word(joint->integral));
    if (joint->mode == JointMode::Position || (joint->mode == JointMode::Release && joint->holds)) {
      add_rate(h, joint->rate);
      h.add(joint->gains.p, joint->gains.i, joint->gains.d, 0.0);
    }
  }
  for (const ModelRecord & model : models_) {
    h.add(
      std::uint64_t{model.compensates_gravity}, std::uint64_t{0}, std::uint64_t{0},
      std::uint64_t{0});
  }
  const auto add_point = [&h](const btManifoldPoint & point) {
    h.add(point.m_localPointA, point.m_appliedImpulse);
    h.add(point.m_localPointB, point.m_appliedImpulseLateral1);
    h.add(point.m_normalWorldOnB, point.m_appliedImpulseLateral2);
  };
  for (const btPersistentManifold * manifold : bullet_.contacts().manifolds()) {
    for (int i = 0; i < manifold->getNumContacts(); ++i) {
      add_point(manifold->getContactPoint(i));
    }
  }
  for (const SavedManifold & manifold : bullet_.contacts().waiting()) {
    for (int i = 0; i < manifold.count; ++i) { add_point(manifold.points[i]); }
  }
  for (const StartOverlap & s : bullet_.contacts().start_overlaps()) {
    h.add(
      std::uint64_t{index_of_id(s.pair >> 32)}, std::uint64_t{index_of_id(s.pair & 0xffffffffu)},
      Hasher::word(s.shallow), std::uint64_t{0});
  }
  for (const auto & section : sections_) { section->hash(h); }
  return h.value();
}

std::vector<std::byte> WorldImpl::save(std::span<const SavedPart> beside) const
{
  Writer out;
  out.put(format_mark);
  out.put(fingerprint());
  out.put(parameters_);
  out.put(step_);
  out.put(step_origin_);
  for (const auto & body : bodies_) {
    const btRigidBody & rigid = *body->rigid;
    SavedBody s{};
    pack(rigid.getWorldTransform(), s.transform);
    pack(rigid.getLinearVelocity(), s.linear);
    pack(rigid.getAngularVelocity(), s.angular);
    pack(body->kinematic_goal, s.goal);
    s.kinematic = rigid.isKinematicObject();
    s.moves_by_command = body->moves_by_command;
    s.mode = static_cast<std::uint8_t>(body->command.mode);
    pack(body->command, s.command);
    std::copy(std::begin(body->memory.rate), std::end(body->memory.rate), s.rate);
    std::copy(std::begin(body->memory.turn_rate), std::end(body->memory.turn_rate), s.turn_rate);
    pack(body->memory.turned, s.turned);
    pack(body->memory.linear_integral, s.integrals);
    pack(body->memory.angular_integral, s.integrals + 3);
    out.put(s);
    out.put(body->controller);
  }
  for (const auto & joint : joints_) {
    SavedJoint s{};
    if (joint->axis) {
      s.position = joint->axis->position();
      s.effort = joint->axis->effort();
      s.saturated = joint->axis->saturated();
    }
    s.mode = static_cast<std::uint8_t>(joint->mode);
    s.value = joint->value;
    s.rate = joint->rate;
    s.integral = joint->integral;
    s.gains = joint->gains;
    out.put(s);
  }
  for (const ModelRecord & model : models_) { out.put(model.compensates_gravity); }
  std::vector<SavedManifold> manifolds;
  bullet_.contacts().save(manifolds);
  for (SavedManifold & manifold : manifolds) {
    // Ids tell what came and went before; another world with the same bodies has the same indices only.
    const std::uint64_t first = index_of_id(manifold.pair >> 32);
    manifold.pair = first << 32 | index_of_id(manifold.pair & 0xffffffffu);
  }
  out.put_all(manifolds);
  std::vector<StartOverlap> overlaps;
  for (StartOverlap s : bullet_.contacts().start_overlaps()) {
    s.pair = std::uint64_t{index_of_id(s.pair >> 32)} << 32 | index_of_id(s.pair & 0xffffffffu);
    overlaps.push_back(s);
  }
  out.put_all(overlaps);
  Writer parts;
  for (const auto & section : sections_) { section->save(parts); }
  out.put_all(parts.take());
  const std::vector<std::byte> own = out.take();
  std::vector<SavedPart> all{{part_name, own}};
  all.insert(all.end(), beside.begin(), beside.end());
  return saved_state::seal(all);
}

struct WorldImpl::Saved
{
  Parameters parameters;
  std::uint64_t step = 0;
  std::uint64_t step_origin = 0;
  std::vector<SavedBody> bodies;
  std::vector<ambf_adf::CartesianController> controllers;
  std::vector<SavedJoint> joints;
  std::vector<std::uint8_t> compensates;
  std::vector<SavedManifold> manifolds;
  std::vector<StartOverlap> overlaps;
  std::vector<std::byte> parts;
};

expected<WorldImpl::Saved, Errors> WorldImpl::read_saved(std::span<const std::byte> bytes) const
{
  const auto refuse = [](std::string found, std::string expected, std::string hint) {
    return tl::unexpected(Errors{make_error(
      ambf_adf::ProblemKind::BadValue, "saved state", std::move(found), std::move(expected),
      std::move(hint))});
  };
  if (!saved_state::is_whole(bytes)) {
    return refuse("bytes that are no saved state, or were changed", "those that were saved", "");
  }
  Reader in(saved_state::part(bytes, part_name));
  if (in.get<std::uint64_t>() != format_mark) {
    return refuse("something else", "a state saved by this version", "");
  }
  if (in.get<std::uint64_t>() != fingerprint()) {
    return refuse(
      "a state of other models", "the bodies and joints of this world",
      "load the same models in the same order before restoring");
  }
  Saved saved;
  saved.parameters = in.get<Parameters>();
  saved.step = in.get<std::uint64_t>();
  saved.step_origin = in.get<std::uint64_t>();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    saved.bodies.push_back(in.get<SavedBody>());
    saved.controllers.push_back(in.get<ambf_adf::CartesianController>());
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) { saved.joints.push_back(in.get<SavedJoint>()); }
  for (std::size_t i = 0; i < models_.size(); ++i) { saved.compensates.push_back(in.get<bool>()); }
  saved.manifolds = in.get_all<SavedManifold>();
  saved.overlaps = in.get_all<StartOverlap>();
  saved.parts = in.get_all<std::byte>();
  if (!in.ok() || !in.at_end()) {
    return refuse("a state of another build", "all of its bytes", "");
  }
  const auto to_ids = [&](std::uint64_t pair) {
    const auto id_of = [&](std::uint64_t index) {
      return static_cast<std::uint64_t>(bodies_[index]->id);
    };
    return id_of(pair >> 32) << 32 | id_of(pair & 0xffffffffu);
  };
  for (SavedManifold & manifold : saved.manifolds) { manifold.pair = to_ids(manifold.pair); }
  for (StartOverlap & overlap : saved.overlaps) { overlap.pair = to_ids(overlap.pair); }
  if (auto problems = check(saved.parameters); !problems.empty()) {
    return tl::unexpected(problems);
  }
  return saved;
}

expected<void, Errors> WorldImpl::restorable(std::span<const std::byte> bytes) const
{
  return read_saved(bytes).map([](const Saved &) {});
}

expected<void, Errors> WorldImpl::restore(std::span<const std::byte> bytes)
{
  // Read everything before touching anything: all or nothing.
  const auto saved = read_saved(bytes);
  if (!saved) { return tl::unexpected(saved.error()); }
  for (std::size_t i = 0; i < models_.size(); ++i) {
    models_[i].compensates_gravity = saved->compensates[i] != 0;
  }
  if (auto set = set_parameters(saved->parameters); !set) { return set; }
  step_ = saved->step;
  step_origin_ = saved->step_origin;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body & body = *bodies_[i];
    const SavedBody & s = saved->bodies[i];
    btRigidBody & rigid = *body.rigid;
    if (body.info.mass <= 0.0) { bullet_.set_kinematic(rigid, s.kinematic != 0); }
    const btTransform t = unpack(s.transform);
    rigid.setLinearVelocity(unpack3(s.linear));
    rigid.setAngularVelocity(unpack3(s.angular));
    rigid.setWorldTransform(t);
    rigid.setCenterOfMassTransform(t);
    rigid.setInterpolationWorldTransform(t);
    rigid.clearForces();
    body.pushed = false;
    body.kinematic_goal = unpack(s.goal);
    body.moves_by_command = s.moves_by_command != 0;
    body.command = unpack_command(s.mode, s.command);
    std::copy(std::begin(s.rate), std::end(s.rate), body.memory.rate);
    std::copy(std::begin(s.turn_rate), std::end(s.turn_rate), body.memory.turn_rate);
    body.memory.turned = unpack3(s.turned);
    body.memory.linear_integral = unpack3(s.integrals);
    body.memory.angular_integral = unpack3(s.integrals + 3);
    body.controller = saved->controllers[i];
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    JointSlot & joint = *joints_[i];
    const SavedJoint & s = saved->joints[i];
    joint.mode = static_cast<JointMode>(s.mode);
    joint.value = s.value;
    joint.rate = s.rate;
    joint.integral = s.integral;
    joint.gains = s.gains;
    if (joint.axis) { joint.axis->restore_readings(s.position, s.effort, s.saturated != 0); }
  }
  bullet_.contacts().restore(saved->manifolds);
  bullet_.contacts().set_start_overlaps(saved->overlaps);
  Reader part_reader(saved->parts);
  for (const auto & section : sections_) { section->restore(part_reader); }
  diverged_ = false;
  divergence_ = Divergence{};
  write_state();
  return {};
}

}  // namespace ambf_dynamics
