// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ambf_dynamics/world.hpp"
#include "ambf_proxies/binding.hpp"
#include "ambf_teleop/gripper.hpp"
#include "ambf_teleop/mailbox.hpp"
#include "ambf_teleop/samples.hpp"

namespace ambf_proxies
{

using SampleBox = ambf_teleop::Mailbox<ambf_teleop::DeviceSample>;

enum class HandState : std::uint8_t
{
  Unbound,  ///< no such body: see trouble
  Waiting,  ///< no sample yet: the proxy is left alone
  Live,
  Lost,  ///< silent for longer than its timeout
};

const char * to_string(HandState state) noexcept;

/// What one device's proxy looks like after a step.
struct ProxyReading
{
  /// For the device: proxy, camera, the newest sample's number and the reference that it leads to.
  ambf_teleop::ProxySample proxy;
  ambf_teleop::Pose T_world_setpoint;  ///< of this step: on its way to that reference
  ambf_teleop::Twist twist;            ///< of the proxy, world axes
  ambf_teleop::Wrench contact;         ///< on the proxy's bodies, at its origin, world axes
  ambf_teleop::Pose T_world_camera;    ///< the frame of reference
  HandState state = HandState::Unbound;
  std::uint64_t samples = 0;  ///< taken so far
  std::uint64_t jumps = 0;    ///< samples that were too far from the one before
  std::uint32_t camera_held_by = ambf_teleop::nobody;  ///< device that kept a camera from this one
  HandMode mode = HandMode::Clutch;                    ///< what its action buttons do
};

/// A joint that a device's gripper moves in this step.
struct JointTarget
{
  ambf_dynamics::JointIndex joint = 0;
  bool release = false;
  double position = 0.0;
  std::uint32_t device = 0;
};

/// What the description of a body (by its qualified identifier) says about how it is to be held.
using DescribedGains = std::function<PartialGains(const std::string & qualified)>;

/// The hands in a world: for every device its clutches, its cameras and its hold on its proxy.
///
/// `before_step` is the proxy law, once per step: it neither allocates nor blocks nor logs. Samples
/// come through `box`, from one thread per device, at any rate: between the samples of a slow
/// device the hand is led on evenly, so that the damping does not feel each as a blow. Everything
/// else belongs to the owner of the world. Devices on one proxy each have their own reference and
/// their wrenches add, beside any command that the body has from elsewhere.
class Proxies
{
public:
  /// Replaces all bindings. Devices whose name stays keep their box.
  void bind(std::vector<Binding> bindings);
  /// The world or its cameras changed: finds bodies, joints and cameras by name again. What does
  /// not fit is told by `trouble`; the other devices go on. Gains that a binding does not give are
  /// the body's described ones, or default_gains.
  void rebuild(
    const ambf_dynamics::World & world, std::span<const std::string> cameras,
    const DescribedGains & described = {});

  std::size_t size() const noexcept { return devices_.size(); }
  const std::string & name(std::size_t device) const { return devices_[device]->binding.device; }
  const Binding & binding(std::size_t device) const { return devices_[device]->binding; }
  /// Outlives the device, so that a late writer does no harm.
  std::shared_ptr<SampleBox> box(std::size_t device) const { return devices_[device]->box; }
  /// The body that the device holds; no_index: none.
  ambf_dynamics::BodyIndex body(std::size_t device) const { return devices_[device]->body; }
  /// What is wrong with a device, or was limited; empty: nothing.
  const std::string & trouble(std::size_t device) const { return devices_[device]->trouble; }

  /// Takes the newest sample of every device from its box; the steps that follow use it. A world
  /// that keeps its own time does this before every step; in lockstep the samples that arrive during
  /// a call wait for the next call, as commands do, so that a run can be repeated.
  void take_samples(const ambf_dynamics::World & world, double now) noexcept;
  /// One step: cameras, references, wrenches on the proxies, from the samples taken so far. `cameras` are the
  /// poses in the world, in the order of `rebuild`; those that a hand moves are changed, see
  /// camera_moved. `now` [s] is the clock that silence is measured on; `supervised` false: a silent
  /// device is not lost, as in lockstep.
  void before_step(
    ambf_dynamics::World & world, std::span<ambf_teleop::Pose> cameras, double now,
    bool supervised) noexcept;
  /// Of the last before_step.
  bool camera_moved(std::size_t camera) const noexcept { return owners_[camera].moved; }
  /// The device that has the camera; nobody: ambf_teleop::nobody.
  std::uint32_t camera_owner(std::size_t camera) const noexcept
  {
    return owners_[camera].owner.device;
  }
  std::span<const JointTarget> joint_targets() const noexcept { return targets_; }

  /// What to tell the devices; `out` keeps its capacity.
  void read(
    const ambf_dynamics::World & world, std::span<const ambf_teleop::Pose> cameras,
    std::vector<ProxyReading> & out) const;
  std::uint32_t live() const noexcept;

  /// Another clock: silence counts from here.
  void restart_clock(double now) noexcept;
  /// As if no sample had come: after a reset of the world.
  void forget() noexcept;

  /// What the next step reads of this. `restore` refuses what another set of devices saved.
  std::vector<double> save() const;
  bool restore(std::span<const double> saved);

private:
  struct Device
  {
    Binding binding;
    std::shared_ptr<SampleBox> box = std::make_shared<SampleBox>();
    std::string trouble;

    // Found in the world.
    ambf_dynamics::BodyIndex body = ambf_dynamics::no_index;
    std::vector<std::uint8_t> members;  ///< per body of the world: part of the proxy
    std::vector<std::uint32_t> cameras;
    std::vector<ambf_dynamics::JointIndex> joints;
    std::vector<ambf_teleop::GripperJoint> ranges;
    std::vector<double> positions;
    ambf_teleop::ProxyGains found;  ///< of the law, before the person changed anything
    ambf_teleop::ProxyLaw law;

    // What the next step reads.
    HandChanges changes;
    HandState state = HandState::Unbound;
    ambf_teleop::DeviceSample sample;
    ambf_teleop::Pose shown;     ///< T_base_tip in use: on its way from sample to sample
    std::uint32_t interval = 1;  ///< steps between the last two samples
    std::uint32_t age = 0;       ///< steps since the last one
    ambf_teleop::PairFrames pair;
    ambf_teleop::ProxyErrors errors;
    std::vector<ambf_teleop::CameraFrames> frames;  ///< one per entry of `cameras`
    double heard = 0.0;                             ///< when the last sample came

    bool fresh = false;  ///< a sample came since the last step
    std::uint64_t samples = 0;
    std::uint64_t jumps = 0;
    std::uint32_t camera_held_by = ambf_teleop::nobody;
  };

  struct Camera
  {
    ambf_teleop::CameraOwner owner;
    bool moved = false;
  };

  void find(Device & device, const ambf_dynamics::World & world, const DescribedGains & described);
  /// Gains of the devices on one body count together.
  void limit_gains(const ambf_dynamics::World & world);
  void find_joints(Device & device, const ambf_dynamics::World & world);
  void find_cameras(Device & device, std::span<const std::string> cameras);
  void take_sample(Device & device, const ambf_dynamics::World & world, double now) noexcept;
  /// Buttons that went down with the newest sample.
  void press(Device & device, const ambf_dynamics::World & world, std::uint32_t pressed) noexcept;
  /// The step bears the gains of all devices on this one's body, with a margin.
  bool bearable(const Device & device, const ambf_dynamics::World & world) const noexcept;
  void lose(std::uint32_t index) noexcept;
  /// Brings `shown` nearer to the newest sample, so as to arrive when the next one is due.
  static void approach(Device & device) noexcept;
  void move_cameras(std::uint32_t index, std::span<ambf_teleop::Pose> cameras) noexcept;
  void aim_gripper(std::uint32_t index) noexcept;
  static ambf_teleop::DeviceInput input(const Device & device) noexcept;
  /// The reference that belongs to the newest sample, which the set-point reaches in some steps.
  static ambf_teleop::Pose reference_of_sample(
    const Device & device, const Eigen::Quaterniond & R_world_camera) noexcept;
  template <typename Archive>
  void archive(Archive & numbers);

  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<Camera> owners_;  ///< per camera of the world
  std::vector<JointTarget> targets_;
};

/// Why a sample cannot be used: not finite, no rotation; nullptr if it can.
const char * problem_of(const ambf_teleop::DeviceSample & sample) noexcept;

}  // namespace ambf_proxies
