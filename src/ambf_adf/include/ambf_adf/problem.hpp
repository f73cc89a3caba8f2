// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace ambf_adf
{

/// Place of a value in its file; lines and columns count from 1, 0 means "not from a file". A place
/// is no part of a value: two marks always compare equal, so that models compare by content.
struct Mark
{
  int line = 0;
  int column = 0;
  friend bool operator==(const Mark &, const Mark &) { return true; }
};

enum class Severity
{
  Warning,
  Error
};

/// What is wrong; stable names for tests and tools, the text for people is in the other fields.
enum class ProblemKind
{
  Io,                   ///< file missing or unreadable
  Syntax,               ///< not valid YAML
  TooComplex,           ///< nesting or alias expansion beyond the limits of the parser
  DuplicateKey,         ///< key given twice in one map; the first one counts
  UnknownKey,           ///< key that means nothing here
  IneffectiveKey,       ///< key that AMBF reads without effect, or that old versions knew
  MissingKey,           ///< key that must be given
  MissingBlock,         ///< name in a header list without a block of that name
  UnlistedBlock,        ///< reference to a block that exists but is not in a header list
  WrongType,            ///< number, boolean, list or map expected, something else found
  BadValue,             ///< right type, impossible value
  UnknownEnum,          ///< word that is not in the list of choices
  UnresolvedReference,  ///< parent, child, chassis ... names nothing that is known
  AmbiguousReference,   ///< a partial name that fits several objects
  DuplicateName,        ///< same object listed twice or two objects with one qualified name
  MissingFile,          ///< mesh, image, shader or ADF file that is not there
  Version,              ///< `adf version` that is not 1.0
  WrongKind,            ///< a launch file where a model is wanted, a world file as launch file ...
  Unsupported,          ///< something that AMBF has and this simulator has not
  UnusedKey,            ///< key that AMBF acts on and this simulator does not
};

/// One error or warning: what, where, and what to do about it.
struct Problem
{
  Severity severity = Severity::Error;
  ProblemKind kind = ProblemKind::BadValue;
  std::string file;
  Mark where;
  std::string key;       ///< path of the key, e.g. "BODY base/inertia/ix"; empty for a whole file
  std::string found;     ///< what the file says
  std::string expected;  ///< what would be right
  std::string hint;      ///< what to do, e.g. the nearest known key
};

using Problems = std::vector<Problem>;
/// Problems of which at least one is an error.
using Errors = Problems;

/// "file:line:column: error: key 'x': found ..., expected ... (hint)"
std::string to_string(const Problem & problem);
/// One line per problem.
std::string to_string(const Problems & problems);
/// Short name of a kind, e.g. "unknown key".
const char * to_string(ProblemKind kind);

bool has_errors(const Problems & problems);

}  // namespace ambf_adf
