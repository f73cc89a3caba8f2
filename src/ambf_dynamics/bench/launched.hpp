// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ambf_dynamics/world.hpp"

namespace ambf_dynamics::bench
{

/// The world of a launch file with every motor at work: commands swing each driven joint around its start.
class LaunchedWorld
{
public:
  /// `models` are entries of `multibody configs`, as "0,3,5"; empty: all. Prints why and exits where it cannot be
  /// loaded.
  LaunchedWorld(const std::string & launch_file, const std::string & models);
  void step();
  const World & world() const { return *world_; }

private:
  struct Axis
  {
    JointIndex joint;
    double middle;
    double amplitude;
  };
  std::unique_ptr<World> world_;
  std::vector<Axis> axes_;
  State slot_;
};

}  // namespace ambf_dynamics::bench
