// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "ambf_teleop/frames.hpp"
#include "crtk_reading.hpp"

namespace ambf_device_nodes
{

/// The operating state of a CRTK arm, and the force it is given: the rules of the CRTK documents as
/// the dVRK follows them, without topics. Times in seconds, rising.
class MockArm
{
public:
  struct Parameters
  {
    double homing_time = 0.5;     ///< [s]
    double servo_timeout = 0.03;  ///< a force that is not renewed ends [s]
  };

  explicit MockArm(const Parameters & parameters) : parameters_(parameters) {}

  /// enable, disable, pause, resume, home, unhome. False, and `why`, for what cannot be done now.
  bool command(const std::string & word, double time, std::string & why);

  /// An error of the hardware.
  void fail()
  {
    state_ = ArmState::Fault;
    stop();
  }

  /// False: refused, the arm is not ready.
  bool servo(const ambf_teleop::Wrench & wrench, double time);

  /// The same with efforts of the joints; a wrench that was given ends, as the other way round.
  bool servo_joints(const std::array<double, 7> & efforts, double time);

  /// hold, free: whatever force was given ends.
  void let_go()
  {
    applied_ = {};
    efforts_ = {};
  }

  /// True if the operating state changed.
  bool update(double time);

  ArmState state() const { return state_; }
  bool is_homed() const { return homed_; }
  bool is_busy() const { return homing_; }
  bool is_ready() const { return state_ == ArmState::Enabled && homed_ && !homing_; }
  const ambf_teleop::Wrench & applied() const { return applied_; }
  const std::array<double, 7> & efforts() const { return efforts_; }

private:
  void stop();

  Parameters parameters_;
  ArmState state_ = ArmState::Disabled;
  bool homed_ = false;
  bool homing_ = false;
  double homed_at_ = 0.0;
  double servo_time_ = 0.0;
  ambf_teleop::Wrench applied_;
  std::array<double, 7> efforts_{};
};

const char * to_crtk(ArmState state) noexcept;

}  // namespace ambf_device_nodes
