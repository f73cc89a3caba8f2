// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include "commands.hpp"

namespace
{

const char * const usage = R"(adf: a tool for AMBF description files (ADF)

  adf check [--strict] [--quiet] [--all] FILE|FOLDER...
      Reads files (folders are searched for .yaml and .yml), prints errors and warnings with
      file:line:column, and a table: bodies, joints by type, loops, mass, missing meshes.
      --strict   warnings count as errors
      --quiet    no warnings, no table: errors only
      --all      every warning; otherwise equal ones of a file are counted together

  adf graph FILE [-o OUT.dot|OUT.svg]
      The joint graph: bodies, joints with their types, joints that close loops in red. DOT on the
      standard output without -o; SVG needs the program 'dot' of Graphviz.

  adf keys [--markdown] [BLOCK]
      Every key of the format by sort of file and block: type, unit, default, meaning. BLOCK shows
      one of them, e.g. 'adf keys joint'. --markdown prints the page docs/adf_reference.md.

  adf convert IN OUT
      From URDF, xacro, SDF and MJCF into ADF and back: the program adf-convert of ambf_convert. Other
      programs whose names begin with adf- are found in the same way, beside this one or in the PATH.

  adf --help

Exit code: 0 no errors, 1 errors, 2 wrong usage.
)";

/// Becomes the program of this name beside this one or in the PATH; comes back if there is none.
void run_other(const std::string & name, char ** arguments)
{
  // A word with a slash would be a path.
  if (name.find('/') != std::string::npos) { return; }
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto & place : {folder, folder.parent_path().parent_path() / "bin"}) {
    execv((place / name).c_str(), arguments);
  }
  execvp(name.c_str(), arguments);
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::cerr << usage;
    return exit_usage;
  }
  const std::string & command = arguments.front();
  if (command == "--help" || command == "-h" || command == "help") {
    std::cout << usage;
    return exit_good;
  }
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  const bool own = command == "check" || command == "graph" || command == "keys";
  for (const auto & argument : rest) {
    if (own && (argument == "--help" || argument == "-h")) {
      std::cout << usage;
      return exit_good;
    }
  }
  if (command == "check") { return run_check(rest); }
  if (command == "graph") { return run_graph(rest); }
  if (command == "keys") { return run_keys(rest); }
  // Packages that know more bring programs of their own: `adf convert` is adf-convert.
  run_other("adf-" + command, argv + 1);
  std::cerr << "adf: unknown command '" << command << "'; see adf --help\n";
  return exit_usage;
}
