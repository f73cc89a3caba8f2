// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small model, and commands for it.

#include <cstdint>
#include <string>
#include <utility>

#include "ambf_simulation/simulation.hpp"

namespace ambf_simulation
{

/// A heavy base that nothing holds, with a link on a joint.
inline LoadRequest two_links(const std::string & base = "base", const std::string & place = "")
{
  LoadRequest request;
  request.name = "two";
  request.text =
    "bodies: [BODY base, BODY link]\njoints: [JOINT hinge]\n"
    "BODY base: {name: " +
    base + place +
    ", mass: 5.0, inertia: {ix: 1, iy: 1, iz: 1}}\n"
    "BODY link: {name: link, mass: 0.1, inertia: {ix: 0.1, iy: 0.1, iz: 0.1}}\n"
    "JOINT hinge: {name: hinge, type: revolute, parent: BODY base, child: BODY link,\n"
    "  parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0.2},\n"
    "  parent axis: {x: 1, y: 0, z: 0}, child axis: {x: 1, y: 0, z: 0}}\n";
  return request;
}

inline auto load(Simulation & simulation, const LoadRequest & request)
{
  const Ownership::Token token(simulation.ownership());
  return simulation.read(request).and_then(
    [&](ambf_adf::Model && model) { return simulation.load(request, std::move(model)); });
}

inline BodyOrder joint_order(
  const Simulation & simulation, std::uint32_t source, ambf_dynamics::JointIndex joint,
  double value)
{
  BodyOrder order;
  order.source = source;
  order.revision = simulation.world().revision();
  order.joints = {{joint, ambf_dynamics::JointMode::Effort, value}};
  return order;
}

}  // namespace ambf_simulation
