// SPDX-License-Identifier: BSD-3-Clause
// The hands' part of a step does not touch the heap. malloc is replaced for this executable.

#include <atomic>
#include <cstddef>

#include "hands_world.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTING 0
#else
#define COUNTING 1
#endif

namespace
{
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
}  // namespace

#if COUNTING
extern "C" {
void * __libc_malloc(std::size_t);
void * malloc(std::size_t size)
{
  if (counting.load(std::memory_order_relaxed)) { ++allocations; }
  return __libc_malloc(size);
}
}
#endif

namespace ambf_proxies::test
{
namespace
{

TEST_F(Hands, NothingInAStepAllocates)
{
  Binding loose = binding("c", "other");
  loose.on_loss = OnLoss::Release;
  bind({binding("a"), binding("b", "palm"), loose});
  std::vector<ProxyReading> readings;
  for (int i = 0; i < 400; ++i) {
    hand(0, at(0.001 * (i % 10), 0, 0), 0.5, i % 20 < 5, i % 30 < 10);
    hand(1, at(0, 0.001 * (i % 10), 0), 0.1 * (i % 10));
    if (i < 100 || i > 350) { hand(2, at(0, 0, 0)); }
    counting = i > 5;
    hands_.take_samples(*world, now += 0.001);
    hands_.before_step(*world, cameras, now, true);
    hands_.read(*world, cameras, readings);
    counting = false;
    world->step();
  }
#if COUNTING
  counting = true;
  void * volatile taken = std::malloc(64);
  counting = false;
  std::free(taken);
  EXPECT_EQ(allocations.load(), 1) << "only the one that shows that counting works";
#endif
}

}  // namespace
}  // namespace ambf_proxies::test
