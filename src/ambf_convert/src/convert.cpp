// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_convert/convert.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <unistd.h>

#include "ambf_adf/write.hpp"
#include "readers.hpp"
#include "writers.hpp"

namespace ambf_convert
{
namespace
{

namespace fs = std::filesystem;
using ambf_adf::Problem;
using ambf_adf::ProblemKind;
using ambf_adf::Severity;
using ambf_adf::unexpected;

constexpr std::array formats{
  std::pair{Format::Adf, "adf"}, std::pair{Format::Urdf, "urdf"}, std::pair{Format::Xacro, "xacro"},
  std::pair{Format::Sdf, "sdf"}, std::pair{Format::Mjcf, "mjcf"}};

Errors one_error(
  const fs::path & file, ProblemKind kind, std::string found, std::string expected,
  std::string hint)
{
  return {Problem{
    Severity::Error,
    kind,
    file.string(),
    {},
    "",
    std::move(found),
    std::move(expected),
    std::move(hint)}};
}

/// The format of a root element; absent: none that is known.
std::optional<Format> format_of_root(std::string_view name)
{
  if (name == "robot") { return Format::Urdf; }
  if (name == "sdf" || name == "gazebo") { return Format::Sdf; }
  if (name == "mujoco" || name == "mujocoinclude") { return Format::Mjcf; }
  return std::nullopt;
}

/// The name of the first element of a text.
std::string first_element(const std::string & text)
{
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string::npos) { break; }
      continue;
    }
    if (at + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0) {
      const auto end = text.find_first_of(" \t\r\n/>", at + 1);
      return text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    }
  }
  return {};
}

/// A new name in the folder of `file`, which a crash leaves behind and nothing reads.
fs::path temporary_name(const fs::path & file)
{
  fs::path name = file;
  name += ".part" + std::to_string(::getpid());
  return name;
}

bool write_text(const fs::path & file, const std::string & text)
{
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  return static_cast<bool>(stream);
}

}  // namespace

const char * to_string(Format format)
{
  for (const auto & [known, name] : formats) {
    if (known == format) { return name; }
  }
  return "unknown";
}

std::optional<Format> format_named(std::string_view word)
{
  for (const auto & [format, name] : formats) {
    if (word == name) { return format; }
  }
  return std::nullopt;
}

std::optional<Format> format_of(const fs::path & file)
{
  const std::string ending = file.extension().string();
  if (ending == ".yaml" || ending == ".yml") { return Format::Adf; }
  if (ending == ".urdf") { return Format::Urdf; }
  if (ending == ".xacro") { return Format::Xacro; }
  if (ending == ".sdf" || ending == ".world") { return Format::Sdf; }
  if (ending == ".mjcf") { return Format::Mjcf; }
  if (ending != ".xml") { return std::nullopt; }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) { return Format::Mjcf; }
  std::string head(1 << 16, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  const auto format = format_of_root(first_element(head));
  // What is no XML at all is best told by the reader of the most usual one.
  return format ? format : Format::Mjcf;
}

bool is_foreign(const fs::path & file)
{
  const auto format = format_of(file);
  return format && *format != Format::Adf;
}

expected<Model, Errors> read_file(const fs::path & file, const ReadOptions & options)
{
  const auto format = format_of(file);
  if (!format) {
    return unexpected(one_error(
      file, ProblemKind::WrongKind, "the ending '" + file.extension().string() + "'",
      ".yaml, .urdf, .xacro, .sdf, .world, .mjcf or .xml", "name the format"));
  }
  return read_file(file, *format, options);
}

namespace
{

expected<Model, Errors> read_source(
  std::unique_ptr<XmlSource> source, const fs::path & file, Format format,
  const ReadOptions & options)
{
  const std::string root = source->root()->Name();
  if (const auto actual = format_of_root(root); actual != format) {
    return unexpected(one_error(
      file, ProblemKind::WrongKind, "the element <" + root + ">",
      std::string("a file in the format ") + to_string(format),
      actual ? std::string("this is ") + to_string(*actual) : "it is no description known here"));
  }
  switch (format) {
    case Format::Sdf:
      return read_sdf(std::move(source), file, options);
    case Format::Mjcf:
      return read_mjcf(std::move(source), file, options);
    default:
      return read_urdf(std::move(source), file, options);
  }
}

}  // namespace

expected<Model, Errors> read_file(const fs::path & file, Format format, const ReadOptions & options)
{
  if (format == Format::Adf) { return ambf_adf::parse_file(file, options.parse); }
  auto source = XmlSource::load(file);
  if (!source) { return unexpected(std::move(source.error())); }
  if (format == Format::Xacro) {
    auto text = expand_xacro(file);
    if (!text) { return unexpected(std::move(text.error())); }
    source = XmlSource::parse(std::move(*text), file.string() + " (expanded)");
    if (!source) { return unexpected(std::move(source.error())); }
    format = Format::Urdf;
  }
  return read_source(std::move(*source), file, format, options);
}

expected<Model, Errors> parse_file(const fs::path & file, const ambf_adf::ParseOptions & options)
{
  if (!is_foreign(file)) { return ambf_adf::parse_file(file, options); }
  ReadOptions read;
  read.parse = options;
  return read_file(file, read);
}

expected<Model, Errors> parse_text(
  const std::string & text, const std::string & name, const std::string & resource_base,
  const ambf_adf::ParseOptions & options)
{
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '<') {
    return ambf_adf::parse_text(text, name, resource_base, options);
  }
  ReadOptions read;
  read.parse = options;
  auto source = XmlSource::parse(text, name);
  if (!source) { return unexpected(std::move(source.error())); }
  const auto format = format_of_root((*source)->root()->Name());
  return read_source(
    std::move(*source), fs::path(resource_base) / name, format.value_or(Format::Urdf), read);
}

Written write(const Model & model, Format format, const WriteOptions & options)
{
  switch (format) {
    case Format::Adf: {
      Model placed = model;
      std::error_code error;
      if (!options.file.empty()) {
        placed.resource_base =
          fs::absolute(options.file, error).lexically_normal().parent_path().string();
      }
      return {ambf_adf::write(placed), "", "", {}};
    }
    case Format::Sdf:
      return write_sdf(model, options);
    case Format::Mjcf:
      return write_mjcf(model, options);
    case Format::Urdf:
    case Format::Xacro:
      break;
  }
  return write_urdf(model, options);
}

expected<Problems, Errors> write_file(const Model & model, const fs::path & file, Format format)
{
  const Written written = write(model, format, {file});
  const auto fail = [&](const fs::path & place) {
    return unexpected(one_error(
      place, ProblemKind::Io, "a file that cannot be written", "a writable place",
      "check the folder and the permissions"));
  };
  std::vector<std::pair<fs::path, const std::string *>> files;
  if (!written.side_text.empty()) {
    files.emplace_back(file.parent_path() / written.side_name, &written.side_text);
  }
  files.emplace_back(file, &written.text);  // last: it names the other
  std::error_code error;
  for (const auto & [place, text] : files) {
    if (!fs::is_directory(place, error) && write_text(temporary_name(place), *text)) { continue; }
    for (const auto & [other, unused] : files) { fs::remove(temporary_name(other), error); }
    return fail(place);
  }
  for (const auto & [place, text] : files) {
    fs::rename(temporary_name(place), place, error);
    if (error) { return fail(place); }
  }
  return written.lost;
}

bool is_loss(const Problem & problem)
{
  return problem.kind == ProblemKind::Unsupported || problem.kind == ProblemKind::UnknownKey;
}

}  // namespace ambf_convert
