// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/parse.hpp"
#include "commands.hpp"

namespace
{

namespace fs = std::filesystem;
using ambf_adf::Problem;
using ambf_adf::Problems;
using ambf_adf::Severity;

struct Options
{
  bool strict = false;
  bool quiet = false;
  bool all = false;
  std::vector<fs::path> paths;
};

/// A line of the table.
struct Row
{
  std::string file;
  std::string kind;
  std::size_t bodies = 0;
  std::size_t joints = 0;
  std::string types;
  std::size_t loops = 0;
  double mass = 0.0;
  std::size_t missing = 0;
  std::string others;
  std::size_t warnings = 0;
  std::size_t errors = 0;
};

bool is_yaml(const fs::path & file)
{
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

/// Everything below a folder that is called like a description; links to folders are not followed.
/// False if a folder cannot be read.
bool search(const fs::path & folder, std::vector<fs::path> & found)
{
  bool good = true;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;  // e.g. a link to itself: the parser says what is wrong with it
    if (it->is_directory(unknown)) {
      good = (it->is_symlink(unknown) || search(it->path(), found)) && good;
    } else if (is_yaml(it->path())) {
      found.push_back(it->path());
    }
  }
  if (error) {
    std::cerr << folder.string() << ": error: " << error.message() << "; check the permissions\n";
  }
  return good && !error;
}

/// All files to check, folders searched and sorted; false for a folder without any.
bool collect(const Options & options, std::vector<fs::path> & files)
{
  bool good = true;
  for (const auto & path : options.paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      std::vector<fs::path> found;
      good = search(path, found) && good;
      std::sort(found.begin(), found.end());
      files.insert(files.end(), found.begin(), found.end());
      if (found.empty()) {
        std::cerr << path.string() << ": error: no .yaml or .yml file in this folder\n";
        good = false;
      }
    } else {
      files.push_back(path);  // what is no readable file is reported as such by the parser
    }
  }
  return good;
}

void add_count(std::string & text, std::size_t count, const char * name)
{
  if (count > 0) { text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name; }
}

void describe(const ambf_adf::Model & model, Row & row)
{
  row.bodies = model.bodies.size();
  row.joints = model.joints.size();
  row.loops = ambf_adf::make_lineage(model).loop_joints().size();
  std::map<std::string, std::size_t> types;
  for (const auto & joint : model.joints) { ++types[to_string(joint.type)]; }
  for (const auto & [type, count] : types) { add_count(row.types, count, type.c_str()); }
  for (const auto & body : model.bodies) { row.mass += body.mass; }
  for (const auto & body : model.soft_bodies) { row.mass += body.mass; }
  add_count(row.others, model.soft_bodies.size(), "soft");
  add_count(row.others, model.ghost_objects.size(), "ghosts");
  add_count(row.others, model.sensors.size(), "sensors");
  add_count(row.others, model.actuators.size(), "actuators");
  add_count(row.others, model.vehicles.size(), "vehicles");
  add_count(row.others, model.volumes.size(), "volumes");
  add_count(row.others, model.cameras.size(), "cameras");
  add_count(row.others, model.lights.size(), "lights");
}

template <class Result>
Problems problems_of(const Result & result)
{
  if (!result) { return result.error(); }
  if constexpr (requires { result->warnings; }) { return result->warnings; }
  return {};
}

/// Reads one file as what it is and fills its row.
Problems check_file(const fs::path & file, Row & row)
{
  const auto kind = ambf_adf::file_kind(file);
  if (!kind) {
    row.kind = "-";
    return kind.error();
  }
  switch (*kind) {
    case ambf_adf::FileKind::World: {
      const auto world = ambf_adf::parse_world_file(file);
      row.kind = "world";
      if (world) {
        add_count(row.others, world->cameras.size(), "cameras");
        add_count(row.others, world->lights.size(), "lights");
      }
      return problems_of(world);
    }
    case ambf_adf::FileKind::Launch: {
      const auto launch = ambf_adf::parse_launch_file(file);
      row.kind = "launch";
      if (launch) { add_count(row.others, launch->multibodies.size(), "models"); }
      return problems_of(launch);
    }
    case ambf_adf::FileKind::InputDevices: {
      const auto devices = ambf_adf::parse_input_devices_file(file);
      row.kind = "devices";
      Problems problems = problems_of(devices);
      if (devices) {
        add_count(row.others, devices->devices.size(), "devices");
        for (const auto & one : devices->broken) {
          problems.insert(problems.end(), one.errors.begin(), one.errors.end());
        }
      }
      return problems;
    }
    case ambf_adf::FileKind::Colors: {
      const auto colors = ambf_adf::parse_colors_file(file);
      row.kind = "colors";
      if (colors) { add_count(row.others, colors->size(), "colors"); }
      return problems_of(colors);
    }
    case ambf_adf::FileKind::Model:
    case ambf_adf::FileKind::Unknown:
      break;
  }
  const auto model = ambf_adf::parse_file(file);
  row.kind = "model";
  if (model) { describe(*model, row); }
  return problems_of(model);
}

/// Warnings that differ only in their place, e.g. the same unknown key in every body.
std::string group_of(const Problem & problem)
{
  const auto slash = problem.key.rfind('/');
  const std::string key = slash == std::string::npos ? problem.key : problem.key.substr(slash + 1);
  // Missing files differ by name: each is worth its line.
  const bool single =
    problem.severity == Severity::Error || problem.kind == ambf_adf::ProblemKind::MissingFile;
  return to_string(problem.kind) + ("\n" + key) + (single ? problem.key + problem.found : "");
}

void print(const Problems & problems, const Options & options)
{
  std::map<std::string, std::size_t> counts;
  for (const auto & problem : problems) { ++counts[group_of(problem)]; }
  for (const auto & problem : problems) {
    if (problem.severity == Severity::Warning && options.quiet) { continue; }
    std::size_t & count = counts[group_of(problem)];
    if (options.all || count == 1) {
      std::cout << to_string(problem) << "\n";
    } else if (count > 1) {
      std::cout << to_string(problem) << " [and " << count - 1
                << " more like this; --all shows them]\n";
      count = 0;
    }
  }
}

void print_table(const std::vector<Row> & rows)
{
  std::size_t width = 4;
  for (const auto & row : rows) { width = std::max(width, row.file.size()); }
  const auto line = [&](
                      const auto & file, const auto & kind, const auto & bodies,
                      const auto & joints, const auto & loops, const auto & mass,
                      const auto & missing, const auto & errors, const auto & warnings,
                      const std::string & rest) {
    std::cout << std::left << std::setw(static_cast<int>(width)) << file << "  " << std::setw(7)
              << kind << std::right << std::setw(7) << bodies << std::setw(7) << joints
              << std::setw(6) << loops << std::setw(10) << mass << std::setw(9) << missing
              << std::setw(7) << errors << std::setw(6) << warnings << (rest.empty() ? "" : "  ")
              << rest << "\n";
  };
  std::cout << "\n";
  line(
    "file", "kind", "bodies", "joints", "loops", "mass[kg]", "missing", "errors", "warn",
    "joints by type; others");
  for (const auto & row : rows) {
    std::ostringstream mass;
    mass << std::setprecision(4) << row.mass;
    const std::string rest =
      row.types + (row.types.empty() || row.others.empty() ? "" : "; ") + row.others;
    line(
      row.file, row.kind, row.bodies, row.joints, row.loops, mass.str(), row.missing, row.errors,
      row.warnings, rest);
  }
}

}  // namespace

int run_check(const std::vector<std::string> & arguments)
{
  Options options;
  for (const auto & argument : arguments) {
    if (argument == "--strict") {
      options.strict = true;
    } else if (argument == "--quiet") {
      options.quiet = true;
    } else if (argument == "--all") {
      options.all = true;
    } else if (argument.starts_with("-")) {
      std::cerr << "adf check: unknown option '" << argument << "'; see adf --help\n";
      return exit_usage;
    } else {
      options.paths.emplace_back(argument);
    }
  }
  if (options.paths.empty()) {
    std::cerr << "adf check: name a file or a folder; see adf --help\n";
    return exit_usage;
  }
  std::vector<fs::path> files;
  bool good = collect(options, files);
  std::vector<Row> rows;
  std::size_t errors = 0, warnings = 0, failed = 0;
  for (const auto & file : files) {
    Row row;
    row.file = file.string();
    Problems problems = check_file(file, row);
    std::stable_sort(problems.begin(), problems.end(), [](const Problem & a, const Problem & b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
    for (const auto & problem : problems) {
      ++(problem.severity == Severity::Error ? row.errors : row.warnings);
      row.missing += problem.kind == ambf_adf::ProblemKind::MissingFile ? 1 : 0;
    }
    print(problems, options);
    errors += row.errors;
    warnings += row.warnings;
    failed += row.errors > 0 ? 1 : 0;
    rows.push_back(std::move(row));
  }
  if (!options.quiet) {
    print_table(rows);
    std::cout << "\n"
              << files.size() << " files: " << files.size() - failed << " valid, " << failed
              << " with errors (" << errors << " errors, " << warnings << " warnings)\n";
  }
  good = good && errors == 0 && !(options.strict && warnings > 0);
  return good ? exit_good : exit_errors;
}
