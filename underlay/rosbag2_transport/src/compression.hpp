// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string_view>

#include "bytes.hpp"

namespace rosbag2_transport::detail {

/// The content of a chunk. Of a cut one (`whole` is false), as much as can be had.
Bytes decompress(std::string_view compression, std::string_view data, std::size_t expected_size, bool whole = true);
/// One zstd frame of unknown length.
Bytes decompress_zstd(std::string_view data);

/// Writes `file`.zstd and removes `file`.
std::filesystem::path compress_file(const std::filesystem::path & file);
/// The content of a .zstd file in a temporary file; returns its descriptor, at least as much as
/// could be read of a cut one. \param name gets the file's name; without it the file has none
int decompress_file(const std::filesystem::path & file, bool & whole, std::string * name = nullptr);

}  // namespace rosbag2_transport::detail
