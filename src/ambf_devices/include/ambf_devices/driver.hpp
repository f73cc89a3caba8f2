// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "ambf_teleop/frames.hpp"

namespace ambf_devices
{

/// What a device can do; read once after `open`.
struct Capabilities
{
  std::string model;        ///< for people: "mock", "MTMR"
  double rate = 1000.0;     ///< at which `read` and `write` want to be called [Hz]
  bool force = false;       ///< takes forces
  bool torque = false;      ///< takes torques
  bool orientation = true;  ///< false: a Falcon; the orientation is the identity
  bool gripper = false;
  bool filtered = false;  ///< a recording: its readings were judged once, jumps are believed
  double max_force = std::numeric_limits<double>::infinity();   ///< of the motors [N]
  double max_torque = std::numeric_limits<double>::infinity();  ///< [N m]
};

/// What a device says at one tick, in its base frame.
struct DriverState
{
  ambf_teleop::Pose T_base_tip;
  ambf_teleop::Twist twist;
  double gripper = 0.5;  ///< 0 closed .. 1 open
  bool position_clutch = false;
  bool camera_clutch = false;
  std::uint32_t actions = 0;  ///< one bit per button
  bool relocated = false;     ///< the device knows that it is elsewhere than its last state said
};

enum class DriverStatus : std::uint8_t
{
  Ok,
  NothingNew,   ///< no data since the last read; the last state stands
  Lost,         ///< unplugged, switched off: the loop closes it and tries to open it again
  Unsupported,  ///< this device cannot do that
};

/// A device. All calls come from one thread, the loop's; a call that blocks delays this device and
/// nothing else.
class Driver
{
public:
  virtual ~Driver() = default;

  /// Connects. On failure false, and `why` says what to do. `time`, here and below: seconds
  /// since the loop was started, steady clock.
  virtual bool open(double time, std::string & why) = 0;
  virtual void close() noexcept = 0;
  virtual Capabilities capabilities() const = 0;

  virtual DriverStatus read(double time, DriverState & state) noexcept = 0;

  /// Wrench at the tip, in the base frame.
  virtual DriverStatus write(double time, const ambf_teleop::Wrench & wrench) noexcept = 0;
};

}  // namespace ambf_devices
