// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The package's models and worlds in the simulator, for the tests.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"

namespace ambf_description
{

inline const std::string package_folder = AMBF_DESCRIPTION_FOLDER;

inline bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

/// A simulated world with the ADF values it came from.
struct Simulation
{
  std::unique_ptr<ambf_dynamics::World> world;
  std::vector<ambf_adf::Model> models;

  Eigen::Isometry3d pose(ambf_dynamics::BodyIndex body) const
  {
    const double * b = world->state().bodies.data() + body * ambf_dynamics::body_stride;
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
    t.translation() = Eigen::Vector3d(b[0], b[1], b[2]);
    return t;
  }

  Eigen::Isometry3d pose(const std::string & qualified) const
  {
    return pose(world->find_body(qualified).value());
  }

  double speed(ambf_dynamics::BodyIndex body) const
  {
    const double * b = world->state().bodies.data() + body * ambf_dynamics::body_stride;
    return Eigen::Vector3d(b[7], b[8], b[9]).norm();
  }

  double joint_position(ambf_dynamics::JointIndex joint) const
  {
    return world->state().joints[joint * ambf_dynamics::joint_stride];
  }

  /// Largest distance between the two pivots of any joint that does not slide [m].
  double largest_gap() const
  {
    double gap = 0.0;
    for (const auto & model : models) {
      for (const auto & joint : model.joints) {
        if (joint.type == ambf_adf::JointType::Prismatic) { continue; }
        const Eigen::Vector3d parent = pose(joint.parent) * joint.parent_pivot;
        const Eigen::Vector3d child = pose(joint.child) * joint.child_pivot;
        gap = std::max(gap, (parent - child).norm());
      }
    }
    return gap;
  }

  /// Joints that clients command, in file order.
  std::vector<ambf_dynamics::JointIndex> driven() const
  {
    std::vector<ambf_dynamics::JointIndex> out;
    for (std::size_t i = 0; i < world->joints().size(); ++i) {
      const auto & joint = world->joints()[i];
      if (!joint.passive && joint.commandable) {
        out.push_back(static_cast<ambf_dynamics::JointIndex>(i));
      }
    }
    return out;
  }
};

inline void add(Simulation & simulation, const ambf_adf::Model & model)
{
  const auto added = simulation.world->add_model(model);
  ASSERT_TRUE(added.has_value()) << to_string(added.error());
  EXPECT_TRUE(added->warnings.empty()) << to_string(added->warnings);
  EXPECT_LT(added->closure.position_error_before, 1e-6) << added->closure.worst_joint;
  simulation.models.push_back(model);
}

inline void make(Simulation & simulation, const Eigen::Vector3d & gravity)
{
  ambf_dynamics::Parameters parameters;
  parameters.gravity = gravity;
  auto world = ambf_dynamics::make_world(parameters);
  ASSERT_TRUE(world.has_value()) << to_string(world.error());
  simulation.world = std::move(*world);
}

inline void load_model(Simulation & simulation, const std::string & name)
{
  make(simulation, {0.0, 0.0, -9.81});
  auto parsed = ambf_adf::parse_file(package_folder + "/adf/" + name + ".yaml");
  ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
  ambf_adf::Scene scene;
  auto model = scene.add(std::move(*parsed));
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  add(simulation, *model);
}

inline void load_world(Simulation & simulation, const std::string & name)
{
  const auto loaded = ambf_adf::load_launch(package_folder + "/worlds/" + name + "/launch.yaml");
  ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
  EXPECT_TRUE(loaded->warnings.empty()) << to_string(loaded->warnings);
  make(simulation, loaded->world.gravity);
  ASSERT_TRUE(loaded->environment.has_value());
  add(simulation, *loaded->environment);
  for (const auto & model : loaded->models) { add(simulation, model); }
}

/// Holds every driven joint at its start and every floating palm in place, then steps.
inline void hold(Simulation & simulation, double seconds)
{
  for (const auto joint : simulation.driven()) {
    if (simulation.world->joints()[joint].name.find("bob") == std::string::npos) {
      simulation.world->set_joint_command(
        joint, ambf_dynamics::JointMode::Position, simulation.joint_position(joint));
    }
  }
  for (std::size_t i = 0; i < simulation.world->bodies().size(); ++i) {
    if (simulation.world->bodies()[i].name == "palm") {
      const auto body = static_cast<ambf_dynamics::BodyIndex>(i);
      ambf_dynamics::BodyCommand command;
      command.mode = ambf_dynamics::BodyMode::Pose;
      command.position = simulation.pose(body).translation();
      command.orientation = Eigen::Quaterniond(simulation.pose(body).linear());
      simulation.world->set_body_command(body, command);
    }
  }
  const auto steps = static_cast<std::uint32_t>(std::lround(seconds / 0.001));
  ASSERT_EQ(simulation.world->step(steps), ambf_dynamics::StepStatus::Ok)
    << simulation.world->divergence().reason;
}

}  // namespace ambf_description
