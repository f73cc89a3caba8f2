#pragma once

#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace detail
{

/// Options that only one middleware understands.
class RCLCPP_PUBLIC RMWImplementationSpecificPayload
{
public:
  virtual ~RMWImplementationSpecificPayload() = default;

  bool has_been_customized() const;
  /// Null: not customised.
  virtual const char * get_implementation_identifier() const;
};

}  // namespace detail
}  // namespace rclcpp
