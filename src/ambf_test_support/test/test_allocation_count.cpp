// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ambf_test_support/allocation_count.hpp"

namespace ambf_test_support
{
namespace
{

TEST(AllocationCount, SeesTheHeap)
{
  if (!allocations_are_counted) { GTEST_SKIP() << "a sanitizer owns malloc"; }
  std::unique_ptr<std::vector<double>> heap;
  EXPECT_EQ(count_allocations([&] { heap = std::make_unique<std::vector<double>>(100); }), 2);
  EXPECT_EQ(count_allocations([&] { heap->push_back(1.0); }), 1) << "it grows";
}

TEST(AllocationCount, IsZeroWhereNothingIsAllocated)
{
  std::vector<double> numbers(100);
  EXPECT_EQ(count_allocations([&] { numbers.assign(100, 1.0); }), 0);
  numbers.push_back(2.0);
  EXPECT_EQ(count_allocations([] {}), 0) << "what happened in between does not count";
}

}  // namespace
}  // namespace ambf_test_support
