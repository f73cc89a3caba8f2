#include "window.hpp"

#include <algorithm>
#include <cmath>

#include "view.hpp"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>

namespace ambf_render
{

struct Window::Input
{
  ::Display * connection = nullptr;
  ::Window window = 0;
  Atom close = 0;
  unsigned button = 0;  ///< held down; 0: none
  int x = 0, y = 0;
};

const char * Window::help()
{
  return "left drag: pan | right or middle drag: turn | wheel: zoom | Shift: finer | V frames | "
         "J joints | C contacts | S rays | G collision shapes | I invert | Home: show all | "
         "Ctrl+V: back to the camera | Esc: close";
}

Window::Window(Scene & scene, const std::string & title, const Place & place, int samples)
: scene_(scene), input_(std::make_unique<Input>())
{
  const Ogre::NameValuePairList parameters{
    {"title", title}, {"FSAA", std::to_string(samples)}, {"vsync", "false"},
    {"left", std::to_string(place.left)}, {"top", std::to_string(place.top)}};
  window_ = scene.engine().root().createRenderWindow(
    scene.engine().unique("window"), static_cast<unsigned>(place.width),
    static_cast<unsigned>(place.height), false, &parameters);
  window_->setAutoUpdated(false);
  camera_ = scene.ogre().createCamera(scene.engine().unique("window"));
  node_ = scene.ogre().getRootSceneNode()->createChildSceneNode();
  node_->attachObject(camera_);
  Ogre::Viewport * viewport = window_->addViewport(camera_);
  viewport->setVisibilityMask(layer::objects | layer::surroundings | layer::overlays);
  viewport->setMaterialScheme(scheme::colour);
  window_->getCustomAttribute("XDISPLAY", &input_->connection);
  window_->getCustomAttribute("WINDOW", &input_->window);
  XSelectInput(
    input_->connection, input_->window,
    StructureNotifyMask | KeyPressMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask);
  input_->close = XInternAtom(input_->connection, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(input_->connection, input_->window, &input_->close, 1);
}

Window::~Window()
{
  window_->removeAllViewports();
  scene_.ogre().destroyCamera(camera_);
  scene_.ogre().destroySceneNode(node_);
  scene_.engine().root().destroyRenderTarget(window_);
}

void Window::set_caption(const std::string & text)
{
  const std::string shown = help_ ? std::string(help()) : text;
  if (shown == caption_) {return;}
  caption_ = shown;
  XStoreName(input_->connection, input_->window, caption_.c_str());
}

void Window::follow(const Eigen::Isometry3d & t_world_camera, const Lens & lens)
{
  lens_ = lens;
  if (moved_) {return;}
  orbit_.pose = t_world_camera;
  const auto focus = scene_.focus();
  orbit_.distance = std::clamp((focus.centre - t_world_camera.translation()).norm(), 0.05, 100.0);
}

void Window::drag(unsigned button, double dx, double dy, bool fine)
{
  const double gain = fine ? 0.1 : 1.0;
  const double up = inverted_ ? -dy : dy;
  if (button == Button1) {pan(orbit_, gain * dx, gain * up);}
  if (button == Button2 || button == Button3) {turn(orbit_, 3.0 * gain * dx, 3.0 * gain * up);}
  moved_ = true;
}

bool Window::key(unsigned long symbol, bool control, OverlaySettings & overlays)
{
  bool * toggled = nullptr;
  switch (symbol) {
    case XK_v:
      if (control) {moved_ = false;} else {toggled = &overlays.frames;}
      break;
    case XK_j: toggled = &overlays.joints; break;
    case XK_c: toggled = &overlays.contacts; break;
    case XK_s: toggled = &overlays.rays; break;
    case XK_g: toggled = &overlays.collision; break;
    case XK_i: inverted_ = !inverted_; break;
    case XK_h: help_ = !help_; break;
    case XK_Home: {
        const auto focus = scene_.focus();
        frame(orbit_, focus.centre, focus.radius, lens_.field_view_angle);
        moved_ = true;
        break;
      }
    case XK_Escape: closed_ = true; break;
    default: break;
  }
  if (toggled != nullptr) {*toggled = !*toggled;}
  return toggled != nullptr;
}

bool Window::handle_input(OverlaySettings & overlays)
{
  bool changed = false;
  XEvent event;
  // Ogre uses one connection for all windows: take the events of ours only.
  const auto is_ours = [](::Display *, XEvent * candidate, char * window) -> Bool {
      return candidate->xany.window == *reinterpret_cast<::Window *>(window);
    };
  while (XCheckIfEvent(input_->connection, &event, is_ours, reinterpret_cast<char *>(&input_->window))) {
    const double height = std::max(1U, window_->getHeight());
    switch (event.type) {
      case ButtonPress:
        if (event.xbutton.button == Button4 || event.xbutton.button == Button5) {
          const bool fine = (event.xbutton.state & ShiftMask) != 0;
          zoom(orbit_, (event.xbutton.button == Button4 ? 0.1 : -0.1) * (fine ? 0.1 : 1.0));
          moved_ = true;
        } else {
          input_->button = event.xbutton.button;
          input_->x = event.xbutton.x;
          input_->y = event.xbutton.y;
        }
        break;
      case ButtonRelease:
        if (event.xbutton.button == input_->button) {input_->button = 0;}
        break;
      case MotionNotify:
        if (input_->button != 0) {
          drag(
            input_->button, (event.xmotion.x - input_->x) / height, (event.xmotion.y - input_->y) / height,
            (event.xmotion.state & ShiftMask) != 0);
          input_->x = event.xmotion.x;
          input_->y = event.xmotion.y;
        }
        break;
      case KeyPress:
        changed = key(
          XLookupKeysym(&event.xkey, 0), (event.xkey.state & ControlMask) != 0, overlays) || changed;
        break;
      case ConfigureNotify:
        window_->windowMovedOrResized();
        break;
      case ClientMessage:
        if (static_cast<Atom>(event.xclient.data.l[0]) == input_->close) {closed_ = true;}
        break;
      case DestroyNotify:
        closed_ = true;
        break;
      default:
        break;
    }
  }
  return changed;
}

void Window::draw()
{
  scene_.update_shadows();
  const double aspect = static_cast<double>(window_->getWidth()) / std::max(1U, window_->getHeight());
  aim(*camera_, orbit_.pose, lens_, aspect);
  scene_.surround(*node_, lens_);
  window_->update();
}

}  // namespace ambf_render
