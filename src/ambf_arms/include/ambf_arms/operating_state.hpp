// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ambf_arms
{

/// What CRTK's operating_state says.
enum class OperatingMode : std::uint8_t
{
  Disabled,
  Enabled,
  Paused,
  Fault,
};
const char * to_string(OperatingMode mode) noexcept;  ///< "DISABLED" ...

/// What an arm is busy with, or ready for.
enum class ArmActivity : std::uint8_t
{
  Off,      ///< no power
  Powered,  ///< not homed
  Homing,   ///< busy
  Homed,
  Engaging,  ///< a tool, busy
  Manual,    ///< moved by hand, busy
};

/// What the owner of the machine has to do.
enum class ArmAction : std::uint8_t
{
  PowerOn,
  PowerOff,
  StartHoming,
  Unhome,
  Hold,      ///< stop any motion and hold the set-point
  Continue,  ///< go on after a pause: the set-point is held, a move that was stopped stays stopped
};

/// What came of a command or an occurrence, in the order in which it is to be reported.
struct ArmEvent
{
  enum class Kind : std::uint8_t
  {
    Action,        ///< to be done by the owner
    StateChanged,  ///< publish operating_state, changed or not
    DesiredState,  ///< publish desired_state
    Status,        ///< `text` for people
    Warning,
    Error,  ///< any of these ends a console's teleoperation
  };
  Kind kind = Kind::StateChanged;
  ArmAction action = ArmAction::Hold;
  std::string text;
};

/// A short list. Commands are rare, so that their texts may allocate; occurrences of a control loop
/// (busy, not busy) carry none.
class ArmEvents
{
public:
  void add(ArmEvent event)
  {
    if (count_ < events_.size()) { events_[count_++] = std::move(event); }
  }
  std::size_t size() const noexcept { return count_; }
  const ArmEvent * begin() const noexcept { return events_.data(); }
  const ArmEvent * end() const noexcept { return events_.data() + count_; }
  const ArmEvent & operator[](std::size_t i) const noexcept { return events_[i]; }
  bool has(ArmEvent::Kind kind) const noexcept;
  bool has(ArmAction action) const noexcept;

private:
  std::array<ArmEvent, 8> events_{};
  std::size_t count_ = 0;
};

/// The operating state of an arm as the dVRK's software keeps it, as a value: commands and
/// occurrences in, events out. Copy it to save it.
///
/// | state    | accepted                             |
/// |----------|--------------------------------------|
/// | DISABLED | enable, disable, unhome              |
/// | ENABLED  | enable, disable, pause, home, unhome |
/// | PAUSED   | disable, pause, resume, unhome       |
/// | FAULT    | enable (try again), disable, unhome  |
///
/// Every accepted command is answered by StateChanged, whether anything changed or not: clients wait
/// for it. Everything else gets a warning and nothing more.
class OperatingState
{
public:
  /// `name` is the arm's, for texts.
  explicit OperatingState(std::string name = "arm") : name_(std::move(name)) {}

  OperatingMode mode() const noexcept { return mode_; }
  ArmActivity activity() const noexcept { return activity_; }
  /// Stays true while a homed arm is disabled, as the dVRK has it; false from the next enable on.
  bool is_homed() const noexcept { return homed_; }
  bool is_busy() const noexcept;
  /// DISABLED, ENABLED, HOMED, PAUSED or FAULT.
  const char * desired() const noexcept { return desired_; }
  /// May it be moved by commands?
  bool ready() const noexcept
  {
    return mode_ == OperatingMode::Enabled && activity_ == ArmActivity::Homed;
  }
  /// "ENABLED (homed)".
  std::string describe() const;

  /// enable, disable, pause, resume, home, unhome.
  ArmEvents command(std::string_view command);

  // What happens to the arm.
  ArmEvents power_failed(std::string why);   ///< FAULT
  ArmEvents homing_done();                   ///< reached the goal
  ArmEvents homing_failed(std::string why);  ///< FAULT
  ArmEvents fault(std::string why);          ///< tracking error, time-out, lost bodies ...
  ArmEvents engaging(bool begins);           ///< a tool
  ArmEvents manual(bool begins);             ///< clutch of the arm
  /// A move begins or ends; reported even where the arm was moving already, so that every move gives its
  /// own pair. Texts are empty: safe in a control loop.
  ArmEvents moving(bool begins);
  /// For a command that came while the arm was not ready: a warning, at most one in `period` [s].
  ArmEvents not_ready(std::string_view command, double now, double period = 2.0);

private:
  void desire(ArmEvents & events, const char * state);
  ArmEvents to_fault(std::string why);

  std::string name_;
  OperatingMode mode_ = OperatingMode::Disabled;
  ArmActivity activity_ = ArmActivity::Off;
  const char * desired_ = "DISABLED";
  bool homed_ = false;
  bool moving_ = false;
  // What a pause interrupted.
  ArmActivity resume_activity_ = ArmActivity::Off;
  const char * resume_desired_ = "DISABLED";
  double warned_at_ = -1e300;
  int not_ready_count_ = 0;
};

}  // namespace ambf_arms
