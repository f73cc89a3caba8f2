// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/allowed_file.hpp"

#include <array>
#include <fstream>
#include <sstream>

#include <yaml-cpp/yaml.h>

namespace ambf_planning
{
namespace
{

using ambf_adf::Errors;
using ambf_adf::Problem;
using ambf_adf::ProblemKind;
using ambf_dynamics::AllowedBecause;
using ambf_dynamics::AllowedCollisions;

constexpr const char * key = "allowed collisions";
constexpr std::array reasons{
  AllowedBecause::Adjacent, AllowedBecause::Always, AllowedBecause::Never, AllowedBecause::Default,
  AllowedBecause::Given};

Problem problem(
  const std::string & file, const YAML::Mark & at, const std::string & found,
  const std::string & expected, const std::string & hint = "")
{
  Problem out;
  out.file = file;
  if (at.line >= 0) { out.where = {at.line + 1, at.column + 1}; }
  out.key = key;
  out.found = found;
  out.expected = expected;
  out.hint = hint;
  return out;
}

}  // namespace

ambf_adf::expected<AllowedCollisions, Errors> parse_allowed(
  std::string_view text, const std::string & name)
{
  YAML::Node root;
  try {
    root = YAML::Load(std::string(text));
  } catch (const YAML::Exception & error) {
    Problem syntax = problem(name, error.mark, error.msg, "YAML");
    syntax.kind = ProblemKind::Syntax;
    return tl::unexpected(Errors{syntax});
  }
  if (!root.IsMap() || !root[key] || !root[key].IsSequence()) {
    return tl::unexpected(Errors{problem(
      name, root.Mark(), "no such list", "a list of pairs of bodies",
      "write `allowed collisions:` and below it lines such as `- [body a, body b]`")});
  }
  AllowedCollisions out;
  Errors errors;
  for (const YAML::Node & entry : root[key]) {
    const bool good = entry.IsSequence() && (entry.size() == 2 || entry.size() == 3) &&
                      entry[0].IsScalar() && entry[1].IsScalar() &&
                      (entry.size() == 2 || entry[2].IsScalar());
    if (!good || entry[0].Scalar().empty() || entry[1].Scalar().empty()) {
      errors.push_back(problem(
        name, entry.Mark(), "an entry of another form", "[body, body] or [body, body, reason]",
        "names are those of the scene, e.g. /ambf/env/psm/BODY tool yaw link"));
      continue;
    }
    AllowedBecause why = AllowedBecause::Given;
    if (entry.size() == 3) {
      bool known = false;
      for (const AllowedBecause reason : reasons) {
        if (entry[2].Scalar() == to_string(reason)) {
          why = reason;
          known = true;
        }
      }
      if (!known) {
        errors.push_back(problem(
          name, entry[2].Mark(), "'" + entry[2].Scalar() + "'",
          "adjacent, always, never, default or given"));
      }
    }
    out.allow(entry[0].Scalar(), entry[1].Scalar(), why);
  }
  if (!errors.empty()) { return tl::unexpected(errors); }
  return out;
}

ambf_adf::expected<AllowedCollisions, Errors> read_allowed(const std::filesystem::path & file)
{
  std::ifstream in(file);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) {
    Problem missing =
      problem(file.string(), {}, "no file that can be read", "a file with a matrix");
    missing.kind = ProblemKind::Io;
    missing.where = {};
    return tl::unexpected(Errors{missing});
  }
  return parse_allowed(text.str(), file.string());
}

std::string write_allowed(const AllowedCollisions & allowed)
{
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << key << YAML::Value << YAML::BeginSeq;
  for (const auto & [pair, why] : allowed.pairs()) {
    out << YAML::Flow << YAML::BeginSeq << pair.first << pair.second << to_string(why)
        << YAML::EndSeq;
  }
  out << YAML::EndSeq << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace ambf_planning
