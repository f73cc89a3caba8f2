// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A simulation without ROS whose hands are moved by recordings, step by step.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ament_index_cpp/get_package_share_directory.hpp>

#include "ambf_devices/recording.hpp"
#include "ambf_simulation/simulation.hpp"

namespace ambf_simulation_test
{

inline std::string world_folder(const std::string & name)
{
  return ament_index_cpp::get_package_share_directory("ambf_description") + "/worlds/" + name;
}

/// A world of ambf_description, or a launch file, stepped in lockstep.
class ScriptedWorld
{
public:
  explicit ScriptedWorld(
    const std::string & world, std::vector<ambf_simulation::DeviceSettings> settings = {})
  {
    ambf_dynamics::Parameters parameters;
    parameters.report_contacts = false;
    simulation = std::make_unique<ambf_simulation::Simulation>(
      std::move(*ambf_dynamics::make_world(parameters)));
    ambf_simulation::DeviceRules rules;
    rules.from_file = ambf_adf::Choice::all();
    rules.settings = std::move(settings);
    simulation->set_devices(std::move(rules));
    const std::string file =
      world.ends_with(".yaml") ? world : world_folder(world) + "/launch.yaml";
    const auto loaded =
      simulation->read_launch(file, {}).and_then([&](ambf_simulation::LaunchContent && content) {
        return simulation->load_launch(std::move(content));
      });
    EXPECT_TRUE(loaded) << (loaded ? "" : ambf_adf::to_string(loaded.error()));
  }

  std::size_t device(const std::string & name) const
  {
    const auto & hands = simulation->hands().proxies();
    for (std::size_t i = 0; i < hands.size(); ++i) {
      if (hands.name(i) == name) { return i; }
    }
    ADD_FAILURE() << "no device " << name;
    return 0;
  }

  /// The newest sample of a device; numbers count up by themselves.
  void hand(std::size_t index, const ambf_devices::DriverState & state)
  {
    ambf_teleop::DeviceSample sample;
    sample.T_base_tip = state.T_base_tip;
    sample.gripper = state.gripper;
    sample.position_clutch = state.position_clutch;
    sample.camera_clutch = state.camera_clutch;
    sample.sequence = ++sequence;
    simulation->hands().proxies().box(index)->post(sample);
  }

  void hand(std::size_t index, double x, double y = 0.0, double z = 0.0)
  {
    ambf_devices::DriverState state;
    state.T_base_tip.position = {x, y, z};
    hand(index, state);
  }

  void step(bool supervised = false)
  {
    simulation->apply_posted(now + 1'000'000);
    step_of_a_call(supervised);
  }

  /// A step that is not the first of its call of the world clock.
  void step_of_a_call(bool supervised = false)
  {
    now += 1'000'000;
    ASSERT_EQ(
      simulation->step(now, 0, ambf_simulation::WatchdogAction::Release, supervised),
      ambf_dynamics::StepStatus::Ok)
      << simulation->world().divergence().reason;
  }

  ambf_proxies::ProxyReading reading(std::size_t index)
  {
    simulation->share_state();
    simulation->shared_state().take();
    return simulation->shared_state().front().hands.at(index);
  }

  Eigen::Isometry3d pose(const std::string & qualified) const
  {
    const auto body = simulation->world().find_body(qualified);
    EXPECT_TRUE(body) << qualified;
    const double * b =
      simulation->world().state().bodies.data() + body.value_or(0) * ambf_dynamics::body_stride;
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.translation() = Eigen::Vector3d(b[0], b[1], b[2]);
    t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
    return t;
  }

  std::uint64_t hash() const { return simulation->world().state().hash; }

  std::unique_ptr<ambf_simulation::Simulation> simulation;
  std::uint64_t sequence = 0;
  std::int64_t now = 0;
};

/// A recorded hand: position and gripper between two states are linear, as a device of a higher rate
/// would have read them.
class RecordedHand
{
public:
  explicit RecordedHand(const std::string & file)
  {
    auto read = ambf_devices::read_recording(file);
    EXPECT_TRUE(read) << (read ? "" : read.error());
    if (read) { recording_ = std::move(*read); }
  }

  double length() const { return recording_.empty() ? 0.0 : recording_.back().time; }

  ambf_devices::DriverState at(double time)
  {
    hint_ = ambf_devices::state_at(recording_, time, hint_);
    const auto & here = recording_[hint_];
    const auto & there = recording_[std::min(hint_ + 1, recording_.size() - 1)];
    ambf_devices::DriverState state = here.state;
    const double span = there.time - here.time;
    const double part = span > 0.0 ? std::min(1.0, (time - here.time) / span) : 0.0;
    state.T_base_tip.position +=
      part * (there.state.T_base_tip.position - here.state.T_base_tip.position);
    state.gripper += part * (there.state.gripper - here.state.gripper);
    return state;
  }

private:
  ambf_devices::Recording recording_;
  std::size_t hint_ = 0;
};

}  // namespace ambf_simulation_test
