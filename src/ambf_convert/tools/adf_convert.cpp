// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "ambf_convert/convert.hpp"

namespace
{

using ambf_convert::Format;

constexpr int exit_good = 0;
constexpr int exit_errors = 1;
constexpr int exit_usage = 2;

const char * const usage =
  R"(adf convert: descriptions of robots and scenes from one format into another

  adf convert [--from FORMAT] [--to FORMAT] [--report] [--quiet] [--fixed-base] IN OUT
      Formats: adf (.yaml), urdf, xacro (read only), sdf (.sdf, .world), mjcf (.xml). Without --from and
      --to the endings of the names say which; an .xml file that is there is looked into.
      --report      a table of what OUT cannot say or IN did not mean, by name of the object
      --quiet       errors only
      --fixed-base  root links of IN stand still
      OUT is written under another name and renamed: it is there as a whole or not at all. Loops of a URDF
      file go to a side file, OUT's stem and .beside.yaml, which is found again beside it.

  adf convert --help

Exit code: 0 no errors, 1 errors, 2 wrong usage.
)";

struct Arguments
{
  std::optional<Format> from, to;
  bool report = false;
  bool quiet = false;
  bool fixed_base = false;
  std::vector<std::string> files;
};

int wrong(const std::string & what)
{
  std::cerr << "adf convert: " << what << "; see adf convert --help\n";
  return exit_usage;
}

/// What is wrong with them; "" for nothing.
std::string parse(const std::vector<std::string> & words, Arguments & arguments)
{
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string & word = words[i];
    if (word == "--from" || word == "--to") {
      if (++i == words.size()) { return "no format after '" + word + "'"; }
      const auto format = ambf_convert::format_named(words[i]);
      if (!format) { return "no format '" + words[i] + "'"; }
      (word == "--from" ? arguments.from : arguments.to) = format;
    } else if (word == "--report") {
      arguments.report = true;
    } else if (word == "--quiet") {
      arguments.quiet = true;
    } else if (word == "--fixed-base") {
      arguments.fixed_base = true;
    } else if (word.starts_with("-")) {
      return "unknown option '" + word + "'";
    } else {
      arguments.files.push_back(word);
    }
  }
  return arguments.files.size() == 2 ? "" : "name one file to read and one to write";
}

/// Equal ones once, with their number.
void print_report(const ambf_convert::Problems & problems)
{
  std::size_t wide = 6, wider = 4;
  ambf_convert::Problems losses;
  for (const auto & problem : problems) {
    if (!ambf_convert::is_loss(problem)) { continue; }
    losses.push_back(problem);
    wide = std::max(wide, problem.key.size());
    wider = std::max(wider, problem.found.size());
  }
  if (losses.empty()) {
    std::cout << "nothing is lost\n";
    return;
  }
  const auto line = [&](std::string object, std::string what, const std::string & instead) {
    object.resize(wide, ' ');
    what.resize(wider, ' ');
    std::cout << object << "  " << what << "  " << instead << "\n";
  };
  line("object", "lost", "instead");
  for (const auto & problem : losses) { line(problem.key, problem.found, problem.hint); }
  std::cout << losses.size() << " losses\n";
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const auto & word : words) {
    if (word == "--help" || word == "-h") {
      std::cout << usage;
      return exit_good;
    }
  }
  Arguments arguments;
  if (const std::string what = parse(words, arguments); !what.empty()) { return wrong(what); }
  const std::filesystem::path in(arguments.files[0]), out(arguments.files[1]);
  const auto from = arguments.from ? arguments.from : ambf_convert::format_of(in);
  const auto to = arguments.to ? arguments.to : ambf_convert::format_of(out);
  if (!from) { return wrong("unknown ending of '" + in.string() + "', give --from"); }
  if (!to) { return wrong("unknown ending of '" + out.string() + "', give --to"); }
  if (*to == Format::Xacro) { return wrong("xacro is read only"); }
  std::error_code error;
  if (std::filesystem::equivalent(in, out, error)) { return wrong("both files are the same"); }

  ambf_convert::ReadOptions options;
  options.fixed_base = arguments.fixed_base;
  options.check_meshes = true;
  const auto model = ambf_convert::read_file(in, *from, options);
  if (!model) {
    std::cerr << to_string(model.error());
    return exit_errors;
  }
  const auto lost = ambf_convert::write_file(*model, out, *to);
  if (!lost) {
    std::cerr << to_string(lost.error());
    return exit_errors;
  }
  ambf_convert::Problems problems = model->warnings;
  problems.insert(problems.end(), lost->begin(), lost->end());
  if (arguments.report) {
    std::erase_if(problems, [](const auto & problem) { return ambf_convert::is_loss(problem); });
    if (!arguments.quiet) { std::cerr << to_string(problems); }
    ambf_convert::Problems all = model->warnings;
    all.insert(all.end(), lost->begin(), lost->end());
    print_report(all);
  } else if (!arguments.quiet) {
    std::cerr << to_string(problems);
  }
  return exit_good;
}
