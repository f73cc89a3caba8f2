// SPDX-License-Identifier: BSD-3-Clause
// The joints of mechanisms as matrices, see DirectSolver in solvers.hpp.

#include <algorithm>
#include <map>
#include <set>

#include "solvers.hpp"

namespace ambf_dynamics
{
namespace
{

std::size_t u(int i) { return static_cast<std::size_t>(i); }

constexpr int max_rows_of_other_constraints = 6;  // btConeTwistConstraint
// With n solutions in all, rows that contradict each other keep 1 / n of the compliance in the matrix.
constexpr int solutions = 3;

int capacity(btTypedConstraint * constraint)
{
  const RowJoint * own = RowJoint::from(constraint);
  return own ? own->most_rows() : max_rows_of_other_constraints;
}

bool moves(const btRigidBody & body) { return !body.isStaticOrKinematicObject(); }

const btRigidBody & end_of(const btTypedConstraint & constraint, int side)
{
  return side == 0 ? constraint.getRigidBodyA() : constraint.getRigidBodyB();
}

double dot(const double * a, const double * b)
{
  double sum = 0.0;
  for (int i = 0; i < 6; ++i) { sum += a[i] * b[i]; }
  return sum;
}

template <class Function>
void for_each_x(const BlockCholesky & matrix, const Function & function)
{
  for (int block = 0; block < matrix.blocks(); ++block) {
    const std::size_t begin = u(matrix.offset(block));
    for (std::size_t i = begin; i < begin + u(matrix.rows(block)); ++i) { function(i); }
  }
}

bool has_slack(btTypedConstraint * constraint)
{
  const RowJoint * own = RowJoint::from(constraint);
  return own && (own->softness.linear_compliance > 0.0 || own->softness.angular_compliance > 0.0);
}

}  // namespace

void DirectSolver::analyse(const std::vector<btTypedConstraint *> & constraints)
{
  const int n = static_cast<int>(constraints.size());
  std::map<const btRigidBody *, std::vector<int>> at_body;
  for (int i = 0; i < n; ++i) {
    const btRigidBody * a = &constraints[u(i)]->getRigidBodyA();
    const btRigidBody * b = &constraints[u(i)]->getRigidBodyB();
    if (moves(*a)) { at_body[a].push_back(i); }
    if (moves(*b) && b != a) { at_body[b].push_back(i); }
  }
  std::vector<std::set<int>> neighbours(u(n));
  for (const auto & [body, joints] : at_body) {
    for (const int i : joints) {
      for (const int j : joints) {
        if (i != j) { neighbours[u(i)].insert(j); }
      }
    }
  }

  mechanisms_.clear();
  place_.assign(u(n), {-1, -1});
  for (int seed = 0; seed < n; ++seed) {
    constraints[u(seed)]->setUserConstraintId(seed);
    if (place_[u(seed)].first >= 0) { continue; }
    const int number = static_cast<int>(mechanisms_.size());
    std::vector<int> members{seed};
    place_[u(seed)] = {number, 0};
    for (std::size_t k = 0; k < members.size(); ++k) {
      for (const int j : neighbours[u(members[k])]) {
        if (place_[u(j)].first >= 0) { continue; }
        place_[u(j)] = {number, static_cast<int>(members.size())};
        members.push_back(j);
      }
    }
    Mechanism m;
    std::vector<int> capacities;
    std::vector<std::pair<int, int>> edges;
    for (const int i : members) {
      m.joints.push_back(constraints[u(i)]);
      capacities.push_back(capacity(constraints[u(i)]));
      for (const int j : neighbours[u(i)]) {
        if (j > i) { edges.emplace_back(place_[u(i)].second, place_[u(j)].second); }
      }
    }
    mechanisms_.push_back(std::move(m));
    Mechanism & stored = mechanisms_.back();
    stored.matrix.analyse(capacities, edges);
    const auto couple = [&](int i, int j) {
      stored.couplings.push_back({i, j, stored.matrix.block(i, j), {}});
      for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
          const btRigidBody & body = end_of(*stored.joints[u(i)], a);
          stored.couplings.back().shares[a][b] =
            moves(body) && &body == &end_of(*stored.joints[u(j)], b);
        }
      }
    };
    for (int i = 0; i < stored.matrix.blocks(); ++i) { couple(i, i); }
    for (const auto & [i, j] : edges) {
      stored.matrix.is_stored(i, j) ? couple(i, j) : couple(j, i);
    }
    stored.first_row.assign(members.size(), 0);
    stored.row_count.assign(members.size(), 0);
    stored.x.assign(u(stored.matrix.size()), 0.0);
    stored.rows.resize(stored.x.size());
    const bool loops = std::any_of(stored.joints.begin(), stored.joints.end(), has_slack);
    stored.slack.assign(loops ? stored.x.size() : 0, 0.0);
    stored.first = stored.slack;
  }
  group_.reserve(mechanisms_.size());
}

void DirectSolver::assemble(Mechanism & m)
{
  auto & pool = m_tmpSolverNonContactConstraintPool;
  // Half the rows of a six-dof joint push nothing at any time: the matrix holds the free ones only.
  for (int joint = 0; joint < m.matrix.blocks(); ++joint) {
    const std::size_t begin = u(m.matrix.offset(joint));
    const RowJoint * own = RowJoint::from(m.joints[u(joint)]);
    std::size_t next = begin;
    for (int k = 0; k < m.row_count[u(joint)]; ++k) {
      const int row = m.first_row[u(joint)] + k;
      if (pins_[u(row)] != Pin::Free) { continue; }
      btSolverConstraint & c = pool[row];
      m.rows[next].take(
        0, c.m_contactNormal1, c.m_relpos1CrossNormal, c.m_angularComponentA,
        m_tmpSolverBodyPool[c.m_solverBodyIdA].internalGetInvMass());
      m.rows[next].take(
        1, c.m_contactNormal2, c.m_relpos2CrossNormal, c.m_angularComponentB,
        m_tmpSolverBodyPool[c.m_solverBodyIdB].internalGetInvMass());
      m.rows[next].compliance = compliance(c);
      m.rows[next].target = c.m_rhs / c.m_jacDiagABInv;
      m.rows[next].body[0] = c.m_solverBodyIdA;
      m.rows[next].body[1] = c.m_solverBodyIdB;
      m.rows[next].row = &c;
      if (!m.slack.empty()) {
        const bool in_loop = own && own->locked(k) && own->compliance(k) > 0.0;
        m.slack[next] = in_loop ? solutions * own->compliance(k) : 0.0;
        if (in_loop) { m.rows[next].compliance = m.slack[next]; }
      }
      ++next;
    }
    m.matrix.set_rows(joint, static_cast<int>(next - begin));
  }
  m.matrix.clear();
  for (const Coupling & k : m.couplings) {
    const int leading = m.matrix.rows(k.j);
    const FreeRow * rows_i = m.rows.data() + m.matrix.offset(k.i);
    const FreeRow * rows_j = m.rows.data() + m.matrix.offset(k.j);
    for (int r = 0; r < m.matrix.rows(k.i); ++r) {
      const int end = k.i == k.j ? r + 1 : m.matrix.rows(k.j);  // the lower triangle is enough
      for (int s = 0; s < end; ++s) {
        double sum = 0.0;  // J_r M^-1 J_s^T over the bodies that the joints share
        for (int a = 0; a < 2; ++a) {
          for (int b = 0; b < 2; ++b) {
            if (k.shares[a][b]) { sum += dot(rows_i[r].jacobian[a], rows_j[s].answer[b]); }
          }
        }
        k.block[r * leading + s] = sum;
      }
      if (k.i == k.j) { k.block[r * leading + r] += rows_i[r].compliance; }
    }
  }
  m.matrix.factorise();
}

double DirectSolver::velocity(const FreeRow & row) const
{
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    const btSolverBody & body = m_tmpSolverBodyPool[row.body[side]];
    const double * j = row.jacobian[side];
    const btVector3 & v = body.m_deltaLinearVelocity;
    const btVector3 & w = body.m_deltaAngularVelocity;
    sum += j[0] * v[0] + j[1] * v[1] + j[2] * v[2] + j[3] * w[0] + j[4] * w[1] + j[5] * w[2];
  }
  return sum;
}

void DirectSolver::push(FreeRow & row, double impulse)
{
  row.row->m_appliedImpulse += impulse;
  for (int side = 0; side < 2; ++side) {
    btSolverBody & body = m_tmpSolverBodyPool[row.body[side]];
    if (!body.m_originalBody) { continue; }
    const double * a = row.answer[side];
    body.m_deltaLinearVelocity += btVector3(a[0], a[1], a[2]) * impulse;
    body.m_deltaAngularVelocity += btVector3(a[3], a[4], a[5]) * impulse;
  }
}

void DirectSolver::refine(Mechanism & m)
{
  if (m.slack.empty()) { return; }
  m.first = m.x;
  for (int step = 1; step < solutions; ++step) {
    for_each_x(m.matrix, [&m](std::size_t i) { m.x[i] *= m.slack[i]; });
    m.matrix.solve(m.x.data());
    for_each_x(m.matrix, [&m](std::size_t i) { m.x[i] += m.first[i]; });
  }
}

void DirectSolver::solve_rows(Mechanism & m)
{
  for_each_x(m.matrix, [&](std::size_t i) {
    const FreeRow & row = m.rows[i];
    m.x[i] = row.target - row.compliance * row.row->m_appliedImpulse - velocity(row);
  });
  m.matrix.solve(m.x.data());
  if (m.slack.empty()) {
    for_each_x(m.matrix, [&](std::size_t i) { push(m.rows[i], m.x[i]); });
    return;
  }
  for_each_x(m.matrix, [&](std::size_t i) { m.x[i] += m.rows[i].row->m_appliedImpulse; });
  refine(m);
  for_each_x(
    m.matrix, [&](std::size_t i) { push(m.rows[i], m.x[i] - m.rows[i].row->m_appliedImpulse); });
}

}  // namespace ambf_dynamics
