// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/recording.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace ambf_devices
{
namespace
{

constexpr std::string_view header =
  "time,px,py,pz,qx,qy,qz,qw,gripper,position_clutch,camera_clutch,actions";
constexpr std::string_view velocities = ",vx,vy,vz,wx,wy,wz";
constexpr std::string_view relocated = ",relocated";
constexpr std::size_t most_columns = 19;

/// Which columns a file has.
struct Columns
{
  bool velocities = false;
  bool relocated = false;

  std::size_t count() const { return 12u + (velocities ? 6u : 0u) + (relocated ? 1u : 0u); }
};

tl::expected<Columns, std::string> columns_of(std::string_view line)
{
  const auto takes = [&line](std::string_view words) {
    const bool there = line.starts_with(words);
    line.remove_prefix(there ? words.size() : 0);
    return there;
  };
  Columns columns;
  const bool begins = takes(header);
  columns.velocities = takes(velocities);
  columns.relocated = takes(relocated);
  if (!begins || !line.empty()) {
    return tl::unexpected(
      "expected the header " + std::string(header) + ", with or without " +
      std::string(velocities) + ", with or without " + std::string(relocated));
  }
  return columns;
}

tl::unexpected<std::string> wrong(std::size_t line, const std::string & what)
{
  return tl::unexpected("line " + std::to_string(line) + ": " + what);
}

/// The numbers of a line, zero beyond `columns`; the error says which column.
tl::expected<std::array<double, most_columns>, std::string> numbers(
  std::string_view line, std::size_t columns)
{
  std::array<double, most_columns> values{};
  std::size_t column = 0;
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view word = line.substr(0, comma);
    if (column == columns) {
      return tl::unexpected("more than the header's " + std::to_string(columns) + " columns");
    }
    const auto [end, code] =
      std::from_chars(word.data(), word.data() + word.size(), values[column]);
    if (code != std::errc{} || end != word.data() + word.size() || !std::isfinite(values[column])) {
      return tl::unexpected(
        "column " + std::to_string(column + 1) + ": '" + std::string(word) +
        "' is not a finite number");
    }
    ++column;
    if (comma == std::string_view::npos) { break; }
    line.remove_prefix(comma + 1);
  }
  if (column != columns) {
    return tl::unexpected(
      std::to_string(column) + " columns, but the header has " + std::to_string(columns));
  }
  return values;
}

}  // namespace

tl::expected<Recording, std::string> parse_recording(const std::string & text)
{
  Recording recording;
  std::istringstream stream(text);
  std::string line;
  std::optional<Columns> columns;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (!line.empty() && line.back() == '\r') { line.pop_back(); }
    if (line.empty() || line.front() == '#') { continue; }
    if (!columns) {
      const auto found = columns_of(line);
      if (!found) { return wrong(number, found.error()); }
      columns = *found;
      continue;
    }
    const auto values = numbers(line, columns->count());
    if (!values) { return wrong(number, values.error()); }
    const auto & v = *values;
    RecordedState entry;
    entry.time = v[0];
    entry.state.T_base_tip.position = {v[1], v[2], v[3]};
    entry.state.T_base_tip.orientation = Eigen::Quaterniond(v[7], v[4], v[5], v[6]);
    entry.state.gripper = v[8];
    entry.state.position_clutch = v[9] != 0.0;
    entry.state.camera_clutch = v[10] != 0.0;
    if (v[11] < 0.0 || v[11] > 4294967295.0) {
      return wrong(number, "actions must be a set of 32 bits");
    }
    entry.state.actions = static_cast<std::uint32_t>(v[11]);
    if (columns->velocities) {
      entry.state.twist.linear = {v[12], v[13], v[14]};
      entry.state.twist.angular = {v[15], v[16], v[17]};
    }
    entry.state.relocated = columns->relocated && v[columns->count() - 1] != 0.0;
    if (std::abs(entry.state.T_base_tip.orientation.norm() - 1.0) > 1e-3) {
      return wrong(number, "the quaternion is not of unit length");
    }
    if (!recording.empty() && entry.time < recording.back().time) {
      return wrong(number, "time goes backwards");
    }
    recording.push_back(entry);
  }
  if (recording.empty()) { return tl::unexpected(std::string("no states in the recording")); }
  return recording;
}

tl::expected<Recording, std::string> read_recording(const std::string & path)
{
  std::ifstream file(path);
  if (!file) { return tl::unexpected(path + ": cannot be opened"); }
  std::ostringstream text;
  text << file.rdbuf();
  auto recording = parse_recording(text.str());
  if (!recording) { return tl::unexpected(path + ": " + recording.error()); }
  return recording;
}

std::string write_recording(const Recording & recording)
{
  std::string text;
  text.append(header).append(velocities).append(relocated).append("\n");
  for (const RecordedState & entry : recording) {
    const auto & p = entry.state.T_base_tip.position;
    const auto & q = entry.state.T_base_tip.orientation;
    const auto & v = entry.state.twist.linear;
    const auto & w = entry.state.twist.angular;
    std::array<char, 512> line{};
    std::snprintf(
      line.data(), line.size(),
      "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d,%u,"
      "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d\n",
      entry.time, p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w(), entry.state.gripper,
      entry.state.position_clutch ? 1 : 0, entry.state.camera_clutch ? 1 : 0, entry.state.actions,
      v.x(), v.y(), v.z(), w.x(), w.y(), w.z(), entry.state.relocated ? 1 : 0);
    text += line.data();
  }
  return text;
}

std::size_t state_at(const Recording & recording, double time, std::size_t hint) noexcept
{
  std::size_t at = hint < recording.size() && recording[hint].time <= time ? hint : 0;
  while (at + 1 < recording.size() && recording[at + 1].time <= time) { ++at; }
  return at;
}

DriverState between_states(const Recording & recording, double time, std::size_t at) noexcept
{
  const RecordedState & here = recording[at];
  DriverState state = here.state;
  if (!(time > here.time) || at + 1 == recording.size() || recording[at + 1].state.relocated) {
    return state;
  }
  const RecordedState & there = recording[at + 1];
  const double part = std::min(1.0, (time - here.time) / (there.time - here.time));
  const auto toward = [part]<typename T>(const T & from, const T & to) -> T {
    return from + part * (to - from);
  };
  state.T_base_tip.position =
    toward(here.state.T_base_tip.position, there.state.T_base_tip.position);
  state.T_base_tip.orientation =
    here.state.T_base_tip.orientation.slerp(part, there.state.T_base_tip.orientation);
  state.twist.linear = toward(here.state.twist.linear, there.state.twist.linear);
  state.twist.angular = toward(here.state.twist.angular, there.state.twist.angular);
  state.gripper = toward(here.state.gripper, there.state.gripper);
  return state;
}

}  // namespace ambf_devices
