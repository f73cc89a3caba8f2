#include "rclcpp/detail/rmw_implementation_specific_payload.hpp"
#include "rclcpp/detail/rmw_implementation_specific_publisher_payload.hpp"
#include "rclcpp/detail/rmw_implementation_specific_subscription_payload.hpp"

namespace rclcpp
{
namespace detail
{

bool RMWImplementationSpecificPayload::has_been_customized() const
{
  return get_implementation_identifier() != nullptr;
}

const char * RMWImplementationSpecificPayload::get_implementation_identifier() const
{
  return nullptr;
}

void RMWImplementationSpecificPublisherPayload::modify_rmw_publisher_options(
  rmw_publisher_options_t &) const {}

void RMWImplementationSpecificSubscriptionPayload::modify_rmw_subscription_options(
  rmw_subscription_options_t &) const {}

}  // namespace detail
}  // namespace rclcpp
