// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

#include "ambf_simulation/latest_box.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(LatestBox, ReaderSeesOnlyWholeValuesAndNeverAnOlderOne)
{
  struct Pair
  {
    std::uint64_t a = 0, b = 0;
  };
  LatestBox<Pair> box;
  constexpr std::uint64_t kLast = 200000;
  std::thread writer([&] {
    for (std::uint64_t i = 1; i <= kLast; ++i) {
      box.back() = {i, i};
      box.publish();
    }
  });
  std::uint64_t last = 0;
  while (last != kLast) {
    if (!box.take()) { continue; }
    ASSERT_EQ(box.front().a, box.front().b);
    ASSERT_GT(box.front().a, last);
    last = box.front().a;
  }
  writer.join();
  EXPECT_FALSE(box.take());
}
