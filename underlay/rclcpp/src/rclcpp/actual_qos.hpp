// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/qos.hpp"

namespace rclcpp::detail {

/// The profile that rcl reports for an endpoint; `what` names the endpoint in the error message.
inline QoS actual_qos(const rmw_qos_profile_t * profile, const char * what) {
  if (!profile) {
    const std::string message =
      std::string("failed to get ") + what + " actual qos settings: " + rcl_get_error_string().str;
    rcl_reset_error();
    throw std::runtime_error(message);
  }
  return QoS(QoSInitialization::from_rmw(*profile), *profile);
}

}  // namespace rclcpp::detail
