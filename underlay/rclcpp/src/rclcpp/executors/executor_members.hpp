#pragma once

#include <mutex>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp::detail {

/// Which nodes and callback groups belong to an executor. Safe from any thread.
class ExecutorMembers {
public:
  using NodePtr = node_interfaces::NodeBaseInterface::SharedPtr;

  ExecutorMembers() = default;
  /// Lets all members go, so that another executor can take them.
  ~ExecutorMembers();
  ExecutorMembers(const ExecutorMembers &) = delete;
  ExecutorMembers & operator=(const ExecutorMembers &) = delete;

  // These four throw std::runtime_error where membership does not allow the change.
  void add_node(const NodePtr & node);
  void remove_node(const NodePtr & node);
  void add_group(const CallbackGroup::SharedPtr & group);
  void remove_group(const CallbackGroup::SharedPtr & group);

  std::vector<CallbackGroup::WeakPtr> manual_groups() const;
  std::vector<CallbackGroup::WeakPtr> automatic_groups() const;

  struct Current {
    std::vector<CallbackGroup::SharedPtr> groups;
    /// Triggered when a node gets a group or a group gets an entity.
    std::vector<GuardCondition::SharedPtr> notifiers;
  };

  /// What is alive now, including groups that the nodes have made since the last call.
  Current refresh();

private:
  struct Node {
    node_interfaces::NodeBaseInterface::WeakPtr node;
    GuardCondition::SharedPtr notifier;
  };

  void associate_new_groups(const NodePtr & node);

  mutable std::mutex mutex_;
  std::vector<Node> nodes_;
  std::vector<CallbackGroup::WeakPtr> manual_groups_;
  std::vector<CallbackGroup::WeakPtr> automatic_groups_;
};

}  // namespace rclcpp::detail
