// SPDX-License-Identifier: BSD-3-Clause
// The hands' part of a step does not touch the heap.

#include "ambf_test_support/allocation_count.hpp"
#include "hands_world.hpp"

namespace ambf_proxies::test
{
namespace
{

TEST_F(Hands, NothingInAStepAllocates)
{
  if (!ambf_test_support::allocations_are_counted) { GTEST_SKIP() << "a sanitizer owns malloc"; }
  Binding loose = binding("c", "other");
  loose.on_loss = OnLoss::Release;
  bind({binding("a"), binding("b", "palm"), loose});
  std::vector<ProxyReading> readings;
  for (int i = 0; i < 400; ++i) {
    hand(0, at(0.001 * (i % 10), 0, 0), 0.5, i % 20 < 5, i % 30 < 10);
    hand(1, at(0, 0.001 * (i % 10), 0), 0.1 * (i % 10));
    if (i < 100 || i > 350) { hand(2, at(0, 0, 0)); }
    const auto in_the_step = [&] {
      hands_.take_samples(*world, now += 0.001);
      hands_.before_step(*world, cameras, now, true);
      hands_.read(*world, cameras, readings);
    };
    const long allocations = ambf_test_support::count_allocations(in_the_step);
    if (i > 5) { ASSERT_EQ(allocations, 0) << i; }
    world->step();
  }
}

}  // namespace
}  // namespace ambf_proxies::test
