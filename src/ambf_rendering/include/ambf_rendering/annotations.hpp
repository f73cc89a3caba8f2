// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_rendering/camera.hpp"
#include "ambf_rendering/captions.hpp"
#include "ambf_rendering/text.hpp"

namespace ambf_rendering
{

/// What is written on a picture, before it is known where the picture is taken from.
struct Annotations
{
  struct Name
  {
    Eigen::Vector3d place;  ///< world [m]
    std::string text;
    Ogre::ColourValue colour = Ogre::ColourValue::White;
  };
  std::vector<Name> names;
  std::vector<std::string> lines;  ///< from the top left corner down
  std::vector<Caption> captions;   ///< at the lower edge; the worst is the lowest
};

/// Puts names right below their places, lines into the corner, and captions into the lowest third, in letters
/// of twice the size on a large picture. Names behind the camera or outside are left
/// out; those that would cover a nearer one move down a little, or are left out, too.
std::vector<Label> lay_out(
  const Annotations & what, const Eigen::Isometry3d & t_world_camera, const Lens & lens, int width,
  int height);

}  // namespace ambf_rendering
