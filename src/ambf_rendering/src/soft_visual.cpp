// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/soft_visual.hpp"

#include <algorithm>

namespace ambf_rendering
{

SoftVisual::SoftVisual(
  Engine & engine, Ogre::SceneManager & scene, MeshLibrary & library,
  const ambf_adf::SoftBody & source, const ambf_adf::Mesh & mesh)
: scene_(scene), triangles_(mesh.unified_triangles), node_count_(mesh.unified.size())
{
  Surface surface;
  const Eigen::Isometry3d pose = source.location.isometry();
  std::vector<float> nodes;
  for (const auto & place : mesh.unified) {
    const Eigen::Vector3f p = (pose * (source.scale * place)).cast<float>();
    nodes.insert(nodes.end(), {p.x(), p.y(), p.z()});
    surface.positions.push_back(p);
    surface.normals.push_back(Eigen::Vector3f::UnitZ());
    surface.texture_coordinates.emplace_back(0.0F, 0.0F);
  }
  // The texture coordinates of the first corner that touches a node.
  if (mesh.texture_coordinates.size() == mesh.vertices.size()) {
    for (std::size_t v = mesh.vertices.size(); v-- > 0;) {
      surface.texture_coordinates[mesh.to_unified[v]] = mesh.texture_coordinates[v];
    }
  }
  surface.triangles = triangles_;
  surface.parts = {{0, static_cast<std::uint32_t>(surface.triangles.size() / 3), 0}};
  mesh_ = engine.mesh(engine.unique("soft"), surface, true);
  node_ = scene.getRootSceneNode()->createChildSceneNode();
  entity_ = scene.createEntity(mesh_);
  entity_->setVisibilityFlags(layer::objects);
  entity_->setVisible(source.visual.visible);
  auto material = source.visual.material.value_or(ambf_adf::Material{});
  Ogre::TexturePtr map;
  if (const auto shared = library.load(source.collision_mesh.path);
      shared && !(*shared)->parts.empty()) {
    const auto & part = (*shared)->parts[0];
    map = part.texture;
    if (part.broken) { material = part.material; }
  }
  entity_->setMaterial(engine.materials().surface(material, map));
  node_->attachObject(entity_);
  deform(nodes);
}

SoftVisual::~SoftVisual()
{
  scene_.destroyEntity(entity_);
  scene_.destroySceneNode(node_);
  Ogre::MeshManager::getSingleton().remove(mesh_);
}

bool SoftVisual::deform(std::span<const float> nodes)
{
  if (nodes.size() != 3 * node_count_) { return false; }
  const auto node = [&](std::size_t i) {
    return Eigen::Vector3f(nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2]);
  };
  std::vector<Eigen::Vector3f> normals(node_count_, Eigen::Vector3f::Zero());
  for (std::size_t t = 0; t + 2 < triangles_.size(); t += 3) {
    const auto a = triangles_[t], b = triangles_[t + 1], c = triangles_[t + 2];
    const Eigen::Vector3f n = (node(b) - node(a)).cross(node(c) - node(a));
    normals[a] += n;
    normals[b] += n;
    normals[c] += n;
  }
  Ogre::AxisAlignedBox bounds;
  auto buffer = mesh_->sharedVertexData->vertexBufferBinding->getBuffer(0);
  auto * out = static_cast<float *>(buffer->lock(Ogre::HardwareBuffer::HBL_DISCARD));
  float radius = 0.0F;
  for (std::size_t i = 0; i < node_count_; ++i) {
    const Eigen::Vector3f p = node(i), n = normals[i].normalized();
    for (const float value : {p.x(), p.y(), p.z(), n.x(), n.y(), n.z()}) { *out++ = value; }
    bounds.merge(Ogre::Vector3(p.x(), p.y(), p.z()));
    radius = std::max(radius, p.norm());
  }
  buffer->unlock();
  mesh_->_setBounds(bounds);
  mesh_->_setBoundingSphereRadius(radius);
  node_->needUpdate();
  return true;
}

}  // namespace ambf_rendering
