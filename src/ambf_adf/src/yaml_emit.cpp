// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <yaml-cpp/emitter.h>

#include "yaml_tree.hpp"

namespace ambf_adf
{
namespace
{

// Control characters, and the line ends and the byte-order mark beyond ASCII.
bool changes_when_plain(std::string_view text)
{
  const auto control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  };
  if (std::any_of(text.begin(), text.end(), control)) { return true; }
  for (const char * hidden : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF"}) {
    if (text.find(hidden) != std::string_view::npos) { return true; }
  }
  return false;
}

}  // namespace

void emit_text(YAML::Emitter & out, const std::string & text, bool quoted)
{
  if (quoted || changes_when_plain(text)) { out << YAML::DoubleQuoted; }
  out << text;
}

void emit_yaml(YAML::Emitter & out, const YamlNode & node)
{
  switch (node.kind) {
    case YamlNode::Kind::Null:
      out << YAML::Null;
      break;
    case YamlNode::Kind::Scalar:
      emit_text(out, node.text, node.quoted);
      break;
    case YamlNode::Kind::Sequence:
      out << YAML::BeginSeq;
      for (const auto & item : node.items) { emit_yaml(out, *item); }
      out << YAML::EndSeq;
      break;
    case YamlNode::Kind::Map:
      out << YAML::BeginMap;
      for (const auto & entry : node.entries) {
        out << YAML::Key;
        emit_text(out, entry.key);
        out << YAML::Value;
        emit_yaml(out, *entry.value);
      }
      out << YAML::EndMap;
      break;
  }
}

std::string emit_yaml(const YamlNode & node)
{
  YAML::Emitter out;
  emit_yaml(out, node);
  return out.c_str();
}

std::string emit_yaml(const std::vector<YamlEntry> & entries)
{
  if (entries.empty()) { return {}; }
  YamlNode map;
  map.kind = YamlNode::Kind::Map;
  map.entries = entries;
  return emit_yaml(map);
}

}  // namespace ambf_adf
