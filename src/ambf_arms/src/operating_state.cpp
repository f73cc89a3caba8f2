// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/operating_state.hpp"

#include <algorithm>
#include <utility>

namespace ambf_arms
{
namespace
{

enum class Command : std::uint8_t
{
  Enable,
  Disable,
  Pause,
  Resume,
  Home,
  Unhome,
};

constexpr std::pair<std::string_view, Command> commands[] = {
  {"enable", Command::Enable}, {"disable", Command::Disable}, {"pause", Command::Pause},
  {"resume", Command::Resume}, {"home", Command::Home},       {"unhome", Command::Unhome}};

bool accepted(OperatingMode mode, Command command) noexcept
{
  using enum Command;
  if (command == Disable || command == Unhome) { return true; }
  switch (mode) {
    case OperatingMode::Disabled:
    case OperatingMode::Fault:
      return command == Enable;
    case OperatingMode::Enabled:
      return command == Enable || command == Pause || command == Home;
    case OperatingMode::Paused:
      return command == Pause || command == Resume;
  }
  return false;
}

ArmEvent state_changed() { return {ArmEvent::Kind::StateChanged, ArmAction::Hold, {}}; }
ArmEvent action(ArmAction what) { return {ArmEvent::Kind::Action, what, {}}; }

}  // namespace

const char * to_string(OperatingMode mode) noexcept
{
  switch (mode) {
    case OperatingMode::Disabled:
      return "DISABLED";
    case OperatingMode::Enabled:
      return "ENABLED";
    case OperatingMode::Paused:
      return "PAUSED";
    case OperatingMode::Fault:
      return "FAULT";
  }
  return "UNDEFINED";
}

bool ArmEvents::has(ArmEvent::Kind kind) const noexcept
{
  return std::any_of(begin(), end(), [&](const ArmEvent & e) { return e.kind == kind; });
}

bool ArmEvents::has(ArmAction what) const noexcept
{
  return std::any_of(begin(), end(), [&](const ArmEvent & e) {
    return e.kind == ArmEvent::Kind::Action && e.action == what;
  });
}

bool OperatingState::is_busy() const noexcept
{
  return moving_ || activity_ == ArmActivity::Homing || activity_ == ArmActivity::Engaging ||
         activity_ == ArmActivity::Manual;
}

std::string OperatingState::describe() const
{
  return std::string(to_string(mode_)) + " (" + (homed_ ? "homed" : "not homed") +
         (is_busy() ? ", busy)" : ", not busy)");
}

void OperatingState::desire(ArmEvents & events, const char * state)
{
  desired_ = state;
  events.add({ArmEvent::Kind::DesiredState, ArmAction::Hold, state});
  events.add({ArmEvent::Kind::Status, ArmAction::Hold, name_ + ": desired state " + state});
}

ArmEvents OperatingState::command(std::string_view text)
{
  ArmEvents events;
  const auto known = std::find_if(
    std::begin(commands), std::end(commands),
    [&](const auto & entry) { return entry.first == text; });
  if (known == std::end(commands)) {
    events.add(
      {ArmEvent::Kind::Warning, ArmAction::Hold,
       name_ + ": \"" + std::string(text.substr(0, 64)) +
         "\" is no state_command; expected enable, disable, pause, resume, home or unhome"});
    return events;
  }
  if (!accepted(mode_, known->second)) {
    events.add(
      {ArmEvent::Kind::Warning, ArmAction::Hold,
       name_ + ": command \"" + std::string(text) + "\" is not supported in state \"" + describe() +
         "\""});
    return events;
  }
  switch (known->second) {
    case Command::Enable:
      if (mode_ != OperatingMode::Enabled) {
        homed_ = false;
        activity_ = ArmActivity::Powered;
        mode_ = OperatingMode::Enabled;
        events.add(action(ArmAction::PowerOn));
      }
      desire(events, "ENABLED");
      break;
    case Command::Disable:
      mode_ = OperatingMode::Disabled;
      activity_ = ArmActivity::Off;
      moving_ = false;
      events.add(action(ArmAction::PowerOff));
      desire(events, "DISABLED");
      break;
    case Command::Pause:
      if (mode_ != OperatingMode::Paused) {
        resume_activity_ = activity_;
        resume_desired_ = desired_;
        mode_ = OperatingMode::Paused;
        moving_ = false;
        events.add(action(ArmAction::Hold));
      }
      desire(events, "PAUSED");
      break;
    case Command::Resume:
      mode_ = OperatingMode::Enabled;
      activity_ = resume_activity_;
      events.add(
        action(activity_ == ArmActivity::Homing ? ArmAction::StartHoming : ArmAction::Continue));
      desire(events, resume_desired_);
      break;
    case Command::Home:
      desire(events, "HOMED");
      if (!homed_ && activity_ != ArmActivity::Homing) {
        activity_ = ArmActivity::Homing;
        moving_ = false;
        events.add(action(ArmAction::StartHoming));
      }
      break;
    case Command::Unhome:
      homed_ = false;
      events.add(action(ArmAction::Unhome));
      if (activity_ != ArmActivity::Off) {
        activity_ = ArmActivity::Powered;
        moving_ = false;
      }
      if (mode_ == OperatingMode::Paused) { resume_activity_ = ArmActivity::Powered; }
      break;
  }
  events.add(state_changed());
  return events;
}

ArmEvents OperatingState::to_fault(std::string why)
{
  ArmEvents events;
  mode_ = OperatingMode::Fault;
  activity_ = ArmActivity::Off;
  moving_ = false;
  homed_ = false;
  events.add({ArmEvent::Kind::Error, ArmAction::Hold, name_ + ": " + std::move(why)});
  events.add(action(ArmAction::PowerOff));
  desire(events, "FAULT");
  events.add(state_changed());
  return events;
}

ArmEvents OperatingState::power_failed(std::string why) { return to_fault(std::move(why)); }
ArmEvents OperatingState::homing_failed(std::string why) { return to_fault(std::move(why)); }
ArmEvents OperatingState::fault(std::string why) { return to_fault(std::move(why)); }

ArmEvents OperatingState::homing_done()
{
  ArmEvents events;
  if (activity_ != ArmActivity::Homing || mode_ != OperatingMode::Enabled) { return events; }
  activity_ = ArmActivity::Homed;
  homed_ = true;
  events.add(state_changed());
  return events;
}

ArmEvents OperatingState::engaging(bool begins)
{
  ArmEvents events;
  if (
    mode_ == OperatingMode::Enabled &&
    activity_ == (begins ? ArmActivity::Homed : ArmActivity::Engaging)) {
    activity_ = begins ? ArmActivity::Engaging : ArmActivity::Homed;
    moving_ = false;
    events.add(state_changed());
  } else if (
    !begins && mode_ == OperatingMode::Paused && resume_activity_ == ArmActivity::Engaging) {
    // It went on during the pause.
    activity_ = resume_activity_ = ArmActivity::Homed;
    events.add(state_changed());
  }
  return events;
}

ArmEvents OperatingState::manual(bool begins)
{
  ArmEvents events;
  if (
    mode_ == OperatingMode::Enabled &&
    activity_ == (begins ? ArmActivity::Homed : ArmActivity::Manual)) {
    activity_ = begins ? ArmActivity::Manual : ArmActivity::Homed;
    moving_ = false;
    events.add(state_changed());
  }
  return events;
}

ArmEvents OperatingState::moving(bool begins)
{
  ArmEvents events;
  if (begins && !ready()) { return events; }
  if (begins || moving_) {
    moving_ = begins;
    events.add(state_changed());
  }
  return events;
}

ArmEvents OperatingState::not_ready(std::string_view command, double now, double period)
{
  ArmEvents events;
  ++not_ready_count_;
  if (now - warned_at_ >= period) {
    warned_at_ = now;
    events.add(
      {ArmEvent::Kind::Warning, ArmAction::Hold,
       name_ + ": " + std::string(command) + ", arm not ready (" +
         std::to_string(not_ready_count_) + (not_ready_count_ == 1 ? " error)" : " errors)")});
    not_ready_count_ = 0;
  }
  return events;
}

}  // namespace ambf_arms
