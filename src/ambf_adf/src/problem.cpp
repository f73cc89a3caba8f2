// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/problem.hpp"

#include <algorithm>
#include <string_view>

namespace ambf_adf
{

const char * to_string(ProblemKind kind)
{
  switch (kind) {
    case ProblemKind::Io:
      return "unreadable file";
    case ProblemKind::Syntax:
      return "invalid YAML";
    case ProblemKind::TooComplex:
      return "too complex";
    case ProblemKind::DuplicateKey:
      return "duplicate key";
    case ProblemKind::UnknownKey:
      return "unknown key";
    case ProblemKind::IneffectiveKey:
      return "key without effect";
    case ProblemKind::MissingKey:
      return "missing key";
    case ProblemKind::MissingBlock:
      return "missing block";
    case ProblemKind::UnlistedBlock:
      return "unlisted block";
    case ProblemKind::WrongType:
      return "wrong type";
    case ProblemKind::BadValue:
      return "bad value";
    case ProblemKind::UnknownEnum:
      return "unknown word";
    case ProblemKind::UnresolvedReference:
      return "unresolved reference";
    case ProblemKind::AmbiguousReference:
      return "ambiguous reference";
    case ProblemKind::DuplicateName:
      return "duplicate name";
    case ProblemKind::MissingFile:
      return "missing file";
    case ProblemKind::Version:
      return "version";
    case ProblemKind::WrongKind:
      return "file of another kind";
    case ProblemKind::Unsupported:
      return "not supported";
    case ProblemKind::UnusedKey:
      return "key that is not used";
  }
  return "problem";
}

namespace
{

/// What a file holds must not move the cursor or start a new line of the report.
std::string printable(std::string_view text)
{
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      constexpr char digits[] = "0123456789ABCDEF";
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string to_string(const Problem & problem)
{
  std::string text = problem.file.empty() ? std::string("<text>") : problem.file;
  if (problem.where.line > 0) {
    text += ":" + std::to_string(problem.where.line) + ":" + std::to_string(problem.where.column);
  }
  text += problem.severity == Severity::Error ? ": error: " : ": warning: ";
  text += to_string(problem.kind);
  if (!problem.key.empty()) { text += ": '" + problem.key + "'"; }
  if (!problem.found.empty()) { text += ": found " + problem.found; }
  if (!problem.expected.empty()) { text += ", expected " + problem.expected; }
  if (!problem.hint.empty()) { text += " (" + problem.hint + ")"; }
  return printable(text);
}

std::string to_string(const Problems & problems)
{
  std::string text;
  for (const auto & problem : problems) { text += to_string(problem) + "\n"; }
  return text;
}

bool has_errors(const Problems & problems)
{
  return std::any_of(problems.begin(), problems.end(), [](const Problem & p) {
    return p.severity == Severity::Error;
  });
}

}  // namespace ambf_adf
