// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "solvers.hpp"

namespace ambf_dynamics
{
namespace
{

std::size_t u(int i) { return static_cast<std::size_t>(i); }

constexpr int max_pivoting_rounds = 8;
// What a jaw holds creeps with the velocity that the sweeps leave undone. Where contacts touch a mechanism they go on
// until it is below this [m/s or rad/s], at most so many times as long.
constexpr double creep = 1e-5;
constexpr int more_sweeps = 4;

}  // namespace

void DantzigSolver::createMLCPFast(const btContactSolverInfo & info)
{
  btMLCPSolver::createMLCPFast(info);
  for (int i = 0; i < m_allConstraintPtrArray.size(); ++i) {
    const btSolverConstraint & c = *m_allConstraintPtrArray[i];
    if (c.m_jacDiagABInv <= 0.0 || c.m_cfm == 0.0) { continue; }
    m_A.setElem(i, i, m_A(i, i) + c.m_cfm / c.m_jacDiagABInv);
  }
}

double DirectSolver::compliance(const btSolverConstraint & c) const
{
  // Rows of absolute compliance carry it in the diagonal already: 1 / inv = J M^-1 J^T + compliance.
  return c.m_cfm / c.m_jacDiagABInv;
}

double DirectSolver::residual(const btSolverConstraint & c) const
{
  const btSolverBody & a = m_tmpSolverBodyPool[c.m_solverBodyIdA];
  const btSolverBody & b = m_tmpSolverBodyPool[c.m_solverBodyIdB];
  const double velocity = c.m_contactNormal1.dot(a.m_deltaLinearVelocity) +
                          c.m_relpos1CrossNormal.dot(a.m_deltaAngularVelocity) +
                          c.m_contactNormal2.dot(b.m_deltaLinearVelocity) +
                          c.m_relpos2CrossNormal.dot(b.m_deltaAngularVelocity);
  return (c.m_rhs - c.m_appliedImpulse * c.m_cfm) / c.m_jacDiagABInv - velocity;
}

bool DirectSolver::pin_beyond(Mechanism & m)
{
  bool changed = false;
  for_each_mechanism_row(m, [&](btSolverConstraint & c, Pin & pin, double &) {
    if (pin != Pin::Free) { return; }
    const bool low = c.m_appliedImpulse < c.m_lowerLimit;
    if (!low && !(c.m_appliedImpulse > c.m_upperLimit)) { return; }
    push(c, (low ? c.m_lowerLimit : c.m_upperLimit) - c.m_appliedImpulse);
    pin = low ? Pin::AtLow : Pin::AtHigh;
    changed = true;
  });
  return changed;
}

bool DirectSolver::update_pins(Mechanism & m)
{
  if (pin_beyond(m)) { return true; }
  // Free what would move back into its range only when nothing new was pinned: one direction at a
  // time keeps the rounds from chasing each other.
  bool changed = false;
  for_each_mechanism_row(m, [&](btSolverConstraint & c, Pin & pin, double &) {
    const bool release =
      (pin == Pin::AtLow && residual(c) > 1e-12) || (pin == Pin::AtHigh && residual(c) < -1e-12);
    if (release) {
      pin = Pin::Free;
      changed = true;
    }
  });
  return changed;
}

void DirectSolver::pivot(Mechanism & m)
{
  if (!m.bounded) { return; }
  for (int round = 0; round < max_pivoting_rounds && update_pins(m); ++round) {
    assemble(m);
    solve_rows(m);
  }
  // Whatever the rounds left: no motor beyond its limit, and no joint that pays for it.
  if (pin_beyond(m)) {
    assemble(m);
    solve_rows(m);
  }
}

btScalar DirectSolver::solveGroupCacheFriendlySetup(
  btCollisionObject ** bodies, int body_count, btPersistentManifold ** manifolds,
  int manifold_count, btTypedConstraint ** constraints, int constraint_count,
  const btContactSolverInfo & info, btIDebugDraw * drawer)
{
  const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
    bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  auto & pool = m_tmpSolverNonContactConstraintPool;
  if (pins_.size() < u(pool.size())) { pins_.resize(u(pool.size())); }

  group_.clear();
  int row = 0;
  for (int k = 0; k < constraint_count; ++k) {
    const int rows = m_tmpConstraintSizesPool[k].m_numConstraintRows;
    const auto [number, joint] = place_[u(constraints[k]->getUserConstraintId())];
    Mechanism & m = mechanisms_[u(number)];
    if (!m.in_group) {
      m.in_group = true;
      std::fill(m.row_count.begin(), m.row_count.end(), 0);  // some may be switched off
      m.bounded = false;
      group_.push_back(number);
    }
    m.first_row[u(joint)] = row;
    m.row_count[u(joint)] = rows;
    for (int r = 0; r < rows; ++r, ++row) {
      btSolverConstraint & c = pool[row];
      c.m_overrideNumSolverIterations = 0;  // Bullet's sweep leaves these rows alone
      Pin & pin = pins_[u(row)];
      pin = c.m_jacDiagABInv > 0.0 ? Pin::Free : Pin::Off;
      // A row that may not push at all (the spring of a locked axis) would be singular with its lock.
      if (c.m_lowerLimit == c.m_upperLimit) { pin = Pin::Off; }
      if (pin == Pin::Off) { continue; }
      const bool bounded = c.m_lowerLimit > -SIMD_INFINITY || c.m_upperLimit < SIMD_INFINITY;
      m.bounded = m.bounded || bounded;
      // A limit that the joint is not about to cross starts without impulse.
      if (c.m_lowerLimit == 0.0 && residual(c) <= 0.0) { pin = Pin::AtLow; }
      if (c.m_upperLimit == 0.0 && residual(c) >= 0.0) { pin = Pin::AtHigh; }
    }
  }
  for (const int number : group_) { mechanisms_[u(number)].in_group = false; }
  return result;
}

btScalar DirectSolver::solveSingleIteration(
  int iteration, btCollisionObject ** bodies, int body_count, btPersistentManifold ** manifolds,
  int manifold_count, btTypedConstraint ** constraints, int constraint_count,
  const btContactSolverInfo & info, btIDebugDraw * drawer)
{
  const bool contacts = m_tmpSolverContactConstraintPool.size() > 0;
  if (iteration == 0) {
    for (const int number : group_) {
      Mechanism & m = mechanisms_[u(number)];
      assemble(m);
      solve_rows(m);
      pivot(m);
    }
    if (contacts && !group_.empty()) { prepare_contacts(); }
  } else {
    follow_contacts();
  }
  if (!contacts) { return 0.0; }
  if (!contact_rows_.empty()) {
    undone_ = sweep_contacts();
    return undone_ * undone_;  // Bullet stops at 0
  }
  return btSequentialImpulseConstraintSolver::solveSingleIteration(
    iteration, bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info,
    drawer);
}

void DirectSolver::follow_contacts()
{
  answer_contacts();
  bool rebuild = false;
  for (const int number : group_) {
    Mechanism & m = mechanisms_[u(number)];
    if (m.contact_rows == 0) { continue; }  // nothing disturbed it
    const bool pinned = m.bounded && update_pins(m);
    if (pinned) { assemble(m); }
    if (pinned || !m.carries_contacts) { solve_rows(m); }
    rebuild = rebuild || (pinned && m.carries_contacts);
  }
  if (rebuild) { build_contact_rows(); }
}

btScalar DirectSolver::solveGroupCacheFriendlyIterations(
  btCollisionObject ** bodies, int body_count, btPersistentManifold ** manifolds,
  int manifold_count, btTypedConstraint ** constraints, int constraint_count,
  const btContactSolverInfo & info, btIDebugDraw * drawer)
{
  contact_rows_.clear();
  undone_ = 0.0;
  const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
    bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  for (int i = 0;
       i < more_sweeps * info.m_numIterations && !contact_rows_.empty() && undone_ > creep; ++i) {
    follow_contacts();
    undone_ = sweep_contacts();
  }
  // The last word belongs to the joints: what the last sweep over the contacts disturbed is repaired.
  if (m_tmpSolverContactConstraintPool.size() > 0) {
    answer_contacts();
    for (const int number : group_) {
      Mechanism & m = mechanisms_[u(number)];
      if (m.contact_rows == 0) { continue; }
      solve_rows(m);
      pivot(m);
    }
  }
  return result;
}

std::unique_ptr<btSequentialImpulseConstraintSolver> make_solver(SolverKind kind)
{
  switch (kind) {
    case SolverKind::SequentialImpulse:
      return std::make_unique<SequentialSolver>();
    case SolverKind::Dantzig:
      return std::make_unique<DantzigSolver>();
    case SolverKind::DirectJoints:
      break;
  }
  return std::make_unique<DirectSolver>();
}

}  // namespace ambf_dynamics
