// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_world.hpp"

#include <algorithm>
#include <tuple>

#include "compliance.hpp"
#include "solvers.hpp"

namespace ambf_dynamics
{
namespace
{

template <class T>
void erase_keeping_order(btAlignedObjectArray<T *> & array, const T * element)
{
  int kept = 0;
  for (int i = 0; i < array.size(); ++i) {
    if (array[i] != element) { array[kept++] = array[i]; }
  }
  array.resize(kept);
}

// A soft body finds its contacts by walking a tree whose shape depends on history; they are solved one
// after the other, so their order counts. Nodes lie in one array: their addresses are in order.
void sort_contacts(btSoftBody & soft)
{
  auto & contacts = soft.m_rcontacts;
  if (contacts.size() < 2) { return; }
  const auto before = [](const btSoftBody::RContact & a, const btSoftBody::RContact & b) {
    const auto key = [](const btSoftBody::RContact & c) {
      const btVector3 & n = c.m_cti.m_normal;  // tells apart parts of one compound
      return std::make_tuple(
        c.m_node, c.m_cti.m_colObj->getUserIndex(), c.m_cti.m_offset, n.x(), n.y(), n.z());
    };
    return key(a) < key(b);
  };
  contacts.quickSort(before);
}

}  // namespace

BulletParts::BulletParts(SolverKind kind)
: dispatcher(&configuration), broadphase(&journal), solver(make_solver(kind))
{
}

BulletWorld::BulletWorld(const Parameters & parameters)
: BulletParts(parameters.solver),
  btSoftRigidDynamicsWorld(&dispatcher, &broadphase, solver.get(), &configuration),
  contacts_(dispatcher, journal),
  solver_kind_(parameters.solver)
{
  journal.setOverlapFilterCallback(&contacts_);
  configure(parameters);
}

BulletWorld::~BulletWorld() { contacts_.clear(); }

void BulletWorld::configure(const Parameters & p)
{
  if (p.solver != solver_kind_) {
    auto replacement = make_solver(p.solver);
    setConstraintSolver(replacement.get());
    solver = std::move(replacement);
    solver_kind_ = p.solver;
    joints_dirty_ = true;
  }
  joints_dirty_ = joints_dirty_ || p.joint_cfm != joint_cfm_;
  joint_cfm_ = p.joint_cfm;
  btContactSolverInfo & info = getSolverInfo();
  info.m_numIterations = p.solver_iterations;
  info.m_erp = p.joint_erp;
  info.m_erp2 = p.contact_erp;
  // Bullet's defaults let what is held creep out of its grip: one direction of friction per point
  // leaves the other to chance, and starting from 0.85 of the last impulses loses a squeeze faster than
  // a few sweeps rebuild it.
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  info.m_warmstartingFactor = 1.0;
  m_gravity = to_bt(p.gravity);  // bodies keep theirs; the owner sets them
}

void BulletWorld::add_body(btRigidBody & body, int id)
{
  body.setUserIndex(id);  // before the broadphase makes pairs of it
  addRigidBody(&body);
  body.setActivationState(DISABLE_DEACTIVATION);
  joints_dirty_ = true;
}

void BulletWorld::forget(btCollisionObject & object)
{
  contacts_.remove_object(&object);
  sort_objects();
}

void BulletWorld::remove_body(btRigidBody & body)
{
  contacts_.remove_object(&body);  // while its manifolds can still be told from others
  removeRigidBody(&body);
  forget(body);
  joints_dirty_ = true;
}

void BulletWorld::sort_objects()
{
  const auto by_id = [](const btCollisionObject * a, const btCollisionObject * b) {
    return a->getUserIndex() < b->getUserIndex();
  };
  if (m_collisionObjects.size() > 0) {
    std::sort(&m_collisionObjects[0], &m_collisionObjects[0] + m_collisionObjects.size(), by_id);
  }
  for (int i = 0; i < m_collisionObjects.size(); ++i) {
    m_collisionObjects[i]->setWorldArrayIndex(i);
  }
  if (m_nonStaticRigidBodies.size() > 0) {
    std::sort(
      &m_nonStaticRigidBodies[0], &m_nonStaticRigidBodies[0] + m_nonStaticRigidBodies.size(),
      by_id);
  }
}

void BulletWorld::add_joint(btTypedConstraint & constraint)
{
  addConstraint(&constraint);
  joints_dirty_ = true;
}

void BulletWorld::remove_joint(btTypedConstraint & constraint)
{
  erase_keeping_order(m_constraints, &constraint);
  constraint.getRigidBodyA().removeConstraintRef(&constraint);
  constraint.getRigidBodyB().removeConstraintRef(&constraint);
  joints_dirty_ = true;
}

void BulletWorld::set_kinematic(btRigidBody & body, bool kinematic)
{
  const int flags = body.getCollisionFlags();
  const int both = btCollisionObject::CF_STATIC_OBJECT | btCollisionObject::CF_KINEMATIC_OBJECT;
  const int wanted =
    kinematic ? btCollisionObject::CF_KINEMATIC_OBJECT : btCollisionObject::CF_STATIC_OBJECT;
  if ((flags & both) == wanted) { return; }
  body.setCollisionFlags((flags & ~both) | wanted);
}

void BulletWorld::joints_changed()
{
  std::vector<btTypedConstraint *> constraints;
  for (int i = 0; i < m_constraints.size(); ++i) { constraints.push_back(m_constraints[i]); }
  spread_compliance(constraints, joint_cfm_);
  if (auto * direct = dynamic_cast<DirectSolver *>(solver.get())) { direct->analyse(constraints); }
  joints_dirty_ = false;
}

void BulletWorld::integrate(double h, int count)
{
  if (joints_dirty_) { joints_changed(); }
  applyGravity();
  for (int i = 0; i < count; ++i) {
    if (i > 0) { measure_joints(); }
    internalSingleStepSimulation(h);
  }
  clearForces();
}

void BulletWorld::measure_joints()
{
  for (int i = 0; i < m_constraints.size(); ++i) {
    if (RowJoint * joint = RowJoint::from(m_constraints[i])) { joint->measure(); }
  }
}

void BulletWorld::rules_changed(const std::vector<int> & ids)
{
  if (ids.empty()) { return; }
  contacts_.rules_changed(m_collisionObjects);
  // The broadphase forgets pairs that the old rules refused: make it look at these objects again. Not at all of
  // them: every pair would go into the journal anew, which a world that waits does not read.
  for (int i = 0; i < m_collisionObjects.size(); ++i) {
    btCollisionObject * object = m_collisionObjects[i];
    if (std::binary_search(ids.begin(), ids.end(), object->getUserIndex())) {
      refreshBroadphaseProxy(object);
    }
  }
}

void BulletWorld::performDiscreteCollisionDetection()
{
  updateAabbs();
  computeOverlappingPairs();
  contacts_.update(getDispatchInfo());
  for (int i = 0; i < getSoftBodyArray().size(); ++i) { sort_contacts(*getSoftBodyArray()[i]); }
}

void BulletWorld::calculateSimulationIslands()
{
  int moving = 0;
  for (int i = 0; i < m_collisionObjects.size(); ++i) {
    btCollisionObject * object = m_collisionObjects[i];
    const bool moves = !object->isStaticOrKinematicObject();
    object->setIslandTag(moves ? moving++ : -1);
    object->setCompanionId(-1);
    object->setHitFraction(1.0);
  }
  m_islandManager->initUnionFind(moving);
  btUnionFind & islands = m_islandManager->getUnionFind();
  for (const btPersistentManifold * manifold : contacts_.manifolds()) {
    const btCollisionObject * a = manifold->getBody0();
    const btCollisionObject * b = manifold->getBody1();
    if (a->mergesSimulationIslands() && b->mergesSimulationIslands()) {
      islands.unite(a->getIslandTag(), b->getIslandTag());
    }
  }
  for (int i = 0; i < m_constraints.size(); ++i) {
    const btTypedConstraint * constraint = m_constraints[i];
    const btRigidBody & a = constraint->getRigidBodyA();
    const btRigidBody & b = constraint->getRigidBodyB();
    if (
      constraint->isEnabled() && !a.isStaticOrKinematicObject() && !b.isStaticOrKinematicObject()) {
      islands.unite(a.getIslandTag(), b.getIslandTag());
    }
  }
  m_islandManager->storeIslandActivationState(this);
}

}  // namespace ambf_dynamics
