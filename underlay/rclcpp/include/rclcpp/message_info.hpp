#pragma once

#include "rclcpp/visibility_control.hpp"
#include "rmw/types.h"

namespace rclcpp
{

/// What came with a message: time stamps, sequence numbers, sender.
class RCLCPP_PUBLIC MessageInfo
{
public:
  MessageInfo();
  // Implicit, since it is only another name for the same thing.
  MessageInfo(const rmw_message_info_t & rmw_message_info);  // NOLINT(runtime/explicit)
  virtual ~MessageInfo();

  const rmw_message_info_t & get_rmw_message_info() const;
  rmw_message_info_t & get_rmw_message_info();

private:
  rmw_message_info_t rmw_message_info_;
};

}  // namespace rclcpp
