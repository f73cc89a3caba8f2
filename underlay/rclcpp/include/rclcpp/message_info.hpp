// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rmw/types.h"

namespace rclcpp {

/// What came with a message: time stamps, sequence numbers, sender.
class MessageInfo {
public:
  MessageInfo() = default;
  // Implicit, since it is only another name for the same thing.
  MessageInfo(const rmw_message_info_t & info) : rmw_message_info_(info) {}  // NOLINT
  virtual ~MessageInfo() = default;

  const rmw_message_info_t & get_rmw_message_info() const { return rmw_message_info_; }
  rmw_message_info_t & get_rmw_message_info() { return rmw_message_info_; }

private:
  rmw_message_info_t rmw_message_info_ = rmw_get_zero_initialized_message_info();
};

}  // namespace rclcpp
