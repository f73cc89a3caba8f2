// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/problem.hpp"

namespace YAML
{
class Emitter;
}

namespace ambf_adf
{

struct YamlNode;
using YamlNodePtr = std::shared_ptr<const YamlNode>;

struct YamlEntry
{
  std::string key;
  Mark mark;
  YamlNodePtr value;
};

/// A YAML value with its place. yaml-cpp's own Node forgets places of keys and repeated keys, so
/// the tree is composed here from its parser's events. Aliases share the anchored node.
struct YamlNode
{
  enum class Kind
  {
    Null,
    Scalar,
    Sequence,
    Map
  };
  Kind kind = Kind::Null;
  bool quoted = false;    ///< scalar in quotes or block style
  bool anchored = false;  ///< carries an anchor: a macro for other places
  Mark mark;
  std::string text;                ///< of a scalar
  std::vector<YamlNodePtr> items;  ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a map, in file order, without repetitions
  std::size_t weight = 1;          ///< number of nodes with aliases expanded
  std::size_t depth = 1;

  bool is_null() const { return kind == Kind::Null; }
  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_sequence() const { return kind == Kind::Sequence; }
  bool is_map() const { return kind == Kind::Map; }
  const YamlEntry * find(std::string_view key) const;
  /// For messages: the scalar in quotes, "a map", "a list", "nothing".
  std::string describe() const;
};

/// Reads the first document. Repeated keys and keys that are no scalars go to `problems` as
/// warnings. Expansion is bounded (nodes and depth), so hostile aliases cannot exhaust memory or
/// stack.
expected<YamlNodePtr, Problem> compose_yaml(
  std::string_view text, const std::string & file, Problems & problems);

/// Writes a scalar or a key. Text that yaml-cpp would write plain or in quotes and then read back
/// differently (line ends other than \n, characters that nobody sees) is escaped.
void emit_text(YAML::Emitter & out, const std::string & text, bool quoted = false);
/// Writes a node with aliases expanded.
void emit_yaml(YAML::Emitter & out, const YamlNode & node);
std::string emit_yaml(const YamlNode & node);
/// Only some entries of a map, as a map; "" for none.
std::string emit_yaml(const std::vector<YamlEntry> & entries);

}  // namespace ambf_adf
