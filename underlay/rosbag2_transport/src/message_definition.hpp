// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bag_writer.hpp"
#include "rosidl_runtime_c/message_type_support_struct.h"

namespace rosbag2_transport::detail {

/// The sources of a type and of all that it is made of, as MCAP's encoding "ros2msg" wants them,
/// from the type support library itself. Types that have no source (as an action's feedback
/// message) are "unknown", as stock has it.
MessageDefinition message_definition(const rosidl_message_type_support_t & type);
/// "RIHS01_..."; empty where the type support has none.
std::string type_hash(const rosidl_message_type_support_t & type);
std::string type_hash(const rosidl_type_hash_t & hash);

}  // namespace rosbag2_transport::detail
