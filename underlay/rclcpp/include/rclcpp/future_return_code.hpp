// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>

namespace rclcpp {

enum class FutureReturnCode { SUCCESS, INTERRUPTED, TIMEOUT };

inline std::string to_string(const FutureReturnCode & future_return_code) {
  const auto number = static_cast<int>(future_return_code);
  const char * names[] = {"SUCCESS", "INTERRUPTED", "TIMEOUT"};
  return (number >= 0 && number < 3 ? names[number] : "Unknown enum value") + (" (" + std::to_string(number) + ")");
}

inline std::ostream & operator<<(std::ostream & os, const FutureReturnCode & future_return_code) {
  return os << to_string(future_return_code);
}

}  // namespace rclcpp
