// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/console_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ambf_teleop
{

using Kind = ConsoleEvent::Kind;

const char * to_string(Pedal pedal) noexcept
{
  constexpr const char * names[] = {"operator_present", "clutch", "camera"};
  return names[static_cast<std::size_t>(pedal)];
}

std::optional<ConsolePair> pair_of(std::string_view name, bool endoscope)
{
  const auto split = name.rfind('_');
  if (split == std::string_view::npos || split == 0 || split + 1 == name.size()) { return {}; }
  ConsolePair pair;
  pair.name = name;
  pair.hand = name.substr(0, split);
  pair.arm = name.substr(split + 1);
  pair.endoscope = endoscope;
  return pair;
}

ConsoleState::ConsoleState(std::vector<ConsolePair> pairs, double scale)
: pairs_(std::move(pairs)), scale_(scale)
{
  for (ConsolePair & pair : pairs_) {
    pair.selected = std::none_of(pairs_.begin(), pairs_.end(), [&](const ConsolePair & other) {
      return &other < &pair && other.selected && conflict(pair, other);
    });
  }
}

bool ConsoleState::conflict(const ConsolePair & a, const ConsolePair & b) const noexcept
{
  return &a != &b && a.endoscope == b.endoscope && (a.hand == b.hand || a.arm == b.arm);
}

void ConsoleState::say(Kind kind, std::string text)
{
  ConsoleEvent event;
  event.kind = kind;
  event.text = std::move(text);
  events_.push_back(std::move(event));
}

void ConsoleState::command(const ConsolePair & pair, const char * text)
{
  ConsoleEvent event;
  event.kind = Kind::Command;
  event.name = pair.name;
  event.text = text;
  events_.push_back(std::move(event));
}

void ConsoleState::tell_all()
{
  ConsoleEvent event;
  event.kind = Kind::Enabled;
  event.flag = enabled_;
  events_.push_back(event);
  event.kind = Kind::Scale;
  event.value = scale_;
  events_.push_back(event);
  for (std::size_t i = 0; i < static_cast<std::size_t>(Pedal::count); ++i) {
    event.kind = Kind::Pedal;
    event.pedal = static_cast<Pedal>(i);
    event.press = pressed_[i] ? Press::Pressed : Press::Released;
    events_.push_back(event);
  }
  for (const ConsolePair & pair : pairs_) {
    event.kind = pair.selected ? Kind::Selected : Kind::Unselected;
    event.name = pair.name;
    events_.push_back(event);
  }
}

void ConsoleState::enable(bool on)
{
  enabled_ = on;
  ConsoleEvent event;
  event.kind = Kind::Enabled;
  event.flag = on;
  events_.push_back(event);
  say(Kind::Status, std::string("teleoperation ") + (on ? "enabled" : "disabled"));
  update();
}

void ConsoleState::set_scale(double scale)
{
  if (!std::isfinite(scale) || scale <= 0.0) {
    say(Kind::Warning, "found a scale of " + std::to_string(scale) + ", expected a number above 0");
    return;
  }
  scale_ = scale;
  ConsoleEvent event;
  event.kind = Kind::Scale;
  event.value = scale;
  events_.push_back(event);
}

ConsolePair * ConsoleState::find(std::string_view name)
{
  for (ConsolePair & pair : pairs_) {
    if (pair.name == name) { return &pair; }
  }
  std::string names;
  for (const ConsolePair & pair : pairs_) { names += (names.empty() ? "" : ", ") + pair.name; }
  say(
    Kind::Warning, "found '" + std::string(name) + "', expected one of " +
                     (names.empty() ? "none: there is no teleoperation" : names));
  return nullptr;
}

void ConsoleState::select(std::string_view name)
{
  if (ConsolePair * const pair = find(name)) { select(*pair); }
}

void ConsoleState::unselect(std::string_view name)
{
  if (ConsolePair * const pair = find(name)) { unselect(*pair); }
}

void ConsoleState::select(ConsolePair & pair)
{
  for (ConsolePair & other : pairs_) {
    if (!other.selected || !conflict(pair, other)) { continue; }
    const std::string & shared = other.arm == pair.arm ? pair.arm : pair.hand;
    unselect(other);
    say(Kind::Status, other.name + " unselected to free " + shared + " for " + pair.name);
  }
  pair.selected = true;
  ConsoleEvent event;
  event.kind = Kind::Selected;
  event.name = pair.name;
  events_.push_back(event);
  update();
}

void ConsoleState::unselect(ConsolePair & pair)
{
  pair.selected = false;
  ConsoleEvent event;
  event.kind = Kind::Unselected;
  event.name = pair.name;
  events_.push_back(event);
  update();
}

ConsolePair * ConsoleState::other_arm_of_one_hand()
{
  // The first hand that has exactly two PSMs, as upstream has it.
  for (const ConsolePair & first : pairs_) {
    if (first.endoscope) { continue; }
    ConsolePair * other = nullptr;
    std::size_t count = 0;
    for (ConsolePair & pair : pairs_) {
      if (pair.endoscope || pair.hand != first.hand) { continue; }
      ++count;
      if (!pair.selected && other == nullptr) { other = &pair; }
    }
    if (count == 2) { return other; }
  }
  return nullptr;
}

void ConsoleState::press(Pedal pedal, Press press)
{
  const std::string name = to_string(pedal);
  if (press == Press::QuickTap) {
    say(Kind::Status, name + " quick tap");
    if (pedal == Pedal::Clutch) {
      if (ConsolePair * const other = other_arm_of_one_hand()) { select(*other); }
    }
  } else {
    pressed_[static_cast<std::size_t>(pedal)] = press == Press::Pressed;
    say(Kind::Status, name + (press == Press::Pressed ? " pressed" : " released"));
  }
  ConsoleEvent event;
  event.kind = Kind::Pedal;
  event.pedal = pedal;
  event.press = press;
  events_.push_back(event);
  if (pedal != Pedal::Clutch) { update(); }
}

const char * ConsoleState::command_for(const ConsolePair & pair) const noexcept
{
  const bool camera = pressed(Pedal::Camera);
  const bool present = pressed(Pedal::OperatorPresent);
  if (enabled_ && pair.selected && camera == pair.endoscope) {
    return present || pair.endoscope ? "enable" : "align_MTM";
  }
  return !enabled_ || !present || pair.running ? "disable" : nullptr;
}

void ConsoleState::update()
{
  for (ConsolePair & pair : pairs_) {
    const char * const text = command_for(pair);
    if (text == nullptr) { continue; }
    pair.running = text[0] == 'e';
    command(pair, text);
  }
}

void ConsoleState::pair_came(std::string_view name)
{
  for (ConsolePair & pair : pairs_) {
    const char * const text = pair.name == name ? command_for(pair) : nullptr;
    if (text == nullptr) { continue; }
    pair.running = text[0] == 'e';
    command(pair, text);
  }
}

}  // namespace ambf_teleop
