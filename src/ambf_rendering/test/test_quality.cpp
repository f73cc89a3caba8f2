// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <utility>

#include "ambf_rendering/quality.hpp"

namespace
{

TEST(Quality, IsHighForSavedPicturesOnlyWhereNothingElseIsAsked)
{
  using ambf_rendering::detail_of;
  using ambf_rendering::Quality;
  for (const bool in_software : {false, true}) {
    const auto low = detail_of(Quality::Low, in_software);
    const auto high = detail_of(Quality::High, in_software);
    auto usual = detail_of(Quality::Auto, in_software);
    EXPECT_EQ(high.samples, 4);
    EXPECT_EQ(std::pair(high.window_width, high.window_height), std::pair(1280, 720));
    EXPECT_EQ(low.picture_width, 0);
    EXPECT_EQ(std::pair(usual.picture_width, usual.picture_height), std::pair(1280, 720));
    EXPECT_EQ(usual.picture_samples, 4);
    usual.picture_samples = low.picture_samples;
    usual.picture_width = usual.picture_height = 0;
    EXPECT_EQ(usual, low);
  }
  EXPECT_EQ(detail_of(Quality::Low, true).samples, 0);
}

}  // namespace
