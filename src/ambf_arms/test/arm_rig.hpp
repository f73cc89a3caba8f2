// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm under control with an ideal machine: it is where it is told to be, unless a test holds it.

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"
#include "ambf_arms/arm_control.hpp"

namespace ambf_arms::test
{

using Kind = ControlEvent::Kind;
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline Arm make_arm(const std::string & name)
{
  const auto described =
    parse_arms_file(std::string(AMBF_DESCRIPTION_FOLDER) + "/arms/" + name + ".yaml");
  EXPECT_TRUE(described.has_value());
  const auto model = ambf_adf::parse_file(described->arms[0].model);
  EXPECT_TRUE(model.has_value());
  auto arm = Arm::make(described->arms[0], &*model);
  EXPECT_TRUE(arm.has_value());
  return *arm;
}

inline JointVector vector(std::initializer_list<double> values)
{
  JointVector v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

/// An arm with an ideal machine.
struct Rig
{
  explicit Rig(const std::string & name = "psm", const ControlOptions & options = {})
  : control(make_arm(name), options)
  {
    const int n = control.arm().joints();
    machine = {zeros(n), zeros(n), zeros(n), 0.0, 0.0, 0.0};
    if (name != "mtm") { machine.position[2] = 0.05; }
    control.measure(machine);
  }

  void tick(double dt = 0.001)
  {
    now += dt;
    control.set_now(now);
    control.tick(dt);
    const ArmDrives & drives = control.drives();
    for (Eigen::Index i = 0; i < drives.values.size() && !stuck; ++i) {
      if (drives.modes[static_cast<std::size_t>(i)] == Drive::Position) {
        machine.position[i] = drives.values[i];
      }
    }
    if (drives.jaw_mode == Drive::Position && !stuck) { machine.jaw_position = drives.jaw; }
    control.measure(machine);
    collect();
  }
  void collect()
  {
    control.take_events([this](const ControlEvent & event) { events.push_back(event); });
  }
  void home()
  {
    control.state_command("enable");
    control.state_command("home");
    run_until_idle();
    ASSERT_TRUE(control.state().ready());
    events.clear();
  }
  void run_until_idle(int most = 20000)
  {
    collect();
    for (int i = 0; i < most && control.state().is_busy(); ++i) { tick(); }
  }
  void run(int ticks)
  {
    for (int i = 0; i < ticks; ++i) { tick(); }
  }
  int count(Kind kind)
  {
    collect();
    return static_cast<int>(
      std::count_if(events.begin(), events.end(), [&](const auto & e) { return e.kind == kind; }));
  }
  /// busy of every operating_state, in order.
  std::vector<bool> busy()
  {
    collect();
    std::vector<bool> out;
    for (const auto & e : events) {
      if (e.kind == Kind::OperatingState) { out.push_back(e.busy); }
    }
    return out;
  }
  std::vector<bool> reached()
  {
    collect();
    std::vector<bool> out;
    for (const auto & e : events) {
      if (e.kind == Kind::GoalReached) { out.push_back(e.flag); }
    }
    return out;
  }
  std::string text(Kind kind)
  {
    collect();
    for (const auto & e : events) {
      if (e.kind == kind) { return e.text; }
    }
    return {};
  }
  Eigen::Isometry3d tip() const { return *control.arm().forward(control.setpoint()); }

  ArmControl control;
  MeasuredArm machine;
  bool stuck = false;
  double now = 0.0;
  std::vector<ControlEvent> events;
};

}  // namespace ambf_arms::test
