// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include "ambf_dynamics/parameters.hpp"
#include "block_cholesky.hpp"
#include "row_joint.hpp"

namespace ambf_dynamics
{

/// Speed at which the two bodies close in along the normal.
inline double approach_speed(const btPersistentManifold & manifold, const btManifoldPoint & point)
{
  const auto velocity = [](const btCollisionObject * object, const btVector3 & at) {
    const btRigidBody * body = btRigidBody::upcast(object);
    return body ? body->getVelocityInLocalPoint(at - body->getCenterOfMassPosition())
                : btVector3(0, 0, 0);
  };
  return -point.m_normalWorldOnB.dot(
    velocity(manifold.getBody0(), point.m_positionWorldOnA) -
    velocity(manifold.getBody1(), point.m_positionWorldOnB));
}

/// What our solvers add to any of Bullet's: rows with absolute compliance (implicit springs, dampers
/// and PD laws), friction that starts from the last step's, and handing the impulses back to the
/// joints. Bullet applies `cfm` relative to a row's inertia and outside its diagonal, which diverges for
/// soft rows; here it is part of the diagonal. Bullet starts friction from zero in every step: what a
/// few sweeps leave undone lets held things creep.
template <class Base>
class JointRows : public Base
{
public:
  using Base::Base;

protected:
  using Base::m_tmpSolverBodyPool;
  using Base::m_tmpSolverContactConstraintPool;
  using Base::m_tmpSolverContactFrictionConstraintPool;
  using Base::m_tmpSolverNonContactConstraintPool;

  void convertJoints(
    btTypedConstraint ** constraints, int count, const btContactSolverInfo & info) override
  {
    Base::convertJoints(constraints, count, info);
    // Rows that no body answers (both fixed, or without inertia): Bullet's springs divide by zero there.
    for (int i = 0; i < m_tmpSolverNonContactConstraintPool.size(); ++i) {
      btSolverConstraint & c = m_tmpSolverNonContactConstraintPool[i];
      if (c.m_jacDiagABInv > 0.0) { continue; }
      c.m_rhs = c.m_rhsPenetration = c.m_cfm = c.m_lowerLimit = c.m_upperLimit = 0.0;
    }
    for_each_row([](RowJoint & joint, int row, btSolverConstraint & c) {
      const double compliance = joint.compliance(row);
      if (compliance < 0.0 || c.m_jacDiagABInv <= 0.0) { return; }
      const double softer = 1.0 / (1.0 + compliance * c.m_jacDiagABInv);
      c.m_rhs *= softer;
      c.m_jacDiagABInv *= softer;
      c.m_cfm = compliance * c.m_jacDiagABInv;
    });
  }

  /// Bullet stops an approaching body at the surface one step early and takes that from its rebound,
  /// so a bounce would return anything between 0 and its restitution; and a body that already overlaps
  /// gets the correction of its depth on top. Points that are about to bounce are left out until they
  /// touch, and bounce as if they touched exactly.
  void convertContacts(
    btPersistentManifold ** manifolds, int count, const btContactSolverInfo & info) override
  {
    touching_.clear();
    int points = 0;
    for (int i = 0; i < count; ++i) { points += manifolds[i]->getNumContacts(); }
    make_room(points);
    // Manifold by manifold, while its rows are in the cache.
    for (int i = 0; i < count; ++i) { convert(*manifolds[i], info); }
  }

  btScalar solveGroupCacheFriendlyFinish(
    btCollisionObject ** bodies, int count, const btContactSolverInfo & info) override
  {
    for_each_row([&](RowJoint & joint, int row, btSolverConstraint & c) {
      if (row == 0) { joint.begin_impulses(); }
      joint.take_impulse(row, c.m_appliedImpulse, info.m_timeStep);
    });
    const btScalar result = Base::solveGroupCacheFriendlyFinish(bodies, count, info);
    // Bullet's friction directions follow the sliding of this step. In the basis that belongs to the
    // normal the two numbers mean the same in the next step, and the state needs no directions.
    for (btManifoldPoint * point : touching_) {
      btManifoldPoint & p = *point;
      const btVector3 friction = friction_of(p);
      btPlaneSpace1(p.m_normalWorldOnB, p.m_lateralFrictionDir1, p.m_lateralFrictionDir2);
      p.m_appliedImpulseLateral1 = friction.dot(p.m_lateralFrictionDir1);
      p.m_appliedImpulseLateral2 = friction.dot(p.m_lateralFrictionDir2);
    }
    return result;
  }

  /// Changes the impulse of a row and the velocities of its two bodies.
  void push(btSolverConstraint & c, double impulse)
  {
    c.m_appliedImpulse += impulse;
    btSolverBody & a = m_tmpSolverBodyPool[c.m_solverBodyIdA];
    btSolverBody & b = m_tmpSolverBodyPool[c.m_solverBodyIdB];
    a.internalApplyImpulse(
      c.m_contactNormal1 * a.internalGetInvMass(), c.m_angularComponentA, impulse);
    b.internalApplyImpulse(
      c.m_contactNormal2 * b.internalGetInvMass(), c.m_angularComponentB, impulse);
  }

  template <class Function>
  void for_each_row(Function function)
  {
    const void * last = nullptr;
    int row = 0;
    for (int i = 0; i < m_tmpSolverNonContactConstraintPool.size(); ++i) {
      btSolverConstraint & c = m_tmpSolverNonContactConstraintPool[i];
      row = c.m_originalContactPoint == last ? row + 1 : 0;
      last = c.m_originalContactPoint;
      if (
        RowJoint * joint =
          RowJoint::from(static_cast<btTypedConstraint *>(c.m_originalContactPoint))) {
        function(*joint, row, c);
      }
    }
  }

private:
  static constexpr double least_restitution = 0.05;  // below, the loss is not worth the look
  static btVector3 friction_of(const btManifoldPoint & p)
  {
    return p.m_lateralFrictionDir1 * p.m_appliedImpulseLateral1 +
           p.m_lateralFrictionDir2 * p.m_appliedImpulseLateral2;
  }

  /// Bullet grows some of its arrays to exactly what a step needs: a pile that settles, with one more
  /// point every few steps, would allocate at each of them.
  void make_room(int points)
  {
    if (points <= room_) { return; }
    room_ = 2 * points;
    touching_.reserve(static_cast<std::size_t>(room_));
    m_tmpSolverContactConstraintPool.reserve(room_);
    m_tmpSolverContactFrictionConstraintPool.reserve(2 * room_);
    Base::m_orderTmpConstraintPool.reserve(2 * room_);
    Base::m_orderFrictionConstraintPool.reserve(2 * room_);
  }

  void convert(btPersistentManifold & manifold, const btContactSolverInfo & info)
  {
    struct Before
    {
      btVector3 friction;
      double distance;
    } before[MANIFOLD_CACHE_SIZE];
    const int points = manifold.getNumContacts();
    for (int k = 0; k < points; ++k) {
      btManifoldPoint & point = manifold.getContactPoint(k);
      before[k] = {friction_of(point), point.m_distance1};
      touching_.push_back(&point);
      if (
        point.m_combinedRestitution >= least_restitution &&
        approach_speed(manifold, point) >= info.m_restitutionVelocityThreshold) {
        point.m_distance1 = point.m_distance1 > 0.0 ? 2.0 * BT_LARGE_FLOAT : 0.0;
      }
    }
    int row = m_tmpSolverContactConstraintPool.size();
    Base::convertContact(&manifold, info);
    for (int k = 0; k < points; ++k) {
      btManifoldPoint & point = manifold.getContactPoint(k);
      point.m_distance1 = before[k].distance;
      if constexpr (!std::is_base_of_v<btMLCPSolver, Base>) {
        // Rows are a part of the points, in the same order.
        if (
          row < m_tmpSolverContactConstraintPool.size() &&
          m_tmpSolverContactConstraintPool[row].m_originalContactPoint == &point) {
          start_friction(
            m_tmpSolverContactConstraintPool[row++], point,
            info.m_warmstartingFactor * before[k].friction);
        }
      }
    }
  }

  void start_friction(
    const btSolverConstraint & normal, const btManifoldPoint & point, const btVector3 & friction)
  {
    const double most = point.m_combinedFriction * normal.m_appliedImpulse;
    const btVector3 directions[] = {point.m_lateralFrictionDir1, point.m_lateralFrictionDir2};
    for (int k = 0; k < 2; ++k) {
      push(
        m_tmpSolverContactFrictionConstraintPool[normal.m_frictionIndex + k],
        std::clamp(friction.dot(directions[k]), -most, most));
    }
  }

  std::vector<btManifoldPoint *> touching_;
  int room_ = 0;  // points that the arrays hold without growing
};

using SequentialSolver = JointRows<btSequentialImpulseConstraintSolver>;

/// Bullet's MLCP set-up ignores the compliance of single rows; it goes onto the diagonal here.
class DantzigSolver : public JointRows<btMLCPSolver>
{
public:
  DantzigSolver() : JointRows<btMLCPSolver>(nullptr) { setMLCPSolver(&dantzig_); }

protected:
  void createMLCPFast(const btContactSolverInfo & info) override;

private:
  btDantzigSolver dantzig_;
};

/// Joint rows solved exactly, contacts by sequential impulses on top of them.
///
/// The joints of each connected mechanism form K = J M^-1 J^T + compliance, which couples two joints
/// only where they share a moving body. K is factorised once per step. Motors and limits have bounds:
/// rows that would leave them are pinned there by a few rounds of principal pivoting.
///
/// Joints of loops have a compliance E, without which K is singular where a loop has more joints than it needs.
/// It must not be felt elsewhere: proximal steps x <- K^-1 (b + n E x) take it out of every direction
/// in which the joints agree, and leave it in those where the file's numbers contradict each other.
///
/// A contact at a mechanism moves the whole of it: its row carries the velocity that a unit of its
/// impulse gives to every body once the joints have answered, and the joints' answer K^-1 J M^-1 j^T
/// (direct_contacts.cpp). Sweeps over such rows never open a joint, and converge as they would in
/// joint coordinates: a jaw of 10 g pushes with the arm behind it. Where a mechanism has too many
/// contacts for that (a thread on a table), sweeps over joints and contacts take turns.
class DirectSolver : public JointRows<btSequentialImpulseConstraintSolver>
{
public:
  /// Finds mechanisms and the order of elimination; call when constraints came or went. Writes the
  /// constraints' user ids.
  void analyse(const std::vector<btTypedConstraint *> & constraints);

protected:
  btScalar solveGroupCacheFriendlySetup(
    btCollisionObject ** bodies, int body_count, btPersistentManifold ** manifolds,
    int manifold_count, btTypedConstraint ** constraints, int constraint_count,
    const btContactSolverInfo & info, btIDebugDraw * drawer) override;
  btScalar solveSingleIteration(
    int iteration, btCollisionObject ** bodies, int body_count, btPersistentManifold ** manifolds,
    int manifold_count, btTypedConstraint ** constraints, int constraint_count,
    const btContactSolverInfo & info, btIDebugDraw * drawer) override;
  btScalar solveGroupCacheFriendlyIterations(
    btCollisionObject ** bodies, int body_count, btPersistentManifold ** manifolds,
    int manifold_count, btTypedConstraint ** constraints, int constraint_count,
    const btContactSolverInfo & info, btIDebugDraw * drawer) override;

private:
  struct Coupling  // i stored row, j stored column; i == j for the diagonal
  {
    int i;
    int j;
    double * block;
    bool shares[2]
               [2];  // whether the first or second body of i is the first or second of j, and moves
  };
  struct FreeRow  // what the joints' solution needs of a row, in one place
  {
    double jacobian[2][6];  // of the two bodies: J
    double answer[2][6];    // and M^-1 J^T
    double compliance;
    double target;
    int body[2];  // in the solver's pool
    btSolverConstraint * row;

    void take(
      int side, const btVector3 & n, const btVector3 & torque, const btVector3 & angular,
      const btVector3 & inverse_mass)
    {
      for (int i = 0; i < 3; ++i) {
        jacobian[side][i] = n[i];
        jacobian[side][i + 3] = torque[i];
        answer[side][i] = n[i] * inverse_mass[i];
        answer[side][i + 3] = angular[i];
      }
    }
  };
  struct Mechanism
  {
    BlockCholesky matrix;
    std::vector<btTypedConstraint *> joints;
    std::vector<Coupling> couplings;  // diagonal blocks first
    std::vector<int> first_row;       // per joint, in the pool of this group
    std::vector<int> row_count;       // per joint; the matrix holds those of them that are free
    std::vector<FreeRow> rows;        // as x
    std::vector<double> x;
    std::vector<double>
      slack;  // n times the compliance of free rows in loops, as x; empty without loops
    std::vector<double> first;  // room for `refine`
    std::vector<int> bodies;    // solver bodies that move with it
    std::size_t contact_rows = 0;
    bool in_group = false;
    bool bounded = false;
    bool carries_contacts = false;  // its contacts are solved together with its joints
  };
  struct Response  // of one body to a unit impulse of a contact row
  {
    int body;
    btVector3 linear;
    btVector3 angular;
  };
  struct ContactRow
  {
    btSolverConstraint * row;
    std::size_t first_response;
    std::size_t end_response;
    int mechanism[2];         // of the two bodies; -1: none, or the same as the first
    std::size_t reaction[2];  // where its answers of joints begin
    double passed_on;         // impulse that the joints have answered
  };
  enum class Pin : signed char
  {
    Free,
    AtLow,
    AtHigh,
    Off
  };

  void assemble(Mechanism & mechanism);
  void solve_rows(Mechanism & mechanism);
  double velocity(const FreeRow & row) const;
  using JointRows::push;
  void push(FreeRow & row, double impulse);
  /// Takes the compliance of loops out of the impulses x wherever the joints do not contradict each other.
  void refine(Mechanism & mechanism);
  /// Pins what pushes beyond its bounds. True if there was any.
  bool pin_beyond(Mechanism & mechanism);
  /// Pins, or else frees rows. True if a row changed.
  bool update_pins(Mechanism & mechanism);
  /// Rounds of pivoting from a solution, until no row is on the wrong side.
  void pivot(Mechanism & mechanism);

  /// Decides which mechanisms carry their contacts, and numbers their bodies.
  void prepare_contacts();
  void list_bodies(Mechanism & mechanism, int number);
  int mechanism_at(int solver_body) const;
  /// (Re)computes the rows of contacts at mechanisms, with the present factorisations.
  void build_contact_rows();
  void build_contact_row(btSolverConstraint & row, bool is_normal);
  void respond(ContactRow & contact, int side, int number);
  /// Returns the largest change of a row's velocity [m/s or rad/s].
  double sweep_contacts();
  double solve_contact_row(btSolverConstraint & row, int contact);
  /// Gives joints what the contacts asked of them since the last time.
  void answer_contacts();
  /// Between two sweeps over the contacts: joints follow, motors and limits change sides.
  void follow_contacts();
  double residual(const btSolverConstraint & c) const;
  double compliance(const btSolverConstraint & c) const;
  template <class Function>
  void for_each_mechanism_row(Mechanism & m, Function function)
  {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      auto x =
        m.x.begin() + m.matrix.offset(static_cast<int>(k));  // free rows only, as in the matrix
      for (int row = m.first_row[k]; row < m.first_row[k] + m.row_count[k]; ++row) {
        Pin & pin = pins_[static_cast<std::size_t>(row)];
        double unused = 0.0;
        function(m_tmpSolverNonContactConstraintPool[row], pin, pin == Pin::Free ? *x++ : unused);
      }
    }
  }

  std::vector<Mechanism> mechanisms_;
  std::vector<std::pair<int, int>> place_;  // user id -> mechanism, joint in it
  std::vector<int> group_;                  // mechanisms of the group that is being solved
  std::vector<Pin> pins_;                   // per row of the pool
  std::vector<int> mechanism_of_;           // per solver body; -1: none that carries its contacts
  std::vector<ContactRow> contact_rows_;
  double undone_ = 0.0;             // by the newest sweep over the contacts [m/s or rad/s]
  std::vector<int> contact_of_[3];  // per normal, friction, rolling row: contact row or -1
  std::vector<Response> responses_;
  std::vector<double> reactions_;
  std::vector<int> slot_of_;  // per solver body: response while one is being built
};

std::unique_ptr<btSequentialImpulseConstraintSolver> make_solver(SolverKind kind);

}  // namespace ambf_dynamics
