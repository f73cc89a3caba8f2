// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_teleop/frames.hpp"
#include "ambf_teleop/gripper_ghost.hpp"
#include "ambf_teleop/position_clutch.hpp"

namespace ambf_teleop
{

enum class TeleopState : std::uint8_t
{
  Disabled,
  SettingArmsState,  ///< hand and arm are enabled and homed
  AligningMtm,       ///< until the hand is turned as the tip is, and somebody holds it
  Enabled,
};
/// As sawIntuitiveResearchKit has them: "SETTING_ARMS_STATE" ...
std::string_view to_string(TeleopState state) noexcept;

/// What is to be done about a hand that is turned otherwise than the tip when it engages.
enum class Alignment : std::uint8_t
{
  None,   ///< nothing: the tip turns as the hand turns from there on
  Wait,   ///< the person turns the hand until both agree
  Drive,  ///< the hand has motors, and is turned
};

struct PsmTeleopParameters
{
  double scale = 0.2;  ///< metres of the tip per metre of the hand
  Alignment alignment = Alignment::Drive;
  bool hand_has_motors = true;  ///< it can hold, be freed, and lock its orientation
  bool rotation_locked = false;
  bool translation_locked = false;
  double start_orientation_tolerance = 0.0872664626;  ///< [rad]
  /// How far the gripper is opened or closed, or the handle rolled, before somebody is believed to
  /// hold it [rad]; 0: at once.
  double start_gripper_threshold = 0.6981317008;
  double start_roll_threshold = 0.0698131701;
  bool ignore_jaw = false;
  JawParameters jaw;
  /// After an arm or a hand failed: go on when both are ready again. False: somebody has to enable.
  bool resume = false;
  double patience = 60.0;      ///< for arms that are enabled and homed [s]
  double settle = 0.02;        ///< no command for so long before a set-point is believed [s]
  double jump_distance = 0.1;  ///< a hand that is further from its last pose was taken there [m]
  double jump_angle = 1.0;     ///< likewise [rad]
};

/// What is wrong with them, in words; nothing where nothing is.
std::optional<std::string> what_is_wrong(const PsmTeleopParameters & parameters);

/// An arm's state, of the hand's arm or of the arm that follows.
struct TeleopArm
{
  bool there = false;  ///< it answers
  bool enabled = false;
  bool homed = false;
  bool busy = false;
  bool fault = false;
  bool ready() const noexcept { return there && enabled && homed; }
};

struct TeleopHand
{
  TeleopArm arm;                  ///< a device without states is always ready
  bool fresh = false;             ///< the pose is younger than a hand may be silent
  bool moved = false;             ///< the pose is new since the last tick
  bool relocated = false;         ///< the hand was taken elsewhere: its motion counts from here
  bool clutch = false;            ///< the hand's own buttons
  Pose T_user_handle;             ///< axes of the view
  std::optional<double> gripper;  ///< [rad]
  double dt = 0.0;                ///< from the pose before to this one, by the hand's own clock [s]
};

struct TeleopFollower
{
  TeleopArm arm;
  bool valid = false;           ///< the set-point is to be believed
  std::uint64_t setpoints = 0;  ///< how many were heard
  Pose T_base_setpoint;         ///< of the tip, in the arm's own base
  Pose T_reference_base;        ///< where that base is in the frame of the arm's commands
  std::optional<double> jaw;    ///< set-point [rad]
  std::uint64_t upheavals = 0;  ///< tools exchanged, worlds reset: a set-point that moved by itself
};

struct TeleopInput
{
  TeleopHand hand;
  TeleopFollower follower;
  bool clutch = false;  ///< the console's pedal
  Eigen::Quaterniond R_base_view = Eigen::Quaterniond::Identity();
  double dt = 0.0;  ///< since the last tick [s]
};

/// What is to be sent, in this tick.
struct TeleopOutput
{
  bool servo = false;
  Pose T_reference_goal;      ///< where `servo`
  std::optional<double> jaw;  ///< set-point [rad]
  bool hold_follower = false;
  bool enable_follower = false, home_follower = false;
  bool enable_hand = false, home_hand = false;
  // For hands with motors, in the user's frame.
  bool free_hand = false;  ///< no force but against gravity
  bool hold_hand = false;
  bool unlock_hand = false;
  std::optional<Eigen::Quaterniond> lock_hand;
  std::optional<Pose> move_hand;
};

struct TeleopEvent
{
  enum class Kind : std::uint8_t
  {
    CurrentState,  ///< `text`
    DesiredState,  ///< `text`
    Following,     ///< `flag`
    Scale,         ///< `value`
    RotationLocked,
    TranslationLocked,
    AlignMtm,
    Status,  ///< `text` for people
    Warning,
    Error,
  };
  Kind kind = Kind::Status;
  bool flag = false;
  double value = 0.0;
  std::string text;
};

/// One hand on one arm: the states, transitions and equations of sawIntuitiveResearchKit's
/// teleoperation of a PSM. A value; orders and ticks in, commands and events out. Nothing is
/// allocated while nothing happens.
///
///   goal = PSM0 + scale R_base_view (M - M0),   R = turn of the hand since M0, in the view, * R_PSM0
///
/// Whatever engages or comes back begins at the arm's set-point and at the hand's place: nothing jumps.
/// A set-point is believed when it rests, since those of earlier commands may be on their way.
class PsmTeleop
{
public:
  PsmTeleop(std::string name, const PsmTeleopParameters & parameters);

  // Orders.
  void state_command(std::string_view command);  ///< enable, disable, align_MTM
  void set_scale(double scale);
  void lock_rotation(bool lock);
  void lock_translation(bool lock);
  void set_align_mtm(bool align);
  /// Any error that an arm tells ends the teleoperation.
  void arm_error(std::string_view text);
  /// Tells everything that has a value, for those who listen from the beginning.
  void tell_all();

  /// Once per pose of the hand, and now and then in between.
  void tick(const TeleopInput & input, TeleopOutput & out);

  TeleopState state() const noexcept { return state_; }
  TeleopState desired() const noexcept { return desired_; }
  bool following() const noexcept { return following_; }
  double scale() const noexcept { return mapping_.workspace_scale; }
  /// Where the tip is wanted, in the arm's base; of the last tick that commanded.
  const Pose & T_base_goal() const noexcept { return pair_.reference; }
  const PsmTeleopParameters & parameters() const noexcept { return parameters_; }

  template <class Use>
  void take_events(Use && use)
  {
    for (std::size_t i = 0; i < events_.size(); ++i) { use(events_[i]); }
    events_.clear();
  }

private:
  void say(TeleopEvent::Kind kind, std::string text);
  void tell(TeleopEvent::Kind kind, bool flag);
  void want(TeleopState state);
  void enter(TeleopState state, TeleopOutput & out);
  void stop_following();
  void give_up(const std::string & why, bool gone);
  /// In words, why the hand does not lead just now; null: it may.
  const char * interruption(const TeleopInput & input) const noexcept;
  bool settled() const noexcept;
  void listen(const TeleopInput & input) noexcept;
  bool check_arms(const TeleopInput & input);
  void bring_up(const TeleopInput & input, TeleopOutput & out) const;
  void tick_disabled(const TeleopInput & input, TeleopOutput & out);
  void tick_setting(const TeleopInput & input, TeleopOutput & out);
  void tick_aligning(const TeleopInput & input, TeleopOutput & out);
  void tick_enabled(const TeleopInput & input, TeleopOutput & out);
  void interrupt(const char * why, const TeleopInput & input, TeleopOutput & out);
  bool somebody_holds(const TeleopInput & input, const Eigen::Quaterniond & wanted);
  void align_hand(const TeleopInput & input, TeleopOutput & out);
  void lead(const TeleopInput & input, TeleopOutput & out);
  void follow(const TeleopInput & input, TeleopOutput & out);

  std::string name_;
  PsmTeleopParameters parameters_;
  MappingParameters mapping_;
  TeleopState state_ = TeleopState::Disabled;
  TeleopState desired_ = TeleopState::Disabled;
  double in_state_ = 0.0;  ///< [s]
  double told_at_ = 0.0;   ///< `in_state_` of the last advice [s]
  bool following_ = false;
  bool stopped_ = false;       ///< the follower is still to be told to hold
  double since_told_ = 1e300;  ///< that the hand does not lead [s]
  bool told_ = false;          ///< why it does not lead
  bool restart_ = false;       ///< an order asks for a new engagement
  bool resuming_ = false;      ///< both are waited for
  bool gone_ = false;          ///< because one of them did not answer any more

  bool active_ = false;      ///< somebody holds the hand
  bool was_active_ = false;  ///< when an arm failed
  double gripper_low_ = 0.0, gripper_high_ = 0.0, roll_low_ = 0.0, roll_high_ = 0.0;
  bool watching_ = false;
  bool hand_sent_ = false;
  Eigen::Quaterniond aligned_to_ = Eigen::Quaterniond::Identity();  ///< what the hand was sent to

  PairFrames pair_;
  Pose frozen_;  ///< the hand where a lock was set
  Pose last_hand_;
  GripperGhost ghost_;
  std::uint64_t upheavals_ = 0;

  Pose last_setpoint_;
  std::uint64_t setpoints_ = 0;
  std::uint64_t resting_ = 0;  ///< set-points that were the same, since the last command
  double since_command_ = 0.0;

  std::vector<TeleopEvent> events_;
};

}  // namespace ambf_teleop
