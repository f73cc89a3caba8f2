// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "ambf_devices/driver.hpp"

namespace ambf_devices
{

constexpr std::size_t most_axes = 16;

/// What a stick shows: a gamepad, a space mouse, a keyboard.
struct StickInput
{
  std::array<double, most_axes> axes{};                    ///< -1 .. 1, 0 at rest
  std::uint32_t buttons = 0;                               ///< one bit per button
  Eigen::Vector3d displacement = Eigen::Vector3d::Zero();  ///< of a mouse since the last time [m]
};

/// Which axis moves which degree of freedom: x y z, and rx ry rz about them. The axes are those of
/// AMBF's view: x towards the person, y to the right, z up.
struct StickMode
{
  struct Source
  {
    int axis = -1;  ///< -1: none
    double sign = 1.0;
  };
  std::array<Source, 6> sources{};
};

/// "x=+0 y=-1 rz=+3": degree of freedom, sign, number of the axis. The error says what is wrong.
tl::expected<StickMode, std::string> parse_stick_mode(const std::string & text);

/// Numbers of buttons; -1: none.
struct StickButtons
{
  int position_clutch = -1;
  int camera_clutch = -1;
  int close_gripper = -1;
  int open_gripper = -1;
  int next_mode = -1;
  int home = -1;             ///< goes back to the start, while held
  std::vector<int> actions;  ///< in the order of the sample's action bits; at most 32
};

struct RateHandParameters
{
  std::vector<StickMode> modes;  ///< at least one; six degrees of freedom on fewer axes
  StickButtons buttons;
  int gripper_axis = -1;        ///< a trigger that closes it
  double trigger_rest = 0.0;    ///< value of that axis when nobody pulls
  double trigger_pulled = 1.0;  ///< must differ from it
  double linear_speed = 0.15;   ///< at full deflection [m/s]
  double angular_speed = 1.0;   ///< [rad/s]
  double dead_band = 0.1;       ///< share of the deflection
  double curve = 2.0;           ///< exponent: 1 is proportional, more is finer near rest
  double gripper_speed = 2.0;   ///< by buttons [1/s]
  double reach = 0.3;           ///< the hand stays within this box around its start [m]
};

constexpr double fastest_mouse = 2.0;  ///< [m/s]; further than that a hand does not go

/// Deflection after dead band and curve, without a step at the edge of the band. Not finite: 0.
double shaped(double deflection, double dead_band, double curve) noexcept;

/// A hand that goes as fast as a stick is pushed: what makes a tracker of six degrees of freedom out
/// of a device that only knows deflections. Sticks never push it faster than its speeds, a mouse
/// never faster than `fastest_mouse`, nothing out of its box.
class RateHand
{
public:
  /// `parameters.modes` must not be empty.
  explicit RateHand(RateHandParameters parameters);

  const DriverState & advance(const StickInput & input, double dt) noexcept;
  void reset() noexcept;

  /// Nobody touches the sticks: their axes at rest. The trigger of the gripper is left as it is.
  void let_go(StickInput & input) const noexcept;
  /// As the sticks are before anybody touched them.
  StickInput untouched() const noexcept;
  std::size_t mode() const noexcept { return mode_; }

private:
  bool pressed(std::uint32_t buttons, int button) const noexcept;
  void choose_mode(std::uint32_t buttons) noexcept;
  void move(const StickInput & input, double dt) noexcept;
  void go_home(double dt) noexcept;
  void grip(const StickInput & input, double dt) noexcept;

  RateHandParameters parameters_;
  DriverState state_;
  std::uint32_t last_buttons_ = 0;
  std::size_t mode_ = 0;
};

}  // namespace ambf_devices
