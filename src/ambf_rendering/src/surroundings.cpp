// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/surroundings.hpp"

#include <cmath>

namespace ambf_rendering
{

Surroundings::Surroundings(Engine & engine, Ogre::SceneManager & ogre)
{
  const auto sphere = engine.mesh(engine.unique("backdrop"), to_surface(ambf_adf::Sphere{1.0}));
  backdrop_ = ogre.createEntity(sphere);
  backdrop_->setMaterial(engine.materials().named("backdrop"));
  backdrop_->setRenderQueueGroup(Ogre::RENDER_QUEUE_BACKGROUND);
  backdrop_->setVisibilityFlags(layer::surroundings);
  backdrop_->setCastShadows(false);
  backdrop_node_ = ogre.getRootSceneNode()->createChildSceneNode();
  backdrop_node_->attachObject(backdrop_);

  const auto plane = engine.mesh(engine.unique("grid"), to_surface(ambf_adf::Plane{}));
  grid_ = ogre.createEntity(plane);
  grid_->setMaterial(engine.materials().named("grid"));
  grid_->setVisibilityFlags(layer::grid);
  ogre.getRootSceneNode()->createChildSceneNode()->attachObject(grid_);
}

void Surroundings::show(bool backdrop, bool grid)
{
  backdrop_->setVisible(backdrop);
  grid_wanted_ = grid;
  grid_->setVisible(grid_wanted_ && !floor_);
}

void Surroundings::set_floor(bool there)
{
  floor_ = there;
  grid_->setVisible(grid_wanted_ && !floor_);
}

void Surroundings::enclose(const Ogre::SceneNode & eye, const Lens & lens)
{
  backdrop_node_->setPosition(eye.getPosition());
  backdrop_node_->setScale(
    Ogre::Vector3(static_cast<float>(std::sqrt(lens.near_plane * lens.far_plane))));
}

}  // namespace ambf_rendering
