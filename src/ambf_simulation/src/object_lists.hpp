// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_adf/model.hpp"

namespace ambf_simulation
{

/// Calls a function with each list of objects of a model, always in this order.
template <class Function>
void for_each_object_list(const ambf_adf::Model & model, const Function & function)
{
  function(model.bodies);
  function(model.soft_bodies);
  function(model.ghost_objects);
  function(model.joints);
  function(model.sensors);
  function(model.actuators);
  function(model.vehicles);
  function(model.volumes);
  function(model.cameras);
  function(model.lights);
}

}  // namespace ambf_simulation
