#pragma once

#include <memory>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"

namespace rclcpp_action {
namespace detail {

// Gives the waitable to the node; it leaves the node when its last owner drops it.
template <typename WaitableT>
std::shared_ptr<WaitableT> add_waitable(WaitableT * waitable,
  const rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr & node_waitables,
  const rclcpp::CallbackGroup::SharedPtr & group) {
  std::weak_ptr<rclcpp::node_interfaces::NodeWaitablesInterface> weak_node = node_waitables;
  std::weak_ptr<rclcpp::CallbackGroup> weak_group = group;
  const bool default_group = group == nullptr;
  const auto remove_and_delete = [weak_node, weak_group, default_group](WaitableT * pointer) {
    const auto node = weak_node.lock();
    const auto callback_group = weak_group.lock();
    if (node && (default_group || callback_group)) {
      // The interface takes a shared pointer: one that owns nothing.
      node->remove_waitable(std::shared_ptr<WaitableT>(pointer, [](WaitableT *) {}), callback_group);
    }
    delete pointer;
  };
  std::shared_ptr<WaitableT> owner(waitable, remove_and_delete);
  node_waitables->add_waitable(owner, group);
  return owner;
}

}  // namespace detail
}  // namespace rclcpp_action
