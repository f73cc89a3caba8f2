// SPDX-License-Identifier: BSD-3-Clause
// Contacts at mechanisms, see DirectSolver in solvers.hpp.

#include <cmath>

#include "solvers.hpp"

namespace ambf_dynamics
{
namespace
{

std::size_t u(int i) { return static_cast<std::size_t>(i); }

// Work of the contact rows of a mechanism (rows times joint rows) above which they are not reduced:
// 80 points at an arm of 14 joints, 0.3 ms. Beyond, taking turns is cheaper than it is worse.
constexpr std::size_t most_work = 20000;

}  // namespace

int DirectSolver::mechanism_at(int solver_body) const { return mechanism_of_[u(solver_body)]; }

void DirectSolver::list_bodies(Mechanism & m, int number)
{
  m.bodies.clear();
  const auto add = [&](int body) {
    const btSolverBody & b = m_tmpSolverBodyPool[body];
    if (!b.m_originalBody || b.internalGetInvMass().isZero() || mechanism_of_[u(body)] == number) {
      return;
    }
    mechanism_of_[u(body)] = number;
    m.bodies.push_back(body);
  };
  for_each_mechanism_row(m, [&](btSolverConstraint & c, Pin, double &) {
    add(c.m_solverBodyIdA);
    add(c.m_solverBodyIdB);
  });
}

void DirectSolver::prepare_contacts()
{
  mechanism_of_.assign(u(m_tmpSolverBodyPool.size()), -1);
  slot_of_.assign(u(m_tmpSolverBodyPool.size()), -1);
  for (const int number : group_) {
    Mechanism & m = mechanisms_[u(number)];
    m.contact_rows = 0;
    list_bodies(m, number);
  }
  for (const auto * pool :
       {&m_tmpSolverContactConstraintPool, &m_tmpSolverContactFrictionConstraintPool,
        &m_tmpSolverContactRollingFrictionConstraintPool}) {
    for (int i = 0; i < pool->size(); ++i) {
      for (const int body : {(*pool)[i].m_solverBodyIdA, (*pool)[i].m_solverBodyIdB}) {
        if (mechanism_at(body) >= 0) { ++mechanisms_[u(mechanism_at(body))].contact_rows; }
      }
    }
  }
  for (const int number : group_) {
    Mechanism & m = mechanisms_[u(number)];
    m.carries_contacts = m.contact_rows > 0 && m.contact_rows * u(m.matrix.size()) <= most_work;
    if (m.carries_contacts) { continue; }
    for (const int body : m.bodies) { mechanism_of_[u(body)] = -1; }
  }
  build_contact_rows();
}

void DirectSolver::build_contact_rows()
{
  contact_rows_.clear();
  responses_.clear();
  reactions_.clear();
  btConstraintArray * const pools[] = {
    &m_tmpSolverContactConstraintPool, &m_tmpSolverContactFrictionConstraintPool,
    &m_tmpSolverContactRollingFrictionConstraintPool};
  for (std::size_t k = 0; k < 3; ++k) {
    contact_of_[k].assign(u(pools[k]->size()), -1);
    for (int i = 0; i < pools[k]->size(); ++i) {
      btSolverConstraint & row = (*pools[k])[i];
      if (mechanism_at(row.m_solverBodyIdA) < 0 && mechanism_at(row.m_solverBodyIdB) < 0) {
        continue;
      }
      if (!(row.m_jacDiagABInv > 0.0) || !std::isfinite(row.m_jacDiagABInv)) { continue; }
      contact_of_[k][u(i)] = static_cast<int>(contact_rows_.size());
      build_contact_row(row, k == 0);
    }
  }
}

void DirectSolver::build_contact_row(btSolverConstraint & row, bool is_normal)
{
  ContactRow contact{};
  contact.row = &row;
  contact.passed_on = row.m_appliedImpulse;
  contact.first_response = responses_.size();
  const int bodies[] = {row.m_solverBodyIdA, row.m_solverBodyIdB};
  const btVector3 * normals[] = {&row.m_contactNormal1, &row.m_contactNormal2};
  const btVector3 * angular[] = {&row.m_angularComponentA, &row.m_angularComponentB};
  for (int side = 0; side < 2; ++side) {
    const btSolverBody & body = m_tmpSolverBodyPool[bodies[side]];
    if (!body.m_originalBody) { continue; }
    slot_of_[u(bodies[side])] = static_cast<int>(responses_.size());
    responses_.push_back(
      {bodies[side], *normals[side] * body.internalGetInvMass(), *angular[side]});
  }
  const btVector3 * torques[] = {&row.m_relpos1CrossNormal, &row.m_relpos2CrossNormal};
  const auto answer = [&] {
    double sum = 0.0;  // velocity of the row for a unit of its impulse
    for (int side = 0; side < 2; ++side) {
      const int slot = slot_of_[u(bodies[side])];
      if (slot < 0) { continue; }
      sum += normals[side]->dot(responses_[u(slot)].linear) +
             torques[side]->dot(responses_[u(slot)].angular);
    }
    return sum;
  };
  const double alone = answer();
  const int first = mechanism_at(bodies[0]);
  const int second = mechanism_at(bodies[1]);
  contact.mechanism[0] = first;
  contact.mechanism[1] = second == first ? -1 : second;
  for (int side = 0; side < 2; ++side) {
    if (contact.mechanism[side] >= 0) { respond(contact, side, contact.mechanism[side]); }
  }
  contact.end_response = responses_.size();

  // The row's own numbers: what it aims at stays, the inertia that it feels is the mechanism's.
  const double felt = answer();
  for (std::size_t i = contact.first_response; i < contact.end_response; ++i) {
    slot_of_[u(responses_[i].body)] = -1;
  }
  // Joints and motors may hold the body in this direction, and the row has nothing to move. It pushes harder from
  // sweep to sweep until a motor reaches its limit; much harder at once, and all motors would. Where no motor is
  // in the way (two links of one arm that overlap), a compliance of the normal row puts an end to it. Friction
  // ends at its cone, and would creep with a compliance.
  constexpr double least = 1e-3;
  const double missing = std::max(0.0, least * alone - felt);
  const double inverse = 1.0 / (felt + missing);
  row.m_rhs *= inverse / row.m_jacDiagABInv;
  row.m_cfm = is_normal ? missing * inverse : 0.0;
  row.m_jacDiagABInv = inverse;
  contact_rows_.push_back(contact);
}

void DirectSolver::respond(ContactRow & contact, int side, int number)
{
  Mechanism & m = mechanisms_[u(number)];
  const btSolverConstraint & row = *contact.row;
  const auto along = [&](int body, const btVector3 & n, const btVector3 & torque) {
    // Only the contact's own bodies have a response yet.
    if (body == row.m_solverBodyIdA || body == row.m_solverBodyIdB) {
      const int slot = slot_of_[u(body)];
      if (slot >= 0) {
        return n.dot(responses_[u(slot)].linear) + torque.dot(responses_[u(slot)].angular);
      }
    }
    return 0.0;
  };
  for_each_mechanism_row(m, [&](btSolverConstraint & c, Pin pin, double & x) {
    x = pin != Pin::Free ? 0.0
                         : along(c.m_solverBodyIdA, c.m_contactNormal1, c.m_relpos1CrossNormal) +
                             along(c.m_solverBodyIdB, c.m_contactNormal2, c.m_relpos2CrossNormal);
  });
  m.matrix.solve(m.x.data());
  refine(m);
  contact.reaction[side] = reactions_.size();
  const auto add = [&](int body, const btVector3 & n, const btVector3 & angular, double impulse) {
    const btSolverBody & solver_body = m_tmpSolverBodyPool[body];
    if (mechanism_at(body) != number) { return; }
    int & slot = slot_of_[u(body)];
    if (slot < 0) {
      slot = static_cast<int>(responses_.size());
      responses_.push_back({body, btVector3(0, 0, 0), btVector3(0, 0, 0)});
    }
    responses_[u(slot)].linear += n * solver_body.internalGetInvMass() * impulse;
    responses_[u(slot)].angular += angular * impulse;
  };
  for_each_mechanism_row(m, [&](btSolverConstraint & c, Pin pin, double & x) {
    const double answer = pin == Pin::Free ? -x : 0.0;
    reactions_.push_back(answer);
    if (answer == 0.0) { return; }
    add(c.m_solverBodyIdA, c.m_contactNormal1, c.m_angularComponentA, answer);
    add(c.m_solverBodyIdB, c.m_contactNormal2, c.m_angularComponentB, answer);
  });
}

double DirectSolver::solve_contact_row(btSolverConstraint & row, int contact)
{
  btSolverBody & a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
  btSolverBody & b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
  if (contact < 0) { return resolveSingleConstraintRowGeneric(a, b, row); }
  const double velocity = row.m_contactNormal1.dot(a.m_deltaLinearVelocity) +
                          row.m_relpos1CrossNormal.dot(a.m_deltaAngularVelocity) +
                          row.m_contactNormal2.dot(b.m_deltaLinearVelocity) +
                          row.m_relpos2CrossNormal.dot(b.m_deltaAngularVelocity);
  const double wanted = row.m_appliedImpulse + row.m_rhs - row.m_appliedImpulse * row.m_cfm -
                        velocity * row.m_jacDiagABInv;
  const double impulse = std::clamp<double>(wanted, row.m_lowerLimit, row.m_upperLimit);
  const double change = impulse - row.m_appliedImpulse;
  row.m_appliedImpulse = impulse;
  if (change == 0.0) { return 0.0; }
  const ContactRow & c = contact_rows_[u(contact)];
  for (std::size_t i = c.first_response; i < c.end_response; ++i) {
    const Response & r = responses_[i];
    btSolverBody & body = m_tmpSolverBodyPool[r.body];
    body.m_deltaLinearVelocity += r.linear * change;
    body.m_deltaAngularVelocity += r.angular * change;
  }
  return change / row.m_jacDiagABInv;
}

double DirectSolver::sweep_contacts()
{
  double worst = 0.0;
  const auto solve = [&](btSolverConstraint & row, int contact) {
    worst = std::max(worst, std::abs(solve_contact_row(row, contact)));
  };
  auto & normals = m_tmpSolverContactConstraintPool;
  auto & friction = m_tmpSolverContactFrictionConstraintPool;
  auto & rolling = m_tmpSolverContactRollingFrictionConstraintPool;
  for (int i = 0; i < normals.size(); ++i) { solve(normals[i], contact_of_[0][u(i)]); }
  for (int i = 0; i < friction.size(); ++i) {
    btSolverConstraint & row = friction[i];
    const double most = row.m_friction * normals[row.m_frictionIndex].m_appliedImpulse;
    row.m_lowerLimit = -most;
    row.m_upperLimit = most;
    solve(row, contact_of_[1][u(i)]);
  }
  for (int i = 0; i < rolling.size(); ++i) {
    btSolverConstraint & row = rolling[i];
    const double most = std::min<double>(
      row.m_friction, row.m_friction * normals[row.m_frictionIndex].m_appliedImpulse);
    row.m_lowerLimit = -most;
    row.m_upperLimit = most;
    solve(row, contact_of_[2][u(i)]);
  }
  return worst;
}

void DirectSolver::answer_contacts()
{
  for (ContactRow & contact : contact_rows_) {
    const double change = contact.row->m_appliedImpulse - contact.passed_on;
    contact.passed_on = contact.row->m_appliedImpulse;
    if (change == 0.0) { continue; }
    for (int side = 0; side < 2; ++side) {
      if (contact.mechanism[side] < 0) { continue; }
      const double * answer = reactions_.data() + contact.reaction[side];
      for_each_mechanism_row(
        mechanisms_[u(contact.mechanism[side])],
        [&](btSolverConstraint & c, Pin, double &) { c.m_appliedImpulse += *answer++ * change; });
    }
  }
}

}  // namespace ambf_dynamics
