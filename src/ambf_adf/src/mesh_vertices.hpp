// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ambf_adf/mesh.hpp"

namespace ambf_adf
{

/// For each vertex of the file, in the file's order, the unified vertex at its place (or the
/// nearest). Assimp renumbers the vertices of OBJ and 3DS files, while ADF files count them as they
/// are stored; for those formats the file's own list is read again. `type` is the ending in small
/// letters.
std::vector<std::uint32_t> map_file_vertices(
  const std::filesystem::path & file, const std::string & type, const Mesh & mesh);

/// Vertex positions in file order.
std::vector<Eigen::Vector3f> obj_vertices(const std::string & text);
std::vector<Eigen::Vector3f> three_ds_vertices(const std::string & bytes);

}  // namespace ambf_adf
