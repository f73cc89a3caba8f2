// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ambf_rendering/annotations.hpp"
#include "ambf_rendering/camera.hpp"
#include "ambf_rendering/orbit.hpp"
#include "ambf_rendering/overlays.hpp"
#include "ambf_rendering/scene.hpp"

namespace ambf_rendering
{

/// What people did in a window since it was last asked.
struct WindowInput
{
  bool overlays_changed = false;
  std::optional<std::int32_t> picked;  ///< identity under a click; 0: nothing
};

/// A window with a view of its own: it follows its camera until somebody moves it with the mouse. A
/// camera with a stereo pair has both eyes side by side. `help` lists the mouse and the keys.
class Window
{
public:
  struct Place
  {
    int left = 0, top = 0, width = 960, height = 720;  ///< [px]
  };
  Window(
    Scene & scene, const std::string & title, const Place & place, int samples,
    const std::optional<ambf_adf::Stereo> & stereo = {});
  ~Window();
  Window(const Window &) = delete;
  Window & operator=(const Window &) = delete;

  void follow(const Eigen::Isometry3d & t_world_camera, const Lens & lens);
  /// `selected`: what the key for it frames; may be empty.
  WindowInput handle_input(OverlaySettings & overlays, const std::string & selected);
  /// `changed`: the world or what is to be written is another than at the last call. Nothing is drawn
  /// where that and people's input leave the picture as it is.
  void draw(const Annotations & words, bool changed);
  bool closed() const { return closed_; }
  const Orbit & orbit() const { return orbit_; }
  static const std::vector<std::string> & help();

private:
  struct Input;
  void drag(unsigned button, double dx, double dy, bool fine);
  bool key(
    unsigned long symbol, bool control, OverlaySettings & overlays, const std::string & selected);
  std::int32_t pick(int x, int y);
  struct EyeView
  {
    Eigen::Isometry3d pose;
    Lens lens;
    int width = 0, height = 0;
  };
  EyeView eye(std::size_t index) const;

  Scene & scene_;
  std::optional<ambf_adf::Stereo> stereo_;
  Ogre::RenderWindow * window_ = nullptr;
  std::vector<Ogre::Camera *> cameras_;  ///< one, or left and right
  std::unique_ptr<Input> input_;
  Lens lens_;
  Orbit orbit_;
  bool moved_ = false;  ///< by people: no longer follows
  bool inverted_ = false;
  bool help_ = false;
  bool closed_ = false;
  bool stale_ = true;  ///< the picture is not what it should be
};

}  // namespace ambf_rendering
