// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/parse.hpp"

#include <fstream>
#include <sstream>

#include "read_files.hpp"

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 64u << 20;

Problem io_problem(const fs::path & file, std::string found, std::string hint)
{
  return {Severity::Error,  ProblemKind::Io,       file.string(),  {}, "",
          std::move(found), "a readable ADF file", std::move(hint)};
}

SourceText from_text(
  std::string_view text, const std::string & name, const std::string & resource_base)
{
  return {name, name, resource_base, std::string(text)};
}

/// Composes, reads with `read`, and turns the collected problems into the result.
template <class Read>
auto parse_source(const SourceText & source, Read read)
  -> expected<
    decltype(read(std::declval<const YamlNode &>(), std::declval<ProblemSink &>())), Errors>
{
  ProblemSink sink{source.file, {}};
  const YamlNodePtr root = read_root(source, sink);
  if (!root) { return unexpected(std::move(sink.problems)); }
  auto value = read(*root, sink);
  if (has_errors(sink.problems)) { return unexpected(std::move(sink.problems)); }
  if constexpr (requires { value.warnings; }) { value.warnings = std::move(sink.problems); }
  return value;
}

template <class Parse>
auto parse_path(const fs::path & file, Parse parse) -> decltype(parse(std::declval<SourceText>()))
{
  auto source = read_source(file);
  if (!source) { return unexpected(Errors{source.error()}); }
  return parse(*source);
}

}  // namespace

expected<SourceText, Problem> read_source(const fs::path & file)
{
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) {
    return unexpected(io_problem(file, "no such file", "check the path"));
  }
  if (!fs::is_regular_file(status)) {
    return unexpected(io_problem(file, "something that is no file", "name a file"));
  }
  if (fs::file_size(file, error) > largest_file) {
    return unexpected(
      io_problem(file, "a file of more than 64 MiB", "an ADF file holds no mesh data"));
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    return unexpected(io_problem(file, "an unreadable file", "check the permissions"));
  }
  SourceText source;
  source.file = file.string();
  source.name = file.stem().string();
  source.resource_base = fs::absolute(file, error).lexically_normal().parent_path().string();
  source.text = text.str();
  return source;
}

YamlNodePtr read_root(const SourceText & source, ProblemSink & sink)
{
  auto root = compose_yaml(source.text, source.file, sink.problems);
  if (!root) {
    sink.problems.push_back(std::move(root.error()));
    return nullptr;
  }
  if (!(*root)->is_map()) {
    sink.add(
      Severity::Error, ProblemKind::WrongType, (*root)->mark, "", (*root)->describe(),
      "a map of ADF keys");
    return nullptr;
  }
  return *root;
}

namespace
{

expected<Model, Errors> parse_model(const SourceText & source, const ParseOptions & options)
{
  return parse_source(source, [&](const YamlNode & root, ProblemSink & sink) {
    return read_model(root, source, options, sink);
  });
}

expected<World, Errors> parse_world(const SourceText & source, const ParseOptions & options)
{
  return parse_source(source, [&](const YamlNode & root, ProblemSink & sink) {
    return read_world(root, source, options, sink);
  });
}

expected<Launch, Errors> parse_launch(const SourceText & source)
{
  return parse_source(source, [&](const YamlNode & root, ProblemSink & sink) {
    return read_launch(root, source, sink);
  });
}

expected<InputDevices, Errors> parse_devices(
  const SourceText & source, const ParseOptions & options, const Choice & chosen)
{
  return parse_source(source, [&](const YamlNode & root, ProblemSink & sink) {
    return read_input_devices(root, source, options, chosen, sink);
  });
}

expected<ColorTable, Errors> parse_colors(const SourceText & source)
{
  return parse_source(
    source, [](const YamlNode & root, ProblemSink & sink) { return read_colors(root, sink); });
}

expected<FileKind, Errors> parse_kind(const SourceText & source)
{
  return parse_source(source, [](const YamlNode & root, ProblemSink &) { return kind_of(root); });
}

}  // namespace

expected<Model, Errors> parse_file(const fs::path & file, const ParseOptions & options)
{
  return parse_path(file, [&](const SourceText & source) { return parse_model(source, options); });
}

expected<Model, Errors> parse_text(
  std::string_view text, const std::string & name, const std::string & resource_base,
  const ParseOptions & options)
{
  return parse_model(from_text(text, name, resource_base), options);
}

expected<World, Errors> parse_world_file(const fs::path & file, const ParseOptions & options)
{
  return parse_path(file, [&](const SourceText & source) { return parse_world(source, options); });
}

expected<World, Errors> parse_world_text(
  std::string_view text, const std::string & name, const std::string & resource_base,
  const ParseOptions & options)
{
  return parse_world(from_text(text, name, resource_base), options);
}

expected<Launch, Errors> parse_launch_file(const fs::path & file)
{
  return parse_path(file, [](const SourceText & source) { return parse_launch(source); });
}

expected<Launch, Errors> parse_launch_text(
  std::string_view text, const std::string & name, const std::string & resource_base)
{
  return parse_launch(from_text(text, name, resource_base));
}

expected<InputDevices, Errors> parse_input_devices_file(
  const fs::path & file, const ParseOptions & options, const Choice & chosen)
{
  return parse_path(
    file, [&](const SourceText & source) { return parse_devices(source, options, chosen); });
}

expected<InputDevices, Errors> parse_input_devices_text(
  std::string_view text, const std::string & name, const std::string & resource_base,
  const ParseOptions & options, const Choice & chosen)
{
  return parse_devices(from_text(text, name, resource_base), options, chosen);
}

expected<ColorTable, Errors> parse_colors_file(const fs::path & file)
{
  return parse_path(file, [](const SourceText & source) { return parse_colors(source); });
}

expected<ColorTable, Errors> parse_colors_text(std::string_view text, const std::string & name)
{
  return parse_colors(from_text(text, name, ""));
}

expected<FileKind, Errors> file_kind(const fs::path & file)
{
  return parse_path(file, [](const SourceText & source) { return parse_kind(source); });
}

expected<FileKind, Errors> text_kind(std::string_view text, const std::string & name)
{
  return parse_kind(from_text(text, name, ""));
}

}  // namespace ambf_adf
