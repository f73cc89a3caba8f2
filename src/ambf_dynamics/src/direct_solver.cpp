#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "solvers.hpp"

namespace ambf_dynamics
{
namespace
{

std::size_t u(int i) { return static_cast<std::size_t>(i); }

// btGeneric6DofSpring2Constraint: per axis two limits (or a limit and a motor) and a spring.
constexpr int max_rows_of_other_constraints = 18;
constexpr int max_pivoting_rounds = 8;

int capacity(const btTypedConstraint& constraint)
{
  return constraint.getConstraintType() == AxisJoint::type_mark ? AxisJoint::max_rows :
         max_rows_of_other_constraints;
}

bool moves(const btRigidBody& body) { return !body.isStaticOrKinematicObject(); }

}  // namespace

void DantzigSolver::createMLCPFast(const btContactSolverInfo& info)
{
  btMLCPSolver::createMLCPFast(info);
  for (int i = 0; i < m_allConstraintPtrArray.size(); ++i) {
    const btSolverConstraint& c = *m_allConstraintPtrArray[i];
    if (c.m_jacDiagABInv <= 0.0 || c.m_cfm == 0.0) {continue;}
    m_A.setElem(i, i, m_A(i, i) + c.m_cfm / c.m_jacDiagABInv);
  }
}

void DirectSolver::analyse(const std::vector<btTypedConstraint*>& constraints)
{
  const int n = static_cast<int>(constraints.size());
  std::map<const btRigidBody*, std::vector<int>> at_body;
  for (int i = 0; i < n; ++i) {
    const btRigidBody* a = &constraints[u(i)]->getRigidBodyA();
    const btRigidBody* b = &constraints[u(i)]->getRigidBodyB();
    if (moves(*a)) {at_body[a].push_back(i);}
    if (moves(*b) && b != a) {at_body[b].push_back(i);}
  }
  std::vector<std::set<int>> neighbours(u(n));
  for (const auto& [body, joints] : at_body) {
    for (const int i : joints) {
      for (const int j : joints) {
        if (i != j) {neighbours[u(i)].insert(j);}
      }
    }
  }

  mechanisms_.clear();
  place_.assign(u(n), {-1, -1});
  for (int seed = 0; seed < n; ++seed) {
    constraints[u(seed)]->setUserConstraintId(seed);
    if (place_[u(seed)].first >= 0) {continue;}
    const int number = static_cast<int>(mechanisms_.size());
    std::vector<int> members{seed};
    place_[u(seed)] = {number, 0};
    for (std::size_t k = 0; k < members.size(); ++k) {
      for (const int j : neighbours[u(members[k])]) {
        if (place_[u(j)].first >= 0) {continue;}
        place_[u(j)] = {number, static_cast<int>(members.size())};
        members.push_back(j);
      }
    }
    Mechanism m;
    std::vector<int> capacities;
    std::vector<std::pair<int, int>> edges;
    for (const int i : members) {
      m.joints.push_back(constraints[u(i)]);
      capacities.push_back(capacity(*constraints[u(i)]));
      for (const int j : neighbours[u(i)]) {
        if (j > i) {edges.emplace_back(place_[u(i)].second, place_[u(j)].second);}
      }
    }
    mechanisms_.push_back(std::move(m));
    Mechanism& stored = mechanisms_.back();
    stored.matrix.analyse(capacities, edges);
    for (int i = 0; i < stored.matrix.blocks(); ++i) {
      stored.couplings.push_back({i, i, stored.matrix.block(i, i)});
    }
    for (auto [i, j] : edges) {
      if (!stored.matrix.is_stored(i, j)) {std::swap(i, j);}
      stored.couplings.push_back({i, j, stored.matrix.block(i, j)});
    }
    stored.first_row.assign(members.size(), 0);
    stored.row_count.assign(members.size(), 0);
    stored.x.assign(u(stored.matrix.size()), 0.0);
  }
  group_.reserve(mechanisms_.size());
}

double DirectSolver::compliance(const btSolverConstraint& c) const
{
  // Rows of absolute compliance carry it in the diagonal already: 1 / inv = J M^-1 J^T + compliance.
  return c.m_cfm / c.m_jacDiagABInv;
}

double DirectSolver::residual(const btSolverConstraint& c) const
{
  const btSolverBody& a = m_tmpSolverBodyPool[c.m_solverBodyIdA];
  const btSolverBody& b = m_tmpSolverBodyPool[c.m_solverBodyIdB];
  const double velocity =
    c.m_contactNormal1.dot(a.m_deltaLinearVelocity) +
    c.m_relpos1CrossNormal.dot(a.m_deltaAngularVelocity) +
    c.m_contactNormal2.dot(b.m_deltaLinearVelocity) +
    c.m_relpos2CrossNormal.dot(b.m_deltaAngularVelocity);
  return (c.m_rhs - c.m_appliedImpulse * c.m_cfm) / c.m_jacDiagABInv - velocity;
}

void DirectSolver::assemble(Mechanism& m)
{
  auto& pool = m_tmpSolverNonContactConstraintPool;
  m.matrix.clear();
  // J_r M^-1 J_s^T over the bodies that rows r and s share.
  const auto coupled = [&](const btSolverConstraint& r, const btSolverConstraint& s) {
      double sum = 0.0;
      const auto add = [&](int body, const btVector3& n, const btVector3& torque, const btVector3& n_s,
          const btVector3& angular_s) {
          const btSolverBody& solver_body = m_tmpSolverBodyPool[body];
          if (!solver_body.m_originalBody) {return;}
          sum += n.dot(n_s * solver_body.internalGetInvMass()) + torque.dot(angular_s);
        };
      if (r.m_solverBodyIdA == s.m_solverBodyIdA) {
        add(r.m_solverBodyIdA, r.m_contactNormal1, r.m_relpos1CrossNormal, s.m_contactNormal1, s.m_angularComponentA);
      }
      if (r.m_solverBodyIdA == s.m_solverBodyIdB) {
        add(r.m_solverBodyIdA, r.m_contactNormal1, r.m_relpos1CrossNormal, s.m_contactNormal2, s.m_angularComponentB);
      }
      if (r.m_solverBodyIdB == s.m_solverBodyIdA) {
        add(r.m_solverBodyIdB, r.m_contactNormal2, r.m_relpos2CrossNormal, s.m_contactNormal1, s.m_angularComponentA);
      }
      if (r.m_solverBodyIdB == s.m_solverBodyIdB) {
        add(r.m_solverBodyIdB, r.m_contactNormal2, r.m_relpos2CrossNormal, s.m_contactNormal2, s.m_angularComponentB);
      }
      return sum;
    };
  // Half the rows of a six-dof joint push nothing at any time: the matrix holds the free ones only.
  const auto for_each_free = [&](int joint, int end, auto&& function) {
      int position = 0;
      for (int row = m.first_row[u(joint)]; row < end; ++row) {
        if (pins_[u(row)] == Pin::Free) {function(row, position++);}
      }
      return position;
    };
  const auto end_of = [&](int joint) {return m.first_row[u(joint)] + m.row_count[u(joint)];};
  for (int joint = 0; joint < m.matrix.blocks(); ++joint) {
    m.matrix.set_rows(joint, for_each_free(joint, end_of(joint), [](int, int) {}));
  }
  for (const Coupling& k : m.couplings) {
    const int leading = m.matrix.leading(k.j);
    for_each_free(k.i, end_of(k.i), [&](int row_i, int r) {
        const int end = k.i == k.j ? row_i + 1 : end_of(k.j);  // the lower triangle is enough
        for_each_free(k.j, end, [&](int row_j, int s) {
            k.block[r * leading + s] = coupled(pool[row_i], pool[row_j]);
          });
        if (k.i == k.j) {k.block[r * leading + r] += compliance(pool[row_i]);}
      });
  }
  m.matrix.factorise();
}

void DirectSolver::solve_rows(Mechanism& m)
{
  for_each_mechanism_row(m, [this](btSolverConstraint& c, Pin pin, double& x) {
      x = pin == Pin::Free ? residual(c) : 0.0;
    });
  m.matrix.solve(m.x.data());
  for_each_mechanism_row(m, [this](btSolverConstraint& c, Pin pin, double& x) {
      if (pin == Pin::Free) {push(c, x);}
    });
}

bool DirectSolver::update_pins(Mechanism& m)
{
  bool changed = false;
  for_each_mechanism_row(m, [&](btSolverConstraint& c, Pin& pin, double&) {
      if (pin == Pin::Free) {
        if (c.m_appliedImpulse < c.m_lowerLimit) {
          push(c, c.m_lowerLimit - c.m_appliedImpulse);
          pin = Pin::AtLow;
          changed = true;
        } else if (c.m_appliedImpulse > c.m_upperLimit) {
          push(c, c.m_upperLimit - c.m_appliedImpulse);
          pin = Pin::AtHigh;
          changed = true;
        }
      }
    });
  if (changed) {return true;}
  // Free what would move back into its range only when nothing new was pinned: one direction at a
  // time keeps the rounds from chasing each other.
  for_each_mechanism_row(m, [&](btSolverConstraint& c, Pin& pin, double&) {
      const bool release = (pin == Pin::AtLow && residual(c) > 1e-12) ||
      (pin == Pin::AtHigh && residual(c) < -1e-12);
      if (release) {
        pin = Pin::Free;
        changed = true;
      }
    });
  return changed;
}

void DirectSolver::solve_with_pivoting(Mechanism& m)
{
  assemble(m);
  solve_rows(m);
  if (!m.bounded) {return;}
  for (int round = 0; round < max_pivoting_rounds && update_pins(m); ++round) {
    assemble(m);
    solve_rows(m);
  }
  clamp(m);
}

void DirectSolver::clamp(Mechanism& m)
{
  for_each_mechanism_row(m, [this](btSolverConstraint& c, Pin pin, double&) {
      if (pin != Pin::Free) {return;}
      const double within = std::clamp(c.m_appliedImpulse, c.m_lowerLimit, c.m_upperLimit);
      if (within != c.m_appliedImpulse) {push(c, within - c.m_appliedImpulse);}
    });
}

btScalar DirectSolver::solveGroupCacheFriendlySetup(
  btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds, int manifold_count,
  btTypedConstraint** constraints, int constraint_count, const btContactSolverInfo& info,
  btIDebugDraw* drawer)
{
  const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
    bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  auto& pool = m_tmpSolverNonContactConstraintPool;
  if (pins_.size() < u(pool.size())) {pins_.resize(u(pool.size()));}

  group_.clear();
  int row = 0;
  for (int k = 0; k < constraint_count; ++k) {
    const int rows = m_tmpConstraintSizesPool[k].m_numConstraintRows;
    const auto [number, joint] = place_[u(constraints[k]->getUserConstraintId())];
    Mechanism& m = mechanisms_[u(number)];
    if (!m.in_group) {
      m.in_group = true;
      std::fill(m.row_count.begin(), m.row_count.end(), 0);  // some may be switched off
      m.bounded = false;
      group_.push_back(number);
    }
    m.first_row[u(joint)] = row;
    m.row_count[u(joint)] = rows;
    for (int r = 0; r < rows; ++r, ++row) {
      btSolverConstraint& c = pool[row];
      c.m_overrideNumSolverIterations = 0;  // Bullet's sweep leaves these rows alone
      Pin& pin = pins_[u(row)];
      pin = c.m_jacDiagABInv > 0.0 ? Pin::Free : Pin::Off;
      // A row that may not push at all (the spring of a locked axis) would be singular with its lock.
      if (c.m_lowerLimit == c.m_upperLimit) {pin = Pin::Off;}
      if (pin == Pin::Off) {continue;}
      const bool bounded = c.m_lowerLimit > -SIMD_INFINITY || c.m_upperLimit < SIMD_INFINITY;
      m.bounded = m.bounded || bounded;
      // A limit that the joint is not about to cross starts without impulse.
      if (c.m_lowerLimit == 0.0 && residual(c) <= 0.0) {pin = Pin::AtLow;}
      if (c.m_upperLimit == 0.0 && residual(c) >= 0.0) {pin = Pin::AtHigh;}
    }
  }
  for (const int number : group_) {mechanisms_[u(number)].in_group = false;}
  return result;
}

btScalar DirectSolver::solveSingleIteration(
  int iteration, btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
  int manifold_count, btTypedConstraint** constraints, int constraint_count,
  const btContactSolverInfo& info, btIDebugDraw* drawer)
{
  const bool contacts = m_tmpSolverContactConstraintPool.size() > 0;
  if (iteration == 0) {
    for (const int number : group_) {solve_with_pivoting(mechanisms_[u(number)]);}
    if (contacts && !group_.empty()) {prepare_contacts();}
  } else {
    follow_contacts();
  }
  if (!contacts) {return 0.0;}
  if (!contact_rows_.empty()) {
    const double change = sweep_contacts();
    return change * change;  // Bullet stops at 0
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
    Mechanism& m = mechanisms_[u(number)];
    const bool pinned = m.bounded && update_pins(m);
    if (pinned) {assemble(m);}
    if (pinned || !m.carries_contacts) {solve_rows(m);}
    rebuild = rebuild || (pinned && m.carries_contacts);
  }
  if (rebuild) {build_contact_rows();}
}

btScalar DirectSolver::solveGroupCacheFriendlyIterations(
  btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds, int manifold_count,
  btTypedConstraint** constraints, int constraint_count, const btContactSolverInfo& info,
  btIDebugDraw* drawer)
{
  contact_rows_.clear();
  const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
    bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  // The last word belongs to the joints: what the last sweep over the contacts disturbed is repaired.
  if (m_tmpSolverContactConstraintPool.size() > 0) {
    answer_contacts();
    for (const int number : group_) {
      Mechanism& m = mechanisms_[u(number)];
      if (m.bounded && update_pins(m)) {assemble(m);}
      solve_rows(m);
      if (m.bounded) {clamp(m);}
    }
  }
  return result;
}

std::unique_ptr<btSequentialImpulseConstraintSolver> make_solver(SolverKind kind)
{
  switch (kind) {
    case SolverKind::SequentialImpulse: return std::make_unique<SequentialSolver>();
    case SolverKind::Dantzig: return std::make_unique<DantzigSolver>();
    case SolverKind::DirectJoints: break;
  }
  return std::make_unique<DirectSolver>();
}

}  // namespace ambf_dynamics
