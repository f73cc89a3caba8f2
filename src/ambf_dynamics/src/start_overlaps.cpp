// SPDX-License-Identifier: BSD-3-Clause
// A moving concave mesh collides as its filled hull: a ring that is loaded around its peg overlaps it
// deeply, and would be shot away. Such pairs start without their deep contact points. Bodies whose surfaces
// are as deep in each other as the hull says collide as ever: a ring in the floor comes out of it.

#include <algorithm>
#include <limits>
#include <sstream>

#include "overlap.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{
namespace
{

constexpr double shallow_part = 0.1;  // of the thinnest extent of the filled body

double thinnest(const Body & body)
{
  btVector3 low;
  btVector3 high;
  body.shape->root->getAabb(btTransform::getIdentity(), low, high);
  const btVector3 size = high - low;
  return std::min({size.x(), size.y(), size.z()});
}

Box bounds(const Body & body) { return box_of(*body.shape->root, body.rigid->getWorldTransform()); }

// What a shape has around it; the margin of other solids is inside them.
double outer_margin(const btCollisionShape & shape)
{
  if (shape.isCompound()) {
    const auto & compound = static_cast<const btCompoundShape &>(shape);
    double most = 0.0;
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
      most = std::max(most, outer_margin(*compound.getChildShape(i)));
    }
    return most;
  }
  const int type = shape.getShapeType();
  const bool around = type == CONVEX_HULL_SHAPE_PROXYTYPE || type == TRIANGLE_MESH_SHAPE_PROXYTYPE;
  return around ? shape.getMargin() : 0.0;
}

// Deeper than that is too deep to be a rounded number or a margin.
double shallow_depth(const Body & filled, const Body & other)
{
  const double thin =
    other.shape->filled ? std::min(thinnest(filled), thinnest(other)) : thinnest(filled);
  return shallow_part * thin + outer_margin(*filled.shape->root) + outer_margin(*other.shape->root);
}

ambf_adf::Problem overlap_problem(
  const Body & filled, const Body & other, double depth, std::size_t count)
{
  std::ostringstream found;
  found.precision(2);
  found << "overlaps '" << other.info.qualified << "' by " << 1000.0 * depth << " mm at the start";
  if (count > 1) { found << ", and " << count - 1 << " more pairs like it"; }
  auto problem = make_error(
    ambf_adf::ProblemKind::BadValue, filled.info.identifier + "/collision mesh", found.str(),
    "bodies that start apart",
    "a moving concave mesh collides as its convex hull, with its holes filled; such a pair starts "
    "without this contact "
    "and has it once the two have come apart. Use `compound collision shape` to keep the hole");
  problem.severity = ambf_adf::Severity::Warning;
  return problem;
}

}  // namespace

double ContactPairs::deepest(
  btCollisionObject & a, btCollisionObject & b, const btDispatcherInfo & info)
{
  const bool ordered = a.getUserIndex() < b.getUserIndex();
  Pair pair;  // key 0: no pair of the world
  pair.object0 = ordered ? &a : &b;
  pair.object1 = ordered ? &b : &a;
  StartOverlap all{0, -std::numeric_limits<double>::infinity(), 0.0};
  start_ = &all;
  collide(pair, info);
  start_ = nullptr;
  release_all(pair);
  return all.depth;
}

StartOverlap * ContactPairs::find_start(std::uint64_t pair)
{
  if (starts_.empty()) { return nullptr; }
  const auto at = std::lower_bound(
    starts_.begin(), starts_.end(), pair,
    [](const StartOverlap & s, std::uint64_t key) { return s.pair < key; });
  return at != starts_.end() && at->pair == pair ? &*at : nullptr;
}

void ContactPairs::add_start_overlap(
  const btCollisionObject & a, const btCollisionObject & b, double shallow)
{
  const auto [first, second] = std::minmax({a.getUserIndex(), b.getUserIndex()});
  const auto key = static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(second);
  if (find_start(key)) { return; }
  const auto at = std::lower_bound(
    starts_.begin(), starts_.end(), key,
    [](const StartOverlap & s, std::uint64_t k) { return s.pair < k; });
  starts_.insert(at, StartOverlap{key, shallow, 0.0});
}

void ContactPairs::end_start_overlaps()
{
  start_ = nullptr;
  std::erase_if(starts_, [](const StartOverlap & s) { return s.depth <= 0.0; });
  for (StartOverlap & s : starts_) { s.depth = 0.0; }
}

// Do the surfaces themselves stay clear of each other, or would they after a shift by `shallow`?
bool WorldImpl::surfaces_clear(const Body & filled, const Body & other, double shallow) const
{
  const auto solid = [this](const Body & body) -> const btCollisionShape & {
    if (body.shape->filled) { return shapes_.surface(*body.shape); }
    return *body.shape->root;
  };
  const btCollisionShape & mesh = solid(filled);
  const btCollisionShape & counterpart = solid(other);
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const btVector3 direction(x, y, z);
        btTransform t = filled.rigid->getWorldTransform();
        if (!direction.isZero()) {
          t.setOrigin(t.getOrigin() + direction * (shallow / direction.length()));
        }
        if (!overlap(mesh, t, counterpart, other.rigid->getWorldTransform())) { return true; }
      }
    }
  }
  return false;
}

void WorldImpl::find_start_overlaps(std::optional<ModelHandle> only, ambf_adf::Problems * warnings)
{
  const Body * first[2] = {};
  double first_depth = 0.0;
  std::size_t count = 0;
  for (const auto & filled : bodies_) {
    if (!filled->shape->filled) { continue; }
    for (const auto & other : bodies_) {
      if (other == filled || (other->shape->filled && other->id < filled->id)) { continue; }
      if (only && filled->info.model != *only && other->info.model != *only) { continue; }
      if (
        !may_collide(*filled->rigid, *other->rigid) || !overlap(bounds(*filled), bounds(*other))) {
        continue;
      }
      bullet_.updateSingleAabb(filled->rigid.get());
      bullet_.updateSingleAabb(other->rigid.get());
      const double shallow = shallow_depth(*filled, *other);
      const double depth =
        bullet_.contacts().deepest(*filled->rigid, *other->rigid, bullet_.getDispatchInfo());
      if (depth <= shallow || !surfaces_clear(*filled, *other, shallow)) { continue; }
      bullet_.contacts().add_start_overlap(*filled->rigid, *other->rigid, shallow);
      if (count++ > 0) { continue; }
      first[0] = filled.get();
      first[1] = other.get();
      first_depth = depth;
    }
  }
  if (warnings && count > 0) {
    warnings->push_back(overlap_problem(*first[0], *first[1], first_depth, count));
  }
}

}  // namespace ambf_dynamics
