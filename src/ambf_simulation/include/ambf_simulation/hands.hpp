// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ambf_proxies/proxies.hpp"
#include "ambf_simulation/commands.hpp"
#include "ambf_simulation/device_settings.hpp"
#include "ambf_simulation/views.hpp"

namespace ambf_simulation
{

/// The number of the command source that a device's gripper is.
using DeviceSource = std::function<std::uint32_t(const std::string & device)>;

/// The hands of a world, on the world's own terms: cameras are views, grippers are commands of a
/// source, time is the watchdogs'. Belongs to the owner of the world; `before_step` neither allocates
/// nor blocks nor logs.
class Hands
{
public:
  explicit Hands(DeviceSource source = {}) : source_(std::move(source)) {}

  /// What is said about devices beside the input-device file, and what that file says: each call binds all
  /// devices anew. `rebuild` has to follow.
  void set_rules(DeviceRules rules);
  void bind_file(std::vector<ambf_proxies::Binding> bindings);
  const DeviceRules & rules() const { return rules_; }
  const std::vector<ambf_proxies::Binding> & file_bindings() const { return file_bindings_; }
  /// Bodies, joints or cameras came or went.
  void rebuild(
    const ambf_dynamics::World & world, const std::vector<View> & cameras,
    const ambf_proxies::DescribedGains & described);

  /// Takes the samples that were posted; they count from the next step on.
  void take_samples(const ambf_dynamics::World & world, std::int64_t now);
  /// The proxy law, once per step. `supervised`: a silent device is lost.
  void before_step(
    ambf_dynamics::World & world, std::vector<View> & cameras, Commands & commands,
    std::int64_t now, bool supervised);
  /// What the devices are told; `camera_poses` are 7 numbers each, world frame.
  void read(
    const ambf_dynamics::World & world, const std::vector<double> & camera_poses,
    std::vector<ambf_proxies::ProxyReading> & out);

  /// Commands from elsewhere to a camera that a hand held: they had no effect. The last one.
  struct Overridden
  {
    std::uint64_t count = 0;
    std::uint32_t camera = 0;
    std::uint32_t device = 0;  ///< that holds it
    std::uint32_t source = 0;  ///< of the command
  };
  const Overridden & overridden() const { return overridden_; }

  bool empty() const { return proxies_.size() == 0; }
  ambf_proxies::Proxies & proxies() { return proxies_; }
  const ambf_proxies::Proxies & proxies() const { return proxies_; }
  void restart_clock(std::int64_t now) { proxies_.restart_clock(seconds(now)); }

private:
  static double seconds(std::int64_t now) { return static_cast<double>(now) * 1e-9; }
  void place_cameras(
    const ambf_dynamics::World & world, std::vector<View> & cameras,
    ObjectCommands & object_commands, std::int64_t now);
  void move_grippers(ambf_dynamics::World & world, CommandTable & commands, std::int64_t now);

  void bind();

  DeviceSource source_;
  DeviceRules rules_;
  std::vector<ambf_proxies::Binding> file_bindings_;
  ambf_proxies::Proxies proxies_;
  std::vector<std::uint32_t> sources_;  ///< per device
  std::vector<std::uint32_t>
    carried_last_;               ///< cameras, those that carry before those that are carried
  std::vector<double> numbers_;  ///< of all cameras, 7 each
  std::vector<ambf_teleop::Pose> poses_;  ///< the same
  std::vector<std::uint8_t> held_;        ///< cameras that a hand moved in the last step
  Overridden overridden_;
  BodyOrder order_;
};

}  // namespace ambf_simulation
