// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/model.hpp"
#include "ambf_adf/parse.hpp"

namespace ambf_convert
{

using ambf_adf::Errors;
using ambf_adf::expected;
using ambf_adf::Model;
using ambf_adf::Problems;

enum class Format
{
  Adf,
  Urdf,
  Xacro,  ///< read only: URDF with macros, expanded by the command `xacro`
  Sdf,
  Mjcf,
};

/// "adf", "urdf", "xacro", "sdf", "mjcf".
const char * to_string(Format format);
std::optional<Format> format_named(std::string_view word);
/// By the ending of the name: .yaml and .yml, .urdf, .xacro, .sdf and .world. An .xml file is looked into:
/// <mujoco>, <robot> or <sdf>; one that does not exist yet is MJCF. Absent: nothing that is known here.
std::optional<Format> format_of(const std::filesystem::path & file);
/// Is it one of the formats other than ADF?
bool is_foreign(const std::filesystem::path & file);

struct ReadOptions
{
  ambf_adf::ParseOptions parse;
  /// Root links with a mass stand still, too.
  bool fixed_base = false;
  /// Reads the mesh files and warns about those that are far too large or small.
  bool check_meshes = false;
};

/// Reads a description of any format as an ADF model, its namespace below the default one by its name. On
/// failure every problem of the file is listed; on success what was noticed and what was left out is in
/// Model::warnings. Never throws for any content.
expected<Model, Errors> read_file(
  const std::filesystem::path & file, const ReadOptions & options = {});
expected<Model, Errors> read_file(
  const std::filesystem::path & file, Format format, const ReadOptions & options = {});

/// What ambf_adf::parse_file and parse_text are for ADF, for any format: a file whose ending says nothing and
/// a text that is no XML are ADF. For who loads models, also as LoadOptions::read_model of ambf_adf.
expected<Model, Errors> parse_file(
  const std::filesystem::path & file, const ambf_adf::ParseOptions & options = {});
expected<Model, Errors> parse_text(
  const std::string & text, const std::string & name, const std::string & resource_base = {},
  const ambf_adf::ParseOptions & options = {});

/// The text of a description and what goes beside it.
struct Written
{
  std::string text;
  /// What URDF cannot say (loops, joints with other freedoms), as an ADF file; "" for none. A comment in
  /// `text` names it.
  std::string side_text;
  std::string side_name;  ///< file name without a folder
  Problems lost;          ///< what the format cannot say, by name of the object
};

struct WriteOptions
{
  /// Where it will stand: mesh files are named relative to this folder, and a side file by its stem.
  std::filesystem::path file;
};

/// A model in another format; loads, gravity and topics are no part of some of them, and `lost` says so.
Written write(const Model & model, Format format, const WriteOptions & options = {});

/// Writes a description, and the side file that it may need, under a temporary name that is then changed:
/// a file is there as a whole or not at all. Returns what was lost.
expected<Problems, Errors> write_file(
  const Model & model, const std::filesystem::path & file, Format format);

/// A body as a <link> of URDF in its own frame: inertial, visuals, collisions.
std::string urdf_link(
  const Model & model, const ambf_adf::RigidBody & body, const std::string & name);

/// Does this problem mean that something of the source is missing in the result?
bool is_loss(const ambf_adf::Problem & problem);

}  // namespace ambf_convert
