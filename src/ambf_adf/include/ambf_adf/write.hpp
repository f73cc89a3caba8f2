// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/world.hpp"

namespace ambf_adf
{

/// The model as ADF text: parsing it again with the same name and resource base gives an equal
/// model. Paths below or beside the resource base are written relative to it. Numbers are written
/// with as few digits as give the same double back.
std::string write(const Model & model);
std::string write(const World & world);

/// Writes the text to a file; the error says why it could not.
expected<void, Problem> write_file(const Model & model, const std::filesystem::path & file);

}  // namespace ambf_adf
