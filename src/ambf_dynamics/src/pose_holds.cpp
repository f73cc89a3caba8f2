// SPDX-License-Identifier: BSD-3-Clause
#include "pose_holds.hpp"

#include <algorithm>

#include "section_names.hpp"

namespace ambf_dynamics
{
namespace
{

// Limits where neither the command nor the file gives any: enough to work with, and finite, since a
// constraint without a limit breaks whatever it presses on.
constexpr double default_force = 50.0;    // [N]
constexpr double default_weights = 20.0;  // and so many times the weight under 9.81 m/s^2
constexpr double default_lever = 0.1;  // [m] torque per force, beside the way to the centre of mass

void put(Writer & out, const btVector3 & v)
{
  for (int i = 0; i < 3; ++i) { out.put(static_cast<double>(v[i])); }
}

btVector3 get_vector(Reader & in)
{
  const double x = in.get<double>();
  const double y = in.get<double>();
  return {x, y, in.get<double>()};
}

double first_positive(double a, double b, double otherwise)
{
  return a > 0.0 ? a : b > 0.0 ? b : otherwise;
}

}  // namespace

bool is_held(const Body & body)
{
  if (body.info.mass <= 0.0) { return false; }
  return body.command.mode == BodyMode::Hold || (body.command.mode == BodyMode::Pose && body.hold);
}

PoseHolds::PoseHolds(WorldImpl & world)
: world_(world), anchor_(btRigidBody::btRigidBodyConstructionInfo(0.0, nullptr, nullptr))
{
}

PoseHolds::~PoseHolds()
{
  for (Slot & slot : slots_) { release(slot); }
}

std::vector<PoseHolds::Slot>::iterator PoseHolds::find(const Body & body)
{
  return std::lower_bound(slots_.begin(), slots_.end(), body.id, [](const Slot & slot, int id) {
    return slot.body->id < id;
  });
}

HoldJoint & PoseHolds::take(Body & body)
{
  Slot slot{&body, std::make_unique<HoldJoint>(anchor_, *body.rigid, body.t_inertial_body)};
  world_.bullet().add_joint(*slot.joint);
  return *slots_.insert(find(body), std::move(slot))->joint;
}

void PoseHolds::release(Slot & slot) { world_.bullet().remove_joint(*slot.joint); }

void PoseHolds::body_removed(Body & body)
{
  const auto at = find(body);
  if (at == slots_.end() || at->body != &body) { return; }
  release(*at);
  slots_.erase(at);
}

void PoseHolds::before_step()
{
  const auto let_go = [this](Slot & slot) {
    if (is_held(*slot.body)) { return false; }
    release(slot);
    return true;
  };
  std::erase_if(slots_, let_go);
  bool taken = false;
  for (const auto & body : world_.body_list()) {
    if (!is_held(*body)) { continue; }
    const auto at = find(*body);
    const bool fresh = at == slots_.end() || at->body != body.get();
    taken = taken || fresh;
    aim(*body, fresh ? take(*body) : *at->joint);
  }
  if (taken) { world_.order_constraints(); }
}

void PoseHolds::aim(const Body & body, HoldJoint & joint) const
{
  const BodyCommand & command = body.command;
  const CartesianMemory & memory = body.memory;
  const std::uint64_t now = world_.step_number();
  HoldJoint::Aim aim;
  aim.pose = btTransform(to_bt(command.orientation.toRotationMatrix()), to_bt(command.position));
  aim.rate =
    btVector3(memory.rate[0].rate(now), memory.rate[1].rate(now), memory.rate[2].rate(now));
  aim.turn_rate = btVector3(
    memory.turn_rate[0].rate(now), memory.turn_rate[1].rate(now), memory.turn_rate[2].rate(now));
  const double file_force = body.hold ? body.hold->max_force : 0.0;
  const double file_torque = body.hold ? body.hold->max_torque : 0.0;
  aim.max_force = first_positive(
    command.max_force, file_force, default_force + default_weights * body.info.mass * 9.81);
  aim.max_torque = first_positive(
    command.max_torque, file_torque,
    aim.max_force * (default_lever + body.t_body_inertial.getOrigin().length()));
  joint.aim(aim);
}

void PoseHolds::order_constraints()
{
  for (Slot & slot : slots_) {
    world_.bullet().remove_joint(*slot.joint);
    world_.bullet().add_joint(*slot.joint);
  }
}

void PoseHolds::add_wrench(const Body & body, btVector3 & force, btVector3 & torque) const
{
  for (const Slot & slot : slots_) {
    if (slot.body != &body) { continue; }
    const btVector3 arm = body.pose().getOrigin() - body.rigid->getWorldTransform().getOrigin();
    force += slot.joint->force();
    torque += slot.joint->torque() + arm.cross(slot.joint->force());
  }
}

void PoseHolds::hash(Hasher & h) const
{
  for (const Slot & slot : slots_) {
    h.add(slot.joint->force(), static_cast<double>(index_of(*slot.body)));
    h.add(slot.joint->torque(), 0.0);
  }
}

void PoseHolds::save(Writer & out) const
{
  out.put(static_cast<std::uint64_t>(slots_.size()));
  for (const Slot & slot : slots_) {
    out.put(index_of(*slot.body));
    put(out, slot.joint->force());
    put(out, slot.joint->torque());
  }
}

void PoseHolds::restore(Reader & in)
{
  reset();
  auto & bodies = world_.body_list();
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const auto index = in.get<BodyIndex>();
    const btVector3 force = get_vector(in);
    const btVector3 torque = get_vector(in);
    if (index < bodies.size()) { take(*bodies[index]).restore_efforts(force, torque); }
  }
}

void PoseHolds::reset()
{
  for (Slot & slot : slots_) { release(slot); }
  slots_.clear();
}

}  // namespace ambf_dynamics
