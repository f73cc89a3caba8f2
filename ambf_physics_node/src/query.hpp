#pragma once

#include <string>

#include <ambf_msgs/srv/query_object.hpp>

#include "core/simulation.hpp"
#include "roster.hpp"

namespace ambf_physics
{

/// Everything that is known about one object, joint or model. Takes the ownership for its state.
void query(
  const std::string & name, const Roster & roster, Simulation & simulation,
  ambf_msgs::srv::QueryObject::Response & response);

}  // namespace ambf_physics
