// SPDX-License-Identifier: BSD-3-Clause
#include "ghosts.hpp"

#include <algorithm>

#include "section_names.hpp"

namespace ambf_dynamics
{
namespace
{

bool share_a_group(const std::vector<int> & a, const std::vector<int> & b)
{
  return a.empty() || b.empty() || std::any_of(a.begin(), a.end(), [&](int g) {
           return std::binary_search(b.begin(), b.end(), g);
         });
}

}  // namespace

const btBvhTriangleMeshShape * Ghosts::closed_mesh(
  const ambf_adf::GhostObject & source, const BuiltShape & shape) const
{
  if (!shape.triangles) { return nullptr; }
  const auto & mesh = std::get<ambf_adf::CollisionMesh>(source.collision);
  const auto loaded = world_.shapes().meshes().get(mesh.mesh.path);
  return loaded && is_closed(**loaded)
           ? static_cast<const btBvhTriangleMeshShape *>(shape.root.get())
           : nullptr;
}

void Ghosts::add_model(
  const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
  ambf_adf::Problems & problems)
{
  for (const ambf_adf::GhostObject & source : model.ghost_objects) {
    Body * parent = source.parent.empty() ? nullptr : world_.body_by_name(source.parent);
    if (!parent && !source.parent.empty()) {
      auto problem = unresolved_parent(source.header, "parent", source.parent);
      problem.severity = ambf_adf::Severity::Warning;
      problem.hint = "the ghost stands still in the world, as in AMBF";
      problems.push_back(problem);
    }
    auto slot = std::make_unique<GhostSlot>();
    take_names(slot->info, source.header, handle);
    slot->info.location = parent ? source.location.isometry()
                                 : Eigen::Isometry3d(t_world_model * source.location.isometry());
    slot->parent = parent;
    slot->t_parent_ghost = to_bt(slot->info.location);
    slot->collision_groups = source.collision_groups;
    std::sort(slot->collision_groups.begin(), slot->collision_groups.end());
    ShapeRequest request;
    request.collision = &source.collision;
    request.scale = source.scale;
    request.margin = source.collision_margin;
    request.moving = false;  // concave meshes keep their triangles
    slot->shape = world_.shapes().make(request, source.header.identifier, problems);
    slot->volume = closed_mesh(source, *slot->shape);
    ghosts_.push_back(std::move(slot));
  }
}

void Ghosts::remove_model(ModelHandle handle)
{
  std::erase_if(ghosts_, [&](const auto & ghost) { return ghost->info.model == handle; });
}

bool Ghosts::remove_object(std::string_view qualified)
{
  return std::erase_if(
           ghosts_, [&](const auto & ghost) { return ghost->info.qualified == qualified; }) > 0;
}

void Ghosts::body_removed(Body & body)
{
  std::erase_if(ghosts_, [&](const auto & ghost) { return ghost->parent == &body; });
}

void Ghosts::renumber()
{
  infos_.clear();
  const std::size_t bodies = world_.body_list().size();
  boxes_.resize(ghosts_.empty() ? 0 : bodies);
  for (const auto & ghost : ghosts_) {
    ghost->info.parent = ghost->parent ? index_of(*ghost->parent) : no_index;
    ghost->inside.reserve(bodies);
    ghost->known.assign(bodies, KnownOverlap{});
    infos_.push_back(ghost->info);
  }
}

bool Ghosts::senses(GhostSlot & ghost, const btTransform & t, const Body & body)
{
  const btCollisionShape & shape = *body.shape->root;
  const btTransform & t_body = body.rigid->getWorldTransform();
  const auto test = [&] {
    return overlap(*ghost.shape->root, t, shape, t_body) ||
           (ghost.volume && encloses(*ghost.volume, t, shape, t_body));
  };
  // Meshes cost more than a look at the poses, and most of them stand still.
  if (!ghost.shape->triangles && !body.shape->triangles) { return test(); }
  KnownOverlap & known = ghost.known[index_of(body)];
  if (!known.valid || !(known.t_ghost == t) || !(known.t_body == t_body)) {
    known = {true, test(), t, t_body};
  }
  return known.overlaps;
}

void Ghosts::write_state(State &)
{
  if (ghosts_.empty()) { return; }
  const auto & bodies = world_.body_list();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    boxes_[i] = box_of(*bodies[i]->shape->root, bodies[i]->rigid->getWorldTransform());
  }
  for (const auto & ghost : ghosts_) {
    ghost->inside.clear();
    if (ghost->shape->empty) { continue; }
    const btTransform t = ghost->pose();
    const Box box = box_of(*ghost->shape->root, t);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!overlap(box, boxes_[i])) { continue; }
      const Body & body = *bodies[i];
      if (&body == ghost->parent || body.shape->empty) { continue; }
      if (!share_a_group(ghost->collision_groups, body.collision_groups)) { continue; }
      if (senses(*ghost, t, body)) { ghost->inside.push_back(static_cast<BodyIndex>(i)); }
    }
  }
}

std::span<const BodyIndex> Ghosts::reading(GhostIndex index) const
{
  if (index >= ghosts_.size()) { return {}; }
  return ghosts_[index]->inside;
}

void Ghosts::describe(Hasher & h) const
{
  for (const auto & ghost : ghosts_) { add_text(h, ghost->info.qualified); }
}

}  // namespace ambf_dynamics
