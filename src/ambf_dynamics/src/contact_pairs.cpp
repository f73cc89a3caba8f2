// SPDX-License-Identifier: BSD-3-Clause
#include "contact_pairs.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <tuple>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace ambf_dynamics
{
namespace
{

bool is_compound(const btCollisionObject & object)
{
  return object.getCollisionShape()->isCompound();
}

bool is_soft(const btCollisionObject & object)
{
  return object.getInternalType() == btCollisionObject::CO_SOFT_BODY;
}

// Bullet grows the box of every object by 20 mm, however small the object: among the links of a thread everything
// would meet everything. What is more than the pair's `reach` is taken off again.
bool boxes_overlap(const btBroadphaseProxy & a, const btBroadphaseProxy & b, double reach)
{
  const double spare = std::max(0.0, 2.0 * gContactBreakingThreshold - reach);
  const btVector3 less(spare, spare, spare);
  return TestAabbAgainstAabb2(a.m_aabbMin + less, a.m_aabbMax - less, b.m_aabbMin, b.m_aabbMax);
}

// How far apart two objects may be and still keep a point: Bullet ends points beyond their contact distance, along
// the normal and across it.
double reach_of(const btCollisionObject & a, const btCollisionObject & b)
{
  const auto distance = [](const btCollisionObject & object) {
    return object.getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold);
  };
  return 2.0 * std::min(distance(a), distance(b));
}

// A child shape in the world with its box.
struct Child
{
  const btCollisionShape * shape;
  btTransform t_world;
  btVector3 low;
  btVector3 high;
};

Child child_of(const btCollisionObject & object, int index)
{
  Child c;
  if (is_compound(object)) {
    const auto * compound = static_cast<const btCompoundShape *>(object.getCollisionShape());
    c.shape = compound->getChildShape(index);
    c.t_world = object.getWorldTransform() * compound->getChildTransform(index);
  } else {
    c.shape = object.getCollisionShape();
    c.t_world = object.getWorldTransform();
  }
  c.shape->getAabb(c.t_world, c.low, c.high);
  return c;
}

int child_count(const btCollisionObject & object)
{
  return is_compound(object)
           ? static_cast<const btCompoundShape *>(object.getCollisionShape())->getNumChildShapes()
           : 1;
}

// Takes the points of a pair, or only the shallow ones.
struct ShallowResult : public btManifoldResult
{
  ShallowResult(
    const btCollisionObjectWrapper * a, const btCollisionObjectWrapper * b, StartOverlap * overlap)
  : btManifoldResult(a, b), start(overlap)
  {
  }
  void addContactPoint(const btVector3 & normal, const btVector3 & point, btScalar depth) override
  {
    if (start && depth < -start->shallow) {
      start->depth = std::max(start->depth, -static_cast<double>(depth));
      return;
    }
    btManifoldResult::addContactPoint(normal, point, depth);
  }
  StartOverlap * start;
};

}  // namespace

ContactPairs::ContactPairs(CanonicalDispatcher & dispatcher, PairJournal & journal)
: dispatcher_(dispatcher),
  journal_(journal),
  rule_([](const btCollisionObject &, const btCollisionObject &) { return true; })
{
}

ContactPairs::~ContactPairs() { clear(); }

void ContactPairs::set_rule(MayCollide rule) { rule_ = std::move(rule); }

void ContactPairs::rules_changed(const btCollisionObjectArray & objects)
{
  for (Pair * pair : pairs_) {
    pair->may_collide = rule_(*pair->object0, *pair->object1);
    if (!pair->may_collide) { release_all(*pair); }
  }
  list_manifolds();
  if (seeds_.empty()) { return; }
  const std::span<btCollisionObject * const> all(
    &objects[0], static_cast<std::size_t>(objects.size()));
  const auto with_id = [&](std::uint64_t id) -> const btCollisionObject & {
    return **std::lower_bound(
      all.begin(), all.end(), static_cast<int>(id),
      [](const btCollisionObject * object, int wanted) { return object->getUserIndex() < wanted; });
  };
  std::erase_if(seeds_, [&](const SavedManifold & seed) {
    return !rule_(with_id(seed.pair >> 32), with_id(seed.pair & 0xffffffffu));
  });
}

bool ContactPairs::needBroadphaseCollision(
  btBroadphaseProxy * proxy0, btBroadphaseProxy * proxy1) const
{
  const bool masks = (proxy0->m_collisionFilterGroup & proxy1->m_collisionFilterMask) != 0 &&
                     (proxy1->m_collisionFilterGroup & proxy0->m_collisionFilterMask) != 0;
  return masks && rule_(
                    *static_cast<const btCollisionObject *>(proxy0->m_clientObject),
                    *static_cast<const btCollisionObject *>(proxy1->m_clientObject));
}

ContactPairs::Pair * ContactPairs::make_pair(const PairJournal::Entry & entry)
{
  Pair * pair = nullptr;
  if (free_.empty()) {
    pair = &storage_.emplace_back();
  } else {
    pair = free_.back();
    free_.pop_back();
  }
  pair->key = entry.key;
  pair->object0 = entry.object0;
  pair->object1 = entry.object1;
  pair->may_collide = rule_(*entry.object0, *entry.object1);
  const bool soft = is_soft(*entry.object0) || is_soft(*entry.object1);
  pair->reach = soft ? 2.0 * gContactBreakingThreshold : reach_of(*entry.object0, *entry.object1);
  return pair;
}

void ContactPairs::free_pair(Pair * pair)
{
  release_all(*pair);
  free_.push_back(pair);
}

void ContactPairs::take_journal()
{
  auto & added = journal_.added;
  auto & removed = journal_.removed;
  if (added.empty() && removed.empty()) { return; }
  // A pair that came and went, or went and came back, between two steps: what counts is whether the
  // cache holds it now.
  std::sort(
    added.begin(), added.end(), [](const auto & a, const auto & b) { return a.key < b.key; });
  std::sort(removed.begin(), removed.end());
  merged_.clear();
  std::size_t next = 0;
  const auto add_until = [&](std::uint64_t limit) {
    while (next < added.size() && added[next].key < limit) {
      const PairJournal::Entry & entry = added[next++];
      const bool repeated = !merged_.empty() && merged_.back()->key == entry.key;
      const btBroadphaseProxy * p0 = entry.object0->getBroadphaseHandle();
      const btBroadphaseProxy * p1 = entry.object1->getBroadphaseHandle();
      const bool gone = !p0 || !p1 ||
                        !journal_.findPair(
                          const_cast<btBroadphaseProxy *>(p0), const_cast<btBroadphaseProxy *>(p1));
      if (!repeated && !gone) { merged_.push_back(make_pair(entry)); }
    }
  };
  for (Pair * pair : pairs_) {
    add_until(pair->key);
    while (next < added.size() && added[next].key == pair->key) { ++next; }
    const bool was_removed = std::binary_search(removed.begin(), removed.end(), pair->key);
    if (
      was_removed &&
      !journal_.findPair(
        pair->object0->getBroadphaseHandle(), pair->object1->getBroadphaseHandle())) {
      free_pair(pair);
    } else {
      merged_.push_back(pair);
    }
  }
  add_until(~std::uint64_t{0});
  pairs_.swap(merged_);
  added.clear();
  removed.clear();
}

void ContactPairs::list_manifolds()
{
  dispatcher_.clear_list();
  listed_.clear();
  for (const Pair * pair : pairs_) {
    for (const Leaf & leaf : pair->leaves) {
      if (leaf.manifold && leaf.manifold->getNumContacts() > 0) {
        dispatcher_.list(leaf.manifold);
        listed_.push_back(leaf.manifold);
      }
    }
  }
}

void ContactPairs::update(const btDispatcherInfo & info)
{
  take_journal();
  for (Pair * pair : pairs_) {
    if (!pair->may_collide) { continue; }
    if (!boxes_overlap(
          *pair->object0->getBroadphaseHandle(), *pair->object1->getBroadphaseHandle(),
          pair->reach)) {
      release_all(*pair);
      continue;
    }
    start_ = find_start(pair->key);
    collide(*pair, info);
  }
  end_start_overlaps();
  list_manifolds();
  seeds_.clear();
}

void ContactPairs::collide(Pair & pair, const btDispatcherInfo & info)
{
  if (is_compound(*pair.object0) || is_compound(*pair.object1)) {
    collide_children(pair, info);
    return;
  }
  const btCollisionObjectWrapper wrap0(
    nullptr, pair.object0->getCollisionShape(), pair.object0, pair.object0->getWorldTransform(), -1,
    -1);
  const btCollisionObjectWrapper wrap1(
    nullptr, pair.object1->getCollisionShape(), pair.object1, pair.object1->getWorldTransform(), -1,
    -1);
  run(pair, leaf(pair, 0, 0), wrap0, wrap1, info);
}

void ContactPairs::collide_children(Pair & pair, const btDispatcherInfo & info)
{
  for (Leaf & leaf : pair.leaves) { leaf.touched = false; }
  const double distance = std::min<double>(pair.reach, gContactBreakingThreshold);
  const btVector3 reach(distance, distance, distance);
  const btVector3 low1 = pair.object1->getBroadphaseHandle()->m_aabbMin;
  const btVector3 high1 = pair.object1->getBroadphaseHandle()->m_aabbMax;
  const int count0 = child_count(*pair.object0);
  const int count1 = child_count(*pair.object1);
  const btCollisionObjectWrapper whole0(
    nullptr, pair.object0->getCollisionShape(), pair.object0, pair.object0->getWorldTransform(), -1,
    -1);
  const btCollisionObjectWrapper whole1(
    nullptr, pair.object1->getCollisionShape(), pair.object1, pair.object1->getWorldTransform(), -1,
    -1);
  for (int i = 0; i < count0; ++i) {
    Child a = child_of(*pair.object0, i);
    a.low -= reach;
    a.high += reach;
    if (!TestAabbAgainstAabb2(a.low, a.high, low1, high1)) { continue; }
    for (int j = 0; j < count1; ++j) {
      const Child b = child_of(*pair.object1, j);
      if (!TestAabbAgainstAabb2(a.low, a.high, b.low, b.high)) { continue; }
      const btCollisionObjectWrapper wrap0(&whole0, a.shape, pair.object0, a.t_world, -1, i);
      const btCollisionObjectWrapper wrap1(&whole1, b.shape, pair.object1, b.t_world, -1, j);
      Leaf & l = leaf(pair, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
      run(pair, l, wrap0, wrap1, info);
      l.touched = true;
    }
  }
  std::erase_if(pair.leaves, [this](Leaf & leaf) {
    if (!leaf.touched) { release(leaf); }
    return !leaf.touched;
  });
}

ContactPairs::Leaf & ContactPairs::leaf(Pair & pair, std::uint32_t child0, std::uint32_t child1)
{
  const auto at = std::lower_bound(
    pair.leaves.begin(), pair.leaves.end(), std::tie(child0, child1),
    [](const Leaf & l, const auto & key) { return std::tie(l.child0, l.child1) < key; });
  if (at != pair.leaves.end() && at->child0 == child0 && at->child1 == child1) { return *at; }
  Leaf made;
  made.child0 = child0;
  made.child1 = child1;
  return *pair.leaves.insert(at, made);
}

void ContactPairs::run(
  Pair & pair, Leaf & leaf, const btCollisionObjectWrapper & wrap0,
  const btCollisionObjectWrapper & wrap1, const btDispatcherInfo & info)
{
  if (!leaf.algorithm) {
    const SavedManifold * seed = find_seed(pair, leaf);
    dispatcher_.seed_next(seed ? seed->points : nullptr, seed ? seed->count : 0);
    leaf.algorithm =
      dispatcher_.findAlgorithm(&wrap0, &wrap1, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    if (!leaf.algorithm) { return; }
  }
  ShallowResult result(&wrap0, &wrap1, start_);
  result.setShapeIdentifiersA(-1, static_cast<int>(leaf.child0));
  result.setShapeIdentifiersB(-1, static_cast<int>(leaf.child1));
  leaf.algorithm->processCollision(&wrap0, &wrap1, info, &result);
  // Algorithms make their one manifold when they are built or when they first run. Those of soft bodies make none,
  // and that of two soft bodies answers with a pointer that it never set.
  if (!leaf.manifold && !is_soft(*pair.object0) && !is_soft(*pair.object1)) {
    scratch_.resizeNoInitialize(0);
    leaf.algorithm->getAllContactManifolds(scratch_);
    if (scratch_.size() > 0) { leaf.manifold = scratch_[0]; }
    dispatcher_.seed_next(nullptr, 0);
  }
}

void ContactPairs::release(Leaf & leaf)
{
  if (!leaf.algorithm) { return; }
  leaf.algorithm->~btCollisionAlgorithm();
  dispatcher_.freeCollisionAlgorithm(leaf.algorithm);
  leaf.algorithm = nullptr;
  leaf.manifold = nullptr;
}

void ContactPairs::release_all(Pair & pair)
{
  for (Leaf & leaf : pair.leaves) { release(leaf); }
  pair.leaves.clear();
}

void ContactPairs::remove_object(const btCollisionObject * object)
{
  std::erase_if(journal_.added, [object](const PairJournal::Entry & entry) {
    return entry.object0 == object || entry.object1 == object;
  });
  std::erase_if(pairs_, [&](Pair * pair) {
    const bool hit = pair->object0 == object || pair->object1 == object;
    if (hit) { free_pair(pair); }
    return hit;
  });
  const auto id = static_cast<std::uint32_t>(object->getUserIndex());
  std::erase_if(seeds_, [id](const SavedManifold & seed) {
    return seed.pair >> 32 == id || (seed.pair & 0xffffffffu) == id;
  });
  std::erase_if(starts_, [id](const StartOverlap & start) {
    return start.pair >> 32 == id || (start.pair & 0xffffffffu) == id;
  });
  list_manifolds();
}

void ContactPairs::clear()
{
  for (Pair * pair : pairs_) { release_all(*pair); }
  dispatcher_.clear_list();
  listed_.clear();
  seeds_.clear();
}

void ContactPairs::forget_all()
{
  clear();
  free_.insert(free_.end(), pairs_.begin(), pairs_.end());
  pairs_.clear();
  starts_.clear();
  journal_.added.clear();
  journal_.removed.clear();
}

void ContactPairs::save(std::vector<SavedManifold> & out) const
{
  for (const Pair * pair : pairs_) {
    for (const Leaf & leaf : pair->leaves) {
      if (!leaf.manifold || leaf.manifold->getNumContacts() == 0) { continue; }
      SavedManifold saved;
      std::memset(static_cast<void *>(&saved), 0, sizeof(saved));  // padding, too
      saved.pair = pair->key;
      saved.leaf0 = leaf.child0;
      saved.leaf1 = leaf.child1;
      saved.count = leaf.manifold->getNumContacts();
      for (int i = 0; i < saved.count; ++i) { saved.points[i] = leaf.manifold->getContactPoint(i); }
      out.push_back(saved);
    }
  }
  // Restored and not stepped yet: the seeds are the manifolds.
  out.insert(out.end(), seeds_.begin(), seeds_.end());
}

void ContactPairs::restore(std::span<const SavedManifold> saved)
{
  clear();
  seeds_.assign(saved.begin(), saved.end());
}

const SavedManifold * ContactPairs::find_seed(const Pair & pair, const Leaf & leaf) const
{
  if (seeds_.empty()) { return nullptr; }
  const auto key = std::make_tuple(pair.key, leaf.child0, leaf.child1);
  const auto at = std::lower_bound(
    seeds_.begin(), seeds_.end(), key, [](const SavedManifold & s, const auto & k) {
      return std::make_tuple(s.pair, s.leaf0, s.leaf1) < k;
    });
  const bool hit = at != seeds_.end() && at->pair == pair.key && at->leaf0 == leaf.child0 &&
                   at->leaf1 == leaf.child1;
  return hit ? &*at : nullptr;
}

}  // namespace ambf_dynamics
