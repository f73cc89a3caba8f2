// SPDX-License-Identifier: BSD-3-Clause
// A soft body from its ADF block: nodes, links and faces of the mesh, pins and anchors.

#include <algorithm>
#include <numeric>
#include <set>

#include "section_names.hpp"
#include "soft_bodies.hpp"

namespace ambf_dynamics
{
namespace
{

ambf_adf::Problem soft_problem(
  const ambf_adf::SoftBody & source, ambf_adf::ProblemKind kind, const std::string & key,
  std::string found, std::string expected, std::string hint)
{
  auto problem = make_error(
    kind, source.header.identifier + "/" + key, std::move(found), std::move(expected),
    std::move(hint));
  problem.where = source.header.where;
  return problem;
}

void configure(btSoftBody & soft, const ambf_adf::SoftBodyConfig & c)
{
  btSoftBody::Material & material = *soft.m_materials[0];
  material.m_kLST = c.kLST;
  material.m_kAST = c.kAST;
  material.m_kVST = c.kVST;
  btSoftBody::Config & cfg = soft.m_cfg;
  cfg.kVCF = c.kVCF;
  cfg.kDP = c.kDP;
  cfg.kDG = c.kDG;
  cfg.kLF = c.kLF;
  cfg.kPR = c.kPR;
  cfg.kVC = c.kVC;
  cfg.kDF = c.kDF;
  cfg.kMT = c.kMT.value_or(0.0);
  cfg.kCHR = c.kCHR;
  cfg.kKHR = c.kKHR;
  cfg.kSHR = c.kSHR;
  cfg.kAHR = c.kAHR;
  cfg.kSRHR_CL = c.kSRHR_CL;
  cfg.kSKHR_CL = c.kSKHR_CL;
  cfg.kSSHR_CL = c.kSSHR_CL;
  cfg.kSR_SPLT_CL = c.kSR_SPLT_CL;
  cfg.kSK_SPLT_CL = c.kSK_SPLT_CL;
  cfg.kSS_SPLT_CL = c.kSS_SPLT_CL;
  cfg.maxvolume = c.maxvolume;
  cfg.timescale = c.timescale;
  cfg.viterations = c.viterations;
  cfg.piterations = c.piterations;
  cfg.diterations = c.diterations;
  cfg.citerations = c.citerations;
  cfg.collisions = c.flags;
}

// Faces and one link per edge, in the order of the file.
double append_topology(btSoftBody & soft, const ambf_adf::Mesh & mesh)
{
  std::set<std::pair<int, int>> known;
  double length = 0.0;
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    const std::pair ends(static_cast<int>(std::min(a, b)), static_cast<int>(std::max(a, b)));
    if (a == b || !known.insert(ends).second) { return; }
    soft.appendLink(static_cast<int>(a), static_cast<int>(b));
    length +=
      (soft.m_nodes[static_cast<int>(a)].m_x - soft.m_nodes[static_cast<int>(b)].m_x).length();
  };
  const auto & t = mesh.unified_triangles;
  for (std::size_t k = 0; k + 2 < t.size(); k += 3) {
    link(t[k], t[k + 1]);
    link(t[k + 1], t[k + 2]);
    link(t[k + 2], t[k]);
    soft.appendFace(static_cast<int>(t[k]), static_cast<int>(t[k + 1]), static_cast<int>(t[k + 2]));
  }
  for (std::size_t k = 0; k + 1 < mesh.unified_lines.size(); k += 2) {
    link(mesh.unified_lines[k], mesh.unified_lines[k + 1]);
  }
  return known.empty() ? 0.0 : length / static_cast<double>(known.size());
}

// Do the links join all nodes into one piece?
bool connected(const btSoftBody & soft)
{
  std::vector<int> root(static_cast<std::size_t>(soft.m_nodes.size()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[static_cast<std::size_t>(i)] != i) { i = root[static_cast<std::size_t>(i)]; }
    return i;
  };
  int pieces = soft.m_nodes.size();
  for (int k = 0; k < soft.m_links.size(); ++k) {
    const int a = find(static_cast<int>(soft.m_links[k].m_n[0] - &soft.m_nodes[0]));
    const int b = find(static_cast<int>(soft.m_links[k].m_n[1] - &soft.m_nodes[0]));
    if (a == b) { continue; }
    root[static_cast<std::size_t>(b)] = a;
    --pieces;
  }
  return pieces == 1;
}

int nearest_node(const ambf_adf::Mesh & mesh, double scale, const Eigen::Vector3d & at)
{
  int best = 0;
  for (std::size_t i = 1; i < mesh.unified.size(); ++i) {
    const double d = (scale * mesh.unified[i] - at).squaredNorm();
    if (d < (scale * mesh.unified[static_cast<std::size_t>(best)] - at).squaredNorm()) {
      best = static_cast<int>(i);
    }
  }
  return best;
}

}  // namespace

bool SoftBodies::build(
  SoftSlot & slot, const ambf_adf::SoftBody & source, const Eigen::Isometry3d & t_world_model,
  ambf_adf::Problems & problems)
{
  using Kind = ambf_adf::ProblemKind;
  const auto mesh = world_.shapes().meshes().get(source.collision_mesh.path);
  if (!mesh || (*mesh)->unified.empty()) {
    auto problem = soft_problem(
      source, Kind::MissingFile, "mesh",
      mesh ? "no vertices" : mesh.error().file + ": " + mesh.error().reason, "a readable mesh",
      "the world is loaded without this soft body");
    problem.severity = ambf_adf::Severity::Warning;
    problems.push_back(problem);
    return false;
  }
  const ambf_adf::Mesh & m = **mesh;
  const Eigen::Isometry3d t_world_body = t_world_model * source.location.isometry();
  for (const Eigen::Vector3d & p : m.unified) {
    slot.initial.push_back(to_bt(Eigen::Vector3d(t_world_body * (source.scale * p))));
  }
  BulletWorld & world = world_.bullet();
  slot.medium.air_density = 0.0;
  slot.medium.m_broadphase = &world.tree();
  slot.medium.m_dispatcher = world.getDispatcher();
  slot.medium.m_sparsesdf.Initialize();
  const int nodes = static_cast<int>(m.unified.size());
  slot.soft = std::make_unique<btSoftBody>(&slot.medium, nodes, slot.initial.data(), nullptr);
  const double spacing = append_topology(*slot.soft, m);
  // Distance fields resolve what the nodes can see.
  slot.medium.m_sparsesdf.setDefaultVoxelsz(std::clamp(0.5 * spacing, 0.002, 0.25));
  slot.medium.m_sparsesdf.Reset();
  slot.soft->getCollisionShape()->setMargin(source.collision_margin);
  configure(*slot.soft, source.config);
  if ((source.config.flags & btSoftBody::fCollision::VF_SS) && !connected(*slot.soft)) {
    // Bullet builds a tree over the links for this flag and never ends where they are in several pieces.
    auto problem = soft_problem(
      source, Kind::BadValue, "config/flags", std::to_string(source.config.flags),
      "no vertex-face collision (16) for a mesh in several pieces", "the flag is left out");
    problem.severity = ambf_adf::Severity::Warning;
    problems.push_back(problem);
    slot.soft->m_cfg.collisions &= ~btSoftBody::fCollision::VF_SS;
  }
  slot.soft->setTotalMass(source.mass, false);
  if (source.config.bending_constraint) {
    slot.soft->generateBendingConstraints(*source.config.bending_constraint);
  }

  const auto node_of_vertex = [&](int vertex, const char * key) {
    if (vertex >= 0 && static_cast<std::size_t>(vertex) < m.file_to_unified.size()) {
      return static_cast<int>(m.file_to_unified[static_cast<std::size_t>(vertex)]);
    }
    problems.push_back(soft_problem(
      source, Kind::BadValue, key, std::to_string(vertex),
      "0 to " + std::to_string(m.file_to_unified.size() - 1), "vertices of the mesh file"));
    return -1;
  };
  for (const int vertex : source.config.fixed_nodes) {
    if (const int node = node_of_vertex(vertex, "config/fixed nodes"); node >= 0) {
      slot.soft->setMass(node, 0.0);
    }
  }
  for (const Eigen::Vector3d & at : source.config.fixed_node_positions) {
    slot.soft->setMass(nearest_node(m, source.scale, at), 0.0);
  }
  for (const ambf_adf::SoftAnchor & anchor : source.anchors) {
    Body * body = world_.body_by_name(anchor.body);
    if (!body) {
      problems.push_back(unresolved_parent(source.header, "anchors/body", anchor.body));
      continue;
    }
    std::set<int> anchored;
    for (const int vertex : anchor.nodes) {
      anchored.insert(node_of_vertex(vertex, "anchors/nodes"));
    }
    for (const int face : anchor.faces) {
      const auto first = static_cast<std::size_t>(3 * std::max(face, 0));
      if (face < 0 || first + 2 >= m.unified_triangles.size()) {
        problems.push_back(soft_problem(
          source, Kind::BadValue, "anchors/faces", std::to_string(face),
          "0 to " + std::to_string(m.unified_triangles.size() / 3 - 1), "faces of the mesh file"));
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        anchored.insert(static_cast<int>(m.unified_triangles[first + k]));
      }
    }
    anchored.erase(-1);
    for (const int node : anchored) { slot.soft->appendAnchor(node, body->rigid.get()); }
  }
  // Bullet would do this in the first step, with the places that the nodes have then: a world that is
  // restored before its first step would take strained links for relaxed ones.
  slot.soft->updateConstants();
  slot.soft->m_bUpdateRtCst = false;
  if (slot.soft->m_cfg.collisions & btSoftBody::fCollision::VF_SS) {
    slot.soft->initializeFaceTree();
  }
  if (source.config.kMT) { slot.soft->setPose(false, true); }
  if (source.config.clusters) { slot.soft->generateClusters(*source.config.clusters); }
  if (source.randomize_constraints) { slot.soft->randomizeConstraints(); }

  slot.info.mass = source.mass;
  slot.info.node_count = static_cast<std::uint32_t>(nodes);
  slot.info.triangles = m.unified_triangles;
  slot.own_gravity = source.gravity;
  slot.collision_groups = source.collision_groups;
  std::sort(slot.collision_groups.begin(), slot.collision_groups.end());
  slot.soft->setUserPointer(&slot);
  slot.soft->setUserIndex(world_.next_id());
  slot.soft->setActivationState(DISABLE_DEACTIVATION);
  world.addSoftBody(slot.soft.get());
  settle(slot);  // as after a reset: normals are part of the state
  return true;
}

}  // namespace ambf_dynamics
