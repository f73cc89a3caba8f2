// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/window.hpp"

#include <algorithm>
#include <cmath>

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>

#include "ambf_rendering/view.hpp"

namespace ambf_rendering
{

struct Window::Input
{
  ::Display * connection = nullptr;
  ::Window window = 0;
  Atom close = 0;
  unsigned button = 0;  ///< held down; 0: none
  int x = 0, y = 0;
  bool dragged = false;  ///< since the button went down
};

const std::vector<std::string> & Window::help()
{
  static const std::vector<std::string> lines{
    "left drag    pan             wheel   zoom",
    "right drag   turn            Shift   ten times finer",
    "left click   select a body   F       frame the selection",
    "Home         show everything Ctrl+V  back to the camera",
    "U names   R rates   V frames   J joints   C contacts   D hands",
    "S sensor rays   G collision shapes   I invert the mouse",
    "H this help     Esc close the window"};
  return lines;
}

Window::Window(
  Scene & scene, const std::string & title, const Place & place, int samples,
  const std::optional<ambf_adf::Stereo> & stereo)
: scene_(scene), stereo_(stereo), input_(std::make_unique<Input>())
{
  const Ogre::NameValuePairList parameters{
    {"title", title},
    {"FSAA", std::to_string(samples)},
    {"vsync", "false"},
    {"left", std::to_string(place.left)},
    {"top", std::to_string(place.top)}};
  window_ = scene.engine().root().createRenderWindow(
    scene.engine().unique("window"), static_cast<unsigned>(place.width),
    static_cast<unsigned>(place.height), false, &parameters);
  window_->setAutoUpdated(false);
  const int eyes = stereo_ ? 2 : 1;
  for (int i = 0; i < eyes; ++i) {
    cameras_.push_back(scene.ogre().createCamera(scene.engine().unique("window")));
    scene.ogre().getRootSceneNode()->createChildSceneNode()->attachObject(cameras_.back());
    const float width = 1.0F / static_cast<float>(eyes);
    Ogre::Viewport * viewport =
      window_->addViewport(cameras_.back(), i, static_cast<float>(i) * width, 0.0F, width, 1.0F);
    viewport->setVisibilityMask(
      layer::objects | layer::ghosts | layer::surroundings | layer::grid | layer::overlays);
    viewport->setMaterialScheme(scheme::colour);
    viewport->setOverlaysEnabled(false);
  }
  window_->getCustomAttribute("XDISPLAY", &input_->connection);
  window_->getCustomAttribute("WINDOW", &input_->window);
  XSelectInput(
    input_->connection, input_->window,
    StructureNotifyMask | ExposureMask | KeyPressMask | ButtonPressMask | ButtonReleaseMask |
      PointerMotionMask);
  input_->close = XInternAtom(input_->connection, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(input_->connection, input_->window, &input_->close, 1);
}

Window::~Window()
{
  if (scene_.engine().lost()) { return; }
  window_->removeAllViewports();
  for (auto * camera : cameras_) {
    Ogre::SceneNode * node = camera->getParentSceneNode();
    scene_.ogre().destroyCamera(camera);
    scene_.ogre().destroySceneNode(node);
  }
  scene_.engine().root().destroyRenderTarget(window_);
}

void Window::follow(const Eigen::Isometry3d & t_world_camera, const Lens & lens)
{
  stale_ = stale_ || !(lens == lens_);
  lens_ = lens;
  if (moved_) { return; }
  stale_ = stale_ || !orbit_.pose.isApprox(t_world_camera, 1e-9);
  orbit_.pose = t_world_camera;
  const auto focus = scene_.focus();
  orbit_.distance = std::clamp((focus.centre - t_world_camera.translation()).norm(), 0.05, 100.0);
}

void Window::drag(unsigned button, double dx, double dy, bool fine)
{
  const double gain = fine ? 0.1 : 1.0;
  const double up = inverted_ ? -dy : dy;
  if (button == Button1) { pan(orbit_, gain * dx, gain * up); }
  if (button == Button2 || button == Button3) { turn(orbit_, 3.0 * gain * dx, 3.0 * gain * up); }
  moved_ = stale_ = true;
}

bool Window::key(
  unsigned long symbol, bool control, OverlaySettings & overlays, const std::string & selected)
{
  bool * toggled = nullptr;
  std::optional<Scene::Focus> framed;
  switch (symbol) {
    case XK_v:
      if (control) {
        moved_ = false;
      } else {
        toggled = &overlays.frames;
      }
      break;
    case XK_j:
      toggled = &overlays.joints;
      break;
    case XK_c:
      toggled = &overlays.contacts;
      break;
    case XK_s:
      toggled = &overlays.rays;
      break;
    case XK_g:
      toggled = &overlays.collision;
      break;
    case XK_u:
      toggled = &overlays.names;
      break;
    case XK_r:
      toggled = &overlays.rates;
      break;
    case XK_d:
      toggled = &overlays.hands;
      break;
    case XK_i:
      inverted_ = !inverted_;
      break;
    case XK_h:
      help_ = !help_;
      break;
    case XK_f:
      framed = scene_.focus(selected);
      break;
    case XK_Home:
      framed = scene_.focus();
      break;
    case XK_Escape:
      closed_ = true;
      break;
    default:
      return false;
  }
  stale_ = true;
  if (framed) {
    frame(orbit_, framed->centre, framed->radius, lens_.field_view_angle);
    moved_ = true;
  }
  if (toggled != nullptr) { *toggled = !*toggled; }
  return toggled != nullptr;
}

Window::EyeView Window::eye(std::size_t index) const
{
  const int height = static_cast<int>(std::max(1U, window_->getHeight()));
  const int width =
    static_cast<int>(std::max<std::size_t>(1, window_->getWidth() / cameras_.size()));
  if (!stereo_) { return {orbit_.pose, lens_, width, height}; }
  const Eye side = index == 0 ? Eye::Left : Eye::Right;
  return {
    eye_pose(orbit_.pose, stereo_->eye_separation, side), eye_lens(lens_, *stereo_, side), width,
    height};
}

std::int32_t Window::pick(int x, int y)
{
  const int width = eye(0).width;
  const EyeView where = eye(stereo_ && x >= width ? 1 : 0);
  View view(scene_, where.lens, where.width, where.height, 0);
  view.place(where.pose);
  return view.identity_at(x % width, y);
}

WindowInput Window::handle_input(OverlaySettings & overlays, const std::string & selected)
{
  WindowInput result;
  XEvent event;
  bool moved = false;
  // Ogre uses one connection for all windows: take the events of ours only.
  const auto is_ours = [](::Display *, XEvent * candidate, char * window) -> Bool {
    return candidate->xany.window == *reinterpret_cast<::Window *>(window);
  };
  while (
    XCheckIfEvent(input_->connection, &event, is_ours, reinterpret_cast<char *>(&input_->window))) {
    const double height = std::max(1U, window_->getHeight());
    switch (event.type) {
      case ButtonPress:
        if (event.xbutton.button == Button4 || event.xbutton.button == Button5) {
          const bool fine = (event.xbutton.state & ShiftMask) != 0;
          zoom(orbit_, (event.xbutton.button == Button4 ? 0.1 : -0.1) * (fine ? 0.1 : 1.0));
          moved_ = stale_ = true;
        } else {
          input_->button = event.xbutton.button;
          input_->x = event.xbutton.x;
          input_->y = event.xbutton.y;
          input_->dragged = false;
        }
        break;
      case ButtonRelease:
        if (event.xbutton.button != input_->button) { break; }
        input_->button = 0;
        if (event.xbutton.button == Button1 && !input_->dragged) {
          result.picked = pick(event.xbutton.x, event.xbutton.y);
        }
        break;
      case MotionNotify: {
        const int dx = event.xmotion.x - input_->x, dy = event.xmotion.y - input_->y;
        // A hand that clicks trembles: a few pixels are no drag yet.
        if (input_->button == 0 || (!input_->dragged && std::hypot(dx, dy) < 4.0)) { break; }
        drag(input_->button, dx / height, dy / height, (event.xmotion.state & ShiftMask) != 0);
        input_->dragged = true;
        input_->x = event.xmotion.x;
        input_->y = event.xmotion.y;
        break;
      }
      case KeyPress:
        result.overlays_changed = key(
                                    XLookupKeysym(&event.xkey, 0),
                                    (event.xkey.state & ControlMask) != 0, overlays, selected) ||
                                  result.overlays_changed;
        break;
      case Expose:
        stale_ = true;
        break;
      case ConfigureNotify:
        moved = true;
        break;
      case ClientMessage:
        if (static_cast<Atom>(event.xclient.data.l[0]) == input_->close) { closed_ = true; }
        break;
      case DestroyNotify:
        closed_ = true;
        break;
      default:
        break;
    }
  }
  // Ogre asks the server where the window is, and does not look whether it still is.
  XWindowAttributes there;
  if (moved && !closed_ && XGetWindowAttributes(input_->connection, input_->window, &there) != 0) {
    window_->windowMovedOrResized();
    stale_ = true;
  }
  return result;
}

void Window::draw(const Annotations & words, bool changed)
{
  if (!changed && !stale_) { return; }
  stale_ = false;
  scene_.update_shadows();
  Annotations written = words;
  if (help_) { written.lines.insert(written.lines.end(), help().begin(), help().end()); }
  if (!help_) { written.lines.insert(written.lines.begin(), "H: help"); }
  window_->_beginUpdate();
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    const EyeView where = eye(i);
    aim(*cameras_[i], where.pose, where.lens, static_cast<double>(where.width) / where.height);
    scene_.surround(*cameras_[i]->getParentSceneNode(), where.lens);
    scene_.text().show(
      lay_out(written, where.pose, where.lens, where.width, where.height), where.width,
      where.height);
    window_->_updateViewport(window_->getViewport(static_cast<unsigned short>(i)), true);
  }
  window_->_endUpdate();
  window_->swapBuffers();
  scene_.text().hide();
}

}  // namespace ambf_rendering
