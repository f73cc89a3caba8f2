#pragma once

#include <memory>
#include <optional>
#include <string>

#include "camera.hpp"
#include "orbit.hpp"
#include "overlays.hpp"
#include "scene.hpp"

namespace ambf_render
{

/// A window with a view of its own: it follows its camera until somebody moves it with the mouse.
///
/// Left drag pans, right drag turns, middle drag turns about the target, the wheel zooms, Shift is
/// ten times finer. V frames, J joints, C contacts, S sensor rays, G collision shapes, I inverts the
/// mouse, Home shows everything, Ctrl+V goes back to the camera, H help, Esc closes.
class Window
{
public:
  struct Place
  {
    int left = 0, top = 0, width = 960, height = 720;  ///< [px]
  };
  Window(Scene & scene, const std::string & title, const Place & place, int samples);
  ~Window();
  Window(const Window &) = delete;
  Window & operator=(const Window &) = delete;

  void follow(const Eigen::Isometry3d & t_world_camera, const Lens & lens);
  /// Takes what people did since the last call. True when they changed the overlays.
  bool handle_input(OverlaySettings & overlays);
  void draw();
  void set_caption(const std::string & text);
  bool closed() const {return closed_;}
  const Orbit & orbit() const {return orbit_;}
  static const char * help();

private:
  struct Input;
  void drag(unsigned button, double dx, double dy, bool fine);
  bool key(unsigned long symbol, bool control, OverlaySettings & overlays);

  Scene & scene_;
  Ogre::RenderWindow * window_ = nullptr;
  Ogre::Camera * camera_ = nullptr;
  Ogre::SceneNode * node_ = nullptr;
  std::unique_ptr<Input> input_;
  Lens lens_;
  Orbit orbit_;
  std::string caption_;
  bool moved_ = false;  ///< by people: no longer follows
  bool inverted_ = false;
  bool help_ = false;
  bool closed_ = false;
};

}  // namespace ambf_render
