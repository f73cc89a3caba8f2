// SPDX-License-Identifier: BSD-3-Clause
#include "emit.hpp"

#include <charconv>

#include "yaml_tree.hpp"

namespace ambf_adf
{

std::string shortest(double value)
{
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, result.ptr);
  if (text.find_first_not_of("-0123456789") == std::string::npos) { text += ".0"; }
  return text;
}

void AdfEmitter::begin_value(std::string_view key)
{
  out_ << YAML::Key;
  emit_text(out_, std::string(key));
  out_ << YAML::Value;
}

void AdfEmitter::begin_map(std::string_view key)
{
  begin_value(key);
  out_ << YAML::BeginMap;
}

void AdfEmitter::begin_flow_map(std::string_view key)
{
  begin_value(key);
  out_ << YAML::Flow << YAML::BeginMap;
}

void AdfEmitter::begin_map() { out_ << YAML::BeginMap; }
void AdfEmitter::end_map() { out_ << YAML::EndMap; }

void AdfEmitter::begin_list(std::string_view key)
{
  begin_value(key);
  out_ << YAML::BeginSeq;
}

void AdfEmitter::end_list() { out_ << YAML::EndSeq; }

void AdfEmitter::put(std::string_view key, double value)
{
  begin_value(key);
  out_ << shortest(value);
}

void AdfEmitter::put(std::string_view key, int value)
{
  begin_value(key);
  out_ << value;
}

void AdfEmitter::put(std::string_view key, bool value)
{
  begin_value(key);
  out_ << (value ? "true" : "false");
}

void AdfEmitter::put(std::string_view key, const std::string & value)
{
  begin_value(key);
  emit_text(out_, value);
}

void AdfEmitter::put(std::string_view key, const Eigen::Vector3d & value)
{
  put(key, value, {"x", "y", "z"});
}

void AdfEmitter::put(
  std::string_view key, const Eigen::Vector3d & value, const char * const (&names)[3])
{
  begin_flow_map(key);
  for (int i = 0; i < 3; ++i) { put(names[i], value[i]); }
  end_map();
}

void AdfEmitter::put(std::string_view key, const Pose & value)
{
  begin_map(key);
  put("position", value.position);
  put("orientation", value.rpy, {"r", "p", "y"});
  end_map();
}

void AdfEmitter::put(std::string_view key, const std::vector<int> & values)
{
  begin_value(key);
  out_ << YAML::Flow << YAML::BeginSeq;
  for (const int value : values) { out_ << value; }
  out_ << YAML::EndSeq;
}

void AdfEmitter::put(std::string_view key, const std::vector<std::string> & values)
{
  begin_list(key);
  for (const auto & value : values) { emit_text(out_, value); }
  end_list();
}

void AdfEmitter::put(std::string_view key, const std::vector<Plugin> & plugins)
{
  if (plugins.empty()) { return; }
  begin_list(key);
  for (const auto & plugin : plugins) {
    begin_map();
    put("name", plugin.name);
    put("filename", plugin.filename);
    put("path", plugin.path);
    end_map();
  }
  end_list();
}

void AdfEmitter::put_entries(const std::string & yaml_map)
{
  if (yaml_map.empty()) { return; }
  Problems ignored;
  const auto map = compose_yaml(yaml_map, "", ignored);
  if (!map || !(*map)->is_map()) { return; }
  for (const auto & entry : (*map)->entries) {
    begin_value(entry.key);
    emit_yaml(out_, *entry.value);
  }
}

std::string AdfEmitter::text() const { return std::string(out_.c_str()) + "\n"; }

}  // namespace ambf_adf
