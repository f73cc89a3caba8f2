// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/context.hpp"

namespace rclcpp::contexts {

class DefaultContext : public Context {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(DefaultContext)
};

DefaultContext::SharedPtr get_global_default_context();

}  // namespace rclcpp::contexts
