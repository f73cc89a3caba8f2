// SPDX-License-Identifier: BSD-3-Clause
#include "actuators.hpp"

#include <algorithm>

#include "section_names.hpp"

namespace ambf_dynamics
{
namespace
{

void put(Writer & out, const btTransform & t)
{
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) { out.put(t.getBasis()[i][j]); }
    out.put(t.getOrigin()[i]);
  }
}

btTransform get_transform(Reader & in)
{
  btTransform t;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) { t.getBasis()[i][j] = in.get<double>(); }
    t.getOrigin()[i] = in.get<double>();
  }
  return t;
}

BodyIndex index_or_none(const Body * body) { return body ? index_of(*body) : no_index; }

}  // namespace

Actuators::~Actuators()
{
  for (const auto & slot : actuators_) { release(*slot); }
}

void Actuators::add_model(
  const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d &,
  ambf_adf::Problems & problems)
{
  for (const ambf_adf::Actuator & source : model.actuators) {
    Body * parent = world_.body_by_name(source.parent);
    if (!parent) {
      problems.push_back(unresolved_parent(source.header, "parent", source.parent));
      continue;
    }
    auto slot = std::make_unique<ActuatorSlot>();
    take_names(slot->info, source.header, handle);
    slot->info.location = source.location.isometry();
    slot->parent = parent;
    slot->grasp = source.grasp;
    actuators_.push_back(std::move(slot));
  }
}

void Actuators::remove_model(ModelHandle handle)
{
  std::erase_if(actuators_, [&](const auto & slot) {
    if (slot->info.model == handle) { release(*slot); }
    return slot->info.model == handle;
  });
}

bool Actuators::remove_object(std::string_view qualified)
{
  return std::erase_if(actuators_, [&](const auto & slot) {
           if (slot->info.qualified == qualified) { release(*slot); }
           return slot->info.qualified == qualified;
         }) > 0;
}

void Actuators::body_removed(Body & body)
{
  std::erase_if(actuators_, [&](const auto & slot) {
    if (slot->held == &body || slot->parent == &body) { release(*slot); }
    if (slot->wanted == &body) { slot->command = ActuatorCommand{}; }
    if (slot->wanted == &body) { slot->wanted = nullptr; }
    return slot->parent == &body;
  });
}

void Actuators::renumber()
{
  infos_.clear();
  for (const auto & slot : actuators_) {
    slot->info.parent = index_of(*slot->parent);
    slot->command.body = index_or_none(slot->wanted);
    // A sensor that went away leaves nothing to ask.
    slot->command.sensor = sensors_.index_of_slot(slot->asked);
    if (slot->command.sensor == no_index) { slot->asked = nullptr; }
    find_jaw(*slot);
    infos_.push_back(slot->info);
  }
}

void Actuators::find_jaw(ActuatorSlot & slot) const
{
  slot.jaw.clear();
  if (!slot.grasp) { return; }
  const auto & sensors = sensors_.infos();
  const auto sensor = std::find_if(sensors.begin(), sensors.end(), [&](const SensorInfo & info) {
    return info.qualified == slot.grasp->sensor;
  });
  if (sensor == sensors.end()) { return; }
  slot.jaw_sensor = sensors_.at(static_cast<SensorIndex>(sensor - sensors.begin()));
  for (const std::string & name : slot.grasp->joints) {
    const auto joint = world_.find_joint(name);
    if (!joint) { return slot.jaw.clear(); }
    slot.jaw.push_back(*joint);
  }
}

bool Actuators::closes(ActuatorSlot & slot) const
{
  if (slot.jaw.empty()) { return false; }
  double position = 0.0;
  for (const JointIndex joint : slot.jaw) { position += world_.joint_position(joint); }
  position /= static_cast<double>(slot.jaw.size());
  // Opening counts upwards from here on.
  const double way = slot.grasp->open > slot.grasp->close ? 1.0 : -1.0;
  const bool was_closed = slot.jaw_closed;
  if (way * (position - slot.grasp->close) <= 0.0) { slot.jaw_closed = true; }
  if (way * (position - slot.grasp->open) >= 0.0) { slot.jaw_closed = false; }
  return slot.jaw_closed && !was_closed;
}

CommandResult Actuators::set_command(ActuatorIndex index, const ActuatorCommand & command)
{
  if (index >= actuators_.size()) { return CommandResult::UnknownIndex; }
  ActuatorSlot & slot = *actuators_[index];
  auto & bodies = world_.body_list();
  Body * wanted = nullptr;
  if (command.actuate) {
    const bool by_body = command.body != no_index;
    if (by_body && command.body >= bodies.size()) { return CommandResult::UnknownIndex; }
    if (!by_body && command.sensor >= sensors_.size()) { return CommandResult::UnknownIndex; }
    if (by_body) { wanted = bodies[command.body].get(); }
    if (wanted == slot.parent) { return CommandResult::NotCommandable; }
    if (command.offset && !command.offset->matrix().allFinite()) {
      return CommandResult::NotFinite;
    }
  }
  slot.command = command;
  slot.wanted = wanted;
  slot.asked = command.sensor < sensors_.size() ? sensors_.at(command.sensor) : nullptr;
  return CommandResult::Ok;
}

ActuatorState Actuators::state(ActuatorIndex index) const
{
  if (index >= actuators_.size()) { return {}; }
  const Body * held = actuators_[index]->held;
  return {held != nullptr, index_or_none(held)};
}

void Actuators::before_step()
{
  bool changed = false;
  for (const auto & slot : actuators_) {
    const bool closes_now = closes(*slot);
    const bool commanded = slot->command.actuate;
    const bool other = commanded && slot->wanted && slot->held != slot->wanted;
    const bool kept = commanded || (slot->held_by_jaw && slot->jaw_closed);
    if (slot->held && (!kept || other)) {
      release(*slot);
      changed = true;
    }
    if (slot->held) { apply_parameters(*slot); }
    if (slot->held || !(commanded || closes_now)) { continue; }
    Body * body = slot->wanted;
    if (!body && commanded && slot->command.sensor != no_index) {
      body = sensors_.nearest(slot->command.sensor);
    }
    if (!commanded) { body = sensors_.nearest(sensors_.index_of_slot(slot->jaw_sensor)); }
    if (!body || body == slot->parent) { continue; }
    grasp(*slot, *body);
    slot->held_by_jaw = !commanded;
    changed = true;
  }
  if (changed) { world_.order_constraints(); }
}

void Actuators::grasp(ActuatorSlot & slot, Body & body)
{
  const btTransform frame_parent = slot.parent->t_inertial_body * to_bt(slot.info.location);
  btTransform frame_body;
  if (slot.command.offset) {
    frame_body = body.t_inertial_body * to_bt(Eigen::Isometry3d(slot.command.offset->inverse()));
  } else {
    frame_body = body.rigid->getWorldTransform().inverse() *
                 slot.parent->rigid->getWorldTransform() * frame_parent;
  }
  take(slot, body, frame_parent, frame_body);
}

void Actuators::take(
  ActuatorSlot & slot, Body & body, const btTransform & frame_parent,
  const btTransform & frame_body)
{
  AxisJoint::Settings s;
  s.kind = AxisJoint::Kind::Fixed;
  s.frame_parent = frame_parent;
  s.frame_child = frame_body;
  slot.constraint = std::make_unique<AxisJoint>(*slot.parent->rigid, *body.rigid, s);
  slot.constraint->setJointFeedback(&slot.feedback);
  slot.feedback = btJointFeedback{};
  slot.held = &body;
  apply_parameters(slot);
  world_.bullet().add_joint(*slot.constraint);
}

void Actuators::apply_parameters(ActuatorSlot & slot) const
{
  const Parameters & p = world_.parameters();
  slot.constraint->softness.erp = p.joint_erp;
  slot.constraint->softness.cfm = p.joint_cfm;
}

void Actuators::release(ActuatorSlot & slot)
{
  if (!slot.constraint) { return; }
  world_.bullet().remove_joint(*slot.constraint);
  slot.constraint.reset();
  slot.held = nullptr;
  slot.held_by_jaw = false;
}

void Actuators::order_constraints()
{
  for (const auto & slot : actuators_) {
    if (!slot->constraint) { continue; }
    world_.bullet().remove_joint(*slot->constraint);
    world_.bullet().add_joint(*slot->constraint);
  }
}

void Actuators::add_wrench(const Body & body, btVector3 & force, btVector3 & torque) const
{
  for (const auto & slot : actuators_) {
    if (slot->parent == &body && slot->held) {
      force += slot->feedback.m_appliedForceBodyA;
      torque += slot->feedback.m_appliedTorqueBodyA;
    } else if (slot->held == &body) {
      force += slot->feedback.m_appliedForceBodyB;
      torque += slot->feedback.m_appliedTorqueBodyB;
    }
  }
}

void Actuators::hash(Hasher & h) const
{
  for (const auto & slot : actuators_) {
    h.add(
      std::uint64_t{slot->command.actuate}, std::uint64_t{slot->command.body},
      std::uint64_t{slot->command.sensor}, std::uint64_t{index_or_none(slot->held)});
    if (slot->command.offset) { h.add(to_bt(*slot->command.offset)); }
    if (slot->grasp) {
      h.add(std::uint64_t{slot->jaw_closed}, std::uint64_t{slot->held_by_jaw}, 0, 0);
    }
    if (slot->constraint) {
      h.add(slot->constraint->settings().frame_parent);
      h.add(slot->constraint->settings().frame_child);
    }
  }
}

void Actuators::save(Writer & out) const
{
  for (const auto & slot : actuators_) {
    out.put(slot->command.actuate);
    out.put(slot->command.body);
    out.put(slot->command.sensor);
    out.put(slot->command.offset.has_value());
    put(out, to_bt(slot->command.offset.value_or(Eigen::Isometry3d::Identity())));
    if (slot->grasp) {
      out.put(slot->jaw_closed);
      out.put(slot->held_by_jaw);
    }
    out.put(index_or_none(slot->held));
    if (slot->held) {
      put(out, slot->constraint->settings().frame_parent);
      put(out, slot->constraint->settings().frame_child);
    }
  }
}

void Actuators::restore(Reader & in)
{
  auto & bodies = world_.body_list();
  const auto body_at = [&](BodyIndex i) { return i < bodies.size() ? bodies[i].get() : nullptr; };
  for (const auto & slot : actuators_) {
    release(*slot);
    slot->command.actuate = in.get<bool>();
    slot->command.body = in.get<BodyIndex>();
    slot->wanted = body_at(slot->command.body);
    slot->command.sensor = in.get<SensorIndex>();
    slot->asked =
      slot->command.sensor < sensors_.size() ? sensors_.at(slot->command.sensor) : nullptr;
    const bool has_offset = in.get<bool>();
    const btTransform offset = get_transform(in);
    slot->command.offset.reset();
    if (has_offset) { slot->command.offset = to_eigen(offset); }
    if (slot->grasp) { slot->jaw_closed = in.get<bool>(); }
    const bool held_by_jaw = slot->grasp && in.get<bool>();
    Body * held = body_at(in.get<BodyIndex>());
    if (held) {
      const btTransform frame_parent = get_transform(in);
      const btTransform frame_body = get_transform(in);
      take(*slot, *held, frame_parent, frame_body);
    }
    slot->held_by_jaw = held_by_jaw;
  }
  order_constraints();
}

void Actuators::reset()
{
  for (const auto & slot : actuators_) {
    release(*slot);
    slot->command = ActuatorCommand{};
    slot->wanted = nullptr;
    slot->asked = nullptr;
    slot->jaw_closed = false;
  }
}

void Actuators::describe(Hasher & h) const
{
  for (const auto & slot : actuators_) {
    add_text(h, slot->info.qualified);
    if (slot->grasp) { add_text(h, "grasp"); }
  }
}

}  // namespace ambf_dynamics
