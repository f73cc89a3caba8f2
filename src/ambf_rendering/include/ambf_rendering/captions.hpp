// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ambf_rendering
{

/// A line of text for the people at the world.
struct Caption
{
  enum class Level
  {
    Info,
    Warning,
    Error
  };
  std::string text;
  Level level = Level::Info;
  friend bool operator==(const Caption &, const Caption &) = default;
};

/// The newest line of each source, until its time has run out.
class CaptionBoard
{
public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kSources = 16;  ///< who spoke first makes room for one more
  static constexpr std::size_t kLength = 400;  ///< of a text [byte]; the rest is cut

  /// An empty text takes the source's line away. `duration` [s]; 0: the line stays.
  void put(const std::string & source, Caption caption, double duration, Clock::time_point now);
  /// In the order in which their sources spoke first.
  std::vector<Caption> lines(Clock::time_point now) const;

private:
  struct Entry
  {
    std::string source;
    Caption caption;
    Clock::time_point end;
  };
  std::vector<Entry> entries_;
};

/// A text in lines of at most so many letters, broken between words where that can be; what is more than
/// `rows` lines ends in "...". A letter that is not ASCII is one '?'.
std::vector<std::string> wrapped(const std::string & text, std::size_t columns, std::size_t rows);

}  // namespace ambf_rendering
