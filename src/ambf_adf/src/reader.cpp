// SPDX-License-Identifier: BSD-3-Clause
#include "reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

const char * range_text(Range range)
{
  switch (range) {
    case Range::NonNegative:
      return "a number, 0 or more";
    case Range::Positive:
      return "a number above 0";
    case Range::Any:
      break;
  }
  return "a number";
}

bool in_range(double value, Range range)
{
  switch (range) {
    case Range::NonNegative:
      return value >= 0.0;
    case Range::Positive:
      return value > 0.0;
    case Range::Any:
      break;
  }
  return true;
}

const char * number_hint(const std::string & text)
{
  if (text.find(',') != std::string::npos) { return "decimals are written with a point"; }
  const std::string word = lower(text);
  const bool digits = word.find_first_not_of("+-.0123456789e") == std::string::npos;
  return digits && word.find('e') != std::string::npos ? "it must be finite" : "";
}

/// The words for which AMBF sees an infinity or no number.
bool is_endless(const std::string & text)
{
  const std::string word = lower(text);
  return word == ".inf" || word == "+.inf" || word == "-.inf" || word == ".nan";
}

std::string brief(double number)
{
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

}  // namespace

void ProblemSink::add(
  Severity severity, ProblemKind kind, Mark where, std::string key, std::string found,
  std::string expected, std::string hint)
{
  problems.push_back(
    {severity, kind, file, where, std::move(key), std::move(found), std::move(expected),
     std::move(hint)});
}

void ProblemSink::soften(std::size_t first, const std::string & hint)
{
  for (std::size_t i = first; i < problems.size(); ++i) {
    if (problems[i].severity == Severity::Error) {
      problems[i].severity = Severity::Warning;
      problems[i].hint = hint;
    }
  }
}

MapReader::MapReader(const YamlNode * node, std::string path, ProblemSink & sink, Mark place)
: mark_(node ? node->mark : place), path_(std::move(path)), sink_(sink)
{
  if (node == nullptr || node->is_null()) { return; }
  if (node->is_sequence()) {
    sink_.add(
      Severity::Warning, ProblemKind::WrongType, node->mark, path_, node->describe(), "a map",
      "nothing is read from it, as in AMBF");
    return;
  }
  if (!node->is_map()) {
    no_map_ = true;
    sink_.add(
      Severity::Error, ProblemKind::WrongType, node->mark, path_, node->describe(), "a map");
    return;
  }
  node_ = node;
}

Mark MapReader::mark() const { return mark_; }

void MapReader::note(std::string_view key, std::string_view type, std::string_view fallback) const
{
  if (sink_.uses != nullptr) {
    sink_.uses->push_back(
      {path_, std::string(key), std::string(type), std::string(fallback), false, {}});
  }
}

std::string MapReader::key_path(std::string_view key) const
{
  if (path_.empty() || key.empty()) { return path_ + std::string(key); }
  return path_ + "/" + std::string(key);
}

Mark MapReader::key_mark(std::string_view key) const
{
  const YamlEntry * found = node_ ? node_->find(key) : nullptr;
  return found ? found->mark : mark_;
}

void MapReader::known(std::string_view key)
{
  note(key, "");
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) { known_.emplace_back(key); }
}

const YamlEntry * MapReader::entry(std::string_view key)
{
  known(key);
  return node_ ? node_->find(key) : nullptr;
}

bool MapReader::has(std::string_view key) { return get(key) != nullptr; }

const YamlNode * MapReader::get(std::string_view key)
{
  const YamlEntry * found = entry(key);
  return found && !found->value->is_null() ? found->value.get() : nullptr;
}

const YamlNode * MapReader::require(std::string_view key, std::string_view what)
{
  const YamlNode * value = get(key);
  if (sink_.uses != nullptr) { sink_.uses->back().required = true; }
  if (value == nullptr && !no_map_) {
    error(
      ProblemKind::MissingKey, key, "nothing", std::string(what),
      "add the key '" + std::string(key) + "'");
  }
  return value;
}

std::optional<double> MapReader::checked_number(
  std::string_view key, Range range, const std::string & consequence)
{
  const YamlNode * value = get(key);
  if (value == nullptr) { return std::nullopt; }
  const auto number = value->is_scalar() ? to_number(value->text) : std::nullopt;
  if (!number && value->is_scalar() && is_endless(value->text)) {
    warn(
      ProblemKind::BadValue, key, value->describe(), range_text(range),
      "it must be finite; " + consequence);
    return std::nullopt;
  }
  if (!number) {
    error(
      ProblemKind::WrongType, key, value->describe(), range_text(range),
      value->is_scalar() ? number_hint(value->text) : "");
    return std::nullopt;
  }
  if (!in_range(*number, range)) {
    warn(ProblemKind::BadValue, key, value->describe(), range_text(range), consequence);
    return std::nullopt;
  }
  return number;
}

std::optional<double> MapReader::number(std::string_view key, Range range)
{
  note(key, range_text(range));
  return checked_number(key, range, "the key is ignored");
}

double MapReader::number(std::string_view key, double fallback, Range range)
{
  note(key, range_text(range), brief(fallback));
  return checked_number(key, range, brief(fallback) + " is taken").value_or(fallback);
}

std::optional<int> MapReader::integer(std::string_view key)
{
  note(key, "a whole number");
  const YamlNode * value = get(key);
  if (value == nullptr) { return std::nullopt; }
  const auto number = value->is_scalar() ? to_integer(value->text) : std::nullopt;
  if (
    !number || *number < std::numeric_limits<int>::min() ||
    *number > std::numeric_limits<int>::max()) {
    error(ProblemKind::WrongType, key, value->describe(), "a whole number");
    return std::nullopt;
  }
  return static_cast<int>(*number);
}

int MapReader::integer(std::string_view key, int fallback)
{
  note(key, "a whole number", std::to_string(fallback));
  return integer(key).value_or(fallback);
}

std::optional<bool> MapReader::boolean(std::string_view key)
{
  note(key, "true or false");
  const YamlNode * value = get(key);
  if (value == nullptr) { return std::nullopt; }
  const auto result = value->is_scalar() ? to_boolean(value->text) : std::nullopt;
  if (!result) { error(ProblemKind::WrongType, key, value->describe(), "true or false"); }
  return result;
}

bool MapReader::boolean(std::string_view key, bool fallback)
{
  note(key, "true or false", fallback ? "true" : "false");
  return boolean(key).value_or(fallback);
}

std::optional<std::string> MapReader::text(std::string_view key)
{
  note(key, "a text");
  const YamlNode * value = get(key);
  if (value == nullptr) { return std::nullopt; }
  if (!value->is_scalar()) {
    error(ProblemKind::WrongType, key, value->describe(), "a word or text");
    return std::nullopt;
  }
  return value->text;
}

std::string MapReader::text(std::string_view key, std::string fallback)
{
  note(key, "a text", fallback);
  return text(key).value_or(std::move(fallback));
}

std::optional<Eigen::Vector3d> MapReader::triple(
  std::string_view key, const char * const (&names)[3], const Eigen::Vector3d & fallback)
{
  const std::string shape =
    std::string("a map {") + names[0] + ", " + names[1] + ", " + names[2] + "} of numbers";
  note(key, shape);
  const YamlNode * value = get(key);
  if (value == nullptr) { return std::nullopt; }
  if (!value->is_map()) {
    error(ProblemKind::WrongType, key, value->describe(), shape);
    return std::nullopt;
  }
  MapReader reader(value, key_path(key), sink_);
  Eigen::Vector3d result = fallback;
  for (int i = 0; i < 3; ++i) {
    if (reader.require(names[i], shape)) { result[i] = reader.number(names[i], fallback[i]); }
  }
  reader.finish();
  return result;
}

std::optional<Eigen::Vector3d> MapReader::vector(std::string_view key)
{
  return triple(key, {"x", "y", "z"});
}

Eigen::Vector3d MapReader::vector(std::string_view key, const Eigen::Vector3d & fallback)
{
  const auto value = triple(key, {"x", "y", "z"}, fallback);
  note(
    key, "a map {x, y, z} of numbers",
    brief(fallback[0]) + ", " + brief(fallback[1]) + ", " + brief(fallback[2]));
  return value.value_or(fallback);
}

std::optional<Pose> MapReader::pose(std::string_view key)
{
  note(key, "a pose");
  const YamlNode * value = get(key);
  if (value == nullptr) { return std::nullopt; }
  if (value->is_scalar()) {
    error(ProblemKind::WrongType, key, value->describe(), "a map {position, orientation}");
    return std::nullopt;
  }
  MapReader reader(value, key_path(key), sink_);
  Pose pose;
  pose.position = reader.vector("position", Eigen::Vector3d::Zero());
  pose.rpy = reader.triple("orientation", {"r", "p", "y"}).value_or(Eigen::Vector3d::Zero());
  reader.finish();
  return pose;
}

std::vector<std::pair<std::string, Mark>> MapReader::words(std::string_view key)
{
  std::vector<std::pair<std::string, Mark>> result;
  note(key, "a list of names");
  const auto * list = items(key, "a list of names");
  if (list == nullptr) { return result; }
  for (const auto & item : *list) {
    if (item->is_scalar()) {
      result.emplace_back(item->text, item->mark);
    } else if (!item->is_null()) {
      sink_.add(
        Severity::Error, ProblemKind::WrongType, item->mark, key_path(key), item->describe(),
        "a name");
    }
  }
  return result;
}

std::vector<int> MapReader::integers(std::string_view key)
{
  note(key, "a list of whole numbers");
  std::vector<int> result;
  for (const auto & item : list(key)) {
    const auto number = item->is_scalar() ? to_integer(item->text) : std::nullopt;
    if (
      number && *number >= std::numeric_limits<int>::min() &&
      *number <= std::numeric_limits<int>::max()) {
      result.push_back(static_cast<int>(*number));
    } else if (!item->is_null()) {
      sink_.add(
        Severity::Error, ProblemKind::WrongType, item->mark, key_path(key), item->describe(),
        "a whole number");
    }
  }
  return result;
}

std::vector<YamlNodePtr> MapReader::list(std::string_view key)
{
  note(key, "a list");
  const auto * found = items(key, "a list");
  return found ? *found : std::vector<YamlNodePtr>{};
}

/// AMBF counts the items: what is no list has none, unless it is a map with something in it.
const std::vector<YamlNodePtr> * MapReader::items(std::string_view key, const char * what)
{
  const YamlNode * value = get(key);
  if (value == nullptr || value->is_sequence()) { return value ? &value->items : nullptr; }
  if (value->is_map() && !value->entries.empty()) {
    error(ProblemKind::WrongType, key, value->describe(), what);
  } else {
    warn(
      ProblemKind::WrongType, key, value->describe(), what,
      "it counts as an empty list, as in AMBF; write '[a, b]', or one '- a' per line");
  }
  return nullptr;
}

MapReader MapReader::map(std::string_view key)
{
  note(key, "a map");
  return MapReader(get(key), key_path(key), sink_, key_mark(key));
}

void MapReader::ineffective(std::string_view key, std::string_view why)
{
  const YamlEntry * found = entry(key);
  if (sink_.uses != nullptr) { sink_.uses->back().no_effect = why; }
  if (found != nullptr) {
    ineffective_.emplace_back(key);
    warn(ProblemKind::IneffectiveKey, key, "a key without effect", "", std::string(why));
  }
}

void MapReader::error(
  ProblemKind kind, std::string_view key, std::string found, std::string expected,
  std::string hint) const
{
  sink_.add(
    Severity::Error, kind, key_mark(key), key_path(key), std::move(found), std::move(expected),
    std::move(hint));
}

void MapReader::warn(
  ProblemKind kind, std::string_view key, std::string found, std::string expected,
  std::string hint) const
{
  sink_.add(
    Severity::Warning, kind, key_mark(key), key_path(key), std::move(found), std::move(expected),
    std::move(hint));
}

bool MapReader::is_known(std::string_view key) const
{
  return std::find(known_.begin(), known_.end(), key) != known_.end();
}

void MapReader::finish()
{
  if (node_ == nullptr) { return; }
  for (const auto & entry : node_->entries) {
    if (!is_known(entry.key)) {
      const std::string hint = did_you_mean(entry.key, known_);
      sink_.add(
        Severity::Warning, ProblemKind::UnknownKey, entry.mark, key_path(entry.key),
        "an unknown key", "", hint.empty() ? "it is kept for extensions and has no effect" : hint);
    }
  }
}

std::vector<YamlEntry> MapReader::leftovers() const
{
  std::vector<YamlEntry> result;
  if (node_ == nullptr) { return result; }
  for (const auto & entry : node_->entries) {
    const bool unknown = !is_known(entry.key);
    const bool idle =
      std::find(ineffective_.begin(), ineffective_.end(), entry.key) != ineffective_.end();
    if (unknown || idle) { result.push_back(entry); }
  }
  return result;
}

}  // namespace ambf_adf
