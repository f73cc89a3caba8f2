// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The one place that includes Bullet, and conversions between its types and Eigen's. Private: float
// and double Bullet share symbol names, so nothing of it may reach a public header.

#ifndef BT_USE_DOUBLE_PRECISION
#error "ambf_dynamics is built on Bullet in double precision"
#endif

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <LinearMath/btPoolAllocator.h>
#include <btBulletDynamicsCommon.h>

#include <Eigen/Geometry>

namespace ambf_dynamics
{

inline btVector3 to_bt(const Eigen::Vector3d & v) { return {v.x(), v.y(), v.z()}; }
inline Eigen::Vector3d to_eigen(const btVector3 & v) { return {v.x(), v.y(), v.z()}; }

inline btMatrix3x3 to_bt(const Eigen::Matrix3d & m)
{
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}

inline Eigen::Matrix3d to_eigen(const btMatrix3x3 & m)
{
  Eigen::Matrix3d r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) { r(i, j) = m[i][j]; }
  }
  return r;
}

inline btTransform to_bt(const Eigen::Isometry3d & t)
{
  return btTransform(to_bt(Eigen::Matrix3d(t.linear())), to_bt(Eigen::Vector3d(t.translation())));
}

inline Eigen::Isometry3d to_eigen(const btTransform & t)
{
  Eigen::Isometry3d r = Eigen::Isometry3d::Identity();
  r.linear() = to_eigen(t.getBasis());
  r.translation() = to_eigen(t.getOrigin());
  return r;
}

}  // namespace ambf_dynamics
