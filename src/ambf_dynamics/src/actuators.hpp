// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "axis_joint.hpp"
#include "sensors.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

struct ActuatorSlot
{
  ActuatorInfo info;
  Body * parent = nullptr;
  ActuatorCommand command;
  Body * wanted = nullptr;             // body of the command; its index may change
  const SensorSlot * asked = nullptr;  // sensor of the command, likewise
  Body * held = nullptr;
  std::optional<ambf_adf::Grasp> grasp;  // what its jaw does, by names
  const SensorSlot * jaw_sensor = nullptr;
  std::vector<JointIndex> jaw;  // empty where sensor or joints are gone
  bool jaw_closed = false;
  bool held_by_jaw = false;
  std::unique_ptr<AxisJoint> constraint;  // while something is held
  btJointFeedback feedback;
};

/// Constraint actuators: a rigid joint between the parent and the held body, made and taken away while
/// the world runs. Making one allocates; the steps in between do not.
class Actuators final : public WorldSection
{
public:
  Actuators(WorldImpl & world, Sensors & sensors) : world_(world), sensors_(sensors) {}
  ~Actuators() override;

  void add_model(
    const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
    ambf_adf::Problems & problems) override;
  void remove_model(ModelHandle handle) override;
  bool remove_object(std::string_view qualified) override;
  void body_removed(Body & body) override;
  void renumber() override;
  void before_step() override;
  void order_constraints() override;
  void hash(Hasher & h) const override;
  void save(Writer & out) const override;
  void restore(Reader & in) override;
  void reset() override;
  void describe(Hasher & h) const override;
  void add_wrench(const Body & body, btVector3 & force, btVector3 & torque) const override;

  const std::vector<ActuatorInfo> & infos() const { return infos_; }
  CommandResult set_command(ActuatorIndex index, const ActuatorCommand & command);
  ActuatorState state(ActuatorIndex index) const;

private:
  /// Joint frames in the inertial frames of the parent and of the held body.
  void take(
    ActuatorSlot & slot, Body & body, const btTransform & frame_parent,
    const btTransform & frame_body);
  void grasp(ActuatorSlot & slot, Body & body);
  /// Closed and opened jaws; true in the step in which it closes.
  bool closes(ActuatorSlot & slot) const;
  void find_jaw(ActuatorSlot & slot) const;
  void apply_parameters(ActuatorSlot & slot) const;
  void release(ActuatorSlot & slot);

  WorldImpl & world_;
  Sensors & sensors_;
  std::vector<std::unique_ptr<ActuatorSlot>> actuators_;
  std::vector<ActuatorInfo> infos_;
};

}  // namespace ambf_dynamics
