// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>

#include "writers.hpp"

namespace ambf_convert
{

/// <origin> where it is not that of the parent.
void add_urdf_origin(const Element & element, const Isometry3d & t);

/// Writes bodies as links of URDF.
class UrdfLinks
{
public:
  UrdfLinks(const Model & model, Problems & lost) : model_(model), lost_(lost) {}

  void add(
    const Element & robot, const ambf_adf::RigidBody & body, const std::string & name,
    const Isometry3d & t_link_body);

private:
  /// A shape under `kind`; capsules become a cylinder and two balls.
  void add_shape(
    const Element & link, const char * kind, const ambf_adf::PlacedShape & placed,
    const ambf_adf::RigidBody & body, const Isometry3d & t_link_body);

  const Model & model_;
  Problems & lost_;
  std::set<std::string> colour_names_;
};

}  // namespace ambf_convert
