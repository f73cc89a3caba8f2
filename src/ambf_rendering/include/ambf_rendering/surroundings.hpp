// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_rendering/camera.hpp"
#include "ambf_rendering/engine.hpp"

namespace ambf_rendering
{

/// What is drawn around a world: a backdrop, and a grid where there is no floor.
class Surroundings
{
public:
  Surroundings(Engine & engine, Ogre::SceneManager & ogre);

  void show(bool backdrop, bool grid);
  /// A world with a floor of its own has no grid.
  void set_floor(bool there);
  /// Puts the backdrop around an eye, inside its clipping planes.
  void enclose(const Ogre::SceneNode & eye, const Lens & lens);

private:
  Ogre::SceneNode * backdrop_node_ = nullptr;
  Ogre::Entity * backdrop_ = nullptr;
  Ogre::Entity * grid_ = nullptr;
  bool grid_wanted_ = true, floor_ = false;
};

}  // namespace ambf_rendering
