// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_rendering/body_visual.hpp"
#include "ambf_rendering/camera.hpp"
#include "ambf_rendering/engine.hpp"
#include "ambf_rendering/lights.hpp"
#include "ambf_rendering/mesh_library.hpp"
#include "ambf_rendering/soft_visual.hpp"
#include "ambf_rendering/surroundings.hpp"
#include "ambf_rendering/text.hpp"

namespace ambf_rendering
{

/// Everything that is drawn: the visuals of models, lights, surroundings. Objects are named by their
/// qualified identifiers and placed by handles.
class Scene
{
public:
  using Handle = std::size_t;
  using Warn = std::function<void(const std::string &)>;

  Scene(Engine & engine, Warn warn);
  ~Scene();
  Scene(const Scene &) = delete;
  Scene & operator=(const Scene &) = delete;

  /// Adds what a model shows, at the poses of its description. Missing or broken meshes are drawn as
  /// collision shapes, or as a magenta cross, with one warning per file.
  void add(const ambf_adf::Model & model);
  void remove(const std::string & model_name);
  bool has(const std::string & model_name) const;

  std::optional<Handle> body(const std::string & qualified) const;
  std::optional<Handle> soft_body(const std::string & qualified) const;
  void place(Handle body, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation);
  Eigen::Isometry3d pose(Handle body) const;
  /// Puts every ghost where its parent is now; without a parent it stays at its place in the world.
  void place_ghosts();
  /// Nodes in the world frame, x y z each, in the order of the collision mesh's unified vertices. A
  /// wrong count changes nothing and is a warning.
  void deform(Handle soft_body, std::span<const float> nodes);
  /// The number that stands for the object in identity images (24 bits).
  void identify(Handle body, std::uint32_t identity);
  void identify_soft(Handle soft_body, std::uint32_t identity);
  void show(Handle body, bool visible);

  void set_lamps(const std::vector<Lamp> & lamps);
  /// The grid is drawn where the world has no floor of its own.
  void show_surroundings(bool backdrop, bool grid) { surroundings_->show(backdrop, grid); }
  /// A fixed body that spans a room.
  bool has_floor() const;
  void show_collision_shapes(bool shown);

  /// Centre and radius of what can move or is small: what a light's shadow and a new view should cover.
  struct Focus
  {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double radius = 1.0;
  };
  Focus focus() const;

  /// A box in a frame of its own, around something that is drawn.
  struct Bounds
  {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    Eigen::Vector3d low, high;
  };
  /// Around each visual of a body, or around a soft body; empty for names that mean nothing.
  std::vector<Bounds> bounds(const std::string & qualified) const;
  std::optional<Focus> focus(const std::string & qualified) const;

  /// Something changed that shadows depend on.
  void touch()
  {
    moved_ = true;
    ++version_;
  }
  /// Another number whenever something that is drawn has changed.
  std::uint64_t version() const { return version_; }
  /// Draws the shadow maps if something has moved since.
  void update_shadows();

  Engine & engine() { return engine_; }
  Ogre::SceneManager & ogre() { return *ogre_; }
  TextLayer & text() { return *text_; }
  /// Puts the backdrop around an eye, inside its clipping planes; before each drawing.
  void surround(const Ogre::SceneNode & eye, const Lens & lens)
  {
    surroundings_->enclose(eye, lens);
  }
  std::size_t body_count() const;
  std::size_t ghost_count() const { return ghosts_.size(); }
  std::size_t triangle_count() const;

private:
  struct Body
  {
    std::string qualified, model;
    BodyVisual visual;
    double mass = 0.0;
    bool used = false;
  };
  struct Ghost
  {
    std::string model, parent;
    BodyVisual visual;
    Eigen::Isometry3d t_parent_ghost;
  };
  struct SoftBody
  {
    std::string qualified, model;
    std::unique_ptr<SoftVisual> visual;  ///< null: removed
  };

  void add_body(const ambf_adf::RigidBody & source, const std::string & model);
  void add_ghost(const ambf_adf::GhostObject & source, const std::string & model);
  void add_soft(const ambf_adf::SoftBody & source, const std::string & model);

  Engine & engine_;
  MeshLibrary library_;
  Ogre::SceneManager * ogre_ = nullptr;
  std::unique_ptr<BodyPainter> painter_;
  std::unique_ptr<Surroundings> surroundings_;
  std::vector<Body> bodies_;
  std::vector<SoftBody> soft_bodies_;
  std::vector<Ghost> ghosts_;
  std::map<std::string, Handle> body_by_name_, soft_by_name_;
  std::set<std::string> models_;
  std::unique_ptr<ShadowCaster> shadows_;
  std::unique_ptr<TextLayer> text_;
  std::vector<Lamp> lamps_;
  bool moved_ = true;
  std::uint64_t version_ = 0;
  bool collision_shown_ = false;
};

}  // namespace ambf_rendering
