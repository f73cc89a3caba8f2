// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_adf/parse.hpp"
#include "reader.hpp"

namespace ambf_adf
{

/// Text of a file that has been read, with the names that go with it.
struct SourceText
{
  std::string file;           ///< for messages
  std::string name;           ///< of the model
  std::string resource_base;  ///< folder of relative paths
  std::string text;
};

expected<SourceText, Problem> read_source(const std::filesystem::path & file);

/// The root map of a text, or the reasons why there is none; warnings go to the sink.
YamlNodePtr read_root(const SourceText & source, ProblemSink & sink);

Model read_model(
  const YamlNode & root, const SourceText & source, const ParseOptions & options,
  ProblemSink & sink);
World read_world(
  const YamlNode & root, const SourceText & source, const ParseOptions & options,
  ProblemSink & sink);
Launch read_launch(const YamlNode & root, const SourceText & source, ProblemSink & sink);
InputDevices read_input_devices(
  const YamlNode & root, const SourceText & source, const ParseOptions & options,
  const Choice & chosen, ProblemSink & sink);
ColorTable read_colors(const YamlNode & root, ProblemSink & sink);
FileKind kind_of(const YamlNode & root);
bool is_color(const YamlNode & node);
/// An error where a file is plainly of another kind than the wanted one.
void refuse_other_kind(
  const YamlNode & root, FileKind wanted, const std::string & file, ProblemSink & sink);

/// `adf version`, if given, must be 1.0.
void check_version(MapReader & top);

}  // namespace ambf_adf
