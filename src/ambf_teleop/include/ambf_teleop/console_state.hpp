// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ambf_teleop
{

/// A pair of hand and arm that a console can let work, MTMR_PSM1, or hands and an endoscope.
struct ConsolePair
{
  std::string name;
  std::string hand;  ///< what stands before the last underscore
  std::string arm;   ///< what stands behind it
  bool endoscope = false;
  bool selected = false;
  bool running = false;  ///< it was told to work
};

/// A pair of its name; nothing where the name has no underscore between two other letters.
std::optional<ConsolePair> pair_of(std::string_view name, bool endoscope);

enum class Pedal : std::uint8_t
{
  OperatorPresent,
  Clutch,
  Camera,
  count,
};
const char * to_string(Pedal pedal) noexcept;  ///< "operator_present" ...

/// As buttons of sensor_msgs/Joy have them on a dVRK.
enum class Press : std::uint8_t
{
  Released = 0,
  Pressed = 1,
  QuickTap = 2,
};

struct ConsoleEvent
{
  enum class Kind : std::uint8_t
  {
    Enabled,     ///< `flag`
    Selected,    ///< `name`
    Unselected,  ///< `name`
    Scale,       ///< `value`
    Pedal,       ///< `pedal`, `press`
    Command,     ///< to the pair `name`: `text` is its state command
    Status,      ///< `text` for people
    Warning,
  };
  Kind kind = Kind::Status;
  std::string name, text;
  bool flag = false;
  double value = 0.0;
  Pedal pedal = Pedal::Clutch;
  Press press = Press::Released;
};

/// A surgeon's console: pedals and head sensor decide which hands lead which arms, by the rules of
/// sawIntuitiveResearchKit. A value; orders in, events out.
///
/// Pairs with a PSM work while the console is enabled, they are selected, the camera pedal is up and
/// somebody is there; while nobody is, they are kept aligned. Those with an endoscope work while the
/// camera pedal is down. No arm has two hands, and no hand two arms of one sort: who is selected later
/// frees what it needs.
class ConsoleState
{
public:
  /// Selects the pairs in their order, as far as none before needs the same hand or arm.
  explicit ConsoleState(std::vector<ConsolePair> pairs, double scale = 0.2);

  void enable(bool on);
  void select(std::string_view name);
  void unselect(std::string_view name);
  void set_scale(double scale);
  void press(Pedal pedal, Press press);
  /// A pair came to life: it is told what it is to do.
  void pair_came(std::string_view name);
  /// Tells everything that has a value.
  void tell_all();

  bool enabled() const noexcept { return enabled_; }
  bool pressed(Pedal pedal) const noexcept { return pressed_[static_cast<std::size_t>(pedal)]; }
  const std::vector<ConsolePair> & pairs() const noexcept { return pairs_; }

  template <class Use>
  void take_events(Use && use)
  {
    for (std::size_t i = 0; i < events_.size(); ++i) { use(events_[i]); }
    events_.clear();
  }

private:
  ConsolePair * find(std::string_view name);
  ConsolePair * other_arm_of_one_hand();
  bool conflict(const ConsolePair & a, const ConsolePair & b) const noexcept;
  void select(ConsolePair & pair);
  void unselect(ConsolePair & pair);
  void update();
  /// What a pair is to be told now; null: it is left as it is.
  const char * command_for(const ConsolePair & pair) const noexcept;
  void command(const ConsolePair & pair, const char * text);
  void say(ConsoleEvent::Kind kind, std::string text);

  std::vector<ConsolePair> pairs_;
  double scale_;
  bool enabled_ = false;
  bool pressed_[static_cast<std::size_t>(Pedal::count)] = {};
  std::vector<ConsoleEvent> events_;
};

}  // namespace ambf_teleop
