// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "ambf_devices/driver.hpp"
#include "ambf_teleop/feedback_law.hpp"
#include "ambf_teleop/force_limits.hpp"
#include "ambf_teleop/gravity.hpp"
#include "ambf_teleop/guidance.hpp"
#include "ambf_teleop/passivity.hpp"
#include "ambf_teleop/sample_filter.hpp"
#include "ambf_teleop/samples.hpp"

namespace ambf_devices
{

using ambf_teleop::DeviceSample;
using ambf_teleop::ProxySample;

/// The axes of a guidance.
enum class GuidanceAxes : std::uint8_t
{
  Base,   ///< of the device
  User,   ///< of the person's view: T_user_base of the offsets
  World,  ///< poses are where the reference is to go; only while proxy states are fresh
};

/// Somebody's guidance, to be renewed before its time is over.
struct GuidanceCommand
{
  ambf_teleop::Guidance guidance;
  GuidanceAxes axes = GuidanceAxes::Base;
  bool replaces = false;    ///< instead of the proxy's force; otherwise added to it
  double time_limit = 0.0;  ///< [s] after its arrival; 0, or more than the timeout: the timeout
};

/// What all springs and dampers together may be, as the hand feels them at this rate.
struct GainBounds
{
  double linear_stiffness = std::numeric_limits<double>::infinity();   ///< [N/m]
  double linear_damping = std::numeric_limits<double>::infinity();     ///< [N s/m]
  double angular_stiffness = std::numeric_limits<double>::infinity();  ///< [N m/rad]
  double angular_damping = std::numeric_limits<double>::infinity();    ///< [N m s/rad]
};

struct CycleParameters
{
  ambf_teleop::DeviceOffsets offsets;
  double workspace_scale = 1.0;
  ambf_teleop::FeedbackGains gains;
  GainBounds bounds;  ///< for gains that change while it runs: what is beyond is cut
  ambf_teleop::ForceLimits limits;
  ambf_teleop::PassivityParameters passivity;
  double passivity_angular_damping = 0.01;  ///< most that it may add to turns [N m s/rad]
  ambf_teleop::ReadingLimits reading;
  ambf_teleop::GravityHook gravity;
  double fade_from = 0.015;  ///< age of the proxy state from which the force is faded out [s]
  double timeout = 0.030;    ///< age at which it is exactly zero [s]
};

/// What one tick came to.
struct CycleResult
{
  ambf_teleop::Wrench wrench;  ///< at the tip, in the base frame: for the driver
  ambf_teleop::ReadingVerdict verdict = ambf_teleop::ReadingVerdict::Accepted;
  bool has_sample = false;  ///< a new sample for the physics
  DeviceSample sample;
  bool proxy_fresh = false;  ///< the newest proxy state is younger than the timeout
  bool guided = false;       ///< a guidance is felt
};

/// One device's mathematics, tick by tick, without clock or thread: readings are judged, numbered
/// and passed on; the force is the feedback law on the newest proxy state, with the reference moved
/// on by what the hand did since, made passive, limited. Nothing in it allocates.
///
/// A guidance adds to that force or replaces it, within the same limits and as passively.
///
/// While a clutch is pressed, the device's or one of the world's binding, it gives no force: the hand
/// is free.
class DeviceCycle
{
public:
  explicit DeviceCycle(const CycleParameters & parameters);

  /// The newest proxy state, `time` being its arrival. One that is not finite is left out.
  bool take_proxy(const ProxySample & proxy, double time) noexcept;

  /// The newest guidance, `time` being its arrival. One that is not valid is left out.
  bool take_guidance(const GuidanceCommand & command, double time) noexcept;

  /// `fresh`: the driver had something new; otherwise the last state stands.
  CycleResult tick(double time, bool fresh, const DriverState & state) noexcept;

  /// Limits of the motors, known once the device is open.
  void limit_to(double max_force, double max_torque) noexcept;

  /// The device holds what it is given until the next tick: no force is given that would be held
  /// longer than the timeout allows.
  void hold_for(double period) noexcept { hold_ = period; }

  /// The readings were judged before, when they were recorded: what looks like a jump is believed.
  void believe_jumps() noexcept;

  /// From the reading to now, of the sample that the newest proxy state was made of [s]; negative:
  /// that sample is not known any more.
  double round_trip(double time) const noexcept;

  /// The device is gone: no force, and what comes next starts anew.
  void device_lost() noexcept;

  const CycleParameters & parameters() const noexcept { return parameters_; }

private:
  struct SentHandle
  {
    std::uint64_t sequence = 0;
    ambf_teleop::Pose handle;
    double time = 0.0;
  };

  /// What pulls the hand in this tick, before passivity and limits: at the handle, base axes.
  struct Pull
  {
    ambf_teleop::Wrench wrench;
    ambf_teleop::VirtualEnergy move, turn;
  };

  /// A guidance in base axes, with what of it counts by its age.
  struct Guided
  {
    ambf_teleop::Guidance guidance;
    double factor = 0.0;
    ambf_teleop::Wrench held;  ///< its share of what the hand was given
  };

  void accept(const DriverState & state, bool relocated, double time) noexcept;
  /// A clutch is pressed.
  bool is_free() const noexcept;
  ambf_teleop::Pose reference_now() const noexcept;
  Guided guidance_now(double time, bool world_fresh) const noexcept;
  ambf_teleop::Guidance in_base(const GuidanceCommand & command) const noexcept;
  void keep_within_bounds(ambf_teleop::Guidance & guidance, bool alone) const noexcept;
  ambf_teleop::Wrench force(
    double time, double dt, bool world_fresh, const Guided & guided) noexcept;
  Pull feedback(const ambf_teleop::FeedbackFrames & frames, double time, double dt) noexcept;
  void add_guidance(
    Pull & pull, Guided & guided, const ambf_teleop::Pose & T_base_handle, double dt) noexcept;
  ambf_teleop::Wrench made_passive(
    const Pull & pull, bool guided, const ambf_teleop::Pose & T_base_handle, double dt) noexcept;
  void forget_force() noexcept;

  CycleParameters parameters_;
  ambf_teleop::ReadingFilter filter_;
  ambf_teleop::FeedbackErrors errors_;
  ambf_teleop::PassivityState passivity_;
  ambf_teleop::PassivityState turn_passivity_;
  Eigen::Vector3d turned_ = Eigen::Vector3d::Zero();  // way of the handle's turn, in base axes
  Eigen::Quaterniond handle_seen_ = Eigen::Quaterniond::Identity();
  ambf_teleop::Wrench sent_;  // without gravity
  double hold_ = 0.0;

  GuidanceCommand command_;
  double command_time_ = 0.0;
  Guided guided_;  // in the last tick
  bool replaced_ = false;
  ambf_teleop::Pose handle_before_;  // in base axes, at the last tick that gave force
  bool handle_before_valid_ = false;

  ProxySample proxy_;
  double proxy_time_ = 0.0;
  bool has_proxy_ = false;
  ambf_teleop::Pose proxy_seen_;
  bool proxy_seen_valid_ = false;

  // Handles of the samples sent last: 256 are 64 ms at the fastest rate, twice the timeout.
  std::array<SentHandle, 256> handles_;
  SentHandle engaged_since_;  // release of a clutch, or a new place
  ambf_teleop::Pose handle_;
  std::uint64_t sequence_ = 0;
  std::uint64_t reading_ = 0;
  bool position_clutch_ = false;
  bool camera_clutch_ = false;
  std::uint32_t actions_ = 0;
  ambf_teleop::FeedbackGains gains_;  // with the changes that the world asks for
  double reading_time_ = 0.0;         // of the last usable reading
  double last_time_ = 0.0;
  bool ticked_ = false;
};

}  // namespace ambf_devices
