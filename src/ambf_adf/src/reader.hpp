// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "ambf_adf/object.hpp"
#include "yaml_tree.hpp"

namespace ambf_adf
{

/// What a reader asked a map for. The reference of all keys is made of these (keys.cpp).
struct KeyUse
{
  std::string path;  ///< of the map
  std::string key;
  std::string type;      ///< "": the reader only looked whether the key is there
  std::string fallback;  ///< what is taken without the key; "": nothing, or a rule
  bool required = false;
  std::string no_effect;  ///< why the key has no effect; "": it has one
};

/// Collects the problems of one file.
struct ProblemSink
{
  std::string file;
  Problems problems;
  std::vector<KeyUse> * uses = nullptr;  ///< where somebody wants to know what is asked for

  void add(
    Severity severity, ProblemKind kind, Mark where, std::string key, std::string found,
    std::string expected, std::string hint = {});
  /// For keys that AMBF does not read, or whose mistakes it catches: the errors from the one with
  /// the index `first` on become warnings with this hint.
  void soften(std::size_t first, const std::string & hint);
};

/// Values that a number may take. Outside of them, and where a number is endless, AMBF accepts what
/// no simulation can use: a warning, and the number counts as absent.
enum class Range
{
  Any,
  NonNegative,
  Positive
};

/// Typed reading of a YAML map. Every key that is asked for becomes a known key; what nobody asked
/// for is an unknown key (finish() warns, with the nearest known one). A value of the wrong kind is
/// an error and the fallback is returned, so that one pass finds all errors. An empty value counts
/// as absent. So does, with a warning, a list in the place of a map or a word in the place of a
/// list: AMBF sees nothing there.
class MapReader
{
public:
  /// `node` may be null (nothing there): `place` then stands for it in messages. A word or number
  /// is an error, and nothing more is said of what it lacks.
  MapReader(const YamlNode * node, std::string path, ProblemSink & sink, Mark place = {});

  const std::string & path() const { return path_; }
  ProblemSink & sink() const { return sink_; }
  Mark mark() const;
  bool has(std::string_view key);
  /// The value, or null if absent or empty.
  const YamlNode * get(std::string_view key);
  /// Error unless the key is there.
  const YamlNode * require(std::string_view key, std::string_view what);

  std::optional<double> number(std::string_view key, Range range = Range::Any);
  double number(std::string_view key, double fallback, Range range = Range::Any);
  std::optional<int> integer(std::string_view key);
  int integer(std::string_view key, int fallback);
  std::optional<bool> boolean(std::string_view key);
  bool boolean(std::string_view key, bool fallback);
  std::optional<std::string> text(std::string_view key);
  std::string text(std::string_view key, std::string fallback);
  /// Map {x, y, z}.
  std::optional<Eigen::Vector3d> vector(std::string_view key);
  Eigen::Vector3d vector(std::string_view key, const Eigen::Vector3d & fallback);
  /// Map with three other names, e.g. {"r", "g", "b"}. The fallback is for single components.
  std::optional<Eigen::Vector3d> triple(
    std::string_view key, const char * const (&names)[3],
    const Eigen::Vector3d & fallback = Eigen::Vector3d::Zero());
  /// Map {position: {x,y,z}, orientation: {r,p,y}}; each part may be absent.
  std::optional<Pose> pose(std::string_view key);
  /// List of words.
  std::vector<std::pair<std::string, Mark>> words(std::string_view key);
  std::vector<int> integers(std::string_view key);
  /// Items of a list; [] if absent.
  std::vector<YamlNodePtr> list(std::string_view key);
  /// Reader of a map below this one; its finish() is its user's business.
  MapReader map(std::string_view key);

  /// The key is known and has no effect: a warning that says why.
  void ineffective(std::string_view key, std::string_view why);
  /// The key is known to the format; nothing more.
  void known(std::string_view key);

  void error(
    ProblemKind kind, std::string_view key, std::string found, std::string expected,
    std::string hint = {}) const;
  void warn(
    ProblemKind kind, std::string_view key, std::string found, std::string expected,
    std::string hint = {}) const;

  /// Warns about unknown keys.
  void finish();
  /// Entries that the value types do not hold: unknown and ineffective ones.
  std::vector<YamlEntry> leftovers() const;
  /// Was the entry asked for, or declared known?
  bool is_known(std::string_view key) const;

private:
  void note(std::string_view key, std::string_view type, std::string_view fallback = {}) const;
  std::string key_path(std::string_view key) const;
  Mark key_mark(std::string_view key) const;
  const YamlEntry * entry(std::string_view key);
  std::optional<double> checked_number(
    std::string_view key, Range range, const std::string & consequence);
  const std::vector<YamlNodePtr> * items(std::string_view key, const char * what);

  const YamlNode * node_ = nullptr;
  Mark mark_;
  bool no_map_ = false;
  std::string path_;
  ProblemSink & sink_;
  std::vector<std::string> known_;
  std::vector<std::string> ineffective_;
};

}  // namespace ambf_adf
