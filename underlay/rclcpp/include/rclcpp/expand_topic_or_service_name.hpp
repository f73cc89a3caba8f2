// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace rclcpp {

/// The full name of a topic or service for a node of this name and namespace.
/// \throws InvalidTopicNameError, InvalidServiceNameError, InvalidNodeNameError,
/// InvalidNamespaceError
std::string expand_topic_or_service_name(
  const std::string & name, const std::string & node_name, const std::string & namespace_, bool is_service = false);

}  // namespace rclcpp
