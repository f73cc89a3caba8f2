// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tinyxml2.h>
#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/problem.hpp"

namespace ambf_convert
{

using tinyxml2::XMLElement;

/// An XML file with the problems that were found in it. Values of attributes are read with messages that say
/// where they stand; a wrong value is an error and the fallback is returned, so that one pass finds all.
class XmlSource
{
public:
  /// Refuses what is too large, no XML, or declares entities.
  static ambf_adf::expected<std::unique_ptr<XmlSource>, ambf_adf::Errors> load(
    const std::filesystem::path & file);
  static ambf_adf::expected<std::unique_ptr<XmlSource>, ambf_adf::Errors> parse(
    std::string text, const std::string & name);

  const XMLElement * root() const { return document_.RootElement(); }
  const std::string & text() const { return text_; }
  const std::string & file() const { return file_; }
  ambf_adf::Problems & problems() { return problems_; }
  bool failed() const { return ambf_adf::has_errors(problems_); }

  /// Where an element begins, or one of its attributes.
  ambf_adf::Mark mark(const XMLElement & element, const char * attribute = nullptr) const;

  void error(
    const XMLElement & element, ambf_adf::ProblemKind kind, const std::string & found,
    const std::string & expected, const std::string & hint = {}, const char * attribute = nullptr);
  void warn(
    const XMLElement & element, ambf_adf::ProblemKind kind, const std::string & found,
    const std::string & expected, const std::string & hint = {}, const char * attribute = nullptr);
  /// Understood, and ADF has no place for it.
  void lost(const XMLElement & element, const std::string & what, const std::string & hint = {});

  std::string word(const XMLElement & element, const char * attribute, const char * fallback = "");
  std::string required_word(const XMLElement & element, const char * attribute);
  double number(const XMLElement & element, const char * attribute, double fallback);
  std::optional<double> number(const XMLElement & element, const char * attribute);
  Eigen::Vector3d vector(
    const XMLElement & element, const char * attribute,
    const Eigen::Vector3d & fallback = Eigen::Vector3d::Zero());
  /// Any count of numbers; absent: the attribute is.
  std::optional<std::vector<double>> numbers(const XMLElement & element, const char * attribute);
  bool flag(const XMLElement & element, const char * attribute, bool fallback);

  /// Warns about children whose names are not listed.
  void expect_children(const XMLElement & element, std::initializer_list<std::string_view> known);

  /// Puts the children of the files that <include file="..."/> names in its place (MJCF). Each file once.
  void expand_includes(const std::filesystem::path & folder);

private:
  void expand_includes(
    XMLElement & element, const std::filesystem::path & folder, std::set<std::string> & seen);
  explicit XmlSource(std::string name) : file_(std::move(name)) {}
  void add(
    ambf_adf::Severity severity, const XMLElement & element, ambf_adf::ProblemKind kind,
    const std::string & found, const std::string & expected, const std::string & hint,
    const char * attribute);
  ambf_adf::Mark find_in_line(int line, const std::string & word) const;

  std::string file_;
  std::string text_;
  std::vector<std::size_t> lines_;  ///< where each line begins
  tinyxml2::XMLDocument document_;
  ambf_adf::Problems problems_;
  std::set<std::string> included_;  ///< names that elements of other files point at
};

/// Children with a name, in order.
std::vector<const XMLElement *> children(const XMLElement & element, const char * name);

/// Numbers of a text, separated by blanks; absent: something else is in it.
std::optional<std::vector<double>> parse_numbers(std::string_view text);

/// "robot/link 'base'/inertial".
std::string path_of(const XMLElement & element);

/// With as few digits as give the same double back.
std::string text_of(double value);
std::string text_of(const Eigen::Vector3d & value);

}  // namespace ambf_convert
