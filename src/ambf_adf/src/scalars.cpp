// SPDX-License-Identifier: BSD-3-Clause
#include "scalars.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ambf_adf/names.hpp"

namespace ambf_adf
{
namespace
{

std::string_view trimmed(std::string_view text)
{
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) { return {}; }
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::string lower(std::string_view text)
{
  std::string result(text);
  for (char & c : result) { c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c; }
  return result;
}

std::optional<double> to_number(std::string_view text)
{
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') { text.remove_prefix(1); }
  double value = 0.0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) { return std::nullopt; }
  if (status == std::errc::result_out_of_range) {
    // Too small counts as zero, too large is refused with the infinities.
    const bool tiny =
      text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    return tiny ? std::optional<double>(0.0) : std::nullopt;
  }
  if (status != std::errc{} || !std::isfinite(value)) { return std::nullopt; }
  return value;
}

std::optional<long long> to_integer(std::string_view text)
{
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') { text.remove_prefix(1); }
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  long long value = 0;
  const char * first = text.data() + (hex ? 2 : 0);
  const char * last = text.data() + text.size();
  const auto [end, status] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (first != last && end == last && status == std::errc{}) { return value; }
  // "10.0" and "1e3" are whole numbers, too.
  const auto number = to_number(text);
  if (number && std::abs(*number) < 1e15 && std::nearbyint(*number) == *number) {
    return static_cast<long long>(*number);
  }
  return std::nullopt;
}

std::optional<bool> to_boolean(std::string_view text)
{
  const std::string word = lower(trimmed(text));
  for (const char * yes : {"true", "yes", "on", "y", "1"}) {
    if (word == yes) { return true; }
  }
  for (const char * no : {"false", "no", "off", "n", "0"}) {
    if (word == no) { return false; }
  }
  const auto number = to_number(word);
  if (number && (*number == 0.0 || *number == 1.0)) { return *number == 1.0; }
  return std::nullopt;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string> & choices)
{
  if (word.size() < 2) {
    return {};  // every other letter is as near
  }
  const std::string small = lower(word);
  const std::string * best = nullptr;
  // Two letters or a third of them may be wrong: further away it is another word.
  std::size_t best_distance =
    (word.size() <= 3 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
  for (const auto & choice : choices) {
    const auto length_gap =
      choice.size() > word.size() ? choice.size() - word.size() : word.size() - choice.size();
    if (length_gap >= best_distance) { continue; }
    const auto distance = edit_distance(small, lower(choice));
    if (distance < best_distance) {
      best_distance = distance;
      best = &choice;
    }
  }
  return best ? "did you mean '" + *best + "'?" : std::string{};
}

}  // namespace ambf_adf
