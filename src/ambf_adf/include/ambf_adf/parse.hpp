// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/world.hpp"

namespace ambf_adf
{

enum class FileKind
{
  Model,
  World,
  Launch,
  InputDevices,
  Colors,
  Unknown
};

struct ParseOptions
{
  /// Prefix of every namespace (AMBF's `--ns`), e.g. "/left".
  std::string namespace_prefix;
  /// Namespace of a model that gives none.
  std::string default_namespace = "/ambf/env/";
  /// Look for mesh files and warn about absent ones. Off where the files live on another machine.
  bool check_files = true;
};

/// Reads a multi-body file. On failure every problem of the file is listed, errors and warnings; on
/// success the warnings are in Model::warnings. Never throws for any content.
expected<Model, Errors> parse_file(
  const std::filesystem::path & file, const ParseOptions & options = {});
/// The same for text; `resource_base` is the folder that relative paths refer to and `name` stands
/// in for the file name in messages and as model name.
expected<Model, Errors> parse_text(
  std::string_view text, const std::string & name, const std::string & resource_base = {},
  const ParseOptions & options = {});

expected<World, Errors> parse_world_file(
  const std::filesystem::path & file, const ParseOptions & options = {});
expected<World, Errors> parse_world_text(
  std::string_view text, const std::string & name, const std::string & resource_base = {},
  const ParseOptions & options = {});
expected<Launch, Errors> parse_launch_file(const std::filesystem::path & file);
expected<Launch, Errors> parse_launch_text(
  std::string_view text, const std::string & name, const std::string & resource_base = {});
/// All devices of the list unless others are chosen; an index that is not there is a warning.
expected<InputDevices, Errors> parse_input_devices_file(
  const std::filesystem::path & file, const ParseOptions & options = {},
  const Choice & chosen = {});
expected<InputDevices, Errors> parse_input_devices_text(
  std::string_view text, const std::string & name, const std::string & resource_base = {},
  const ParseOptions & options = {}, const Choice & chosen = {});
expected<ColorTable, Errors> parse_colors_file(const std::filesystem::path & file);
expected<ColorTable, Errors> parse_colors_text(std::string_view text, const std::string & name);

/// What a file looks like, by its top-level keys.
expected<FileKind, Errors> file_kind(const std::filesystem::path & file);
expected<FileKind, Errors> text_kind(std::string_view text, const std::string & name);

}  // namespace ambf_adf
