// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "rcpputils/shared_library.hpp"
#include "rosidl_runtime_c/message_type_support_struct.h"

namespace rclcpp {

/// Load the type support library of a type such as "std_msgs/msg/String".
/// \param typesupport_identifier for instance "rosidl_typesupport_cpp"
std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(
  const std::string & type, const std::string & typesupport_identifier);

/// \param library must outlive the returned handle
const rosidl_message_type_support_t * get_message_typesupport_handle(
  const std::string & type, const std::string & typesupport_identifier, rcpputils::SharedLibrary & library);

}  // namespace rclcpp
