// SPDX-License-Identifier: BSD-3-Clause
#include "xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "ambf_adf/names.hpp"

namespace ambf_convert
{
namespace
{

namespace fs = std::filesystem;
using ambf_adf::Errors;
using ambf_adf::Mark;
using ambf_adf::Problem;
using ambf_adf::ProblemKind;
using ambf_adf::Severity;
using ambf_adf::unexpected;

constexpr std::uintmax_t largest_file = 64u << 20;

Problem whole_file(
  const std::string & file, ProblemKind kind, std::string found, std::string expected,
  std::string hint, Mark where = {})
{
  return {Severity::Error,     kind,           file, where, "", std::move(found),
          std::move(expected), std::move(hint)};
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::optional<std::vector<double>> parse_numbers(std::string_view text)
{
  std::vector<double> values;
  const char * at = text.data();
  const char * const end = at + text.size();
  while (true) {
    while (at != end && blank(*at)) { ++at; }
    if (at == end) { return values; }
    if (*at == '+') { ++at; }
    double value = 0.0;
    const auto [behind, status] = std::from_chars(at, end, value);
    if (status != std::errc{} || (behind != end && !blank(*behind)) || !std::isfinite(value)) {
      return std::nullopt;
    }
    values.push_back(value);
    at = behind;
  }
}

std::string text_of(double value)
{
  char buffer[32];
  const auto [end, status] =
    std::to_chars(buffer, buffer + sizeof(buffer), value == 0.0 ? 0.0 : value);
  return {buffer, end};
}

std::string text_of(const Eigen::Vector3d & value)
{
  return text_of(value.x()) + " " + text_of(value.y()) + " " + text_of(value.z());
}

std::string path_of(const XMLElement & element)
{
  std::string path;
  for (const auto * at = &element; at != nullptr; at = at->Parent()->ToElement()) {
    std::string own = at->Name();
    if (const char * name = at->Attribute("name")) { own += " '" + std::string(name) + "'"; }
    path = path.empty() ? own : own + "/" + path;
    if (at->Parent() == nullptr) { break; }
  }
  return path;
}

std::vector<const XMLElement *> children(const XMLElement & element, const char * name)
{
  std::vector<const XMLElement *> found;
  for (auto * child = element.FirstChildElement(name); child != nullptr;
       child = child->NextSiblingElement(name)) {
    found.push_back(child);
  }
  return found;
}

ambf_adf::expected<std::unique_ptr<XmlSource>, Errors> XmlSource::load(const fs::path & file)
{
  const auto fail = [&](const char * found, const char * hint) {
    return unexpected(
      Errors{whole_file(file.string(), ProblemKind::Io, found, "a readable file", hint)});
  };
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) { return fail("no such file", "check the path"); }
  if (!fs::is_regular_file(status)) { return fail("something that is no file", "name a file"); }
  if (fs::file_size(file, error) > largest_file) {
    return fail("a file of more than 64 MiB", "a description holds no mesh data");
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) { return fail("an unreadable file", "check the permissions"); }
  return parse(text.str(), file.string());
}

ambf_adf::expected<std::unique_ptr<XmlSource>, Errors> XmlSource::parse(
  std::string text, const std::string & name)
{
  std::unique_ptr<XmlSource> source(new XmlSource(name));
  source->text_ = std::move(text);
  source->lines_ = {0};
  for (std::size_t i = 0; i < source->text_.size(); ++i) {
    if (source->text_[i] == '\n') { source->lines_.push_back(i + 1); }
  }
  for (const char * declaration : {"<!DOCTYPE", "<!ENTITY"}) {
    const auto at = source->text_.find(declaration);
    if (at == std::string::npos) { continue; }
    const auto line = std::upper_bound(source->lines_.begin(), source->lines_.end(), at) - 1;
    return unexpected(Errors{whole_file(
      name, ProblemKind::TooComplex, declaration, "a description without declarations of its own",
      "entities are not expanded; write the values out",
      Mark{
        static_cast<int>(line - source->lines_.begin()) + 1, static_cast<int>(at - *line) + 1})});
  }
  if (
    source->document_.Parse(source->text_.data(), source->text_.size()) != tinyxml2::XML_SUCCESS) {
    const bool deep = source->document_.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED;
    return unexpected(Errors{whole_file(
      name, deep ? ProblemKind::TooComplex : ProblemKind::Syntax,
      deep ? "elements inside each other more than 500 deep"
           : std::string("no valid XML: ") + source->document_.ErrorName(),
      "well-formed XML", "a tag that is not closed is found at its end",
      Mark{source->document_.ErrorLineNum(), 1})});
  }
  if (source->root() == nullptr) {
    return unexpected(
      Errors{whole_file(name, ProblemKind::Syntax, "no element", "a description", "", Mark{1, 1})});
  }
  return source;
}

Mark XmlSource::find_in_line(int line, const std::string & word) const
{
  if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) { return {std::max(line, 0), 1}; }
  const std::size_t begin = lines_[static_cast<std::size_t>(line) - 1];
  const std::size_t end = static_cast<std::size_t>(line) < lines_.size()
                            ? lines_[static_cast<std::size_t>(line)]
                            : text_.size();
  const auto at = text_.find(word, begin);
  return {line, at == std::string::npos || at >= end ? 1 : static_cast<int>(at - begin) + 1};
}

Mark XmlSource::mark(const XMLElement & element, const char * attribute) const
{
  if (attribute != nullptr) {
    if (const auto * found = element.FindAttribute(attribute)) {
      return find_in_line(found->GetLineNum(), std::string(attribute) + "=");
    }
  }
  return find_in_line(element.GetLineNum(), std::string("<") + element.Name());
}

void XmlSource::add(
  Severity severity, const XMLElement & element, ProblemKind kind, const std::string & found,
  const std::string & expected, const std::string & hint, const char * attribute)
{
  // Elements of an included file carry its name.
  std::string file = file_;
  for (const tinyxml2::XMLNode * at = &element; at != nullptr; at = at->Parent()) {
    if (at->GetUserData() == nullptr) { continue; }
    file = *static_cast<const std::string *>(at->GetUserData());
    break;
  }
  const std::string key =
    path_of(element) + (attribute == nullptr ? "" : std::string("/") + attribute);
  problems_.push_back({severity, kind, file, mark(element, attribute), key, found, expected, hint});
}

void XmlSource::expand_includes(const fs::path & folder)
{
  std::set<std::string> seen;
  expand_includes(*document_.RootElement(), folder, seen);
}

void XmlSource::expand_includes(
  XMLElement & element, const fs::path & folder, std::set<std::string> & seen)
{
  for (auto * child = element.FirstChildElement(); child != nullptr;) {
    auto * const next = child->NextSiblingElement();
    if (std::string_view(child->Name()) != "include") {
      expand_includes(*child, folder, seen);
      child = next;
      continue;
    }
    const fs::path path = (folder / required_word(*child, "file")).lexically_normal();
    if (!seen.insert(path.string()).second) {
      error(
        *child, ambf_adf::ProblemKind::BadValue, "'" + path.string() + "' a second time",
        "a file that is included once", "a file that includes itself has no end");
      child = next;
      continue;
    }
    auto other = load(path);
    if (!other) {
      problems_.insert(problems_.end(), other.error().begin(), other.error().end());
      child = next;
      continue;
    }
    const auto name = included_.insert(path.string()).first;
    tinyxml2::XMLNode * behind = child;
    for (auto * node = (*other)->root()->FirstChild(); node != nullptr;
         node = node->NextSibling()) {
      auto * copy = node->DeepClone(&document_);
      copy->SetUserData(const_cast<std::string *>(&*name));
      behind = element.InsertAfterChild(behind, copy);
    }
    // What came in may include further files.
    auto * const first = child->NextSiblingElement();
    element.DeleteChild(child);
    child = first;
  }
}

void XmlSource::error(
  const XMLElement & element, ProblemKind kind, const std::string & found,
  const std::string & expected, const std::string & hint, const char * attribute)
{
  add(Severity::Error, element, kind, found, expected, hint, attribute);
}

void XmlSource::warn(
  const XMLElement & element, ProblemKind kind, const std::string & found,
  const std::string & expected, const std::string & hint, const char * attribute)
{
  add(Severity::Warning, element, kind, found, expected, hint, attribute);
}

void XmlSource::lost(const XMLElement & element, const std::string & what, const std::string & hint)
{
  add(
    Severity::Warning, element, ProblemKind::Unsupported, what, "something that ADF can say", hint,
    nullptr);
}

std::string XmlSource::word(
  const XMLElement & element, const char * attribute, const char * fallback)
{
  const char * value = element.Attribute(attribute);
  return value == nullptr ? fallback : value;
}

std::string XmlSource::required_word(const XMLElement & element, const char * attribute)
{
  const std::string value = word(element, attribute);
  if (value.empty()) {
    error(
      element, ProblemKind::MissingKey, "nothing for '" + std::string(attribute) + "'", "a name");
  }
  return value;
}

std::optional<std::vector<double>> XmlSource::numbers(
  const XMLElement & element, const char * attribute)
{
  const char * value = element.Attribute(attribute);
  if (value == nullptr) { return std::nullopt; }
  auto parsed = parse_numbers(value);
  if (!parsed) {
    error(
      element, ProblemKind::WrongType, "'" + std::string(value) + "'", "finite numbers",
      std::string_view(value).find('$') != std::string_view::npos
        ? "this is xacro: name the file .xacro, or expand it"
        : "a point as decimal sign, no units, blanks between numbers",
      attribute);
    return std::nullopt;
  }
  return parsed;
}

std::optional<double> XmlSource::number(const XMLElement & element, const char * attribute)
{
  const auto values = numbers(element, attribute);
  if (!values) { return std::nullopt; }
  if (values->size() == 1) { return values->front(); }
  error(
    element, ProblemKind::WrongType, std::to_string(values->size()) + " numbers", "one number", "",
    attribute);
  return std::nullopt;
}

double XmlSource::number(const XMLElement & element, const char * attribute, double fallback)
{
  return number(element, attribute).value_or(fallback);
}

Eigen::Vector3d XmlSource::vector(
  const XMLElement & element, const char * attribute, const Eigen::Vector3d & fallback)
{
  const auto values = numbers(element, attribute);
  if (!values) { return fallback; }
  if (values->size() == 3) { return {(*values)[0], (*values)[1], (*values)[2]}; }
  error(
    element, ProblemKind::WrongType, std::to_string(values->size()) + " numbers", "three numbers",
    "", attribute);
  return fallback;
}

bool XmlSource::flag(const XMLElement & element, const char * attribute, bool fallback)
{
  const std::string value = word(element, attribute);
  if (value.empty()) { return fallback; }
  if (value == "true" || value == "1") { return true; }
  if (value == "false" || value == "0") { return false; }
  error(element, ProblemKind::WrongType, "'" + value + "'", "true or false", "", attribute);
  return fallback;
}

void XmlSource::expect_children(
  const XMLElement & element, std::initializer_list<std::string_view> known)
{
  for (auto * child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string_view name = child->Name();
    if (std::find(known.begin(), known.end(), name) != known.end()) { continue; }
    std::string hint = "it is left out";
    for (const auto & word : known) {
      if (ambf_adf::edit_distance(name, word) <= std::max<std::size_t>(1, word.size() / 4)) {
        hint = "did you mean '" + std::string(word) + "'? " + hint;
        break;
      }
    }
    warn(*child, ProblemKind::UnknownKey, "an unknown element", "an element of the format", hint);
  }
}

}  // namespace ambf_convert
