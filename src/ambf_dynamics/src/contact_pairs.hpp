// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "bytes.hpp"

namespace ambf_dynamics
{

/// Bullet's dispatcher without its own list of manifolds: that list, which islands and solver read, is
/// set once per step in canonical order.
class CanonicalDispatcher : public btCollisionDispatcher
{
public:
  using btCollisionDispatcher::btCollisionDispatcher;

  btPersistentManifold * getNewManifold(
    const btCollisionObject * body0, const btCollisionObject * body1) override;
  void releaseManifold(btPersistentManifold * manifold) override;

  void clear_list() { m_manifoldsPtr.resizeNoInitialize(0); }
  void list(btPersistentManifold * manifold) { m_manifoldsPtr.push_back(manifold); }
  btPersistentManifold * last_made() const { return last_made_; }

  /// Points that the next new manifold starts with (restored state); consumed by it.
  void seed_next(const btManifoldPoint * points, int count)
  {
    seed_ = points;
    seed_count_ = count;
  }

private:
  btPersistentManifold * last_made_ = nullptr;
  const btManifoldPoint * seed_ = nullptr;
  int seed_count_ = 0;
};

/// Pair cache that tells which pairs came and went.
class PairJournal : public btHashedOverlappingPairCache
{
public:
  btBroadphasePair * addOverlappingPair(
    btBroadphaseProxy * proxy0, btBroadphaseProxy * proxy1) override;
  void * removeOverlappingPair(
    btBroadphaseProxy * proxy0, btBroadphaseProxy * proxy1, btDispatcher * dispatcher) override;
  void removeOverlappingPairsContainingProxy(
    btBroadphaseProxy * proxy, btDispatcher * dispatcher) override;

  struct Entry
  {
    std::uint64_t key;
    btCollisionObject * object0;
    btCollisionObject * object1;
  };
  static std::uint64_t key_of(const btBroadphaseProxy * proxy0, const btBroadphaseProxy * proxy1);
  std::vector<Entry> added;
  std::vector<std::uint64_t> removed;
};

/// One manifold with its key, as it is saved and restored.
struct SavedManifold
{
  std::uint64_t pair = 0;   ///< ids of the two objects, smaller one in the upper half
  std::uint32_t leaf0 = 0;  ///< child shape, 0 for simple shapes
  std::uint32_t leaf1 = 0;
  std::int32_t count = 0;
  btManifoldPoint points[MANIFOLD_CACHE_SIZE];
};
template <>
inline constexpr bool is_plain<SavedManifold> = true;

/// Two objects that were put into the world overlapping deeply because one of them collides as a filled
/// hull: a ring around its peg. Points deeper than `shallow` are left out until there are none.
struct StartOverlap
{
  std::uint64_t pair = 0;  ///< as SavedManifold::pair
  double shallow = 0.0;    ///< [m]
  double depth = 0.0;      ///< of the deepest point that the present update has left out [m]
};

/// The narrow phase. Bullet's broadphase keeps fat boxes and its pair list grows and shrinks with
/// history, so neither may decide what collides in which order: here the pairs are sorted by the
/// objects' ids and count only while their exact boxes overlap, which is a function of the state.
/// Object ids are btCollisionObject::getUserIndex(), unique and given by the owner.
class ContactPairs : public btOverlapFilterCallback
{
public:
  using MayCollide = std::function<bool(const btCollisionObject &, const btCollisionObject &)>;

  ContactPairs(CanonicalDispatcher & dispatcher, PairJournal & journal);
  ~ContactPairs() override;
  ContactPairs(const ContactPairs &) = delete;
  ContactPairs & operator=(const ContactPairs &) = delete;

  /// Who may collide at all. Decisions are kept; `rules_changed` asks again. Set it before there are objects.
  void set_rule(MayCollide rule);
  /// Ends the contacts that are not allowed any more. `objects` are all of the world, by ascending id.
  void rules_changed(const btCollisionObjectArray & objects);
  /// For the broadphase: pairs that may not collide are not even made.
  bool needBroadphaseCollision(
    btBroadphaseProxy * proxy0, btBroadphaseProxy * proxy1) const override;
  /// Takes over what the broadphase found, runs the collision algorithms and lists the manifolds.
  void update(const btDispatcherInfo & info);
  /// Forgets everything about an object that is about to leave; other contacts stay as they are. Call
  /// before it leaves the broadphase, and after.
  void remove_object(const btCollisionObject * object);
  /// Ends all contacts.
  void clear();
  /// Forgets all pairs, before all objects leave: one by one, each would go through the pairs of all.
  void forget_all();
  /// Pairs that the broadphase found and that the next update takes over.
  std::size_t unread() const { return journal_.added.size(); }

  void save(std::vector<SavedManifold> & out) const;
  void restore(std::span<const SavedManifold> saved);

  /// Depth of the deepest contact point that the two would have now [m]; 0: none. Leaves nothing behind.
  double deepest(btCollisionObject & a, btCollisionObject & b, const btDispatcherInfo & info);
  /// See StartOverlap. Sorted by pair; the second replaces all.
  void add_start_overlap(const btCollisionObject & a, const btCollisionObject & b, double shallow);
  void set_start_overlaps(std::vector<StartOverlap> overlaps) { starts_ = std::move(overlaps); }
  std::span<const StartOverlap> start_overlaps() const { return starts_; }

  /// Manifolds with at least one point, canonical order; valid until the next call that is not const.
  std::span<btPersistentManifold * const> manifolds() const { return listed_; }
  /// Restored manifolds that wait for the next update; `manifolds` is empty while there are any.
  std::span<const SavedManifold> waiting() const { return seeds_; }

private:
  struct Leaf
  {
    std::uint32_t child0 = 0;
    std::uint32_t child1 = 0;
    btCollisionAlgorithm * algorithm = nullptr;
    btPersistentManifold * manifold = nullptr;
    bool touched = false;
  };
  struct Pair
  {
    std::uint64_t key = 0;
    btCollisionObject * object0 = nullptr;
    btCollisionObject * object1 = nullptr;
    bool may_collide = false;
    double reach = 0.0;        // distance beyond which the two make no points [m]
    std::vector<Leaf> leaves;  // sorted by children
  };

  void take_journal();
  Pair * make_pair(const PairJournal::Entry & entry);
  void free_pair(Pair * pair);
  void collide(Pair & pair, const btDispatcherInfo & info);
  void collide_children(Pair & pair, const btDispatcherInfo & info);
  Leaf & leaf(Pair & pair, std::uint32_t child0, std::uint32_t child1);
  void run(
    Pair & pair, Leaf & leaf, const btCollisionObjectWrapper & wrap0,
    const btCollisionObjectWrapper & wrap1, const btDispatcherInfo & info);
  void release(Leaf & leaf);
  void release_all(Pair & pair);
  void list_manifolds();
  const SavedManifold * find_seed(const Pair & pair, const Leaf & leaf) const;
  StartOverlap * find_start(std::uint64_t pair);
  /// Those without deep points in this update have come apart.
  void end_start_overlaps();

  CanonicalDispatcher & dispatcher_;
  PairJournal & journal_;
  MayCollide rule_;
  std::deque<Pair> storage_;
  std::vector<Pair *> free_;
  std::vector<Pair *> pairs_;  // sorted by key
  std::vector<Pair *> merged_;
  std::vector<btPersistentManifold *> listed_;
  std::vector<SavedManifold> seeds_;  // restored, sorted by key; used up by the first update
  btManifoldArray scratch_;
  std::vector<StartOverlap> starts_;  // sorted by pair
  StartOverlap * start_ = nullptr;    // of the pair that is being collided
};

}  // namespace ambf_dynamics
