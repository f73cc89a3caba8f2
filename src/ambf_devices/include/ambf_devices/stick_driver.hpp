// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "ambf_devices/rate_hand.hpp"

namespace ambf_devices
{

/// A device of sticks and buttons as a driver without force: a kind only says how it is opened and
/// what its sticks show.
class StickDriver : public Driver
{
public:
  StickDriver(RateHandParameters parameters, double rate)
  : hand_(std::move(parameters)), rate_(rate)
  {
  }

  /// What the sticks show now. NothingNew: as last time, the hand goes on.
  virtual DriverStatus poll(double time, StickInput & input) noexcept = 0;

  /// For people.
  virtual std::string model() const = 0;

  Capabilities capabilities() const override
  {
    Capabilities can;
    can.model = model();
    can.rate = rate_;
    can.gripper = true;
    return can;
  }

  DriverStatus read(double time, DriverState & state) noexcept override
  {
    input_.displacement.setZero();
    const DriverStatus status = poll(time, input_);
    if (status == DriverStatus::Lost) { return status; }
    state = hand_.advance(input_, time - last_time_);
    last_time_ = time;
    return DriverStatus::Ok;
  }

  DriverStatus write(double, const ambf_teleop::Wrench &) noexcept override
  {
    return DriverStatus::Unsupported;
  }

  const RateHand & hand() const { return hand_; }

protected:
  /// At the opening: nothing is pushed.
  void release(double time)
  {
    input_ = hand_.untouched();
    last_time_ = time;
  }

private:
  RateHand hand_;
  StickInput input_;
  double rate_;
  double last_time_ = 0.0;
};

}  // namespace ambf_devices
