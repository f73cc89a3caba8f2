#pragma once

#include "rcl/subscription.h"
#include "rclcpp/detail/rmw_implementation_specific_payload.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace detail
{

class RCLCPP_PUBLIC RMWImplementationSpecificSubscriptionPayload
  : public RMWImplementationSpecificPayload
{
public:
  ~RMWImplementationSpecificSubscriptionPayload() override = default;

  virtual void modify_rmw_subscription_options(rmw_subscription_options_t & rmw_subscription_options) const;
};

}  // namespace detail
}  // namespace rclcpp
