// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/model.hpp"
#include "ambf_dynamics/allowed_collisions.hpp"
#include "ambf_dynamics/objects.hpp"

// What would collide if the bodies were elsewhere: a copy of a world's collision shapes that can be
// asked without a step of the world. Shapes and margins are those that the simulation has.

namespace ambf_dynamics
{

using ambf_adf::Errors;
using ambf_adf::expected;

/// What is between two bodies.
struct Proximity
{
  BodyIndex a = no_index;
  BodyIndex b = no_index;
  /// Of the shapes with their margins [m]; below zero: how far they have to move apart. Infinite: no pair.
  double distance = std::numeric_limits<double>::infinity();
  Eigen::Vector3d point_a =
    Eigen::Vector3d::Zero();  ///< of a's surface, nearest to b or deepest in it {W}
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();  ///< {W}
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   ///< unit, from b to a {W}

  bool touches() const { return distance < 0.0; }
};

/// What became of a motion that was looked at as a whole.
struct Sweep
{
  bool free = true;
  double reached = 1.0;  ///< share of the way before the first contact
  Proximity contact;     ///< where it is not free
  std::uint32_t looks = 0;
};

struct SceneBody
{
  std::string identifier;
  std::string qualified;  ///< unique in the scene
  ModelHandle model;      ///< boxes: none
  bool shapeless = false;
  bool still = false;  ///< of mass 0
  /// Ball around the shape, in the body's frame; endless for planes.
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;
};

struct CheckerOptions
{
  /// Also bodies of one model whose file says `ignore inter-collision`, as that of every shipped arm does:
  /// a real arm hits itself.
  bool own_model = true;
  /// Bodies that are nearer than this to each other count as touching [m]. Distances stay what they are.
  double padding = 0.0;
};

/// Answers for a set of bodies that move: they are where the question says, all others where the scene had
/// them when the checker was made. Never changes and refers to nothing that does: any number of threads may
/// ask at once, while the scene goes on. Poses are T_world_body in the order of `moving`.
class CollisionChecker
{
public:
  virtual ~CollisionChecker() = default;

  virtual std::span<const BodyIndex> moving() const = 0;
  /// How many pairs of bodies are looked at.
  virtual std::size_t pairs() const = 0;

  /// Does any pair touch? Stops at the first.
  virtual bool collides(std::span<const Eigen::Isometry3d> poses) const = 0;
  /// Many questions at once, one after the other in `poses`; `out` gets 1 where something touches. Returns
  /// how many do.
  virtual std::size_t collides(
    std::span<const Eigen::Isometry3d> poses, std::span<std::uint8_t> out) const = 0;
  /// Every pair that touches (with the padding: is too near), the deepest first.
  virtual std::vector<Proximity> contacts(std::span<const Eigen::Isometry3d> poses) const = 0;
  /// The nearest pair, or the deepest. Farther than `limit`: infinite.
  virtual Proximity nearest(
    std::span<const Eigen::Isometry3d> poses,
    double limit = std::numeric_limits<double>::infinity()) const = 0;

  /// Does anything touch on the way? `place` gives the poses at a share 0..1 of it, `reach` how far at most
  /// any point of each moving body travels on the whole of it [m]. Looks as often as distances ask for: no
  /// contact deeper than `tolerance` [m] is missed, however fast or small the bodies.
  using Place = std::function<void(double share, std::span<Eigen::Isometry3d> poses)>;
  virtual Sweep sweep(
    const Place & place, std::span<const double> reach, double tolerance) const = 0;
  /// Each body on a straight line, turning at a constant rate.
  virtual Sweep sweep(
    std::span<const Eigen::Isometry3d> from, std::span<const Eigen::Isometry3d> to,
    double tolerance) const = 0;
};

/// The collision shapes of a world. One owner at a time; its checkers are independent of it.
class CollisionScene
{
public:
  virtual ~CollisionScene() = default;

  struct Added
  {
    ModelHandle handle;
    std::vector<BodyIndex> bodies;
    ambf_adf::Problems warnings;  ///< e.g. meshes that cannot be read: the body has no shape then
  };
  /// A model whose references are resolved, moved by T_WM; its bodies stand where the file has them. A name
  /// that is in the scene already is an error, and nothing is added.
  virtual expected<Added, Errors> add_model(
    const ambf_adf::Model & model,
    const Eigen::Isometry3d & t_world_model = Eigen::Isometry3d::Identity()) = 0;
  virtual bool remove_model(ModelHandle model) = 0;
  /// A box [m] with full lengths `size`, e.g. around a soft body; one of that name is replaced. Nothing is
  /// added and no_index returned where a number is not finite, a length is not above zero, or the name is
  /// that of a model's body.
  virtual BodyIndex put_box(
    const std::string & name, const Eigen::Vector3d & size,
    const Eigen::Isometry3d & t_world_box) = 0;
  virtual bool remove_body(BodyIndex body) = 0;

  /// Slots of removed bodies stay, without a name and shapeless, until another body takes them.
  virtual std::span<const SceneBody> bodies() const = 0;
  /// By qualified identifier.
  virtual std::optional<BodyIndex> find_body(std::string_view qualified) const = 0;
  /// False: no such body, or not a finite pose.
  virtual bool set_pose(BodyIndex body, const Eigen::Isometry3d & t_world_body) = 0;
  virtual const Eigen::Isometry3d & pose(BodyIndex body) const = 0;

  /// Pairs that never count: bodies that share a joint.
  virtual AllowedCollisions adjacent() const = 0;
  /// May these two collide, by the groups of their files and their joints? Without regard to a matrix.
  virtual bool may_collide(BodyIndex a, BodyIndex b, const CheckerOptions & options = {}) const = 0;

  virtual std::unique_ptr<CollisionChecker> make_checker(
    std::span<const BodyIndex> moving, const AllowedCollisions & allowed,
    const CheckerOptions & options = {}) const = 0;
};

/// An empty scene; the error says what is wrong with the installation.
[[gnu::visibility("default")]]
expected<std::unique_ptr<CollisionScene>, Errors> make_collision_scene();

}  // namespace ambf_dynamics
