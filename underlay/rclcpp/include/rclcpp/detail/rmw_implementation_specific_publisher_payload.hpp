#pragma once

#include "rcl/publisher.h"
#include "rclcpp/detail/rmw_implementation_specific_payload.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace detail
{

class RCLCPP_PUBLIC RMWImplementationSpecificPublisherPayload
  : public RMWImplementationSpecificPayload
{
public:
  ~RMWImplementationSpecificPublisherPayload() override = default;

  virtual void modify_rmw_publisher_options(rmw_publisher_options_t & rmw_publisher_options) const;
};

}  // namespace detail
}  // namespace rclcpp
