// SPDX-License-Identifier: BSD-3-Clause
// Counts its steps and drives the first joint with them; throws where its place is called "breaks".

#include <array>
#include <cstdint>
#include <stdexcept>

#include "ambf_simulation/plugin.hpp"

namespace
{

class Counting : public ambf_simulation::Plugin
{
public:
  std::string bind(
    ambf_dynamics::World & world, const ambf_simulation::PluginPlace & place) override
  {
    breaks_ = place.name == "breaks";
    return world.joints().empty() ? "no joint" : "";
  }
  void before_step(ambf_dynamics::World & world) override
  {
    if (breaks_) { throw std::runtime_error("it broke"); }
    ++counts_[0];
    world.set_joint_command(
      0, ambf_dynamics::JointMode::Effort, 0.001 * static_cast<double>(counts_[0]));
  }
  void after_step(ambf_dynamics::World & world) override { counts_[1] = world.state().step; }
  std::span<std::byte> state() override { return std::as_writable_bytes(std::span(counts_)); }

private:
  bool breaks_ = false;
  std::array<std::uint64_t, 2> counts_{};
};

}  // namespace

AMBF_SIMULATION_PLUGIN(Counting)
