#pragma once

#include "rclcpp/callback_group.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeTimers : public NodeTimersInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimers)

  RCLCPP_PUBLIC explicit NodeTimers(rclcpp::node_interfaces::NodeBaseInterface * node_base);

  RCLCPP_PUBLIC virtual ~NodeTimers();

  RCLCPP_PUBLIC void add_timer(
    rclcpp::TimerBase::SharedPtr timer, rclcpp::CallbackGroup::SharedPtr callback_group) override;

private:
  RCLCPP_DISABLE_COPY(NodeTimers)

  rclcpp::node_interfaces::NodeBaseInterface * node_base_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
