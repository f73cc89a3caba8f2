// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "ambf_dynamics/parameters.hpp"
#include "axis_joint.hpp"
#include "contact_pairs.hpp"

namespace ambf_dynamics
{

/// What a Bullet world is made of; built before it and destroyed after it.
struct BulletParts
{
  explicit BulletParts(SolverKind kind);
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  CanonicalDispatcher dispatcher;
  PairJournal journal;
  btDbvtBroadphase broadphase;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
};

/// Bullet's world with every order made canonical: objects by id, constraints in order of adding,
/// pairs and manifolds by the ids of their objects, islands from touching manifolds only. What a step
/// does is then a function of the state and not of how the world came to it.
class BulletWorld : private BulletParts, public btSoftRigidDynamicsWorld
{
public:
  BT_DECLARE_ALIGNED_ALLOCATOR();
  explicit BulletWorld(const Parameters & parameters);
  ~BulletWorld() override;

  void configure(const Parameters & parameters);
  /// `id` orders objects; larger than all ids so far. Other collision objects (soft bodies, ghosts)
  /// are added by Bullet's own functions after setUserIndex(id).
  void add_body(btRigidBody & body, int id);
  void remove_body(btRigidBody & body);
  void add_joint(btTypedConstraint & constraint);
  void remove_joint(btTypedConstraint & constraint);
  /// Puts an object that was taken out by Bullet's own functions out of the contacts as well.
  void forget(btCollisionObject & object);
  /// Turns a body of mass 0 into one that moves by command, or back.
  void set_kinematic(btRigidBody & body, bool kinematic);

  /// `count` integration steps of length h under the same external forces.
  void integrate(double h, int count);
  /// What these objects, by their ids, may collide with has changed.
  void rules_changed(const std::vector<int> & ids);
  ContactPairs & contacts() { return contacts_; }
  const ContactPairs & contacts() const { return contacts_; }
  btBroadphaseInterface & tree() { return broadphase; }

protected:
  void performDiscreteCollisionDetection() override;
  void calculateSimulationIslands() override;
  /// Velocities of kinematic bodies are the owner's business.
  void saveKinematicState(btScalar) override {}

private:
  void joints_changed();
  void measure_joints();
  void sort_objects();

  ContactPairs contacts_;
  SolverKind solver_kind_;
  double joint_cfm_ = 0.0;
  bool joints_dirty_ = true;
};

}  // namespace ambf_dynamics
