// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "ambf_simulation/one_sender.hpp"

using namespace ambf_simulation;  // NOLINT

constexpr std::int64_t ms = 1'000'000;

TEST(OneSender, KeepsToTheFirstUntilItIsSilent)
{
  OneSender one;
  const std::array<std::uint8_t, 4> a{1, 2, 3, 4}, b{1, 2, 3, 5};
  EXPECT_EQ(one.judge(a, 1, 0, 100 * ms), OneSender::Verdict::Another);
  EXPECT_EQ(one.judge(b, 900, 1 * ms, 100 * ms), OneSender::Verdict::Foreign);
  EXPECT_EQ(one.judge(a, 2, 90 * ms, 100 * ms), OneSender::Verdict::Same);
  EXPECT_EQ(one.judge(b, 901, 150 * ms, 100 * ms), OneSender::Verdict::Foreign);
  EXPECT_EQ(one.judge(b, 902, 191 * ms, 100 * ms), OneSender::Verdict::Another);
  EXPECT_EQ(one.judge(a, 3, 192 * ms, 100 * ms), OneSender::Verdict::Foreign);
  EXPECT_EQ(one.judge(b, 1, 193 * ms, 100 * ms), OneSender::Verdict::Same)
    << "its own count may start again";
}

TEST(OneSender, TellsSendersWithoutIdentityApartByTheirNumbers)
{
  OneSender one;
  const std::array<std::uint8_t, 4> nobody{};
  EXPECT_EQ(one.judge(nobody, 500, 0, 100 * ms), OneSender::Verdict::Another);
  for (std::uint64_t i = 1; i < 50; ++i) {
    const auto now = static_cast<std::int64_t>(i) * ms;
    EXPECT_EQ(one.judge(nobody, i, now, 100 * ms), OneSender::Verdict::Foreign);
    EXPECT_EQ(one.judge(nobody, 500 + i, now, 100 * ms), OneSender::Verdict::Same);
  }
  EXPECT_EQ(one.judge(nobody, 50, 200 * ms, 100 * ms), OneSender::Verdict::Another);
}
