// SPDX-License-Identifier: BSD-3-Clause
// A library of somebody else, built on Bullet in single precision.

#include <btBulletDynamicsCommon.h>

static_assert(sizeof(btScalar) == 4);

extern "C" float float_bullet_resting_height()
{
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.8f));
  btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
  btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
  world.addRigidBody(&ground);
  btBoxShape box(btVector3(0.5f, 0.5f, 0.5f));
  btCompoundShape compound;
  compound.addChildShape(btTransform::getIdentity(), &box);
  btVector3 inertia;
  compound.calculateLocalInertia(1, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &compound, inertia);
  info.m_startWorldTransform.setOrigin(btVector3(0, 0, 1));
  btRigidBody body(info);
  world.addRigidBody(&body);
  btGeneric6DofConstraint guide(body, btTransform::getIdentity(), true);
  guide.setLinearLowerLimit(btVector3(0, 0, -10));
  guide.setLinearUpperLimit(btVector3(0, 0, 10));
  world.addConstraint(&guide);
  for (int i = 0; i < 2000; ++i) { world.stepSimulation(0.002f, 1, 0.002f); }
  const float z = body.getWorldTransform().getOrigin().z();
  world.removeConstraint(&guide);
  world.removeRigidBody(&body);
  world.removeRigidBody(&ground);
  return z;
}
