// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ambf_rendering/captions.hpp"

namespace
{

using ambf_rendering::Caption;
using ambf_rendering::CaptionBoard;

TEST(Captions, AreTheNewestOfEachSourceUntilTheirTimeHasRunOut)
{
  using Lines = std::vector<Caption>;
  const auto now = CaptionBoard::Clock::now();
  const auto later = [&](double seconds) {
    return now + std::chrono::milliseconds(std::lround(1e3 * seconds));
  };
  CaptionBoard board;
  board.put("first", {"waits"}, 0.0, now);
  board.put("second", {"has a FAULT", Caption::Level::Error}, 2.0, now);
  board.put("first", {"takes ring 1"}, 0.0, later(1.0));
  const Lines both{{"takes ring 1"}, {"has a FAULT", Caption::Level::Error}};
  EXPECT_EQ(board.lines(later(1.9)), both);
  EXPECT_EQ(board.lines(later(2.1)), Lines{{"takes ring 1"}});
  EXPECT_EQ(board.lines(later(1e5)), Lines{{"takes ring 1"}});
  board.put("first", {""}, 0.0, later(3.0));
  EXPECT_TRUE(board.lines(later(3.0)).empty());
  board.put("first", {"for ever"}, std::numeric_limits<double>::quiet_NaN(), now);
  EXPECT_EQ(board.lines(later(1e6)).size(), 1U);
  for (int i = 0; i < 100; ++i) {
    board.put(std::to_string(i), {std::string(1000, 'x')}, 0.0, now);
  }
  EXPECT_EQ(board.lines(now).size(), CaptionBoard::kSources);
  EXPECT_EQ(board.lines(now).back().text.size(), CaptionBoard::kLength);
}

TEST(Captions, AreBrokenBetweenWordsAndCutWhereTheyAreTooLong)
{
  using Lines = std::vector<std::string>;
  EXPECT_EQ(ambf_rendering::wrapped("one two three", 8, 3), (Lines{"one two", "three"}));
  EXPECT_EQ(ambf_rendering::wrapped("abcdefghij", 4, 3), (Lines{"abcd", "efgh", "ij"}));
  EXPECT_EQ(ambf_rendering::wrapped("a b c d e f g", 5, 2), (Lines{"a b c", "d ..."}));
  EXPECT_EQ(ambf_rendering::wrapped("one\ntwo\t30\u00b0", 80, 3), (Lines{"one two 30?"}));
  EXPECT_TRUE(ambf_rendering::wrapped("", 80, 3).empty());
  EXPECT_TRUE(ambf_rendering::wrapped("text", 0, 3).empty());
}

}  // namespace
