// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small world without gravity: two free tools, a gripper with two fingers, a wall.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_proxies/proxies.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_proxies::test
{

using ambf_teleop::DeviceSample;
using ambf_teleop::Pose;
using ambf_teleop::ProxyGains;
using Eigen::Quaterniond;
using Eigen::Vector3d;

inline int rounds(int few, int many)
{
  const char * wish = std::getenv("AMBF_TEST_LONG");
  return wish != nullptr && wish[0] == '1' ? many : few;
}

inline const char * const tools = R"(
bodies: [BODY tool, BODY other, BODY palm, BODY left, BODY right, BODY wall]
joints: [JOINT left, JOINT right]
namespace: /ambf/env/
BODY tool: &tool
  name: tool
  mass: 2.0
  inertia: {ix: 0.02, iy: 0.03, iz: 0.04}
  damping: {linear: 0.0, angular: 0.0}
  inertial offset: {position: {x: 0, y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}
  location: {position: {x: 0, y: 0, z: 1}, orientation: {r: 0, p: 0, y: 0}}
  collision shape: BOX
  collision geometry: {x: 0.1, y: 0.1, z: 0.1}
BODY other:
  <<: *tool
  name: other
  location: {position: {x: 0, y: 2, z: 1}, orientation: {r: 0, p: 0, y: 0.5}}
BODY palm:
  <<: *tool
  name: palm
  location: {position: {x: 4, y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}
BODY left:
  <<: *tool
  name: left
  mass: 0.2
  location: {position: {x: 4, y: 0.2, z: 0}, orientation: {r: 0, p: 0, y: 0}}
BODY right:
  <<: *tool
  name: right
  mass: 0.2
  location: {position: {x: 4, y: -0.2, z: 0}, orientation: {r: 0, p: 0, y: 0}}
BODY wall:
  name: wall
  mass: 0.0
  location: {position: {x: 0, y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}
  collision shape: BOX
  collision geometry: {x: 1, y: 1, z: 0.1}
JOINT left: &finger
  name: left
  type: prismatic
  parent: BODY palm
  child: BODY left
  parent pivot: {x: 0, y: 0.2, z: 0}
  child pivot: {x: 0, y: 0, z: 0}
  parent axis: {x: 0, y: 1, z: 0}
  child axis: {x: 0, y: 1, z: 0}
  joint limits: {low: -0.05, high: 0.03}
  controller: {P: 500.0, I: 0.0, D: 20.0}
JOINT right:
  <<: *finger
  name: right
  child: BODY right
  parent pivot: {x: 0, y: -0.2, z: 0}
  parent axis: {x: 0, y: -1, z: 0}
  child axis: {x: 0, y: -1, z: 0}
)";

inline std::string words_of(const ambf_adf::Errors & errors) { return ambf_adf::to_string(errors); }

class Hands : public ::testing::Test
{
protected:
  Hands()
  {
    ambf_dynamics::Parameters parameters;
    parameters.gravity.setZero();
    world = std::move(*ambf_dynamics::make_world(parameters));
    auto parsed = ambf_adf::parse_text(tools, "tools", "", {});
    if (!parsed) { throw std::runtime_error(words_of(parsed.error())); }
    auto model = scene.add(std::move(*parsed));
    auto added = world->add_model(*model);
    if (!added) { throw std::runtime_error(words_of(added.error())); }
    cameras = {
      {Vector3d(3, 0, 1), Quaterniond::Identity()},
      {Vector3d(0, 3, 1), Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()))}};
    hands_.bind({});
  }

  /// Linear 800 N/m, 40 N s/m; angular 20 N m/rad, 1 N m s/rad: stable for the tool.
  static ProxyGains gains()
  {
    ProxyGains g;
    g.linear_stiffness.setConstant(800.0);
    g.linear_damping.setConstant(40.0);
    g.angular_stiffness.setConstant(20.0);
    g.angular_damping.setConstant(1.0);
    return g;
  }

  static Binding binding(const std::string & device, const std::string & root = "tool")
  {
    Binding b;
    b.device = device;
    b.root_link = root;
    b.gains = gains();
    return b;
  }

  void bind(std::vector<Binding> bindings)
  {
    hands_.bind(std::move(bindings));
    rebuild();
  }
  void rebuild() { hands_.rebuild(*world, camera_names); }

  /// The newest sample of a device; numbers count up by themselves.
  void hand(
    std::size_t device, const Pose & pose, double gripper = 0.5, bool clutch = false,
    bool camera = false)
  {
    DeviceSample sample;
    sample.T_base_tip = pose;
    sample.gripper = gripper;
    sample.position_clutch = clutch;
    sample.camera_clutch = camera;
    sample.sequence = ++sequence;
    hands_.box(device)->post(sample);
  }

  void step(bool supervised = true)
  {
    now += 0.001;
    hands_.take_samples(*world, now);
    hands_.before_step(*world, cameras, now, supervised);
    for (const auto & target : hands_.joint_targets()) {
      world->set_joint_command(
        target.joint,
        target.release ? ambf_dynamics::JointMode::Release : ambf_dynamics::JointMode::Position,
        target.position);
    }
    ASSERT_EQ(world->step(), ambf_dynamics::StepStatus::Ok);
  }

  ProxyReading reading(std::size_t device)
  {
    std::vector<ProxyReading> all;
    hands_.read(*world, cameras, all);
    return all[device];
  }

  Pose reference(std::size_t device) { return reading(device).proxy.T_world_reference; }
  Vector3d position(std::size_t body) const
  {
    const double * b = world->state().bodies.data() + body * ambf_dynamics::body_stride;
    return {b[0], b[1], b[2]};
  }

  std::unique_ptr<ambf_dynamics::World> world;
  ambf_adf::Scene scene;
  std::vector<std::string> camera_names{"/ambf/env/front camera", "/ambf/env/side camera"};
  std::vector<Pose> cameras;
  Proxies hands_;
  double now = 0.0;
  std::uint64_t sequence = 0;
};

inline double gap(const Pose & a, const Pose & b)
{
  return (a.position - b.position).norm() +
         ambf_teleop::angle_between(a.orientation, b.orientation);
}

inline Pose at(double x, double y, double z)
{
  return {Vector3d(x, y, z), Quaterniond::Identity()};
}

}  // namespace ambf_proxies::test
