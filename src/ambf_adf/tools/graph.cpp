// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/parse.hpp"
#include "commands.hpp"

namespace
{

namespace fs = std::filesystem;
using ambf_adf::Lineage;

std::string quoted(const std::string & text)
{
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') { result.push_back('\\'); }
    result.push_back(c == '\n' ? ' ' : c);
  }
  return result + "\"";
}

std::string to_dot(const ambf_adf::Model & model)
{
  const Lineage lineage = ambf_adf::make_lineage(model);
  const auto loops = lineage.loop_joints();
  const std::set<Lineage::Index> loop_set(loops.begin(), loops.end());
  std::ostringstream dot;
  dot << "digraph " << quoted(model.name) << " {\n"
      << "  label="
      << quoted(
           model.name + ": " + std::to_string(model.bodies.size()) + " bodies, " +
           std::to_string(model.joints.size()) + " joints, " + std::to_string(loops.size()) +
           " loops")
      << ";\n"
      << "  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", "
         "fontsize=10];\n";
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const auto & body = model.bodies[i];
    std::ostringstream label;
    label << body.header.identifier << "\\n"
          << (body.mass > 0.0 ? "" : "static, ") << body.mass << " kg";
    std::string text = quoted(body.header.identifier);
    text = "\"" + text.substr(1, text.size() - 2) +
           label.str().substr(body.header.identifier.size()) + "\"";
    dot << "  b" << i << " [label=" << text
        << (body.mass > 0.0 ? "" : ", style=filled, fillcolor=lightgrey")
        << (body.header.passive ? ", fontcolor=grey40" : "") << "];\n";
  }
  std::map<std::string, std::string>
    nodes;  // by identifier; bodies of other files come as they are met
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    nodes[model.bodies[i].header.identifier] = "b" + std::to_string(i);
  }
  const auto node_of = [&](const std::string & identifier) {
    const auto [at, stranger] = nodes.try_emplace(identifier, "x" + std::to_string(nodes.size()));
    if (stranger) {
      dot << "  " << at->second << " [label=" << quoted(identifier) << ", style=dotted];\n";
    }
    return at->second;
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const auto & joint = model.joints[j];
    std::string from, to;
    std::string style = joint.header.passive ? ", style=dashed" : "";
    if (lineage.has_joint(j)) {
      from = "b" + std::to_string(lineage.edge(j).parent);
      to = "b" + std::to_string(lineage.edge(j).child);
      style += loop_set.contains(j) ? ", color=red, fontcolor=red, constraint=false" : "";
    } else {
      from = node_of(joint.parent);
      to = node_of(joint.child);
    }
    dot << "  " << from << " -> " << to << " [label=" << quoted(to_string(joint.type))
        << ", tooltip=" << quoted(joint.header.identifier) << style << "];\n";
  }
  dot << "}\n";
  return dot.str();
}

/// Runs `dot -Tsvg INPUT -o OUTPUT` without a shell, so that no file name is interpreted.
bool run_dot(const fs::path & input, const fs::path & output)
{
  const pid_t child = fork();
  if (child == 0) {
    execlp(
      "dot", "dot", "-Tsvg", input.c_str(), "-o", output.c_str(), static_cast<char *>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) { return false; }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool write_text(const fs::path & file, const std::string & text)
{
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  return static_cast<bool>(stream);
}

int write_svg(const fs::path & output, const std::string & dot)
{
  fs::path source = output;
  source += ".dot";
  if (!write_text(source, dot)) {
    std::cerr << source.string()
              << ": error: cannot be written; check the folder and the permissions\n";
    return exit_errors;
  }
  if (!run_dot(source, output)) {
    std::cerr << "adf graph: error: the program 'dot' (Graphviz) did not make an SVG; install "
                 "graphviz, or use "
              << source.string() << " with another tool\n";
    return exit_errors;
  }
  std::error_code error;
  fs::remove(source, error);
  return exit_good;
}

}  // namespace

int run_graph(const std::vector<std::string> & arguments)
{
  fs::path input, output;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-o" && i + 1 < arguments.size()) {
      output = arguments[++i];
    } else if (!arguments[i].starts_with("-") && input.empty()) {
      input = arguments[i];
    } else {
      std::cerr << "adf graph: unexpected '" << arguments[i] << "'; see adf --help\n";
      return exit_usage;
    }
  }
  if (input.empty()) {
    std::cerr << "adf graph: name a file; see adf --help\n";
    return exit_usage;
  }
  const auto kind = ambf_adf::file_kind(input);
  if (kind && *kind != ambf_adf::FileKind::Model && *kind != ambf_adf::FileKind::Unknown) {
    std::cerr << input.string() << ": error: no model file; name the file that lists the bodies\n";
    return exit_errors;
  }
  const auto model = ambf_adf::parse_file(input);
  if (!model) {
    std::cerr << to_string(model.error());
    return exit_errors;
  }
  const std::string dot = to_dot(*model);
  if (output.empty()) {
    std::cout << dot;
    return exit_good;
  }
  if (output.extension() == ".svg") { return write_svg(output, dot); }
  if (!write_text(output, dot)) {
    std::cerr << output.string()
              << ": error: cannot be written; check the folder and the permissions\n";
    return exit_errors;
  }
  return exit_good;
}
