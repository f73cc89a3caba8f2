// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scenes of the speed comparison, each built twice: through the library and by hand on bare Bullet
// with the same shapes, masses, order and solver settings.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_dynamics/world.hpp"
#include "bullet.hpp"

namespace ambf_dynamics::bench
{

struct Scene
{
  std::string name;
  ambf_adf::Model model;
};

Scene boxes200();       ///< 5 x 5 x 8 boxes of 0.2 m, 1 kg, on a floor
Scene arm_two_loops();  ///< a column, a double parallelogram and a tool: 10 joints, 2 loops
Scene chain100();       ///< 100 links on hinges, hanging from a fixed body
/// A box of 0.5 kg on a table of resistive rays, 1 cm apart.
Scene sliding_box(int rays_per_side);
/// The bodies of a file of boxes on a floor below the lowest; nothing where it cannot be read.
std::optional<Scene> boxes_of_file(const std::string & file);

/// A plain Bullet world as one writes it by hand: default broadphase, dispatcher and sequential
/// impulses; hinges for revolute joints.
class BareWorld
{
public:
  BareWorld(const ambf_adf::Model & model, const Parameters & parameters);
  ~BareWorld();
  void step();
  double checksum() const;
  /// One Bullet ray at a time; true: it hit.
  bool ray_hits(const Eigen::Vector3d & from, const Eigen::Vector3d & to) const;

private:
  double step_size_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace ambf_dynamics::bench
