#pragma once

#include <filesystem>
#include <string>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/world.hpp"

namespace ambf_adf
{

struct WriteOptions
{
  /// Write mesh paths relative to this folder where they lie below it; empty: as stored.
  std::filesystem::path relative_to;
};

/// The model as ADF text: parsing it again with the same resource base gives an equal model. Numbers
/// are written with as few digits as give the same double back.
std::string write(const Model& model, const WriteOptions& options = {});
std::string write(const World& world, const WriteOptions& options = {});

/// Writes the text to a file; the error says why it could not.
expected<void, Problem> write_file(
  const Model& model, const std::filesystem::path& file, const WriteOptions& options = {});

}  // namespace ambf_adf
