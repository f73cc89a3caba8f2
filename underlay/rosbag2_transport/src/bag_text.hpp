// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bag_metadata.hpp"

namespace rosbag2_transport::detail {

/// Numbers of requests and responses by event topic.
using ServiceCalls = std::map<std::string, std::pair<std::size_t, std::size_t>>;

/// What `ros2 bag info` prints of a bag whose files have `size` bytes.
/// \param calls where they are known; of other services the number of events is told
std::string describe_bag(const BagMetadata & metadata, std::uint64_t size, const ServiceCalls & calls = {});

}  // namespace rosbag2_transport::detail
