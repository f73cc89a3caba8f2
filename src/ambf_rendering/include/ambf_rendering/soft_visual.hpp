// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_rendering/mesh_library.hpp"

namespace ambf_rendering
{

/// A soft body: the surface of its collision mesh with vertices that are rewritten.
class SoftVisual
{
public:
  /// `mesh` has triangles: of the body's collision mesh.
  SoftVisual(
    Engine & engine, Ogre::SceneManager & scene, MeshLibrary & library,
    const ambf_adf::SoftBody & source, const ambf_adf::Mesh & mesh);
  ~SoftVisual();
  SoftVisual(const SoftVisual &) = delete;
  SoftVisual & operator=(const SoftVisual &) = delete;

  /// Nodes in the world frame, x y z each. False: another number than the mesh has, nothing changed.
  bool deform(std::span<const float> nodes);
  std::size_t node_count() const { return node_count_; }
  const Ogre::AxisAlignedBox & bounds() const { return mesh_->getBounds(); }
  Ogre::Entity * entity() { return entity_; }

private:
  Ogre::SceneManager & scene_;
  Ogre::Entity * entity_ = nullptr;
  Ogre::SceneNode * node_ = nullptr;
  Ogre::MeshPtr mesh_;
  std::vector<std::uint32_t> triangles_;  ///< three nodes each
  std::size_t node_count_ = 0;
};

}  // namespace ambf_rendering
