// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/model.hpp"
#include "ambf_dynamics/command.hpp"
#include "ambf_dynamics/objects.hpp"
#include "ambf_dynamics/parameters.hpp"
#include "ambf_dynamics/saved_state.hpp"
#include "ambf_dynamics/state.hpp"

namespace ambf_dynamics
{

using ambf_adf::Errors;
using ambf_adf::expected;

struct BodyInfo
{
  std::string identifier;  ///< of the ADF block
  std::string name;        ///< published name
  std::string qualified;   ///< unique in the world
  std::string topic;
  ModelHandle model;
  BodyIndex parent = no_index;  ///< parent by the first joint that has this body as child
  double mass = 0.0;            ///< [kg]; 0 = static or kinematic
  Eigen::Vector3d inertia =
    Eigen::Vector3d::Zero();  ///< principal, about the centre of mass [kg m^2]
  Eigen::Isometry3d inertial_offset =
    Eigen::Isometry3d::Identity();  ///< T_BI: centre of mass in body frame
  bool passive = false;
};

struct JointInfo
{
  std::string identifier;
  std::string name;
  std::string qualified;
  ModelHandle model;
  BodyIndex parent = no_index;
  BodyIndex child = no_index;
  ambf_adf::JointType type = ambf_adf::JointType::Revolute;
  bool closes_loop = false;
  bool passive = false;
  bool commandable = false;  ///< has one free axis and its motor is enabled
  std::optional<ambf_adf::JointLimits> limits;
  std::optional<double> effort_limit;  ///< of position and effort commands [N m or N]
  /// What its position law gives: a velocity (then only P counts [1/s]) or an effort.
  ambf_adf::ControlOutput controller_output = ambf_adf::ControlOutput::Velocity;
};

/// How a model fitted its joints at load. Positions are those of the worst joint.
struct ClosureReport
{
  double position_error_before = 0.0;  ///< [m]
  double angle_error_before = 0.0;     ///< [rad]
  double position_error_after = 0.0;
  double angle_error_after = 0.0;
  std::string worst_joint;  ///< before; "" for a model without joints
  bool moved = false;       ///< bodies were placed anew
};

struct AddedModel
{
  ModelHandle handle;
  std::vector<BodyIndex> bodies;  ///< dense indices at this revision
  std::vector<JointIndex> joints;
  ClosureReport closure;
  ambf_adf::Problems warnings;  ///< e.g. missing meshes, mass ratios
};

enum class StepStatus : std::uint8_t
{
  Ok,
  Diverged,  ///< a body is not finite or too fast: see World::divergence; the state is the last good one
};

struct Divergence
{
  BodyIndex body = no_index;  ///< no_index: a soft body, which the reason names
  std::uint64_t step = 0;
  std::string reason;
};

/// A world of rigid bodies, joints, soft bodies and sensors made from ADF models. One owner at a
/// time: no member is safe to call while another runs.
///
/// `step`, the commands and `read_state` neither allocate nor block nor log once the world has
/// warmed up; everything else may.
class World
{
public:
  virtual ~World() = default;

  /// Reads the mesh files of a model ahead of `add_model`, which then finds them in memory. The one member
  /// that may be called by any thread at any time.
  virtual void read_meshes(const ambf_adf::Model & model) = 0;
  /// Adds a model whose references are resolved (ambf_adf::Scene::add), moved by T_WM. All or nothing.
  virtual expected<AddedModel, Errors> add_model(
    const ambf_adf::Model & model,
    const Eigen::Isometry3d & t_world_model = Eigen::Isometry3d::Identity()) = 0;
  /// False: no such model, object. Joints, sensors and anchors at a removed body go with it.
  virtual bool remove_model(ModelHandle model) = 0;
  virtual bool remove_object(std::string_view qualified) = 0;

  virtual std::uint32_t revision() const = 0;
  virtual std::span<const BodyInfo> bodies() const = 0;
  virtual std::span<const JointInfo> joints() const = 0;
  /// By qualified identifier.
  virtual std::optional<BodyIndex> find_body(std::string_view qualified) const = 0;
  virtual std::optional<JointIndex> find_joint(std::string_view qualified) const = 0;
  /// The body's descendant joints in AMBF's client order (what `joint_names` and `joint_cmds` index).
  virtual std::span<const JointIndex> client_joints(BodyIndex body) const = 0;

  /// Commands hold until replaced or released. The step that begins or ends a BodyMode::Hold allocates.
  virtual CommandResult set_joint_command(JointIndex joint, JointMode mode, double value) = 0;
  virtual CommandResult set_body_command(BodyIndex body, const BodyCommand & command) = 0;
  /// What stands; None or Release: nobody's command.
  virtual JointMode joint_command(JointIndex joint) const = 0;
  virtual const BodyCommand & body_command(BodyIndex body) const = 0;
  // What the next two change is part of the state, its hash and what is saved; `reset` brings back what
  // the files say.
  /// Gravity compensation: cancels gravity on every body of a model, as an ideal balance would. False:
  /// no such model.
  virtual bool set_gravity_compensation(ModelHandle model, bool on) = 0;
  virtual bool gravity_compensation(ModelHandle model) const = 0;
  /// Replaces the PID of a joint (gains below 0 are refused; those of a file count as 0), or the
  /// Cartesian controller of a body. The integral begins anew.
  virtual CommandResult set_joint_gains(JointIndex joint, const ambf_adf::Pid & gains) = 0;
  virtual const ambf_adf::Pid & joint_gains(JointIndex joint) const = 0;
  virtual CommandResult set_body_gains(
    BodyIndex body, const ambf_adf::CartesianController & gains) = 0;
  /// Places a body and its velocity at once, outside any dynamics (for tests, tasks and teleport).
  virtual CommandResult set_body_state(
    BodyIndex body, const Eigen::Isometry3d & t_world_body,
    const Eigen::Vector3d & linear_velocity = Eigen::Vector3d::Zero(),
    const Eigen::Vector3d & angular_velocity = Eigen::Vector3d::Zero()) = 0;

  virtual std::span<const SensorInfo> sensors() const = 0;
  virtual std::span<const ActuatorInfo> actuators() const = 0;
  virtual std::span<const GhostInfo> ghosts() const = 0;
  virtual std::span<const SoftBodyInfo> soft_bodies() const = 0;
  /// Empty for an unknown index.
  virtual SensorReading sensor_reading(SensorIndex sensor) const = 0;
  /// Takes effect at the next step; the step that takes or lets go of a body allocates.
  virtual CommandResult set_actuator_command(
    ActuatorIndex actuator, const ActuatorCommand & command) = 0;
  virtual ActuatorState actuator_state(ActuatorIndex actuator) const = 0;
  /// The bodies that overlap a ghost, in order of their indices: those whose distance to it, with the
  /// collision margins of both, is below zero. A closed mesh of a ghost is a volume; concave meshes of
  /// bodies are surfaces, as in contact. Soft bodies are not listed.
  virtual std::span<const BodyIndex> ghost_reading(GhostIndex ghost) const = 0;
  virtual CommandResult set_soft_body_command(
    SoftBodyIndex soft_body, const SoftBodyCommand & command) = 0;
  /// Bounding box of the collision shape with its margin, world frame; empty without a shape.
  virtual Eigen::AlignedBox3d body_bounds(BodyIndex body) const = 0;
  /// What joints (with Parameters::report_wrenches), actuators and holds did to the body in the last
  /// integration step: sum of their constraint forces, at the origin and in the axes of the body frame.
  /// Effort commands are no constraint forces. Zero after load, reset and restore.
  virtual Wrench body_wrench(BodyIndex body) const = 0;

  /// One step of `step_size`: commands, controllers, sensors, solver, state.
  virtual StepStatus step() = 0;
  /// Stops early when the world diverges.
  StepStatus step(std::uint32_t count)
  {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const StepStatus status = step(); status != StepStatus::Ok) { return status; }
    }
    return StepStatus::Ok;
  }
  virtual const Divergence & divergence() const = 0;

  /// The state after the last step (or after load, reset, restore); valid until the next call.
  virtual const State & state() const = 0;
  /// Copies into a slot of the caller's.
  void read_state(State & out) const
  {
    // The world's own list grows in leaps; a slot that follows it point by point would allocate for each.
    out.contacts.reserve(state().contacts.capacity());
    out = state();
  }

  /// Everything that the next step reads, and `beside` it what others of the same moment read, see
  /// saved_state. Does not alter the run.
  virtual std::vector<std::byte> save(std::span<const SavedPart> beside = {}) const = 0;
  /// Continues bit for bit where `save` was called. The world must hold the same bodies and joints.
  virtual expected<void, Errors> restore(std::span<const std::byte> saved) = 0;
  /// Whether `restore` would succeed; nothing changes.
  virtual expected<void, Errors> restorable(std::span<const std::byte> saved) const = 0;
  /// Back to how every model was placed at load, at rest, without commands, with the files' gains and
  /// gravity; `time` also zeroes the step counter.
  virtual void reset(bool time = true) = 0;
  /// Step counter and time to 0; everything else goes on.
  virtual void reset_time() = 0;

  virtual const Parameters & parameters() const = 0;
  /// Takes effect at the next step. Errors name the parameter.
  virtual expected<void, Errors> set_parameters(const Parameters & parameters) = 0;

  /// Pushes a body during the next step, on top of its command and of everything else that pushes it:
  /// force at the origin of the body frame and torque, world axes. Does not last: neither saved nor
  /// hashed, and gone after the step. No effect on bodies of mass 0.
  virtual CommandResult add_body_wrench(BodyIndex body, const Wrench & at_origin) = 0;
};

/// Makes an empty world. Fails with a reason for impossible parameters.
[[gnu::visibility("default")]]
expected<std::unique_ptr<World>, Errors> make_world(const Parameters & parameters = {});

}  // namespace ambf_dynamics
