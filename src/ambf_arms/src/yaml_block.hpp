// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "ambf_adf/names.hpp"
#include "ambf_adf/problem.hpp"

namespace ambf_arms
{

using ambf_adf::Mark;
using ambf_adf::Problem;
using ambf_adf::ProblemKind;
using ambf_adf::Problems;
using ambf_adf::Severity;

inline Mark mark_of(const YAML::Node & node)
{
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? Mark{} : Mark{mark.line + 1, mark.column + 1};
}

/// For messages.
inline std::string describe(const YAML::Node & node)
{
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return "'" + node.Scalar().substr(0, 80) + "'";
    case YAML::NodeType::Sequence:
      return "a list of " + std::to_string(node.size());
    case YAML::NodeType::Map:
      return "a map";
    default:
      return "nothing";
  }
}

/// Typed reading of one map; what nobody asks for is an unknown key.
class Block
{
public:
  Block(YAML::Node node, std::string path, std::string file, Problems & problems)
  : node_(std::move(node)), path_(std::move(path)), file_(std::move(file)), problems_(problems)
  {
    if (!node_.IsMap()) {
      error(
        ProblemKind::WrongType, node_, "", describe(node_), "a map", "write `key: value` lines");
    }
  }

  const std::string & file() const { return file_; }
  Problems & problems() const { return problems_; }
  std::string key_path(const std::string & key) const
  {
    return key.empty() ? path_ : path_.empty() ? key : path_ + "/" + key;
  }

  void error(
    ProblemKind kind, const YAML::Node & at, const std::string & key, std::string found,
    std::string expected, std::string hint) const
  {
    problems_.push_back(
      {Severity::Error, kind, file_, mark_of(at), key_path(key), std::move(found),
       std::move(expected), std::move(hint)});
  }

  /// Null if absent or empty.
  std::optional<YAML::Node> get(const std::string & key)
  {
    known_.insert(key);
    if (!node_.IsMap()) { return std::nullopt; }
    for (const auto & entry : node_) {
      if (entry.first.IsScalar() && entry.first.Scalar() == key && !entry.second.IsNull()) {
        return entry.second;
      }
    }
    return std::nullopt;
  }

  std::string text(const std::string & key, const std::string & hint = {}, bool required = false)
  {
    const auto node = get(key);
    if (!node) {
      if (required && node_.IsMap()) {
        error(ProblemKind::MissingKey, node_, key, "no such key", "a name", hint);
      }
      return {};
    }
    if (!node->IsScalar()) {
      error(ProblemKind::WrongType, *node, key, describe(*node), "a word", hint);
      return {};
    }
    return node->Scalar();
  }

  std::optional<double> number_of(const YAML::Node & node, const std::string & key) const
  {
    double value = 0.0;
    if (node.IsScalar()) {
      const std::string & text = node.Scalar();
      const char * const end = text.data() + text.size();
      const char * const begin = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0);
      const auto [rest, code] = std::from_chars(begin, end, value);
      if (code == std::errc{} && rest == end && std::isfinite(value)) { return value; }
    }
    error(
      ProblemKind::WrongType, node, key, describe(node), "a finite number",
      "lengths are in metres and angles in radians");
    return std::nullopt;
  }

  std::optional<double> number(const std::string & key)
  {
    const auto node = get(key);
    return node ? number_of(*node, key) : std::nullopt;
  }

  std::optional<double> positive(const std::string & key)
  {
    const auto value = number(key);
    if (value && *value <= 0.0) {
      error(
        ProblemKind::BadValue, *get(key), key, std::to_string(*value), "a number above 0",
        "leave the key out for the default");
      return std::nullopt;
    }
    return value;
  }

  /// Numbers of a list.
  std::vector<double> numbers(const std::string & key)
  {
    std::vector<double> out;
    const auto node = get(key);
    if (node && !node->IsSequence()) {
      error(ProblemKind::WrongType, *node, key, describe(*node), "a list of numbers", "[0, 0.1]");
    } else if (node) {
      for (const auto & item : *node) { out.push_back(number_of(item, key).value_or(0.0)); }
    }
    return out;
  }

  std::vector<std::string> words(const std::string & key)
  {
    std::vector<std::string> out;
    const auto node = get(key);
    if (node && !node->IsSequence()) {
      error(
        ProblemKind::WrongType, *node, key, describe(*node), "a list of names",
        "put the names into [ ]");
    } else if (node) {
      for (const auto & item : *node) {
        if (item.IsScalar()) {
          out.push_back(item.Scalar());
        } else {
          error(ProblemKind::WrongType, item, key, describe(item), "a name", "");
        }
      }
    }
    return out;
  }

  /// One of some words, whatever the case of the letters.
  template <class Choice>
  Choice choice(
    const std::string & key, const std::vector<std::pair<std::string, Choice>> & words,
    Choice fallback)
  {
    const std::string text = this->text(key);
    if (text.empty()) { return fallback; }
    const auto lower = [](std::string word) {
      std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
      });
      return word;
    };
    std::string list;
    for (const auto & [word, value] : words) {
      if (lower(word) == lower(text)) { return value; }
      list += (list.empty() ? "" : ", ") + word;
    }
    error(ProblemKind::UnknownEnum, *get(key), key, "'" + text + "'", "one of " + list, "");
    return fallback;
  }

  void finish() const
  {
    if (!node_.IsMap()) { return; }
    std::set<std::string> seen;
    for (const auto & entry : node_) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : describe(entry.first);
      if (!seen.insert(key).second) {
        problems_.push_back(
          {Severity::Error, ProblemKind::DuplicateKey, file_, mark_of(entry.first), key_path(key),
           "the key twice", "each key once", "take one of them out"});
      } else if (!known_.contains(key)) {
        const auto near = std::min_element(
          known_.begin(), known_.end(), [&](const std::string & a, const std::string & b) {
            return ambf_adf::edit_distance(a, key) < ambf_adf::edit_distance(b, key);
          });
        problems_.push_back(
          {Severity::Error, ProblemKind::UnknownKey, file_, mark_of(entry.first), key_path(key),
           "a key that means nothing here", "",
           near == known_.end() ? "" : "did you mean '" + *near + "'?"});
      }
    }
  }

private:
  YAML::Node node_;
  std::string path_;
  std::string file_;
  Problems & problems_;
  std::set<std::string> known_;
};

}  // namespace ambf_arms
