#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Ogre.h>

#include "ambf_adf/visual.hpp"
#include "display.hpp"
#include "surface.hpp"

namespace ambf_render
{

struct EngineOptions
{
  DisplayChoice display = DisplayChoice::Auto;
  /// Gets Ogre's own warnings and errors.
  std::function<void(const std::string &)> warn;
};

/// What is drawn in a pass over the scene.
namespace scheme
{
inline const char * const colour = "Default";
inline const char * const depth = "ambf_depth";
inline const char * const identity = "ambf_identity";
inline const char * const caster = "ambf_caster";
}  // namespace scheme

/// Bits of Ogre's visibility flags.
namespace layer
{
inline constexpr Ogre::uint32 objects = 1;
inline constexpr Ogre::uint32 surroundings = 2;  ///< backdrop and grid: no part of depth or identity
inline constexpr Ogre::uint32 overlays = 4;
}  // namespace layer

/// Values of the surface shader that are the same for all materials.
struct Illumination
{
  struct Source
  {
    Eigen::Vector4f position;  ///< w = 0: direction towards the light
    Eigen::Vector3f axis;
    Eigen::Vector3f colour;
    float cosine_outer = -2.0F, cosine_inner = -1.5F;
    Eigen::Vector3f fade{1, 0, 0};  ///< constant, linear, quadratic
    int shadow = -1;
  };
  std::vector<Source> sources;
  std::vector<Ogre::Matrix4> shadow_matrices;
  std::vector<Eigen::Vector2f> shadow_sizes;  ///< 1 / pixels, offset [m]
};

/// Ogre with our materials: one per process, and every call from the thread that made it.
class Engine
{
public:
  /// Fails with a reason where there is no display, no GL driver, or another engine in this process.
  static ambf_adf::expected<std::unique_ptr<Engine>, std::string> create(const EngineOptions & options);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine & operator=(const Engine &) = delete;

  Ogre::Root & root() {return *root_;}
  const std::string & renderer() const {return renderer_;}
  const Display & display() const {return *display_;}

  /// A material by value: equal ones are shared.
  Ogre::MaterialPtr surface_material(const ambf_adf::Material & colour, const Ogre::TexturePtr & map);
  Ogre::MaterialPtr material(const std::string & name);  ///< "backdrop", "grid", "line", "line_through"
  void illuminate(const Illumination & light);
  void set_shadow_map(int index, const Ogre::TexturePtr & map);

  /// An image file as texture; the error says why not.
  ambf_adf::expected<Ogre::TexturePtr, std::string> texture(const std::string & file);
  /// A surface as mesh of vertex buffers. `dynamic`: positions and normals will be rewritten.
  Ogre::MeshPtr mesh(const std::string & name, const Surface & surface, bool dynamic = false);
  /// A name that nothing else has.
  std::string unique(const std::string & stem) {return stem + "#" + std::to_string(++count_);}

private:
  Engine() = default;
  void start_ogre(const EngineOptions & options);
  void make_materials();
  void use_programs(
    Ogre::Pass & pass, const std::string & vertex, const std::string & fragment) const;

  class Logger;
  class Schemes;
  std::optional<Display> display_;
  std::unique_ptr<Ogre::LogManager> log_;
  std::unique_ptr<Logger> logger_;
  std::unique_ptr<Ogre::Root> root_;
  std::unique_ptr<Schemes> schemes_;
  Ogre::RenderWindow * window_ = nullptr;  ///< hidden; holds the GL context
  Ogre::GpuProgramParametersSharedPtr plain_, textured_;  ///< shared by all surface materials
  std::vector<Ogre::MaterialPtr> surface_materials_;
  std::vector<Ogre::TexturePtr> shadow_maps_;
  std::string renderer_;
  std::uint64_t count_ = 0;
};

Ogre::Vector3 to_ogre(const Eigen::Vector3d & v);
Ogre::Quaternion to_ogre(const Eigen::Quaterniond & q);
Ogre::Matrix4 to_ogre_matrix(const Eigen::Matrix4d & m);

}  // namespace ambf_render
