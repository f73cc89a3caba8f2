// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/mesh_library.hpp"

#include <cstdio>
#include <filesystem>

namespace ambf_rendering
{

namespace
{

std::string primitive_name(const ambf_adf::Primitive & shape)
{
  char text[160] = "";
  std::visit(
    [&](const auto & s) {
      using T = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<T, ambf_adf::Box>) {
        std::snprintf(text, sizeof(text), "box %.9g %.9g %.9g", s.size.x(), s.size.y(), s.size.z());
      } else if constexpr (std::is_same_v<T, ambf_adf::Sphere>) {
        std::snprintf(text, sizeof(text), "sphere %.9g", s.radius);
      } else if constexpr (std::is_same_v<T, ambf_adf::Plane>) {
        std::snprintf(
          text, sizeof(text), "plane %.9g %.9g %.9g %.9g", s.normal.x(), s.normal.y(), s.normal.z(),
          s.offset);
      } else if constexpr (std::is_same_v<T, ambf_adf::MeshPart>) {
        std::snprintf(text, sizeof(text), "mesh");
      } else {
        std::snprintf(
          text, sizeof(text), "round %zu %.9g %.9g %d", ambf_adf::Primitive(s).index(), s.radius,
          s.height, static_cast<int>(s.axis));
      }
    },
    shape);
  return text;
}

}  // namespace

ambf_adf::Material placeholder_colour()
{
  ambf_adf::Material material;
  material.diffuse = {1.0, 0.0, 1.0};
  return material;
}

MeshLibrary::MeshLibrary(Engine & engine, Warn warn) : engine_(engine), warn_(std::move(warn)) {}

MeshLibrary::~MeshLibrary()
{
  const auto drop = [](const Ogre::MeshPtr & mesh) {
    Ogre::MeshManager::getSingleton().remove(mesh);
  };
  for (auto & [name, shared] : meshes_) { drop(shared.mesh); }
  for (auto & [name, mesh] : primitives_) { drop(mesh); }
}

void MeshLibrary::warn_once(const std::string & key, const std::string & text)
{
  if (warned_.insert(key).second && warn_) { warn_(text); }
}

ambf_adf::expected<const SharedMesh *, std::string> MeshLibrary::load(const std::string & file)
{
  const std::string key = stamped(file);
  if (const auto it = meshes_.find(key); it != meshes_.end()) { return &it->second; }
  const auto mesh = files_.get(file);
  if (!mesh) { return tl::unexpected(mesh.error().reason); }
  const Surface surface = to_surface(**mesh);
  if (surface.triangles.empty()) { return tl::unexpected(std::string("it has no triangles")); }
  SharedMesh shared;
  shared.mesh = engine_.mesh(engine_.unique(file), surface);
  for (const auto & source : surface.parts) {
    SharedMesh::Part part;
    if (source.material < (*mesh)->materials.size()) {
      const auto & own = (*mesh)->materials[source.material];
      part.material = own.color;
      if (!own.diffuse_texture.empty()) {
        const auto path = std::filesystem::path(file).parent_path() / own.diffuse_texture;
        if (auto texture = engine_.texture(path.string())) {
          part.texture = *texture;
          // Exporters write black or grey beside a texture and mean the texture.
          if (part.material.diffuse.maxCoeff() < 0.05) { part.material.diffuse.setOnes(); }
        } else {
          warn_once(
            stamped(path.string()), "texture is drawn in plain magenta: " + texture.error());
          part.material = placeholder_colour();
          part.broken = true;
        }
      }
    }
    shared.parts.push_back(std::move(part));
  }
  return &meshes_.emplace(key, std::move(shared)).first->second;
}

void MeshLibrary::keep_only(const std::set<const Ogre::Mesh *> & used)
{
  std::erase_if(meshes_, [&](const auto & entry) {
    if (used.count(entry.second.mesh.get()) > 0) { return false; }
    Ogre::MeshManager::getSingleton().remove(entry.second.mesh);
    return true;
  });
  files_.drop_unused();
}

Ogre::MeshPtr MeshLibrary::primitive(const ambf_adf::Primitive & shape)
{
  const std::string name = primitive_name(shape);
  auto & mesh = primitives_[name];
  if (!mesh) { mesh = engine_.mesh(engine_.unique(name), to_surface(shape)); }
  return mesh;
}

Ogre::MeshPtr MeshLibrary::missing()
{
  auto & mesh = primitives_["placeholder"];
  if (!mesh) { mesh = engine_.mesh(engine_.unique("placeholder"), placeholder()); }
  return mesh;
}

}  // namespace ambf_rendering
