#include "mesh_library.hpp"

#include <cstdio>
#include <filesystem>

namespace ambf_render
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
          text, sizeof(text), "plane %.9g %.9g %.9g %.9g", s.normal.x(), s.normal.y(), s.normal.z(), s.offset);
      } else {
        std::snprintf(
          text, sizeof(text), "round %zu %.9g %.9g %d", ambf_adf::Primitive(s).index(), s.radius, s.height,
          static_cast<int>(s.axis));
      }
    }, shape);
  return text;
}

}  // namespace

ambf_adf::Material placeholder_colour()
{
  ambf_adf::Material material;
  material.diffuse = {1.0, 0.0, 1.0};
  return material;
}

MeshLibrary::MeshLibrary(Engine & engine, Warn warn)
: engine_(engine), warn_(std::move(warn))
{
}

MeshLibrary::~MeshLibrary()
{
  const auto drop = [](const Ogre::MeshPtr & mesh) {Ogre::MeshManager::getSingleton().remove(mesh);};
  for (auto & [name, shared] : meshes_) {drop(shared.mesh);}
  for (auto & [name, mesh] : primitives_) {drop(mesh);}
}

void MeshLibrary::warn_once(const std::string & key, const std::string & text)
{
  if (warned_.insert(key).second && warn_) {warn_(text);}
}

ambf_adf::expected<const SharedMesh *, std::string> MeshLibrary::load(const std::string & file)
{
  if (const auto it = meshes_.find(file); it != meshes_.end()) {return &it->second;}
  const auto mesh = files_.get(file);
  if (!mesh) {return tl::unexpected(mesh.error().reason);}
  const Surface surface = to_surface(**mesh);
  if (surface.triangles.empty()) {return tl::unexpected(std::string("it has no triangles"));}
  SharedMesh shared;
  shared.mesh = engine_.mesh(engine_.unique(file), surface);
  for (const auto & part : surface.parts) {
    ambf_adf::Material material;
    Ogre::TexturePtr map;
    if (part.material < (*mesh)->materials.size()) {
      const auto & own = (*mesh)->materials[part.material];
      material = own.color;
      if (!own.diffuse_texture.empty()) {
        const auto path = std::filesystem::path(file).parent_path() / own.diffuse_texture;
        if (auto texture = engine_.texture(path.string())) {
          map = *texture;
          // Exporters write black or grey beside a texture and mean the texture.
          if (material.diffuse.maxCoeff() < 0.05) {material.diffuse.setOnes();}
        } else {
          warn_once(path.string(), "texture is drawn in plain magenta: " + texture.error());
          material = placeholder_colour();
        }
      }
    }
    shared.materials.push_back(material);
    shared.textures.push_back(map);
  }
  return &meshes_.emplace(file, std::move(shared)).first->second;
}

Ogre::MeshPtr MeshLibrary::primitive(const ambf_adf::Primitive & shape)
{
  const std::string name = primitive_name(shape);
  auto & mesh = primitives_[name];
  if (!mesh) {mesh = engine_.mesh(engine_.unique(name), to_surface(shape));}
  return mesh;
}

Ogre::MeshPtr MeshLibrary::missing()
{
  auto & mesh = primitives_["placeholder"];
  if (!mesh) {mesh = engine_.mesh(engine_.unique("placeholder"), placeholder());}
  return mesh;
}

}  // namespace ambf_render
