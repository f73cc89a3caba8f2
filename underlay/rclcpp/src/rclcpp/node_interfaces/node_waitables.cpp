#include "rclcpp/node_interfaces/node_waitables.hpp"

#include "rclcpp/exceptions.hpp"

namespace rclcpp
{
namespace node_interfaces
{

NodeWaitables::NodeWaitables(NodeBaseInterface * node_base)
: node_base_(node_base)
{}

NodeWaitables::~NodeWaitables() = default;

void NodeWaitables::add_waitable(
  rclcpp::Waitable::SharedPtr waitable_ptr, rclcpp::CallbackGroup::SharedPtr group)
{
  if (!group) {
    group = node_base_->get_default_callback_group();
  } else if (!node_base_->callback_group_in_node(group)) {
    throw exceptions::MissingGroupNodeException("waitable");
  }
  group->add_waitable(waitable_ptr);
  node_base_->trigger_notify_guard_condition();
  group->trigger_notify_guard_condition();
}

void NodeWaitables::remove_waitable(
  rclcpp::Waitable::SharedPtr waitable_ptr, rclcpp::CallbackGroup::SharedPtr group) noexcept
{
  if (!group) {
    node_base_->get_default_callback_group()->remove_waitable(waitable_ptr);
  } else if (node_base_->callback_group_in_node(group)) {
    group->remove_waitable(waitable_ptr);
  }
}

}  // namespace node_interfaces
}  // namespace rclcpp
