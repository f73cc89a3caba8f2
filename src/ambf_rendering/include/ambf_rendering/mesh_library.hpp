// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/shape.hpp"
#include "ambf_rendering/engine.hpp"

namespace ambf_rendering
{

/// A mesh file with the material and texture of each of its parts.
struct SharedMesh
{
  struct Part
  {
    ambf_adf::Material material;
    Ogre::TexturePtr texture;
    bool broken = false;  ///< its texture is: it must show, whatever colour a description gives it
  };
  Ogre::MeshPtr mesh;
  std::vector<Part> parts;
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

  /// The error says why the file cannot be drawn; a broken texture gives a part the placeholder's colour. A
  /// file that has changed since is another mesh.
  ambf_adf::expected<const SharedMesh *, std::string> load(const std::string & file);
  /// Forgets the files' meshes that are not among these.
  void keep_only(const std::set<const Ogre::Mesh *> & used);
  Ogre::MeshPtr primitive(const ambf_adf::Primitive & shape);
  Ogre::MeshPtr missing();
  ambf_adf::MeshCache & files() { return files_; }
  void warn_once(const std::string & key, const std::string & text);

private:
  Engine & engine_;
  Warn warn_;
  ambf_adf::MeshCache files_;
  std::map<std::string, SharedMesh> meshes_;  ///< by path, time and size
  std::map<std::string, Ogre::MeshPtr> primitives_;
  std::set<std::string> warned_;
};

}  // namespace ambf_rendering
