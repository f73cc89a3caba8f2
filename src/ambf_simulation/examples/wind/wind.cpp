// SPDX-License-Identifier: BSD-3-Clause
// Gusts of wind that push a body along x: half a second each, once in two seconds.

#include <cstdint>

#include "ambf_simulation/plugin.hpp"

namespace
{

class Wind : public ambf_simulation::Plugin
{
public:
  std::string bind(
    ambf_dynamics::World & world, const ambf_simulation::PluginPlace & place) override
  {
    const auto body = world.find_body(place.object);
    if (!body) { return "expected to be named in the block of a body"; }
    body_ = *body;
    period_ = static_cast<std::uint64_t>(2.0 / world.parameters().step_size);
    return {};
  }

  void before_step(ambf_dynamics::World & world) override
  {
    if (step_ < period_ / 4) {
      world.add_body_wrench(body_, {Eigen::Vector3d(2.0, 0.0, 0.0), Eigen::Vector3d::Zero()});
    }
    step_ = (step_ + 1) % period_;
  }

  std::span<std::byte> state() override { return std::as_writable_bytes(std::span(&step_, 1)); }

private:
  ambf_dynamics::BodyIndex body_ = 0;  // found anew by every bind
  std::uint64_t period_ = 1;           // [steps]
  std::uint64_t step_ = 0;             // of the period: what the next step reads
};

}  // namespace

AMBF_SIMULATION_PLUGIN(Wind)
