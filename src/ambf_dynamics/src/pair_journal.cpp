// SPDX-License-Identifier: BSD-3-Clause
// Bullet's dispatcher and pair cache with what ContactPairs needs of them.

#include <new>
#include <utility>

#include "contact_pairs.hpp"

namespace ambf_dynamics
{
namespace
{

std::uint64_t id_of(const btBroadphaseProxy * proxy)
{
  return static_cast<std::uint32_t>(
    static_cast<const btCollisionObject *>(proxy->m_clientObject)->getUserIndex());
}

}  // namespace

btPersistentManifold * CanonicalDispatcher::getNewManifold(
  const btCollisionObject * body0, const btCollisionObject * body1)
{
  const double breaking = btMin(
    body0->getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold),
    body1->getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold));
  const double processing =
    btMin(body0->getContactProcessingThreshold(), body1->getContactProcessingThreshold());
  void * memory = m_persistentManifoldPoolAllocator->allocate(sizeof(btPersistentManifold));
  if (!memory) { memory = btAlignedAlloc(sizeof(btPersistentManifold), 16); }
  auto * manifold = new (memory) btPersistentManifold(body0, body1, 0, breaking, processing);
  for (int i = 0; i < seed_count_; ++i) { manifold->addManifoldPoint(seed_[i]); }
  seed_count_ = 0;
  last_made_ = manifold;
  return manifold;
}

void CanonicalDispatcher::releaseManifold(btPersistentManifold * manifold)
{
  manifold->clearManifold();
  manifold->~btPersistentManifold();
  if (m_persistentManifoldPoolAllocator->validPtr(manifold)) {
    m_persistentManifoldPoolAllocator->freeMemory(manifold);
  } else {
    btAlignedFree(manifold);
  }
}

std::uint64_t PairJournal::key_of(
  const btBroadphaseProxy * proxy0, const btBroadphaseProxy * proxy1)
{
  const std::uint64_t a = id_of(proxy0);
  const std::uint64_t b = id_of(proxy1);
  return a < b ? (a << 32) | b : (b << 32) | a;
}

btBroadphasePair * PairJournal::addOverlappingPair(
  btBroadphaseProxy * proxy0, btBroadphaseProxy * proxy1)
{
  const int before = getNumOverlappingPairs();
  btBroadphasePair * pair = btHashedOverlappingPairCache::addOverlappingPair(proxy0, proxy1);
  if (getNumOverlappingPairs() > before) {
    auto * object0 = static_cast<btCollisionObject *>(proxy0->m_clientObject);
    auto * object1 = static_cast<btCollisionObject *>(proxy1->m_clientObject);
    if (object0->getUserIndex() > object1->getUserIndex()) { std::swap(object0, object1); }
    added.push_back({key_of(proxy0, proxy1), object0, object1});
  }
  return pair;
}

void * PairJournal::removeOverlappingPair(
  btBroadphaseProxy * proxy0, btBroadphaseProxy * proxy1, btDispatcher * dispatcher)
{
  const int before = getNumOverlappingPairs();
  void * result = btHashedOverlappingPairCache::removeOverlappingPair(proxy0, proxy1, dispatcher);
  if (getNumOverlappingPairs() < before) { removed.push_back(key_of(proxy0, proxy1)); }
  return result;
}

void PairJournal::removeOverlappingPairsContainingProxy(
  btBroadphaseProxy * proxy, btDispatcher * dispatcher)
{
  // Bullet's own version also comes through removeOverlappingPair (processAllOverlappingPairs).
  btHashedOverlappingPairCache::removeOverlappingPairsContainingProxy(proxy, dispatcher);
}

}  // namespace ambf_dynamics
