// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "ambf_teleop/mailbox.hpp"

namespace ambf_teleop
{
namespace
{

struct Pair
{
  std::uint64_t number = 0;
  std::uint64_t twice = 0;
};

TEST(Mailbox, BringsTheNewestValueOnce)
{
  Mailbox<int> box;
  int value = 0;
  EXPECT_FALSE(box.take(value));
  box.post(1);
  box.post(2);
  EXPECT_TRUE(box.take(value));
  EXPECT_EQ(value, 2);
  EXPECT_FALSE(box.take(value));
}

TEST(Mailbox, AValueThatIsFilledInPlaceIsReadInPlace)
{
  Mailbox<std::vector<int>> box;
  const int * filled = nullptr;
  for (int i = 0; i < 4; ++i) {
    box.back().assign(1000, i);
    filled = box.back().data();
    box.publish();
    EXPECT_TRUE(box.fresh());
    ASSERT_TRUE(box.take());
    EXPECT_EQ(box.front().data(), filled) << "nothing is copied";
    EXPECT_EQ(box.front().back(), i);
    EXPECT_FALSE(box.fresh());
  }
}

TEST(Mailbox, ValuesAreWholeAndNeverGoBackBetweenThreads)
{
  Mailbox<Pair> box;
  constexpr std::uint64_t last = 300000;
  std::thread poster([&box] {
    for (std::uint64_t i = 1; i <= last; ++i) { box.post({i, 2 * i}); }
  });
  Pair pair;
  std::uint64_t before = 0;
  while (before < last) {
    if (box.take(pair)) {
      ASSERT_EQ(pair.twice, 2 * pair.number);
      ASSERT_GT(pair.number, before);
      before = pair.number;
    } else {
      std::this_thread::yield();
    }
  }
  poster.join();
}

}  // namespace
}  // namespace ambf_teleop
