// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ambf_simulation/simulation.hpp"

namespace ambf_py
{

using ambf_simulation::JointOrder;

/// What a caller gave does not fit; the text says what, where and what would fit.
struct BadInput : std::invalid_argument
{
  using std::invalid_argument::invalid_argument;
};

/// A body left the finite world.
struct Diverged : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

struct ActuatorOrder
{
  std::uint32_t actuator = 0;
  ambf_dynamics::ActuatorCommand command;
};

/// How a body looks, for pictures without a render node.
struct Look
{
  ambf_dynamics::BodyIndex body = 0;
  std::string mesh;  ///< file
  double scale = 1.0;
  Eigen::Vector3d color = Eigen::Vector3d::Constant(0.7);
};

/// The simulation of the physics node in this process, in lockstep with its caller: exceptions instead of
/// answers, and nobody else who commands. The same files, commands and steps give the same hashes.
class LocalWorld
{
public:
  explicit LocalWorld(const ambf_dynamics::Parameters & parameters);

  /// `file` may end on a choice from its menu: launch.yaml?models=0,3
  void load_launch(const std::string & file);
  /// Returns the name that the model got; with a name in `request` it goes to a place of that name.
  std::string load(const ambf_simulation::LoadRequest & request);
  bool remove(const std::string & name) { return simulation_.remove(name); }

  /// All of the orders, or none and an exception.
  void command(std::span<const JointOrder> joints, std::span<const ActuatorOrder> actuators);
  /// Throws Diverged.
  void step(std::uint32_t count);
  void reset(bool time) { simulation_.reset(time, true, false); }
  std::uint64_t hash() const { return simulation_.hash(); }
  std::vector<std::byte> save() const { return simulation_.save(); }
  void restore(std::span<const std::byte> bytes);

  ambf_dynamics::World & world() { return simulation_.world(); }
  const ambf_dynamics::World & world() const { return simulation_.world(); }
  /// Of every body that is drawn.
  std::vector<Look> looks() const;

private:
  void check(const JointOrder & order) const;

  ambf_simulation::Simulation simulation_;
};

}  // namespace ambf_py
