#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene.hpp"

namespace ambf_render
{

/// What is drawn on top of the world to help people.
struct OverlaySettings
{
  bool frames = false;     ///< axes of every body, drawn through everything
  bool joints = false;     ///< axis of every joint at its pivot
  bool contacts = false;   ///< points and forces; the simulator must report them
  bool rays = false;       ///< of sensors: red where they hit
  bool collision = false;  ///< collision shapes

  /// False for a name that means nothing.
  bool set(const std::string & name, bool on);
  static std::string names() {return "frames, joints, contacts, rays, collision";}
  friend bool operator==(const OverlaySettings &, const OverlaySettings &) = default;
};

struct ContactMark
{
  Eigen::Vector3d position;  ///< world [m]
  Eigen::Vector3d force;     ///< world [N]
};

/// Lines over the scene; rebuilt from the poses that the scene has.
class Overlays
{
public:
  explicit Overlays(Scene & scene);

  void set_world(const std::vector<ambf_adf::Model> & models);
  /// `ray_flags`: of all sensors' rays in order, nonzero where hit; empty: unknown.
  void draw(
    const OverlaySettings & settings, const std::vector<ContactMark> & contacts,
    const std::vector<std::uint32_t> & ray_flags);

private:
  struct PlacedJoint
  {
    std::string body;
    Eigen::Vector3d pivot, axis;
  };
  struct PlacedRay
  {
    std::string body;
    Eigen::Vector3d start, end;
  };
  void line(const Eigen::Vector3d & from, const Eigen::Vector3d & to, const Ogre::ColourValue & colour);

  Scene & scene_;
  Ogre::ManualObject * lines_ = nullptr;
  std::vector<std::string> bodies_;
  std::vector<PlacedJoint> joints_;
  std::vector<PlacedRay> rays_;
  double size_ = 0.1;  ///< of axes [m]
  bool empty_ = true;
  OverlaySettings shown_;
};

}  // namespace ambf_render
