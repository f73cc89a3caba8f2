// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ambf_msgs/srv/query_object.hpp>

#include "ambf_simulation/simulation.hpp"
#include "roster.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// What is known about one object, joint or model. Takes the ownership for its state.
void query(
  const ambf_msgs::srv::QueryObject::Request & request, const Roster & roster,
  Simulation & simulation, ambf_msgs::srv::QueryObject::Response & response);

}  // namespace ambf_physics
