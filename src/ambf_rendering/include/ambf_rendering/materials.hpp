// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Ogre.h>

#include "ambf_adf/visual.hpp"

namespace ambf_rendering
{

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
inline constexpr Ogre::uint32 surroundings = 2;  ///< the backdrop: no part of depth or identity
inline constexpr Ogre::uint32 overlays = 4;
inline constexpr Ogre::uint32 ghosts =
  8;  ///< seen, but without a surface: no part of depth or identity
inline constexpr Ogre::uint32 grid = 16;  ///< for people
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
    float exponent = 0.0F;          ///< fall-off from the axis: cosine to this power
    Eigen::Vector3f fade{1, 0, 0};  ///< constant, linear, quadratic
    int shadow = -1;
  };
  std::vector<Source> sources;
  std::vector<Ogre::Matrix4> shadow_matrices;
  std::vector<Eigen::Vector2f> shadow_sizes;  ///< 1 / pixels, offset [m]
};

/// Our shaders and what is made of them. Throws where the GL driver does not compile one.
class Materials
{
public:
  Materials();
  ~Materials();
  Materials(const Materials &) = delete;
  Materials & operator=(const Materials &) = delete;

  /// A material by value: equal ones are shared.
  Ogre::MaterialPtr surface(const ambf_adf::Material & colour, const Ogre::TexturePtr & map);
  Ogre::MaterialPtr named(
    const std::string & name);  ///< "backdrop", "grid", "line_through", "text"
  void illuminate(const Illumination & light);
  void set_shadow_map(int index, const Ogre::TexturePtr & map);

private:
  void make_all();
  void use_programs(
    Ogre::Pass & pass, const std::string & vertex, const std::string & fragment) const;

  class Schemes;
  std::unique_ptr<Schemes> schemes_;
  Ogre::GpuProgramParametersSharedPtr plain_, textured_;  ///< shared by all surface materials
  std::vector<Ogre::MaterialPtr> surfaces_;
  std::vector<Ogre::TexturePtr> shadow_maps_;
};

}  // namespace ambf_rendering
