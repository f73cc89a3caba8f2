// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/exceptions.hpp"

namespace rclcpp::exceptions {

std::string NameValidationError::format_error(
  const char * name_type, const char * name, const char * error_msg, size_t invalid_index) {
  return std::string("Invalid ") + name_type + ": " + error_msg + ":\n  '" + name + "'\n   " +
         std::string(invalid_index, ' ') + "^\n";
}

void throw_from_rcl_error(rcl_ret_t ret, const std::string & prefix, const rcl_error_state_t * error_state,
  reset_error_function_t reset_error) {
  if (ret == RCL_RET_OK) { throw std::invalid_argument("ret is RCL_RET_OK"); }
  error_state = error_state ? error_state : rcl_get_error_state();
  if (!error_state) { throw std::runtime_error("rcl error state is not set"); }
  const std::string formatted_prefix = prefix.empty() ? prefix : prefix + ": ";
  const RCLErrorBase base(ret, error_state);
  if (reset_error) { reset_error(); }
  switch (ret) {
    case RCL_RET_BAD_ALLOC: throw RCLBadAlloc(base);
    case RCL_RET_INVALID_ARGUMENT: throw RCLInvalidArgument(base, formatted_prefix);
    case RCL_RET_INVALID_ROS_ARGS: throw RCLInvalidROSArgsError(base, formatted_prefix);
    default: throw RCLError(base, formatted_prefix);
  }
}

RCLErrorBase::RCLErrorBase(rcl_ret_t ret, const rcl_error_state_t * error_state)
: ret(ret),
  message(error_state->message),
  file(error_state->file),
  line(error_state->line_number),
  formatted_message(message + ", at " + file + ":" + std::to_string(line)) {}

}  // namespace rclcpp::exceptions
