#include "ghosts.hpp"

#include <algorithm>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include "section_names.hpp"

namespace ambf_dynamics
{
namespace
{

int parts(const btCollisionShape& shape)
{
  return shape.isCompound() ? static_cast<const btCompoundShape&>(shape).getNumChildShapes() : 1;
}

const btCollisionShape& part(const btCollisionShape& shape, int i, btTransform& t_world)
{
  if (!shape.isCompound()) {return shape;}
  const auto& compound = static_cast<const btCompoundShape&>(shape);
  t_world = t_world * compound.getChildTransform(i);
  return *compound.getChildShape(i);
}

bool boxes_overlap(
  const btCollisionShape& a, const btTransform& t_a, const btCollisionShape& b, const btTransform& t_b)
{
  btVector3 low_a;
  btVector3 high_a;
  btVector3 low_b;
  btVector3 high_b;
  a.getAabb(t_a, low_a, high_a);
  b.getAabb(t_b, low_b, high_b);
  return TestAabbAgainstAabb2(low_a, high_a, low_b, high_b);
}

// Exact for convex shapes and compounds of them; by boxes where a part is a mesh or a plane.
bool overlap(
  const btCollisionShape& a, const btTransform& t_a, const btCollisionShape& b, const btTransform& t_b)
{
  if (!boxes_overlap(a, t_a, b, t_b)) {return false;}
  for (int i = 0; i < parts(a); ++i) {
    btTransform t_i = t_a;
    const btCollisionShape& part_a = part(a, i, t_i);
    for (int j = 0; j < parts(b); ++j) {
      btTransform t_j = t_b;
      const btCollisionShape& part_b = part(b, j, t_j);
      if (!boxes_overlap(part_a, t_i, part_b, t_j)) {continue;}
      if (!part_a.isConvex() || !part_b.isConvex()) {return true;}
      btGjkEpaSolver2::sResults results;
      const btVector3 guess = t_i.getOrigin() - t_j.getOrigin();
      if (btGjkEpaSolver2::Penetration(
          static_cast<const btConvexShape*>(&part_a), t_i, static_cast<const btConvexShape*>(&part_b), t_j,
          guess, results, true))
      {
        return true;
      }
    }
  }
  return false;
}

bool share_a_group(const std::vector<int>& a, const std::vector<int>& b)
{
  return a.empty() || b.empty() ||
         std::any_of(a.begin(), a.end(), [&](int g) {return std::binary_search(b.begin(), b.end(), g);});
}

}  // namespace

void Ghosts::add_model(
  const ambf_adf::Model& model, ModelHandle handle, const Eigen::Isometry3d& t_world_model,
  ambf_adf::Problems& problems)
{
  for (const ambf_adf::GhostObject& source : model.ghost_objects) {
    Body* parent = source.parent.empty() ? nullptr : world_.body_by_name(source.parent);
    if (!parent && !source.parent.empty()) {
      auto problem = unresolved_parent(source.header, "parent", source.parent);
      problem.severity = ambf_adf::Severity::Warning;
      problem.hint = "the ghost stands still in the world, as in AMBF";
      problems.push_back(problem);
    }
    auto slot = std::make_unique<GhostSlot>();
    take_names(slot->info, source.header, handle);
    slot->info.location =
      parent ? source.location.isometry() : Eigen::Isometry3d(t_world_model * source.location.isometry());
    slot->parent = parent;
    slot->t_parent_ghost = to_bt(slot->info.location);
    slot->collision_groups = source.collision_groups;
    std::sort(slot->collision_groups.begin(), slot->collision_groups.end());
    ShapeRequest request;
    request.collision = &source.collision;
    request.scale = source.scale;
    request.margin = source.collision_margin;
    request.moving = true;  // convex parts: overlap is then exact
    slot->shape = world_.shapes().make(request, source.header.identifier, problems);
    ghosts_.push_back(std::move(slot));
  }
}

void Ghosts::remove_model(ModelHandle handle)
{
  std::erase_if(ghosts_, [&](const auto& ghost) {return ghost->info.model == handle;});
}

bool Ghosts::remove_object(std::string_view qualified)
{
  return std::erase_if(
    ghosts_, [&](const auto& ghost) {return ghost->info.qualified == qualified;}) > 0;
}

void Ghosts::body_removed(Body& body)
{
  std::erase_if(ghosts_, [&](const auto& ghost) {return ghost->parent == &body;});
}

void Ghosts::renumber()
{
  infos_.clear();
  for (const auto& ghost : ghosts_) {
    ghost->info.parent = ghost->parent ? index_of(*ghost->parent) : no_index;
    ghost->inside.reserve(world_.body_list().size());
    infos_.push_back(ghost->info);
  }
}

void Ghosts::write_state(State&)
{
  for (const auto& ghost : ghosts_) {
    ghost->inside.clear();
    if (ghost->shape->empty) {continue;}
    const btTransform t = ghost->pose();
    for (const auto& body : world_.body_list()) {
      if (body.get() == ghost->parent || body->shape->empty) {continue;}
      if (!share_a_group(ghost->collision_groups, body->collision_groups)) {continue;}
      if (overlap(*ghost->shape->root, t, *body->shape->root, body->rigid->getWorldTransform())) {
        ghost->inside.push_back(index_of(*body));
      }
    }
  }
}

std::span<const BodyIndex> Ghosts::reading(GhostIndex index) const
{
  if (index >= ghosts_.size()) {return {};}
  return ghosts_[index]->inside;
}

void Ghosts::describe(Hasher& h) const
{
  for (const auto& ghost : ghosts_) {add_text(h, ghost->info.qualified);}
}

}  // namespace ambf_dynamics
