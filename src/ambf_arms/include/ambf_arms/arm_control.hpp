// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_arms/arm.hpp"
#include "ambf_arms/dynamics.hpp"
#include "ambf_arms/impedance.hpp"
#include "ambf_arms/joint_trajectory.hpp"
#include "ambf_arms/operating_state.hpp"
#include "ambf_arms/trajectory.hpp"

namespace ambf_arms
{

/// How a joint is driven until the next tick.
enum class Drive : std::uint8_t
{
  Off,       ///< nobody drives it
  Position,  ///< [rad or m]
  Effort,    ///< [N m or N]
};

/// What the machine is asked to do. The jaw's value is the angle between the fingers, or the effort
/// that closes (negative) or opens them.
struct ArmDrives
{
  std::array<Drive, max_joints> modes{};
  JointVector values;
  Drive jaw_mode = Drive::Off;
  double jaw = 0.0;
};

/// What the sensors say. The jaw is that of a PSM, or the gripper of an MTM.
struct MeasuredArm
{
  JointVector position, velocity, effort;
  double jaw_position = 0.0, jaw_velocity = 0.0, jaw_effort = 0.0;
};

/// Who makes the set-point.
enum class ControlMode : std::uint8_t
{
  Off,
  Position,      ///< servo_jp, servo_cp, hold
  Move,          ///< a trajectory
  Follow,        ///< somebody else's trajectory
  JointEffort,   ///< servo_jf
  BodyForce,     ///< body/servo_cf
  SpatialForce,  ///< spatial/servo_cf
  Impedance,     ///< servo_ci
  Free,          ///< no effort but against gravity
};

/// What moves an arm, for texts and for counting who was refused.
enum class ArmOrder : std::uint8_t
{
  ServoJp,
  ServoJr,
  ServoJf,
  ServoCp,
  BodyServoCf,
  SpatialServoCf,
  ServoCi,
  MoveJp,
  MoveJr,
  MoveCp,
  JawServoJp,
  JawMoveJp,
  JawServoJf,
  Hold,
  Free,
  LockOrientation,
  UnlockOrientation,
  SetRatio,
  SetBaseFrame,
  SetTool,
  FollowJointTrajectory,
  count,
};
const char * to_string(ArmOrder order) noexcept;  ///< "servo_jp", "body/servo_cf" ...

/// What clients are to be sent, in order.
struct ControlEvent
{
  enum class Kind : std::uint8_t
  {
    OperatingState,     ///< `mode`, `homed`, `busy`
    DesiredState,       ///< `text`
    Status,             ///< `text` for people
    Warning,            ///< `text`
    Error,              ///< `text`; any of these ends a console's teleoperation
    GoalReached,        ///< `flag`
    Ratio,              ///< `ratio`
    OrientationLocked,  ///< `flag`
    Tool,               ///< `text`: its name, "" for none
    BaseFrame,          ///< poses are in another frame from now on
    GripperClosed,      ///< `flag`
    GripperPinch,
    FollowEnded,  ///< `outcome`: what became of the trajectory that was accepted last
  };
  Kind kind = Kind::OperatingState;
  OperatingMode mode = OperatingMode::Disabled;
  bool homed = false;
  bool busy = false;
  bool flag = false;
  MotionRatio ratio;
  std::string text;
  FollowCode outcome = FollowCode::Successful;  ///< why: `text`
};

struct ControlOptions
{
  /// FAULT when a joint is too far from its set-point, with the dVRK's bounds. Simulated contacts
  /// bring that about easily, so that it is off unless asked for.
  bool tracking_fault = false;
  /// A force that is not renewed ends after this [s of the arm's time], and the arm holds; 0: it is
  /// held for ever, as by the dVRK.
  double force_timeout = 0.0;
  double homing_patience = 2.0;  ///< after the trajectory [s]
  double warning_period = 2.0;   ///< refusals of one sort are reported at most so often [s]
};

/// An arm under control, as the dVRK's software has it: commands and measured joints in, drives and
/// events out. A value. `tick` neither allocates nor throws while nothing happens; commands may
/// allocate for the texts of refusals.
///
/// All motion begins at the set-point, never at the measured joints; the jaw is the last joint of the
/// same trajectory. What is beyond a limit is clipped. Time is whatever the caller counts: simulated
/// time stands still in a paused world, and so does the arm.
class ArmControl
{
public:
  explicit ArmControl(Arm arm, const ControlOptions & options = {});

  const Arm & arm() const noexcept { return arm_; }
  const OperatingState & state() const noexcept { return state_; }
  ControlMode mode() const noexcept { return mode_; }
  const ArmDrives & drives() const noexcept { return drives_; }
  const MeasuredArm & measured() const noexcept { return measured_; }
  const MotionRatio & ratio() const noexcept { return ratio_; }
  /// Does it drive a jaw? An MTM has a gripper that people move.
  bool drives_jaw() const noexcept { return drives_jaw_; }
  /// What the machine is asked, after clipping; without the jaw.
  JointVector setpoint() const noexcept { return set_.position.head(arm_.joints()); }
  JointVector setpoint_velocity() const noexcept { return set_.velocity.head(arm_.joints()); }
  /// The set-point of the joints and of the jaw, where it drives one.
  const MotionState & motion() const noexcept { return set_; }
  /// Time of the trajectory that is followed [s]; below 0: it has not begun.
  double follow_time() const noexcept { return follow_time_; }
  double jaw_setpoint() const noexcept { return drives_jaw_ ? set_.position[arm_.joints()] : 0.0; }
  double jaw_setpoint_velocity() const noexcept
  {
    return drives_jaw_ ? set_.velocity[arm_.joints()] : 0.0;
  }
  /// Of the joints, where efforts are commanded or gravity is borne; else 0.
  const JointVector & setpoint_effort() const noexcept { return efforts_; }
  const JointVector & gravity_efforts() const noexcept { return weight_; }
  bool orientation_locked() const noexcept { return locked_.has_value(); }
  bool force_absolute() const noexcept { return absolute_; }
  bool gravity_compensation() const noexcept { return gravity_on_; }
  /// Are positions to be believed? Not before the arm is homed, nor while it is disabled.
  bool valid() const noexcept;
  /// May the tip be commanded now?
  bool cartesian_ready() const noexcept;
  /// The tool, "" while there is none.
  std::string_view tool() const noexcept;
  /// DISABLED, ENABLED, PAUSED or FAULT as an event has it now.
  ControlEvent state_event() const;

  // The machine.
  /// Wall time [s], for how often warnings are reported.
  void set_now(double now) noexcept { now_ = now; }
  /// Refuses other sizes and what is not finite. The first time, and after `machine_lost`, the
  /// set-point begins where the machine is.
  bool measure(const MeasuredArm & measured);
  /// Nothing more is heard of the machine: commands are refused until it is measured again. A move
  /// waits, since its client counts on the arm alone; somebody else's trajectory ends, since its times
  /// are over.
  void machine_lost();
  bool measured_now() const noexcept { return measured_once_; }
  /// The same arm, described better (by the model that was loaded). Keeps state, tool and base frame.
  /// False, and nothing is done, where it has other joints. The set-point stays.
  bool replace_arm(Arm arm);
  /// In the axes of the arm's own base [m/s^2].
  void set_gravity(const Eigen::Vector3d & gravity) noexcept { gravity_ = gravity; }
  /// Goes on by `dt` [s] and fills `drives`.
  void tick(double dt);
  /// The machine was put elsewhere (a reset of the world): the set-point is where it is now.
  void jumped();
  /// The machine cannot go on, e.g. its bodies are gone.
  void fail(std::string why);
  /// Whoever commanded a force, an effort or an impedance is gone: it ends, and the arm holds where it is.
  void force_client_gone();
  void jaw_force_client_gone();
  void tell(ControlEvent::Kind kind, std::string text);

  // Commands.
  void state_command(std::string_view command);
  void servo_jp(const JointVector & position, const JointVector & velocity = {});
  void servo_jr(const JointVector & change);
  /// Of forces and efforts: true where the command was taken.
  bool servo_jf(const JointVector & effort);
  void servo_cp(const Result<Eigen::Isometry3d> & goal);
  bool body_servo_cf(const Vector6 & wrench);
  bool spatial_servo_cf(const Vector6 & wrench);
  bool servo_ci(const CartesianImpedance & law);
  void move_jp(const JointVector & goal);
  void move_jr(const JointVector & change);
  void move_cp(const Result<Eigen::Isometry3d> & goal);
  /// Accepted: the end will be reported by FollowEnded. A trajectory or a move that runs is replaced
  /// without a jump of the set-point. Else: why not; that is not reported by an event, but by a warning.
  ambf_adf::expected<void, FollowOutcome> follow(
    const JointTrajectoryGoal & goal, const FollowDefaults & defaults);
  /// The client does not want it any more: the arm holds.
  void stop_following();
  void jaw_servo_jp(double position);
  void jaw_move_jp(double goal);
  bool jaw_servo_jf(double effort);
  /// A message with another number of values than there are joints, or than the jaw's one.
  void refuse_size(ArmOrder order, std::size_t found, std::size_t expected);
  void hold();
  void free();
  void lock_orientation(const Result<Eigen::Isometry3d> & orientation);
  void unlock_orientation();
  void set_force_absolute(bool absolute) noexcept { absolute_ = absolute; }
  void use_gravity_compensation(bool on) noexcept { gravity_on_ = on; }
  void set_ratio(double ratio);
  void set_ratio_v(double ratio);
  void set_ratio_a(double ratio);
  void set_base_frame(const Result<Eigen::Isometry3d> & frame, const std::string & reference);
  void set_tool(std::string_view name);
  void emulate_tool_present(bool present);

  // Tools with bodies. Whoever owns the machine may have to exchange them, which takes time: then `set_tool`
  // and `emulate_tool_present` only begin, the arm is busy, and the owner says when the machine is as wanted.
  void exchange_tools(bool by_owner) noexcept { tools_by_owner_ = by_owner; }
  bool tool_pending() const noexcept { return tool_pending_; }
  /// What the machine is to carry: "" for none.
  std::string_view wanted_tool() const noexcept
  {
    return wanted_present_ ? std::string_view(wanted_tool_) : std::string_view();
  }
  /// The machine carries another tool, or none: it is to have what is wanted.
  void tool_missing();
  /// The machine carries what is wanted. Set-points stay, within the ranges of the tool.
  void tool_engaged();
  /// It cannot: the tool that was there is wanted again.
  void tool_refused(const std::string & why);

  /// Hands every event to `use` and forgets it.
  template <class Use>
  void take_events(Use && use)
  {
    for (std::size_t i = 0; i < events_.size(); ++i) { use(events_[i]); }
    events_.clear();
  }
  bool has_events() const noexcept { return !events_.empty(); }

private:
  // Events.
  void happened(const ArmEvents & events);
  void act(ArmAction action);
  void add(ControlEvent event) { events_.push_back(std::move(event)); }
  void add_flag(ControlEvent::Kind kind, bool flag);
  void add_ratio();

  // Refusals.
  bool ready(ArmOrder order, bool cartesian = false);
  bool fits(ArmOrder order, const JointVector & values);
  bool fits(ArmOrder order, double value);
  bool fits(ArmOrder order, const Vector6 & wrench);
  bool has_jaw(ArmOrder order);
  void refuse(ArmOrder order, const std::string & why);
  /// A move that is not made: nobody is to wait for it.
  void not_reached() { add_flag(ControlEvent::Kind::GoalReached, false); }

  // Modes.
  bool moving() const noexcept
  {
    return mode_ == ControlMode::Move || mode_ == ControlMode::Follow;
  }
  void enter(ControlMode mode);
  void end_move(bool reached);
  void end_follow(FollowCode code, std::string why);
  void follow_ended(FollowCode code, std::string why);
  void start_move(const JointVector & goal);
  void start_homing();
  void begin_engaging();
  void align_turns() noexcept;
  int joint_not_at_home() const noexcept;  ///< the first one, or -1
  bool in_force() const noexcept;
  bool pushes() const noexcept;  ///< by a force, an effort or an impedance of a client
  void set_at_measured();
  void size_setpoint();
  MotionLimits all_limits() const noexcept;
  JointVector move_base() const noexcept;
  double clip_jaw(double value) const noexcept;

  // Ticks.
  void tick_move(double dt);
  void tick_follow(double dt);
  int follow_violation(const JointTolerances & tolerances) const noexcept;
  void tick_force(double dt);
  void tick_locked(double dt);
  void tick_gripper(double dt);
  void find_weight() noexcept;
  void find_force_efforts() noexcept;
  void watch_tracking();
  void fill_drives() noexcept;

  Arm arm_;
  ControlOptions options_;
  OperatingState state_;
  std::optional<Dynamics> dynamics_;
  std::vector<ControlEvent> events_;
  double now_ = 0.0;
  std::array<double, static_cast<std::size_t>(ArmOrder::count)> refused_at_{};

  MeasuredArm measured_;
  bool measured_once_ = false;
  ControlMode mode_ = ControlMode::Off;
  bool drives_jaw_ = false;
  MotionState set_;  ///< joints, then the jaw
  Trajectory trajectory_;
  double move_time_ = 0.0;
  FollowPlan follow_;
  double follow_time_ = 0.0;
  bool homing_ = false;
  MotionRatio ratio_;
  bool tool_present_ = true;
  bool tools_by_owner_ = false;
  bool tool_pending_ = false;
  std::string wanted_tool_;
  bool wanted_present_ = true;
  bool turns_unknown_ = false;  ///< joints of a new tool may be read a full turn off

  // Forces.
  JointVector asked_effort_;
  Vector6 wrench_ = Vector6::Zero();
  CartesianImpedance impedance_;
  bool absolute_ = false;
  bool gravity_on_ = true;
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();
  JointVector efforts_, weight_;
  double force_age_ = 0.0;
  std::optional<Eigen::Matrix3d> locked_;  ///< in the arm's own base
  JointVector locked_joints_;
  bool jaw_effort_mode_ = false;
  double jaw_effort_ = 0.0;

  bool gripper_closed_ = false;
  double gripper_closed_for_ = 0.0;
  bool gripper_pinched_ = false;

  ArmDrives drives_;
};

/// What an arm tells about its tip. Filled without touching the heap.
struct ArmReadings
{
  Eigen::Isometry3d measured_cp = Eigen::Isometry3d::Identity();        ///< in the reference
  Eigen::Isometry3d local_measured_cp = Eigen::Isometry3d::Identity();  ///< in the arm's own base
  Eigen::Isometry3d setpoint_cp = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d local_setpoint_cp = Eigen::Isometry3d::Identity();
  Vector6 measured_cv = Vector6::Zero();        ///< of the tip, axes of the reference
  Vector6 local_measured_cv = Vector6::Zero();  ///< axes of the tip
  Vector6 body_measured_cf = Vector6::Zero();   ///< axes of the tip, or absolute ones
  Vector6 spatial_measured_cf = Vector6::Zero();
  Jacobian body_jacobian, spatial_jacobian;
};
void read(const ArmControl & control, ArmReadings & out) noexcept;
/// The same for the set-point alone: what is answered at once.
void read_setpoint(const ArmControl & control, ArmReadings & out) noexcept;

}  // namespace ambf_arms
