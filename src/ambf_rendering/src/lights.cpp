// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/lights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ambf_adf/view_pose.hpp"
#include "ambf_rendering/camera.hpp"
#include "shaders.hpp"

namespace ambf_rendering
{

using Eigen::Isometry3d;
using Eigen::Vector3d;

namespace
{

int pixels(int quality)
{
  constexpr int sizes[] = {0, 512, 1024, 1024, 2048, 4096};
  return sizes[std::clamp(quality, 0, 5)];
}

}  // namespace

Lamp to_lamp(const ambf_adf::Light & light, const Isometry3d & t_world_light)
{
  Lamp lamp;
  lamp.position = t_world_light.translation();
  lamp.direction = t_world_light.linear().col(0);
  lamp.cutoff_angle = std::clamp(light.cutoff_angle, 0.01, 1.5);
  // More than 128 is a point on the floor, and more than OpenGL allows, which AMBF hands the number to.
  lamp.spot_exponent = std::clamp(light.spot_exponent, 0.0, 128.0);
  lamp.attenuation = {
    light.attenuation_constant, light.attenuation_linear, light.attenuation_quadratic};
  lamp.shadow_quality = light.shadow_quality;
  return lamp;
}

std::vector<Lamp> default_lamps(const Vector3d & centre, double radius)
{
  Lamp key;
  key.position = centre + radius * Vector3d(1.4, -1.6, 3.0);
  key.direction = (centre - key.position).normalized();
  key.cutoff_angle = 0.9;
  key.shadow_quality = 4;
  Lamp fill;
  fill.kind = Lamp::Kind::Directional;
  fill.direction = Vector3d(0.7, 0.4, -0.5).normalized();
  return {key, fill};
}

ShadowCaster::ShadowCaster(Engine & engine, Ogre::SceneManager & scene)
: engine_(engine), scene_(scene)
{
  // Both samplers need a texture even where nothing casts a shadow.
  maps_.resize(shaders::kMaxShadows);
  for (auto & map : maps_) { fit(map, 16); }
}

ShadowCaster::~ShadowCaster()
{
  for (auto & map : maps_) {
    if (!map.texture) { continue; }
    map.texture->getBuffer()->getRenderTarget()->removeAllViewports();
    Ogre::TextureManager::getSingleton().remove(map.texture);
  }
}

void ShadowCaster::fit(Map & map, int size)
{
  if (map.size == size) { return; }
  if (map.texture) {
    map.texture->getBuffer()->getRenderTarget()->removeAllViewports();
    Ogre::TextureManager::getSingleton().remove(map.texture);
  }
  map.size = size;
  map.texture = Ogre::TextureManager::getSingleton().createManual(
    engine_.unique("shadow"), "ambf", Ogre::TEX_TYPE_2D, static_cast<unsigned>(size),
    static_cast<unsigned>(size), 0, Ogre::PF_DEPTH32F, Ogre::TU_RENDERTARGET);
  if (map.camera == nullptr) {
    map.camera = scene_.createCamera(engine_.unique("shadow"));
    scene_.getRootSceneNode()->createChildSceneNode()->attachObject(map.camera);
  }
  Ogre::RenderTexture * target = map.texture->getBuffer()->getRenderTarget();
  target->setAutoUpdated(false);
  Ogre::Viewport * viewport = target->addViewport(map.camera);
  viewport->setClearEveryFrame(true, Ogre::FBT_DEPTH);
  viewport->setMaterialScheme(scheme::caster);
  viewport->setVisibilityMask(layer::objects);
  viewport->setOverlaysEnabled(false);
  viewport->setSkiesEnabled(false);
  target->update(false);
  engine_.materials().set_shadow_map(static_cast<int>(&map - maps_.data()), map.texture);
}

void ShadowCaster::draw(const std::vector<Lamp> & lamps, const Vector3d & centre, double radius)
{
  Illumination light;
  std::size_t used = 0;
  for (std::size_t i = 0; i < lamps.size(); ++i) {
    const Lamp & lamp = lamps[i];
    Illumination::Source source;
    const Vector3d direction = lamp.direction.normalized();
    source.axis = direction.cast<float>();
    // Descriptions give no brightness: the first light is the key light, the others fill.
    const double brightness =
      i == 0 ? 0.95 : 0.4 / std::max<double>(1.0, 0.5 * static_cast<double>(lamps.size()));
    source.colour = (brightness * lamp.colour).cast<float>();
    source.fade = lamp.attenuation.cast<float>();
    if (lamp.kind == Lamp::Kind::Directional) {
      source.position << -source.axis, 0.0F;
    } else {
      source.position << lamp.position.cast<float>(), 1.0F;
    }
    if (lamp.kind == Lamp::Kind::Spot) {
      source.cosine_outer = static_cast<float>(std::cos(lamp.cutoff_angle));
      source.cosine_inner = static_cast<float>(std::cos(0.75 * lamp.cutoff_angle));
      source.exponent = static_cast<float>(lamp.spot_exponent);
    }
    const bool casts =
      lamp.shadow_quality > 0 && lamp.kind != Lamp::Kind::Point && used < shaders::kMaxShadows;
    if (casts) {
      Map & map = maps_[used];
      fit(map, pixels(lamp.shadow_quality));
      const Vector3d from = lamp.kind == Lamp::Kind::Directional
                              ? Vector3d(centre - 3.0 * radius * direction)
                              : lamp.position;
      const double away = std::max((centre - from).norm(), 1e-3);
      Vector3d at = centre;
      Lens lens;
      if (lamp.kind == Lamp::Kind::Directional) {
        lens.orthographic_view_width = 2.0 * radius;
      } else {
        // Whatever is narrower: all that the lamp shines at, or all of the ball, be it at the cone's rim.
        double half = away > 1.05 * radius ? std::asin(radius / away) : std::numbers::pi;
        if (half > lamp.cutoff_angle) {
          half = std::min(lamp.cutoff_angle, 1.4);
          at = from + direction;
        }
        lens.field_view_angle = 2.0 * half;
      }
      const double distance = std::max((at - from).normalized().dot(centre - from), 1e-3);
      lens.near_plane = std::max(0.02, distance - 1.5 * radius);
      lens.far_plane = std::max(distance + 3.0 * radius, 2.0 * lens.near_plane);
      const double width = lens.orthographic_view_width.value_or(
        2.0 * std::max(distance, 0.5 * radius) * std::tan(0.5 * lens.field_view_angle));
      const Isometry3d pose = ambf_adf::looking(from, at, Vector3d::UnitZ());
      map.camera->getParentSceneNode()->setPosition(to_ogre(from));
      map.camera->getParentSceneNode()->setOrientation(
        to_ogre(Eigen::Quaterniond(pose.linear() * drawing_from_camera())));
      map.camera->setCustomProjectionMatrix(true, to_ogre_matrix(projection(lens, 1.0)));
      map.texture->getBuffer()->getRenderTarget()->update(false);
      light.shadow_matrices.push_back(
        to_ogre_matrix(projection(lens, 1.0)) * Ogre::Matrix4(map.camera->getViewMatrix(true)));
      // Three times the width of a shadow pixel keeps a surface out of its own shadow.
      light.shadow_sizes.emplace_back(
        1.0F / static_cast<float>(map.size), static_cast<float>(3.0 * width / map.size));
      source.shadow = static_cast<int>(used++);
    }
    light.sources.push_back(source);
  }
  engine_.materials().illuminate(light);
}

}  // namespace ambf_rendering
