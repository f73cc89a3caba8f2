#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/shape.hpp"
#include "engine.hpp"

namespace ambf_render
{

/// A mesh file with the material and texture of each of its parts.
struct SharedMesh
{
  Ogre::MeshPtr mesh;
  std::vector<ambf_adf::Material> materials;
  std::vector<Ogre::TexturePtr> textures;
};

/// What stands for a thing that is missing.
ambf_adf::Material placeholder_colour();

/// Meshes that bodies share: of files, primitives, and the placeholder.
class MeshLibrary
{
public:
  using Warn = std::function<void(const std::string &)>;

  MeshLibrary(Engine & engine, Warn warn);
  ~MeshLibrary();
  MeshLibrary(const MeshLibrary &) = delete;
  MeshLibrary & operator=(const MeshLibrary &) = delete;

  /// The error says why the file cannot be drawn; a broken texture gives a part the placeholder's colour.
  ambf_adf::expected<const SharedMesh *, std::string> load(const std::string & file);
  Ogre::MeshPtr primitive(const ambf_adf::Primitive & shape);
  Ogre::MeshPtr missing();
  ambf_adf::MeshCache & files() {return files_;}
  void warn_once(const std::string & key, const std::string & text);

private:
  Engine & engine_;
  Warn warn_;
  ambf_adf::MeshCache files_;
  std::map<std::string, SharedMesh> meshes_;
  std::map<std::string, Ogre::MeshPtr> primitives_;
  std::set<std::string> warned_;
};

}  // namespace ambf_render
