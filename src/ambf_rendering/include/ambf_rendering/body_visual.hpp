// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_rendering/engine.hpp"
#include "ambf_rendering/mesh_library.hpp"

namespace ambf_rendering
{

/// What is drawn of one body or ghost object: a node with its entities.
struct BodyVisual
{
  Ogre::SceneNode * node = nullptr;
  std::vector<Ogre::Entity *> entities, collision;
  float radius = 0.0F;  ///< of a ball around the node that holds all entities [m]
};

/// Makes the visuals of bodies: their mesh, their shapes, or a placeholder where the mesh cannot be read.
class BodyPainter
{
public:
  BodyPainter(Engine & engine, Ogre::SceneManager & ogre, MeshLibrary & library)
  : engine_(engine), ogre_(ogre), library_(library)
  {
  }

  /// At the pose of the description.
  BodyVisual draw(const ambf_adf::RigidBody & source);
  /// Without mass, without a shadow, in the layer of ghosts.
  BodyVisual draw(const ambf_adf::GhostObject & source);
  /// Adds the collision shapes; shapes from a mesh have none of their own.
  void draw_collision(BodyVisual & visual, const ambf_adf::RigidBody & source, bool shown);
  /// Removes a node with all that hangs on it.
  void destroy(Ogre::SceneNode * node);

private:
  Ogre::Entity * attach(
    Ogre::SceneNode & parent, const Ogre::MeshPtr & mesh, const ambf_adf::Pose & offset,
    double scale);
  void draw_mesh(
    BodyVisual & visual, const ambf_adf::RigidBody & source, const ambf_adf::MeshFile & file);
  void draw_shapes(
    std::vector<Ogre::Entity *> & out, Ogre::SceneNode & node, const ambf_adf::ShapeList & list,
    const std::optional<ambf_adf::Material> & material);
  void draw_mesh_part(
    std::vector<Ogre::Entity *> & out, Ogre::SceneNode & node, const ambf_adf::MeshPart & part,
    const ambf_adf::PlacedShape & placed, const std::optional<ambf_adf::Material> & material);
  void draw_placeholder(BodyVisual & visual, double size);

  Engine & engine_;
  Ogre::SceneManager & ogre_;
  MeshLibrary & library_;
};

/// Moves a node; false if it is there already.
bool move_node(
  Ogre::SceneNode & node, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation);

/// The number that stands for these entities in identity images (24 bits).
void set_identity(const std::vector<Ogre::Entity *> & entities, std::uint32_t identity);

}  // namespace ambf_rendering
