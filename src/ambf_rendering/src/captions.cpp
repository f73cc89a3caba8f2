// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/captions.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ambf_rendering
{

namespace
{

constexpr double kLongest = 1e6;  // [s]; longer is for ever

/// Letters of ASCII; each other one is a '?', however many bytes it has in UTF-8.
std::string ascii(const std::string & text)
{
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) { continue; }  // goes on with the letter before
    result += byte < 0x80U ? c : '?';
  }
  return result;
}

}  // namespace

void CaptionBoard::put(
  const std::string & source, Caption caption, double duration, Clock::time_point now)
{
  std::erase_if(entries_, [&](const Entry & entry) { return entry.end <= now; });
  const auto known = std::find_if(
    entries_.begin(), entries_.end(), [&](const Entry & entry) { return entry.source == source; });
  if (caption.text.empty()) {
    if (known != entries_.end()) { entries_.erase(known); }
    return;
  }
  if (caption.text.size() > kLength) { caption.text.resize(kLength); }
  const auto end =
    duration > 0.0 && duration < kLongest
      ? now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(duration))
      : Clock::time_point::max();
  if (known != entries_.end()) {
    known->caption = std::move(caption);
    known->end = end;
    return;
  }
  if (entries_.size() == kSources) { entries_.erase(entries_.begin()); }
  entries_.push_back({source, std::move(caption), end});
}

std::vector<Caption> CaptionBoard::lines(Clock::time_point now) const
{
  std::vector<Caption> result;
  for (const auto & entry : entries_) {
    if (entry.end > now) { result.push_back(entry.caption); }
  }
  return result;
}

std::vector<std::string> wrapped(const std::string & text, std::size_t columns, std::size_t rows)
{
  const std::string dots = "...";
  std::vector<std::string> lines;
  if (columns <= dots.size() || rows == 0) { return lines; }
  std::istringstream words(ascii(text));
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > columns) {
      lines.push_back(std::exchange(line, {}));
    }
    line += (line.empty() ? "" : " ") + word;
    // A word that is longer than a line is broken where the line ends.
    for (; line.size() > columns; line.erase(0, columns)) {
      lines.push_back(line.substr(0, columns));
    }
  }
  if (!line.empty()) { lines.push_back(line); }
  if (lines.size() > rows) {
    lines.resize(rows);
    std::string & last = lines.back();
    last.resize(std::min(last.size(), columns - dots.size()));
    last += dots;
  }
  return lines;
}

}  // namespace ambf_rendering
