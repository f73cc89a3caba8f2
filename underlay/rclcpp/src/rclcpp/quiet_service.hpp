// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/service.hpp"

namespace rclcpp::detail {

/// A node's own services (parameters, type descriptions) are hardly ever asked, and each costs every wait of
/// an executor something: a quiet one stays out of wait sets until its first request.
struct QuietService {
  static std::atomic<bool> & quiet(ServiceBase & service) { return service.quiet_; }
  /// Requests that its own callback was told of; the middleware tells nobody else of them.
  static std::atomic<size_t> & asked(ServiceBase & service) { return service.asked_; }
};

}  // namespace rclcpp::detail
