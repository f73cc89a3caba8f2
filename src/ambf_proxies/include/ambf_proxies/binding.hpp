// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "ambf_adf/model.hpp"
#include "ambf_adf/world.hpp"
#include "ambf_proxies/hand_modes.hpp"
#include "ambf_teleop/camera_clutch.hpp"
#include "ambf_teleop/position_clutch.hpp"
#include "ambf_teleop/proxy_law.hpp"

namespace ambf_proxies
{

/// What becomes of a proxy whose device has fallen silent.
enum class OnLoss : std::uint8_t
{
  Hold,     ///< the reference stays and goes on holding the proxy
  Release,  ///< no force, joints free
};

/// Gains of a hold as far as somebody has said them.
struct PartialGains
{
  std::optional<Eigen::Vector3d> linear_stiffness, linear_damping;
  std::optional<Eigen::Vector3d> angular_stiffness, angular_damping;

  PartialGains() = default;
  PartialGains(const ambf_teleop::ProxyGains & all);  // NOLINT: all gains are also some
};

/// What `top` says counts, otherwise what `under` says. A stiffness that comes without a damping
/// keeps the damping ratio: what was damped stays damped, and an axis of stiffness 0 is left alone.
PartialGains laid_over(const PartialGains & top, PartialGains under);

/// How one device is tied to the world. What is absent is taken from the world.
struct Binding
{
  std::string device;   ///< name, unique among the devices
  std::string problem;  ///< why it cannot be used, found where it was read; empty: nothing
  /// Why its own multi-body or root link cannot be used; does not count where another is named.
  std::string root_problem;
  std::string root_link;  ///< body that the hand holds: qualified identifier, topic or name
  std::vector<std::string> cameras;  ///< the first is the frame of reference; empty: all
  ambf_teleop::DeviceOffsets offsets;
  ambf_teleop::MappingParameters mapping;
  ambf_teleop::CameraParameters camera;
  PartialGains gains;  ///< over those that the body's description has, over its default_gains
  /// dt_f of the proxy law [s]: the full stiffness down to 50 Hz of physics, see bench/.
  double nominal_step = 0.02;
  double max_force = 1000.0;  ///< on the proxy [N]
  double max_torque = 100.0;  ///< [N m]
  bool drives_joints = true;  ///< the gripper moves the joints below the root link
  Buttons buttons;
  OnLoss on_loss = OnLoss::Hold;
  double loss_timeout = 0.1;  ///< silence that counts as a loss [s]
};

/// The binding that a block of an input-device file describes. `root_link` is as written: where the
/// block names a multi-body, it is found by root_body.
Binding binding_of(const ambf_adf::InputDevice & device);

/// Which body of a proxy's multi-body the hand holds: the one named, or without a name the one with
/// the fewest bodies above it (dissertation Fig. 3.7). The error says what is there instead.
tl::expected<std::size_t, std::string> root_body(
  const ambf_adf::Model & model, const std::string & root_link);

/// Effort gains of a Cartesian controller; nothing where it commands velocities.
PartialGains gains_of(const ambf_adf::CartesianController & controller);

/// Critically damped at 10 Hz for a free body.
ambf_teleop::ProxyGains default_gains(double mass, const Eigen::Vector3d & inertia);

/// Brings gains that the physics step cannot bear below the bound of check_proxy_gains; says in
/// words what was too much, or nothing.
std::string keep_stable(
  ambf_teleop::ProxyGains & gains, double mass, const Eigen::Vector3d & inertia,
  double nominal_step, double step);

/// One device's part in the gains of all devices that hold a body.
struct HeldBy
{
  std::string device;
  ambf_teleop::ProxyGains * gains = nullptr;
  double nominal_step = 0.0;
  std::string words;  ///< what of this device's gains was too much; empty: nothing
};

/// The same for all devices that hold one body: their wrenches add, so do their gains. What is too
/// much is taken from those that ask for most: one with absurd gains does not weaken the others.
void keep_stable_together(
  std::vector<HeldBy> & holders, double mass, const Eigen::Vector3d & inertia, double step);

/// Why a binding cannot be used, whatever the world; nothing if it can.
std::string problem_of(const Binding & binding);

/// The name among `known` that is written most like `name`, in quotes; for messages.
std::string nearest(const std::string & name, const std::vector<std::string> & known);

}  // namespace ambf_proxies
