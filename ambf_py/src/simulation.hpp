// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"

namespace ambf_py
{

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

struct JointOrder
{
  std::uint32_t joint = 0;
  ambf_dynamics::JointMode mode = ambf_dynamics::JointMode::None;
  double value = 0.0;
};

struct ActuatorOrder
{
  std::uint32_t actuator = 0;
  ambf_dynamics::ActuatorCommand command;
};

/// How a body looks, for pictures without a render node.
struct Look
{
  std::string body;  ///< qualified identifier
  std::string mesh;  ///< file
  double scale = 1.0;
  Eigen::Vector3d color = Eigen::Vector3d::Constant(0.7);
};

/// One world with the names of what it holds. It loads in the order in which the physics node does,
/// so that the same files, commands and steps give the same hashes.
class Simulation
{
public:
  explicit Simulation(const ambf_dynamics::Parameters & parameters);

  /// `file` may end on a choice from its menu: launch.yaml?models=0,3
  void load_launch(const std::string & file);
  /// Returns the name that the model got; with `name` it goes to a place of that name.
  std::string load_file(
    const std::filesystem::path & file, const std::string & name, const std::string & ns,
    const Eigen::Isometry3d & t_world_model);
  std::string load_text(
    const std::string & text, const std::string & name, const std::string & resource_base,
    const std::string & ns, const Eigen::Isometry3d & t_world_model);
  bool remove(const std::string & name);

  /// All of the orders, or none and an exception.
  void command(std::span<const JointOrder> joints, std::span<const ActuatorOrder> actuators);
  /// Throws Diverged.
  void step(std::uint32_t count);

  ambf_dynamics::World & world() { return *world_; }
  const ambf_dynamics::World & world() const { return *world_; }
  const std::vector<Look> & looks() const { return looks_; }

private:
  struct Loaded
  {
    std::string name;
    ambf_dynamics::ModelHandle handle;
  };
  std::string add(ambf_adf::Model model);
  std::string place(
    ambf_adf::Model model, const std::string & name, const std::string & ns,
    const Eigen::Isometry3d & t_world_model);
  void check(const JointOrder & order) const;

  std::unique_ptr<ambf_dynamics::World> world_;
  ambf_adf::Scene scene_;
  std::vector<Loaded> models_;
  std::vector<Look> looks_;
};

}  // namespace ambf_py
