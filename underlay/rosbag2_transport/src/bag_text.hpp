#pragma once

#include <string>

#include "bag_metadata.hpp"

namespace rosbag2_transport::detail {

/// What `ros2 bag info` prints of a bag whose files have `size` bytes.
std::string describe_bag(const BagMetadata & metadata, std::uint64_t size);

}  // namespace rosbag2_transport::detail
