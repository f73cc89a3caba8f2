// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ambf_adf/lineage.hpp"
#include "ambf_dynamics/world.hpp"
#include "bullet_world.hpp"
#include "bytes.hpp"
#include "command_rate.hpp"
#include "rotations.hpp"
#include "shapes.hpp"

namespace ambf_dynamics
{

/// What a body's Cartesian controller remembers between steps.
struct CartesianMemory
{
  CommandRate rate[3];        // of the commanded position, per world axis
  CommandRate turn_rate[3];   // of the commanded orientation, likewise
  btVector3 turned{0, 0, 0};  // sum of the turns between commands [rad]
  btVector3 linear_integral{0, 0, 0};
  btVector3 angular_integral{0, 0, 0};
};

/// Frames: B body, I inertial (centre of mass; Bullet's body frame), T_BI fixed.
struct Body
{
  BodyInfo info;
  int id = 0;  // canonical order, never reused
  std::shared_ptr<BuiltShape> shape;
  std::unique_ptr<btRigidBody> rigid;
  btTransform t_body_inertial;
  btTransform t_inertial_body;
  btTransform initial;  // T_WI at load
  double scale = 1.0;
  std::vector<int> collision_groups;  // sorted
  bool ignores_own_model = false;
  std::optional<Eigen::Vector3d> own_gravity;
  ambf_adf::CartesianController controller;
  ambf_adf::CartesianController file_controller;
  std::optional<ambf_adf::PoseHold> hold;  // the file's: pose commands are constraints
  BodyCommand command;                     // mode None: nothing commanded
  CartesianMemory memory;
  btTransform kinematic_goal;     // T_WI at the end of this step, while `moves_by_command`
  bool moves_by_command = false;  // mass 0 with a standing pose or twist command
  bool pushed = false;            // by add_body_wrench, until the step is taken

  btTransform pose() const { return rigid->getWorldTransform() * t_inertial_body; }  // T_WB
};

struct JointSlot
{
  JointInfo info;
  std::unique_ptr<btTypedConstraint> constraint;
  AxisJoint * axis = nullptr;  // the constraint, where it is one of ours
  bool ignores_collision = true;
  ambf_adf::Pid gains;
  ambf_adf::Pid file_gains;
  double motor_effort = 0.0;  // largest effort of the velocity motor
  double initial_position = 0.0;
  std::optional<double> file_erp;
  std::optional<double> file_cfm;
  double file_damping = 0.0;
  bool holds = false;   // the file's `hold position`: uncommanded, it stays at `value`
  bool let_go = false;  // in this step, because a body of its arm is led
  JointMode mode = JointMode::Release;
  double value = 0.0;
  CommandRate rate;
  double integral = 0.0;
  btJointFeedback feedback{};  // filled by the solver while wrenches are reported

  /// AMBF reports the angle of a hinge within -pi and pi, and so do we where no limit says how far the joint
  /// has turned. A `continuous` joint counts its turns from where it was loaded; reset and restore bring theirs.
  double reported_position() const
  {
    if (!axis) { return 0.0; }
    const bool wrapped = info.type == ambf_adf::JointType::Revolute && !info.limits;
    return wrapped ? wrap_angle(axis->position()) : axis->position();
  }
};

struct ModelRecord
{
  ModelHandle handle;
  std::string name;
  bool compensates_gravity = false;
};

class WorldImpl;
class Actuators;
class Ghosts;
class PoseHolds;
class Sensors;
class SoftBodies;

/// A part of the world with objects of its own (soft bodies, sensors, actuators, ghosts). Sections are
/// called in the order in which WorldImpl lists them.
class WorldSection
{
public:
  virtual ~WorldSection() = default;
  /// Adds the model's objects of this kind. `bodies` are the model's bodies in order. Errors leave
  /// nothing behind after `remove_model`.
  virtual void add_model(
    const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
    ambf_adf::Problems & problems) = 0;
  virtual void remove_model(ModelHandle handle) = 0;
  virtual bool remove_object(std::string_view) { return false; }
  /// The body is about to be destroyed.
  virtual void body_removed(Body &) {}
  /// Dense indices are new: update what was told to users.
  virtual void renumber() {}
  /// Before controllers' forces are integrated: rays, forces, grasps.
  virtual void before_step() {}
  /// After the solver: write the sections of the flat state.
  virtual void write_state(State &) {}
  /// Puts the section's constraints behind all others, in manifest order, whatever came first.
  virtual void order_constraints() {}
  /// An object of the section whose state is not finite any more.
  virtual const ObjectNames * diverged() const { return nullptr; }
  /// Reads State::contacts in write_state, whether they are reported or not.
  virtual bool needs_contacts() const { return false; }
  /// Adds the constraint forces that the section's objects put on a body: world axes, torque about
  /// the centre of mass.
  virtual void add_wrench(const Body &, btVector3 &, btVector3 &) const {}
  virtual void hash(Hasher &) const {}
  virtual void save(Writer &) const {}
  virtual void restore(Reader &) {}
  virtual void reset() {}
  /// Part of the fingerprint of what the world holds.
  virtual void describe(Hasher &) const {}
};

/// The world. Building is in build.cpp, control laws in control.cpp, saving in snapshot.cpp.
class WorldImpl final : public World
{
public:
  explicit WorldImpl(const Parameters & parameters);
  ~WorldImpl() override;

  void read_meshes(const ambf_adf::Model & model) override;
  expected<AddedModel, Errors> add_model(
    const ambf_adf::Model & model, const Eigen::Isometry3d & t_world_model) override;
  bool remove_model(ModelHandle model) override;
  bool remove_object(std::string_view qualified) override;
  std::uint32_t revision() const override { return revision_; }
  std::span<const BodyInfo> bodies() const override { return body_infos_; }
  std::span<const JointInfo> joints() const override { return joint_infos_; }
  std::optional<BodyIndex> find_body(std::string_view qualified) const override;
  std::optional<JointIndex> find_joint(std::string_view qualified) const override;
  std::span<const JointIndex> client_joints(BodyIndex body) const override;

  CommandResult set_joint_command(JointIndex joint, JointMode mode, double value) override;
  CommandResult set_body_command(BodyIndex body, const BodyCommand & command) override;
  JointMode joint_command(JointIndex joint) const override { return joints_[joint]->mode; }
  const BodyCommand & body_command(BodyIndex body) const override { return bodies_[body]->command; }
  bool set_gravity_compensation(ModelHandle model, bool on) override;
  bool gravity_compensation(ModelHandle model) const override;
  CommandResult set_joint_gains(JointIndex joint, const ambf_adf::Pid & gains) override;
  const ambf_adf::Pid & joint_gains(JointIndex joint) const override
  {
    return joints_[joint]->gains;
  }
  CommandResult set_body_gains(
    BodyIndex body, const ambf_adf::CartesianController & gains) override;
  CommandResult set_body_state(
    BodyIndex body, const Eigen::Isometry3d & t_world_body, const Eigen::Vector3d & linear_velocity,
    const Eigen::Vector3d & angular_velocity) override;

  std::span<const SensorInfo> sensors() const override;
  std::span<const ActuatorInfo> actuators() const override;
  std::span<const GhostInfo> ghosts() const override;
  std::span<const SoftBodyInfo> soft_bodies() const override;
  SensorReading sensor_reading(SensorIndex sensor) const override;
  CommandResult set_actuator_command(
    ActuatorIndex actuator, const ActuatorCommand & command) override;
  ActuatorState actuator_state(ActuatorIndex actuator) const override;
  std::span<const BodyIndex> ghost_reading(GhostIndex ghost) const override;
  CommandResult set_soft_body_command(
    SoftBodyIndex soft_body, const SoftBodyCommand & command) override;
  Eigen::AlignedBox3d body_bounds(BodyIndex body) const override;
  Wrench body_wrench(BodyIndex body) const override;

  using World::step;
  StepStatus step() override;
  const Divergence & divergence() const override { return divergence_; }
  const State & state() const override { return state_; }
  std::vector<std::byte> save(std::span<const SavedPart> beside) const override;
  expected<void, Errors> restore(std::span<const std::byte> bytes) override;
  expected<void, Errors> restorable(std::span<const std::byte> bytes) const override;
  void reset(bool time) override;
  void reset_time() override;
  const Parameters & parameters() const override { return parameters_; }
  expected<void, Errors> set_parameters(const Parameters & parameters) override;
  CommandResult add_body_wrench(BodyIndex body, const Wrench & at_origin) override;

  // For sections.
  BulletWorld & bullet() { return bullet_; }
  ShapeFactory & shapes() { return shapes_; }
  std::vector<std::unique_ptr<Body>> & body_list() { return bodies_; }
  Body * body_by_name(std::string_view qualified);
  /// As it is reported. [m, rad]
  double joint_position(JointIndex joint) const { return joints_[joint]->reported_position(); }
  int next_id() { return next_id_++; }
  std::uint64_t step_number() const { return step_; }  ///< goes on when reported time is reset
  /// Joints first, then the constraints of each section: the order decides what the solver does.
  void order_constraints();
  /// Bodies or joints came or went: new revision, dense indices, collision rules.
  void content_changed();

private:
  // build.cpp
  std::unique_ptr<Body> make_body(
    const ambf_adf::RigidBody & source, const ambf_adf::Model & model, ModelHandle handle,
    ambf_adf::Problems & problems);
  std::unique_ptr<JointSlot> make_joint(
    const ambf_adf::Joint & source, Body & parent, Body & child, ModelHandle handle);
  void remove_body_at(std::size_t index);
  void remove_joint_at(std::size_t index);
  void number_everything();
  /// The part of `content_changed` that is needed where bodies and joints have their numbers.
  void sections_changed();
  bool may_collide(const btCollisionObject & a, const btCollisionObject & b) const;
  /// start_overlaps.cpp: finds pairs that begin without their deep contact points, of one model or of all.
  void find_start_overlaps(std::optional<ModelHandle> only, ambf_adf::Problems * warnings);
  bool surfaces_clear(const Body & filled, const Body & other, double shallow) const;
  void apply_joint_parameters(JointSlot & slot) const;
  void apply_gravity_settings();

  // world_objects.cpp
  void make_sections();
  bool soft_may_collide(const btCollisionObject & a, const btCollisionObject & b) const;

  // control.cpp
  void update_joint_drive(JointSlot & slot);
  void update_body_control(Body & body);
  void update_controllers();

  // joint_holds.cpp
  void number_joint_holds();
  void let_joints_go();

  /// Bodies of mass 0 arrive where their velocity took them during the step.
  void finish_kinematic_moves();

  // snapshot.cpp
  std::uint64_t hash() const;
  std::uint64_t fingerprint() const;
  struct Saved;
  expected<Saved, Errors> read_saved(std::span<const std::byte> bytes) const;

  // reported_state.cpp
  void write_state();
  void write_contacts();
  BodyIndex index_of_id(std::uint64_t id) const;  // of a body that is there
  bool find_divergence();

  Parameters parameters_;
  BulletWorld bullet_;
  ShapeFactory shapes_;
  std::vector<std::unique_ptr<Body>> bodies_;  // dense, canonical order
  std::vector<std::unique_ptr<JointSlot>> joints_;
  std::vector<ModelRecord> models_;
  std::vector<std::unique_ptr<WorldSection>> sections_;
  Sensors * sensors_ = nullptr;  // in sections_, as the next three
  Actuators * actuators_ = nullptr;
  Ghosts * ghosts_ = nullptr;
  SoftBodies * soft_bodies_ = nullptr;
  std::vector<std::pair<int, int>> linked_;  // ids of bodies whose joint switches contact off
  std::vector<BodyInfo> body_infos_;
  std::vector<JointInfo> joint_infos_;
  std::vector<std::vector<JointIndex>> client_joints_;
  std::vector<std::vector<JointIndex>> joints_at_;  // per body
  std::vector<std::vector<JointIndex>>
    lets_go_;  // per body: joints that do not hold while it is led
  std::unordered_map<std::string, BodyIndex> body_by_name_;
  std::unordered_map<std::string, JointIndex> joint_by_name_;
  int next_id_ = 1;
  std::uint32_t next_model_ = 1;
  std::uint32_t revision_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t step_origin_ = 0;  // reported steps count from here
  State state_;
  Divergence divergence_;
  bool diverged_ = false;
};

/// Reasons why parameters cannot be used; empty if they can.
ambf_adf::Problems check(const Parameters & parameters);

ambf_adf::Problem make_error(
  ambf_adf::ProblemKind kind, std::string key, std::string found, std::string expected,
  std::string hint);

}  // namespace ambf_dynamics
