// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ambf_adf/rays.hpp"
#include "ambf_rendering/annotations.hpp"
#include "ambf_rendering/scene.hpp"

namespace ambf_rendering
{

/// What is drawn on top of the world to help people.
struct OverlaySettings
{
  bool frames = false;     ///< axes of every body, drawn through everything
  bool joints = false;     ///< axis of every joint at its pivot
  bool contacts = false;   ///< points and forces; the simulator must report them
  bool rays = false;       ///< of sensors: red up to where they hit
  bool collision = false;  ///< collision shapes
  bool names = false;      ///< of bodies
  bool rates = false;      ///< real time factor, steps, messages and frames per second
  bool hands = false;      ///< proxies of devices, where the devices want them, and the forces

  /// False for a name that means nothing.
  bool set(const std::string & name, bool on);
  std::vector<std::string> shown() const;
  static std::string names_of_all();
  friend bool operator==(const OverlaySettings &, const OverlaySettings &) = default;
};

struct ContactMark
{
  Eigen::Vector3d position;  ///< world [m]
  Eigen::Vector3d force;     ///< world [N]
};

/// The hand of a person in the world.
struct HandMark
{
  std::string name;                    ///< with what the device says: gripper, clutch
  Eigen::Isometry3d proxy, reference;  ///< world
  Eigen::Vector3d force;               ///< that the proxy feels, world [N]
};

/// What overlays show beside the poses that the scene has.
struct OverlayMarks
{
  std::vector<ContactMark> contacts;
  std::vector<std::uint32_t>
    ray_flags;  ///< of all sensors' rays in order, nonzero where hit; empty: unknown
  std::vector<float> ray_depths;  ///< 1 - hit fraction
  std::vector<HandMark> hands;
  std::string selected;            ///< qualified name of a body or soft body; boxed and named
  std::vector<std::string> rates;  ///< lines of text
  std::vector<Caption> captions;
};

/// Lines and words over the scene; rebuilt from the poses that the scene has.
class Overlays
{
public:
  explicit Overlays(Scene & scene);

  void set_world(const std::vector<ambf_adf::Model> & models);
  void draw(const OverlaySettings & settings, const OverlayMarks & marks);
  /// What is to be written, as of the last `draw`.
  const Annotations & annotations() const { return annotations_; }

private:
  struct PlacedJoint
  {
    std::string body;
    Eigen::Vector3d pivot, axis;
  };
  struct NamedBody
  {
    std::string qualified, name;
    bool soft;
  };
  void line(
    const Eigen::Vector3d & from, const Eigen::Vector3d & to, const Ogre::ColourValue & colour);
  void axes(const Eigen::Isometry3d & pose, double length);
  void arrow(
    const Eigen::Vector3d & from, const Eigen::Vector3d & force, const Ogre::ColourValue & colour);
  std::optional<Eigen::Isometry3d> pose(const std::string & body) const;
  void draw_bodies(const OverlaySettings & settings);
  void draw_contacts(const std::vector<ContactMark> & contacts);
  void draw_rays(const OverlayMarks & marks);
  void draw_hands(const std::vector<HandMark> & hands);
  void draw_selection(const std::string & selected);

  Scene & scene_;
  Ogre::ManualObject * lines_ = nullptr;
  std::vector<NamedBody> bodies_;
  std::vector<PlacedJoint> joints_;
  std::vector<ambf_adf::BodyRay> rays_;
  ambf_adf::MeshCache meshes_;
  Annotations annotations_;
  double size_ = 0.1;  ///< of axes [m]
  bool empty_ = true;
  bool collision_shown_ = false;
};

}  // namespace ambf_rendering
