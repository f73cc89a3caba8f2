// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/mock_script.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

namespace ambf_devices
{
namespace
{

constexpr std::array<std::pair<std::string_view, MockFault>, 6> faults{{
  {"not_finite", MockFault::NotFinite},
  {"not_unit", MockFault::NotUnit},
  {"jump", MockFault::Jump},
  {"nothing_new", MockFault::NothingNew},
  {"lost", MockFault::Lost},
  {"blocked", MockFault::Blocked},
}};

bool read_number(std::string_view word, double & value)
{
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc{} && end == word.data() + word.size() && std::isfinite(value);
}

tl::unexpected<std::string> wrong(const std::string & line, const std::string & what)
{
  return tl::unexpected("'" + line + "': " + what);
}

/// False: no such key, or a value that it cannot have.
bool set(ScriptEntry & entry, std::string_view key, double value)
{
  if (key == "t" && value >= 0.0) {
    entry.time = value;
  } else if (key == "gripper" && value >= 0.0 && value <= 1.0) {
    entry.gripper = value;
  } else if (key == "position_clutch" && (value == 0.0 || value == 1.0)) {
    entry.position_clutch = value == 1.0;
  } else if (key == "camera_clutch" && (value == 0.0 || value == 1.0)) {
    entry.camera_clutch = value == 1.0;
  } else if (key == "actions" && value >= 0.0 && value < 4294967296.0) {
    entry.actions = static_cast<std::uint32_t>(value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

tl::expected<std::vector<ScriptEntry>, std::string> parse_script(
  const std::vector<std::string> & lines)
{
  std::vector<ScriptEntry> script;
  for (const std::string & line : lines) {
    if (line.empty()) {
      continue;  // launch files cannot pass an empty list
    }
    ScriptEntry entry = script.empty() ? ScriptEntry{} : script.back();
    std::istringstream words(line);
    std::string word;
    while (words >> word) {
      const auto equals = word.find('=');
      double value = 0.0;
      if (
        equals == std::string::npos ||
        !read_number(std::string_view(word).substr(equals + 1), value) ||
        !set(entry, std::string_view(word).substr(0, equals), value)) {
        return wrong(
          line, "'" + word +
                  "' is none of t=<seconds>, gripper=<0..1>, position_clutch=<0|1>, "
                  "camera_clutch=<0|1>, actions=<bits>");
      }
    }
    if (!script.empty() && entry.time < script.back().time) {
      return wrong(line, "time goes backwards");
    }
    script.push_back(entry);
  }
  return script;
}

tl::expected<std::vector<FaultEntry>, std::string> parse_faults(
  const std::vector<std::string> & lines)
{
  std::vector<FaultEntry> entries;
  for (const std::string & line : lines) {
    if (line.empty()) { continue; }
    std::istringstream words(line);
    std::string name, from, until, rest;
    words >> name >> from >> until;
    FaultEntry entry;
    if (
      !read_number(from, entry.from) || !read_number(until, entry.until) ||
      !(entry.until > entry.from) || (words >> rest)) {
      return wrong(line, "expected a fault and two rising times, like jump 1.5 2.0");
    }
    std::string known;
    bool found = false;
    for (const auto & [word, fault] : faults) {
      known += (known.empty() ? "" : ", ") + std::string(word);
      if (word == name) {
        entry.fault = fault;
        found = true;
      }
    }
    if (!found) { return wrong(line, "no fault '" + name + "'; expected one of " + known); }
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace ambf_devices
