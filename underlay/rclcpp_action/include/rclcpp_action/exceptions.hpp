// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace rclcpp_action::exceptions {

/// The goal is not one of this client, or the client has forgotten it.
struct UnknownGoalHandleError : public std::invalid_argument {
  UnknownGoalHandleError() : std::invalid_argument("Goal handle is not known to this client.") {}
};

/// The result of the goal cannot be had any more.
struct UnawareGoalHandleError : public std::runtime_error {
  UnawareGoalHandleError(  // NOLINT: stock has it implicit
    const std::string & message = "Goal handle is not tracking the goal result.")
  : std::runtime_error(message) {}
};

}  // namespace rclcpp_action::exceptions
