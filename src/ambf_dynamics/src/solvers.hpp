#pragma once

#include <memory>
#include <vector>

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include "ambf_dynamics/parameters.hpp"
#include "axis_joint.hpp"
#include "block_cholesky.hpp"

namespace ambf_dynamics
{

/// Speed at which the two bodies close in along the normal.
inline double approach_speed(const btPersistentManifold& manifold, const btManifoldPoint& point)
{
  const auto velocity = [](const btCollisionObject* object, const btVector3& at) {
      const btRigidBody* body = btRigidBody::upcast(object);
      return body ? body->getVelocityInLocalPoint(at - body->getCenterOfMassPosition()) : btVector3(0, 0, 0);
    };
  return -point.m_normalWorldOnB.dot(
    velocity(manifold.getBody0(), point.m_positionWorldOnA) -
    velocity(manifold.getBody1(), point.m_positionWorldOnB));
}

/// What our solvers add to any of Bullet's: rows with absolute compliance (implicit springs, dampers
/// and PD laws), and handing the impulses back to the joints. Bullet applies `cfm` relative to a row's
/// inertia and outside its diagonal, which diverges for soft rows; here it is part of the diagonal.
template<class Base>
class JointRows : public Base
{
public:
  using Base::Base;

protected:
  using Base::m_tmpSolverNonContactConstraintPool;

  void convertJoints(
    btTypedConstraint** constraints, int count, const btContactSolverInfo& info) override
  {
    Base::convertJoints(constraints, count, info);
    for_each_row([](AxisJoint& joint, int row, btSolverConstraint& c) {
        const double compliance = joint.compliance(row);
        if (compliance < 0.0 || c.m_jacDiagABInv <= 0.0) {return;}
        const double inverse = 1.0 / (1.0 / c.m_jacDiagABInv + compliance);
        c.m_rhs *= inverse / c.m_jacDiagABInv;
        c.m_jacDiagABInv = inverse;
        c.m_cfm = compliance * inverse;
      });
  }

  /// Bullet stops an approaching body at the surface one step early and takes that from its rebound,
  /// so a bounce would return anything between 0 and its restitution; and a body that already overlaps
  /// gets the correction of its depth on top. Points that are about to bounce are left out until they
  /// touch, and bounce as if they touched exactly.
  void convertContacts(
    btPersistentManifold** manifolds, int count, const btContactSolverInfo& info) override
  {
    bounces_.clear();
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < manifolds[i]->getNumContacts(); ++k) {
        btManifoldPoint& point = manifolds[i]->getContactPoint(k);
        if (point.m_combinedRestitution < least_restitution) {continue;}
        if (approach_speed(*manifolds[i], point) < info.m_restitutionVelocityThreshold) {continue;}
        bounces_.push_back({&point, point.m_distance1});
        point.m_distance1 = point.m_distance1 > 0.0 ? 2.0 * BT_LARGE_FLOAT : 0.0;
      }
    }
    Base::convertContacts(manifolds, count, info);
    for (const Bounce& p : bounces_) {p.point->m_distance1 = p.distance;}
  }

  btScalar solveGroupCacheFriendlyFinish(
    btCollisionObject** bodies, int count, const btContactSolverInfo& info) override
  {
    for_each_row([&](AxisJoint& joint, int row, btSolverConstraint& c) {
        if (row == 0) {joint.begin_impulses();}
        joint.take_impulse(row, c.m_appliedImpulse, info.m_timeStep);
      });
    return Base::solveGroupCacheFriendlyFinish(bodies, count, info);
  }

  template<class Function>
  void for_each_row(Function function)
  {
    const void* last = nullptr;
    int row = 0;
    for (int i = 0; i < m_tmpSolverNonContactConstraintPool.size(); ++i) {
      btSolverConstraint& c = m_tmpSolverNonContactConstraintPool[i];
      row = c.m_originalContactPoint == last ? row + 1 : 0;
      last = c.m_originalContactPoint;
      auto* constraint = static_cast<btTypedConstraint*>(c.m_originalContactPoint);
      if (constraint->getConstraintType() == AxisJoint::type_mark) {
        function(static_cast<AxisJoint&>(*constraint), row, c);
      }
    }
  }

private:
  static constexpr double least_restitution = 0.05;  // below, the loss is not worth the look
  struct Bounce
  {
    btManifoldPoint* point;
    double distance;
  };
  std::vector<Bounce> bounces_;
};

using SequentialSolver = JointRows<btSequentialImpulseConstraintSolver>;

/// Bullet's MLCP set-up ignores the compliance of single rows; it goes onto the diagonal here.
class DantzigSolver : public JointRows<btMLCPSolver>
{
public:
  DantzigSolver() : JointRows<btMLCPSolver>(nullptr) { setMLCPSolver(&dantzig_); }

protected:
  void createMLCPFast(const btContactSolverInfo& info) override;

private:
  btDantzigSolver dantzig_;
};

/// Joint rows solved exactly, contacts by sequential impulses around them.
///
/// The joints of each connected mechanism form K = J M^-1 J^T + compliance, which couples two joints
/// only where they share a moving body. K is factorised once per step; every sweep solves all joint
/// rows at once with it, then passes over the contacts as Bullet does. Motors and limits have bounds:
/// rows that would leave them are pinned there by a few rounds of principal pivoting.
class DirectSolver : public JointRows<btSequentialImpulseConstraintSolver>
{
public:
  /// Finds mechanisms and the order of elimination; call when constraints came or went. Writes the
  /// constraints' user ids.
  void analyse(const std::vector<btTypedConstraint*>& constraints);

protected:
  btScalar solveGroupCacheFriendlySetup(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds, int manifold_count,
    btTypedConstraint** constraints, int constraint_count, const btContactSolverInfo& info,
    btIDebugDraw* drawer) override;
  btScalar solveSingleIteration(
    int iteration, btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) override;
  btScalar solveGroupCacheFriendlyIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds, int manifold_count,
    btTypedConstraint** constraints, int constraint_count, const btContactSolverInfo& info,
    btIDebugDraw* drawer) override;

private:
  struct Coupling  // i stored row, j stored column; i == j for the diagonal
  {
    int i;
    int j;
    double* block;
  };
  struct Mechanism
  {
    BlockCholesky matrix;
    std::vector<btTypedConstraint*> joints;
    std::vector<Coupling> couplings;  // diagonal blocks first
    std::vector<int> first_row;       // per joint, in the pool of this group
    std::vector<double> x;
    bool in_group = false;
    bool bounded = false;
  };
  enum class Pin : signed char { Free, AtLow, AtHigh, Off };

  void assemble(Mechanism& mechanism);
  void solve_rows(Mechanism& mechanism);
  /// Returns true if a row changed between free and pinned.
  bool update_pins(Mechanism& mechanism);
  void solve_with_pivoting(Mechanism& mechanism);
  /// Cuts impulses that the rounds of pivoting left outside their bounds.
  void clamp(Mechanism& mechanism);
  void push(btSolverConstraint& c, double impulse);
  double residual(const btSolverConstraint& c) const;
  double compliance(const btSolverConstraint& c) const;
  template<class Function>
  void for_each_mechanism_row(Mechanism& mechanism, Function function);

  std::vector<Mechanism> mechanisms_;
  std::vector<std::pair<int, int>> place_;  // user id -> mechanism, joint in it
  std::vector<int> group_;                  // mechanisms of the group that is being solved
  std::vector<Pin> pins_;                   // per row of the pool
};

std::unique_ptr<btSequentialImpulseConstraintSolver> make_solver(SolverKind kind);

}  // namespace ambf_dynamics
