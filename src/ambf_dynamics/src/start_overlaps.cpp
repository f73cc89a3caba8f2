// A moving concave mesh collides as its filled hull: a ring that is loaded around its peg overlaps it
// deeply, and would be shot away. Such pairs start without their deep contact points.

#include <algorithm>
#include <limits>
#include <sstream>

#include "world_impl.hpp"

namespace ambf_dynamics
{
namespace
{

constexpr double shallow_part = 0.1;  // of the thinnest extent of the filled body

double thinnest(const Body& body)
{
  btVector3 low;
  btVector3 high;
  body.shape->root->getAabb(btTransform::getIdentity(), low, high);
  const btVector3 size = high - low;
  return std::min({size.x(), size.y(), size.z()});
}

bool boxes_overlap(const Body& a, const Body& b)
{
  btVector3 low_a;
  btVector3 high_a;
  btVector3 low_b;
  btVector3 high_b;
  a.shape->root->getAabb(a.rigid->getWorldTransform(), low_a, high_a);
  b.shape->root->getAabb(b.rigid->getWorldTransform(), low_b, high_b);
  return TestAabbAgainstAabb2(low_a, high_a, low_b, high_b);
}

ambf_adf::Problem overlap_problem(const Body& filled, const Body& other, double depth, std::size_t count)
{
  std::ostringstream found;
  found.precision(2);
  found << "overlaps '" << other.info.qualified << "' by " << 1000.0 * depth << " mm at the start";
  if (count > 1) {found << ", and " << count - 1 << " more pairs like it";}
  auto problem = make_error(
    ambf_adf::ProblemKind::BadValue, filled.info.identifier + "/collision mesh", found.str(),
    "bodies that start apart",
    "a moving concave mesh collides as its convex hull, with its holes filled; such a pair starts without this contact "
    "and has it once the two have come apart. Use `compound collision shape` to keep the hole");
  problem.severity = ambf_adf::Severity::Warning;
  return problem;
}

}  // namespace

double ContactPairs::deepest(btCollisionObject& a, btCollisionObject& b, const btDispatcherInfo& info)
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

StartOverlap* ContactPairs::find_start(std::uint64_t pair)
{
  if (starts_.empty()) {return nullptr;}
  const auto at = std::lower_bound(
    starts_.begin(), starts_.end(), pair, [](const StartOverlap& s, std::uint64_t key) {return s.pair < key;});
  return at != starts_.end() && at->pair == pair ? &*at : nullptr;
}

void ContactPairs::add_start_overlap(const btCollisionObject& a, const btCollisionObject& b, double shallow)
{
  const auto [first, second] = std::minmax(a.getUserIndex(), b.getUserIndex());
  const auto key = static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(second);
  if (find_start(key)) {return;}
  const auto at = std::lower_bound(
    starts_.begin(), starts_.end(), key, [](const StartOverlap& s, std::uint64_t k) {return s.pair < k;});
  starts_.insert(at, StartOverlap{key, shallow, 0.0});
}

void ContactPairs::end_start_overlaps()
{
  start_ = nullptr;
  std::erase_if(starts_, [](const StartOverlap& s) {return s.depth <= 0.0;});
  for (StartOverlap& s : starts_) {s.depth = 0.0;}
}

void WorldImpl::find_start_overlaps(std::optional<ModelHandle> only, ambf_adf::Problems* warnings)
{
  const Body* first[2] = {};
  double first_depth = 0.0;
  std::size_t count = 0;
  for (const auto& filled : bodies_) {
    if (!filled->shape->filled) {continue;}
    for (const auto& other : bodies_) {
      if (other == filled || (other->shape->filled && other->id < filled->id)) {continue;}
      if (only && filled->info.model != *only && other->info.model != *only) {continue;}
      if (!may_collide(*filled->rigid, *other->rigid) || !boxes_overlap(*filled, *other)) {continue;}
      bullet_.updateSingleAabb(filled->rigid.get());
      bullet_.updateSingleAabb(other->rigid.get());
      const double shallow = shallow_part *
        (other->shape->filled ? std::min(thinnest(*filled), thinnest(*other)) : thinnest(*filled));
      const double depth =
        bullet_.contacts().deepest(*filled->rigid, *other->rigid, bullet_.getDispatchInfo());
      if (depth <= shallow) {continue;}
      bullet_.contacts().add_start_overlap(*filled->rigid, *other->rigid, shallow);
      if (count++ > 0) {continue;}
      first[0] = filled.get();
      first[1] = other.get();
      first_depth = depth;
    }
  }
  if (warnings && count > 0) {warnings->push_back(overlap_problem(*first[0], *first[1], first_depth, count));}
}

}  // namespace ambf_dynamics
