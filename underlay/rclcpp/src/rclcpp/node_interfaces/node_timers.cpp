#include "rclcpp/node_interfaces/node_timers.hpp"

#include <stdexcept>
#include <string>

#include "rclcpp/exceptions.hpp"

namespace rclcpp {
namespace node_interfaces {

NodeTimers::NodeTimers(NodeBaseInterface * node_base) : node_base_(node_base) {}

NodeTimers::~NodeTimers() = default;

void NodeTimers::add_timer(TimerBase::SharedPtr timer, CallbackGroup::SharedPtr callback_group) {
  if (callback_group) {
    if (!node_base_->callback_group_in_node(callback_group)) { throw exceptions::MissingGroupNodeException("timer"); }
  } else {
    callback_group = node_base_->get_default_callback_group();
  }
  callback_group->add_timer(timer);
  try {
    node_base_->trigger_notify_guard_condition();
    callback_group->trigger_notify_guard_condition();
  } catch (const exceptions::RCLError & error) {
    throw std::runtime_error(std::string("failed to notify wait set on timer creation: ") + error.what());
  }
}

}  // namespace node_interfaces
}  // namespace rclcpp
