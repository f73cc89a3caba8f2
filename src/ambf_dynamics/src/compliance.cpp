// SPDX-License-Identifier: BSD-3-Clause
#include "compliance.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace ambf_dynamics
{
namespace
{

std::size_t u(int i) { return static_cast<std::size_t>(i); }

bool moves(const btRigidBody & body) { return !body.isStaticOrKinematicObject(); }

struct Edge
{
  int a;
  int b;
};

struct Graph
{
  std::vector<Edge> edges;           // per constraint; a == b: between fixed bodies
  std::vector<std::vector<int>> at;  // edges per node; node 0 is the ground
};

Graph graph_of(std::span<btTypedConstraint * const> constraints)
{
  Graph g;
  g.at.emplace_back();
  std::map<const btRigidBody *, int> number;
  const auto node = [&](const btRigidBody & body) {
    if (!moves(body)) { return 0; }
    const auto [at, fresh] = number.emplace(&body, static_cast<int>(g.at.size()));
    if (fresh) { g.at.emplace_back(); }
    return at->second;
  };
  for (const btTypedConstraint * constraint : constraints) {
    const Edge edge{node(constraint->getRigidBodyA()), node(constraint->getRigidBodyB())};
    const int i = static_cast<int>(g.edges.size());
    g.edges.push_back(edge);
    if (edge.a == edge.b) { continue; }
    g.at[u(edge.a)].push_back(i);
    g.at[u(edge.b)].push_back(i);
  }
  return g;
}

}  // namespace

// Tarjan's biconnected components by depth-first search, without recursion: chains may be long.
std::vector<int> loops_of(std::span<btTypedConstraint * const> constraints)
{
  const Graph g = graph_of(constraints);
  std::vector<int> loop(g.edges.size(), -1);
  std::vector<int> found(g.at.size(), -1);  // order of discovery
  std::vector<int> low(g.at.size(), 0);     // earliest node that is reached from below
  std::vector<int> open;                    // edges that belong to no component yet
  struct Visit
  {
    int node;
    int via;           // edge that led here
    std::size_t next;  // edge to look at
  };
  std::vector<Visit> visits;
  int time = 0;
  int loops = 0;
  for (std::size_t root = 0; root < g.at.size(); ++root) {
    if (found[root] >= 0) { continue; }
    found[root] = low[root] = time++;
    visits.push_back({static_cast<int>(root), -1, 0});
    while (!visits.empty()) {
      Visit & here = visits.back();
      if (here.next < g.at[u(here.node)].size()) {
        const int e = g.at[u(here.node)][here.next++];
        if (e == here.via) { continue; }
        const int other = g.edges[u(e)].a == here.node ? g.edges[u(e)].b : g.edges[u(e)].a;
        if (found[u(other)] < 0) {
          found[u(other)] = low[u(other)] = time++;
          open.push_back(e);
          visits.push_back({other, e, 0});
        } else if (found[u(other)] < found[u(here.node)]) {
          open.push_back(e);
          low[u(here.node)] = std::min(low[u(here.node)], found[u(other)]);
        }
        continue;
      }
      const Visit done = here;
      visits.pop_back();
      if (visits.empty()) { break; }
      const int above = visits.back().node;
      low[u(above)] = std::min(low[u(above)], low[u(done.node)]);
      if (low[u(done.node)] < found[u(above)]) { continue; }
      // Nothing below reaches past `above`: the edges since `via` are one component, alone they are no loop.
      const auto first = std::find(open.begin(), open.end(), done.via);
      if (open.end() - first > 1) {
        for (auto e = first; e != open.end(); ++e) { loop[u(*e)] = loops; }
        ++loops;
      }
      open.erase(first, open.end());
    }
  }
  return loop;
}

void spread_compliance(std::span<btTypedConstraint * const> constraints, double cfm)
{
  struct Sum
  {
    double log_inverse_mass = 0.0;
    double log_inverse_inertia = 0.0;
    double ends = 0.0;
  };
  const std::vector<int> loop = loops_of(constraints);
  std::map<int, Sum> sums;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (loop[i] < 0) { continue; }
    Sum & sum = sums[loop[i]];
    for (const btRigidBody * body :
         {&constraints[i]->getRigidBodyA(), &constraints[i]->getRigidBodyB()}) {
      if (!moves(*body)) { continue; }
      const btVector3 & w = body->getInvInertiaDiagLocal();
      const double inertia =
        (w.x() > 0 ? 1 / w.x() : 0) + (w.y() > 0 ? 1 / w.y() : 0) + (w.z() > 0 ? 1 / w.z() : 0);
      sum.log_inverse_mass -= std::log(std::max(1.0 / body->getInvMass(), 1e-9));
      sum.log_inverse_inertia -= std::log(std::max(inertia / 3.0, 1e-12));
      sum.ends += 1.0;
    }
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    RowJoint * joint = RowJoint::from(constraints[i]);
    if (!joint) { continue; }
    RowJoint::Softness & s = joint->softness;
    if (s.cfm_from_file) {
      s.linear_compliance = s.angular_compliance = -1.0;
      continue;
    }
    s.linear_compliance = s.angular_compliance = 0.0;
    if (loop[i] < 0) { continue; }
    const Sum & sum = sums[loop[i]];
    s.linear_compliance = cfm * 2.0 * std::exp(sum.log_inverse_mass / sum.ends);
    s.angular_compliance = cfm * 2.0 * std::exp(sum.log_inverse_inertia / sum.ends);
  }
}

}  // namespace ambf_dynamics
