// SPDX-License-Identifier: BSD-3-Clause
#include "world_impl.hpp"

#include <algorithm>
#include <cmath>

#include "rotations.hpp"

namespace ambf_dynamics
{

ambf_adf::Problem make_error(
  ambf_adf::ProblemKind kind, std::string key, std::string found, std::string expected,
  std::string hint)
{
  ambf_adf::Problem problem;
  problem.kind = kind;
  problem.key = std::move(key);
  problem.found = std::move(found);
  problem.expected = std::move(expected);
  problem.hint = std::move(hint);
  return problem;
}

ambf_adf::Problems check(const Parameters & p)
{
  ambf_adf::Problems problems;
  const auto require = [&](bool ok, const char * key, double found, const char * expected) {
    if (ok) { return; }
    problems.push_back(
      make_error(ambf_adf::ProblemKind::BadValue, key, std::to_string(found), expected, ""));
  };
  require(p.gravity.allFinite(), "gravity", p.gravity.sum(), "finite numbers");
  require(
    p.step_size > 0.0 && p.step_size <= 1.0, "step_size", p.step_size, "0 < step_size <= 1 s");
  require(
    p.solver_iterations >= 1 && p.solver_iterations <= 10000, "solver_iterations",
    p.solver_iterations, "1 to 10000");
  require(p.sub_steps >= 1 && p.sub_steps <= 1000, "sub_steps", p.sub_steps, "1 to 1000");
  require(p.joint_erp >= 0.0 && p.joint_erp <= 1.0, "joint_erp", p.joint_erp, "0 to 1");
  require(p.joint_cfm >= 0.0 && p.joint_cfm <= 1.0, "joint_cfm", p.joint_cfm, "0 to 1");
  require(p.contact_erp >= 0.0 && p.contact_erp <= 1.0, "contact_erp", p.contact_erp, "0 to 1");
  require(
    p.feed_forward_limit >= 0.0 && std::isfinite(p.feed_forward_limit), "feed_forward_limit",
    p.feed_forward_limit, "at least 0");
  require(p.runaway_speed > 0.0, "runaway_speed", p.runaway_speed, "more than 0");
  return problems;
}

WorldImpl::WorldImpl(const Parameters & parameters) : parameters_(parameters), bullet_(parameters)
{
  bullet_.contacts().set_rule(
    [this](const btCollisionObject & a, const btCollisionObject & b) { return may_collide(a, b); });
  make_sections();
  content_changed();
}

WorldImpl::~WorldImpl()
{
  bullet_.contacts().forget_all();
  sections_.clear();
  while (!joints_.empty()) { remove_joint_at(joints_.size() - 1); }
  while (!bodies_.empty()) {
    bullet_.remove_body(*bodies_.back()->rigid);
    bodies_.pop_back();
  }
}

std::optional<BodyIndex> WorldImpl::find_body(std::string_view qualified) const
{
  const auto at = body_by_name_.find(std::string(qualified));
  return at == body_by_name_.end() ? std::nullopt : std::optional<BodyIndex>(at->second);
}

std::optional<JointIndex> WorldImpl::find_joint(std::string_view qualified) const
{
  const auto at = joint_by_name_.find(std::string(qualified));
  return at == joint_by_name_.end() ? std::nullopt : std::optional<JointIndex>(at->second);
}

Body * WorldImpl::body_by_name(std::string_view qualified)
{
  const auto index = find_body(qualified);
  return index ? bodies_[*index].get() : nullptr;
}

std::span<const JointIndex> WorldImpl::client_joints(BodyIndex body) const
{
  if (body >= client_joints_.size()) { return {}; }
  return client_joints_[body];
}

CommandResult WorldImpl::set_joint_command(JointIndex joint, JointMode mode, double value)
{
  if (joint >= joints_.size()) { return CommandResult::UnknownIndex; }
  JointSlot & slot = *joints_[joint];
  if (mode == JointMode::None) { return CommandResult::Ok; }
  if (mode != JointMode::Release) {
    if (!std::isfinite(value)) { return CommandResult::NotFinite; }
    if (!slot.info.commandable) { return CommandResult::NotCommandable; }
  }
  if (mode == JointMode::Release) {
    // A joint that is let go twice holds where it was first; another place each time would creep.
    value = !slot.holds                       ? 0.0
            : slot.mode == JointMode::Release ? slot.value
                                              : slot.axis->position();
  }
  if (mode != slot.mode) {
    slot.integral = 0.0;
    slot.rate = CommandRate{};
  }
  slot.mode = mode;
  slot.value = value;
  if (mode == JointMode::Position) {
    // A stream that passes from pi to -pi goes on; the joint takes the shortest way there, too.
    const bool turns_round =
      !slot.info.limits && slot.axis->settings().kind == AxisJoint::Kind::Revolute;
    const double last = slot.rate.value;
    const double next = turns_round && slot.rate.any ? last + wrap_angle(value - last) : value;
    slot.rate.take(next, step_, parameters_.step_size, parameters_.feed_forward_limit);
  }
  return CommandResult::Ok;
}

CommandResult WorldImpl::set_body_command(BodyIndex index, const BodyCommand & command)
{
  if (index >= bodies_.size()) { return CommandResult::UnknownIndex; }
  Body & body = *bodies_[index];
  if (command.mode == BodyMode::None) { return CommandResult::Ok; }
  const bool finite = command.force.allFinite() && command.torque.allFinite() &&
                      command.position.allFinite() && command.orientation.coeffs().allFinite() &&
                      command.linear_velocity.allFinite() && command.angular_velocity.allFinite() &&
                      std::isfinite(command.max_force) && std::isfinite(command.max_torque);
  if (!finite) { return CommandResult::NotFinite; }
  const bool poses = command.mode == BodyMode::Pose || command.mode == BodyMode::Hold;
  if (poses && std::abs(command.orientation.norm() - 1.0) > 1e-3) {
    return CommandResult::NotNormalised;
  }
  if (command.max_force < 0.0 || command.max_torque < 0.0) { return CommandResult::BadLimit; }
  if (command.mode != body.command.mode) { body.memory = CartesianMemory{}; }
  const Eigen::Quaterniond before = body.command.orientation;
  body.command = command;
  body.command.orientation.normalize();
  if (command.mode == BodyMode::Release) { body.command = BodyCommand{}; }
  if (poses) {
    CartesianMemory & memory = body.memory;
    if (memory.turn_rate[0].any) {
      memory.turned +=
        turn(to_bt(before.toRotationMatrix()), to_bt(body.command.orientation.toRotationMatrix()));
    }
    const auto take = [this](CommandRate & rate, double value) {
      rate.take(value, step_, parameters_.step_size, parameters_.feed_forward_limit);
    };
    for (int i = 0; i < 3; ++i) {
      take(memory.rate[i], command.position[i]);
      take(memory.turn_rate[i], memory.turned[i]);
    }
  }
  return CommandResult::Ok;
}

bool WorldImpl::set_gravity_compensation(ModelHandle handle, bool on)
{
  for (ModelRecord & model : models_) {
    if (model.handle == handle) {
      model.compensates_gravity = on;
      apply_gravity_settings();
      if (!diverged_) { state_.hash = hash(); }
      return true;
    }
  }
  return false;
}

bool WorldImpl::gravity_compensation(ModelHandle handle) const
{
  return std::any_of(models_.begin(), models_.end(), [&](const ModelRecord & model) {
    return model.handle == handle && model.compensates_gravity;
  });
}

CommandResult WorldImpl::set_joint_gains(JointIndex joint, const ambf_adf::Pid & gains)
{
  if (joint >= joints_.size()) { return CommandResult::UnknownIndex; }
  if (!std::isfinite(gains.p) || !std::isfinite(gains.i) || !std::isfinite(gains.d)) {
    return CommandResult::NotFinite;
  }
  if (gains.p < 0.0 || gains.i < 0.0 || gains.d < 0.0) { return CommandResult::BadGain; }
  if (!joints_[joint]->info.commandable) { return CommandResult::NotCommandable; }
  joints_[joint]->gains = gains;
  joints_[joint]->integral = 0.0;
  if (!diverged_) { state_.hash = hash(); }
  return CommandResult::Ok;
}

CommandResult WorldImpl::set_body_gains(BodyIndex body, const ambf_adf::CartesianController & gains)
{
  if (body >= bodies_.size()) { return CommandResult::UnknownIndex; }
  for (const ambf_adf::Pid & g : {gains.linear, gains.angular}) {
    if (!std::isfinite(g.p) || !std::isfinite(g.i) || !std::isfinite(g.d)) {
      return CommandResult::NotFinite;
    }
  }
  bodies_[body]->controller = gains;
  bodies_[body]->memory = CartesianMemory{};
  return CommandResult::Ok;
}

CommandResult WorldImpl::set_body_state(
  BodyIndex index, const Eigen::Isometry3d & t_world_body, const Eigen::Vector3d & linear_velocity,
  const Eigen::Vector3d & angular_velocity)
{
  if (index >= bodies_.size()) { return CommandResult::UnknownIndex; }
  if (
    !t_world_body.matrix().allFinite() || !linear_velocity.allFinite() ||
    !angular_velocity.allFinite()) {
    return CommandResult::NotFinite;
  }
  Body & body = *bodies_[index];
  const btTransform t = to_bt(t_world_body) * body.t_body_inertial;
  body.rigid->setWorldTransform(t);
  body.rigid->setCenterOfMassTransform(t);
  if (body.info.mass > 0.0) {
    const btVector3 w = to_bt(angular_velocity);
    const btVector3 arm = t.getOrigin() - to_bt(Eigen::Vector3d(t_world_body.translation()));
    body.rigid->setAngularVelocity(w);
    body.rigid->setLinearVelocity(to_bt(linear_velocity) + w.cross(arm));
  }
  write_state();
  return CommandResult::Ok;
}

StepStatus WorldImpl::step()
{
  if (diverged_) { return StepStatus::Diverged; }
  for (const auto & section : sections_) { section->before_step(); }
  update_controllers();
  bullet_.integrate(parameters_.step_size / parameters_.sub_steps, parameters_.sub_steps);
  finish_kinematic_moves();
  ++step_;
  if (find_divergence()) {
    diverged_ = true;
    return StepStatus::Diverged;
  }
  write_state();
  return StepStatus::Ok;
}

bool WorldImpl::find_divergence()
{
  const double fastest = parameters_.runaway_speed * parameters_.runaway_speed;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const btRigidBody & rigid = *bodies_[i]->rigid;
    const btVector3 & p = rigid.getWorldTransform().getOrigin();
    const bool placed = std::isfinite(p.x() + p.y() + p.z());
    const bool slow = rigid.getLinearVelocity().length2() < fastest &&
                      rigid.getAngularVelocity().length2() < fastest;
    if (placed && slow) { continue; }
    divergence_.body = static_cast<BodyIndex>(i);
    divergence_.step = step_ - step_origin_;
    divergence_.reason = "body '" + bodies_[i]->info.qualified + "' " +
                         (placed ? "is faster than runaway_speed" : "has no finite position") +
                         " at step " + std::to_string(divergence_.step);
    return true;
  }
  for (const auto & section : sections_) {
    if (const ObjectNames * object = section->diverged()) {
      divergence_.body = no_index;
      divergence_.step = step_ - step_origin_;
      divergence_.reason = "'" + object->qualified + "' has no finite position at step " +
                           std::to_string(divergence_.step);
      return true;
    }
  }
  return false;
}

expected<void, Errors> WorldImpl::set_parameters(const Parameters & parameters)
{
  if (auto problems = check(parameters); !problems.empty()) { return tl::unexpected(problems); }
  parameters_ = parameters;
  bullet_.configure(parameters_);
  for (const auto & joint : joints_) { apply_joint_parameters(*joint); }
  apply_gravity_settings();
  state_.time = static_cast<double>(state_.step) * parameters_.step_size;
  if (!diverged_) { state_.hash = hash(); }
  return {};
}

void WorldImpl::apply_gravity_settings()
{
  for (const auto & body : bodies_) {
    const auto model = std::find_if(models_.begin(), models_.end(), [&](const ModelRecord & m) {
      return m.handle == body->info.model;
    });
    const bool weightless = model != models_.end() && model->compensates_gravity;
    const Eigen::Vector3d gravity =
      weightless ? Eigen::Vector3d::Zero() : body->own_gravity.value_or(parameters_.gravity);
    body->rigid->setGravity(to_bt(gravity));
  }
  state_.weightless.clear();
  for (const ModelRecord & model : models_) {
    state_.weightless.push_back(model.compensates_gravity);
  }
}

void WorldImpl::reset(bool time)
{
  for (ModelRecord & model : models_) { model.compensates_gravity = false; }
  apply_gravity_settings();
  for (const auto & body : bodies_) {
    btRigidBody & rigid = *body->rigid;
    if (body->info.mass <= 0.0) { bullet_.set_kinematic(rigid, false); }
    body->moves_by_command = false;
    rigid.setLinearVelocity(btVector3(0, 0, 0));
    rigid.setAngularVelocity(btVector3(0, 0, 0));
    rigid.setCenterOfMassTransform(body->initial);
    rigid.setWorldTransform(body->initial);
    rigid.setInterpolationWorldTransform(body->initial);
    rigid.setInterpolationLinearVelocity(btVector3(0, 0, 0));
    rigid.setInterpolationAngularVelocity(btVector3(0, 0, 0));
    rigid.clearForces();
    body->pushed = false;
    body->command = BodyCommand{};
    body->memory = CartesianMemory{};
    body->controller = body->file_controller;
  }
  for (const auto & joint : joints_) {
    joint->gains = joint->file_gains;
    joint->mode = JointMode::Release;
    joint->value = joint->holds ? joint->initial_position : 0.0;
    joint->rate = CommandRate{};
    joint->integral = 0.0;
    if (joint->axis) {
      joint->axis->drive = Drive{};
      joint->axis->set_position_continuation(joint->initial_position);
      joint->axis->set_effort_reading(0.0);
    }
  }
  bullet_.contacts().clear();
  bullet_.contacts().set_start_overlaps({});
  find_start_overlaps(std::nullopt, nullptr);
  for (const auto & section : sections_) { section->reset(); }
  if (time) { step_ = step_origin_ = 0; }
  diverged_ = false;
  divergence_ = Divergence{};
  write_state();
}

}  // namespace ambf_dynamics
