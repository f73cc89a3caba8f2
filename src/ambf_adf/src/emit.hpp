// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/emitter.h>
#include <Eigen/Core>

#include "ambf_adf/object.hpp"

namespace ambf_adf
{

/// Writes ADF keys and values. Small maps go on one line.
class AdfEmitter
{
public:
  void begin_map(std::string_view key);
  void begin_flow_map(std::string_view key);
  void begin_map();
  void end_map();
  void begin_list(std::string_view key);
  void end_list();

  void put(std::string_view key, double value);
  void put(std::string_view key, int value);
  void put(std::string_view key, bool value);
  void put(std::string_view key, const std::string & value);
  void put(std::string_view key, const char * value) { put(key, std::string(value)); }
  void put(std::string_view key, const Eigen::Vector3d & value);
  void put(std::string_view key, const Eigen::Vector3d & value, const char * const (&names)[3]);
  void put(std::string_view key, const Pose & value);
  void put(std::string_view key, const std::vector<int> & values);
  void put(std::string_view key, const std::vector<std::string> & values);
  void put(std::string_view key, const std::vector<Plugin> & plugins);
  /// Only if there is a value, or if it is not what the reader would take anyway.
  template <class Value>
  void put_optional(std::string_view key, const std::optional<Value> & value)
  {
    if (value) { put(key, *value); }
  }
  template <class Value>
  void put_unless(std::string_view key, const Value & value, const Value & usual)
  {
    if (!(value == usual)) { put(key, value); }
  }
  /// The entries of a YAML map.
  void put_entries(const std::string & yaml_map);

  std::string text() const;

private:
  void begin_value(std::string_view key);

  YAML::Emitter out_;
};

/// The shortest text that reads back as the same double; whole numbers keep a ".0".
std::string shortest(double value);

}  // namespace ambf_adf
