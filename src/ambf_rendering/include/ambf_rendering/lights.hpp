// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/scene_objects.hpp"
#include "ambf_rendering/engine.hpp"

namespace ambf_rendering
{

/// A light in the world frame.
struct Lamp
{
  enum class Kind
  {
    Spot,
    Point,
    Directional
  };
  Kind kind = Kind::Spot;
  Eigen::Vector3d position{2.0, 2.0, 5.0};  ///< [m]
  Eigen::Vector3d direction{-0.3, -0.3, -0.9};
  Eigen::Vector3d colour{1.0, 1.0, 1.0};  ///< linear
  double cutoff_angle = 0.7;              ///< half opening of a spot [rad]
  double spot_exponent = 0.0;  ///< a spot's brightness: cosine from its axis to this power
  Eigen::Vector3d attenuation{1.0, 0.0, 0.0};  ///< constant, linear, quadratic
  int shadow_quality = 0;                      ///< 0 none .. 5 very high
  friend bool operator==(const Lamp &, const Lamp &) = default;
};

/// A light of a description at a pose whose x axis it shines along. AMBF knows spot lights only.
Lamp to_lamp(const ambf_adf::Light & light, const Eigen::Isometry3d & t_world_light);
/// What shines where a world has no lights.
std::vector<Lamp> default_lamps(const Eigen::Vector3d & centre, double radius);

/// Draws the scene's depth as seen from the lamps that cast shadows.
class ShadowCaster
{
public:
  ShadowCaster(Engine & engine, Ogre::SceneManager & scene);
  ~ShadowCaster();

  /// Shadows cover a ball: what matters in the scene. The result goes to the engine's materials.
  void draw(const std::vector<Lamp> & lamps, const Eigen::Vector3d & centre, double radius);

private:
  struct Map
  {
    Ogre::TexturePtr texture;
    Ogre::Camera * camera = nullptr;
    int size = 0;
  };
  void fit(Map & map, int size);

  Engine & engine_;
  Ogre::SceneManager & scene_;
  std::vector<Map> maps_;
};

}  // namespace ambf_rendering
