#pragma once

#include "rclcpp/context.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace contexts
{

class DefaultContext : public rclcpp::Context
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(DefaultContext)

  RCLCPP_PUBLIC
  DefaultContext();
};

RCLCPP_PUBLIC
DefaultContext::SharedPtr get_global_default_context();

}  // namespace contexts
}  // namespace rclcpp
