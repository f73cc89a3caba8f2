// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/names.hpp"

#include <algorithm>
#include <vector>

namespace ambf_adf
{
namespace
{

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

std::string legal_token(std::string_view name)
{
  std::string token;
  for (const char c : name) {
    if (is_space(c)) { continue; }
    const char legal = is_word(c) ? c : '_';
    if (legal != '_' || token.empty() || token.back() != '_') { token.push_back(legal); }
  }
  if (token.empty() || is_digit(token.front())) { token.insert(token.begin(), '_'); }
  return token;
}

std::vector<std::string_view> split(std::string_view path)
{
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) { parts.push_back(path.substr(0, end)); }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

}  // namespace

std::string published_name(std::string_view name)
{
  std::string result;
  std::copy_if(
    name.begin(), name.end(), std::back_inserter(result), [](char c) { return !is_space(c); });
  return result;
}

std::string topic_token(std::string_view name)
{
  std::string token = legal_token(name);
  return token == reserved_topic_name ? token + "_" : token;
}

std::string topic_namespace(std::string_view ns)
{
  std::string result = "/";
  for (const auto part : split(ns)) {
    if (!published_name(part).empty()) { result += legal_token(part) + "/"; }
  }
  return result;
}

std::string join_namespace(std::string_view outer, std::string_view inner)
{
  std::string result = "/";
  if (!inner.starts_with('/')) {
    for (const auto part : split(outer)) { result.append(part).push_back('/'); }
  }
  for (const auto part : split(inner)) { result.append(part).push_back('/'); }
  return result;
}

std::string topic_name(std::string_view ns, std::string_view name)
{
  return topic_namespace(ns) + topic_token(name);
}

bool is_name_of(std::string_view wanted, std::string_view full)
{
  while (wanted.ends_with('/')) { wanted.remove_suffix(1); }
  const std::string end = published_name(wanted);
  const std::string whole = published_name(full);
  return !end.empty() && (whole == end || whole.ends_with("/" + end));
}

bool is_legal_topic_name(std::string_view topic)
{
  if (topic.size() < 2 || topic.front() != '/' || topic.back() == '/') { return false; }
  char last = '/';
  for (const char c : topic.substr(1)) {
    const bool starts_part = last == '/';
    if (
      (c != '/' && !is_word(c)) || (c == '/' && starts_part) || (starts_part && is_digit(c)) ||
      (c == '_' && last == '_')) {
      return false;
    }
    last = c;
  }
  return true;
}

std::size_t edit_distance(std::string_view a, std::string_view b)
{
  // Optimal string alignment: three rows of the usual table.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) { last[j] = j; }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
        std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string> nearest_names(
  std::string_view name, const std::vector<std::string> & known, std::size_t most)
{
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto & candidate : known) {
    const bool holds = !name.empty() && candidate.find(name) != std::string::npos;
    ranked.emplace_back(holds ? 0 : 1 + edit_distance(name, candidate), candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) {
    result.push_back(ranked[i].second);
  }
  return result;
}

}  // namespace ambf_adf
