// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp::detail {

/// Which nodes and callback groups belong to an executor. Safe from any thread.
class ExecutorMembers {
public:
  using NodePtr = node_interfaces::NodeBaseInterface::SharedPtr;

  /// Lets all members go, so that another executor can take them.
  ~ExecutorMembers() {
    const auto dissociate = [](const auto & weak) {
      if (auto member = weak.lock()) { member->get_associated_with_executor_atomic().store(false); }
    };
    for (const auto & group : manual_groups_) { dissociate(group); }
    for (const auto & group : automatic_groups_) { dissociate(group); }
    for (const auto & member : nodes_) { dissociate(member.node); }
  }

  // These four throw std::runtime_error where membership does not allow the change.
  void add_node(const NodePtr & node) {
    if (node->get_associated_with_executor_atomic().exchange(true)) {
      throw_for(node, "has already been added to an executor.");
    }
    std::lock_guard<std::mutex> lock(mutex_);
    nodes_.push_back({node, node->get_shared_notify_guard_condition()});
    associate_new_groups(node);
  }

  void remove_node(const NodePtr & node) {
    if (!node->get_associated_with_executor_atomic().load()) {
      throw_for(node, "needs to be associated with an executor.");
    }
    std::lock_guard<std::mutex> lock(mutex_);
    auto member =
      std::find_if(nodes_.begin(), nodes_.end(), [&node](const Node & other) { return other.node.lock() == node; });
    if (member == nodes_.end()) { throw_for(node, "needs to be associated with this executor."); }
    nodes_.erase(member);
    node->for_each_callback_group([this](CallbackGroup::SharedPtr group) { release(automatic_groups_, group); });
    node->get_associated_with_executor_atomic().store(false);
  }

  void add_group(const CallbackGroup::SharedPtr & group) {
    if (group->get_associated_with_executor_atomic().exchange(true)) {
      throw std::runtime_error("Callback group has already been added to an executor.");
    }
    std::lock_guard<std::mutex> lock(mutex_);
    manual_groups_.push_back(group);
  }

  void remove_group(const CallbackGroup::SharedPtr & group) {
    if (!group->get_associated_with_executor_atomic().load()) {
      throw std::runtime_error("Callback group needs to be associated with an executor.");
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (!release(manual_groups_, group)) {
      throw std::runtime_error("Callback group needs to be associated with this executor.");
    }
  }

  struct Current {
    /// First those that were added by hand.
    std::vector<CallbackGroup::SharedPtr> groups;
    std::ptrdiff_t manual_groups{0};
    /// Triggered when a node gets a group or a group gets an entity.
    std::vector<GuardCondition::SharedPtr> notifiers;
  };

  /// What is alive now, including groups that the nodes have made since the last call.
  Current refresh() {
    Current current;
    std::lock_guard<std::mutex> lock(mutex_);
    auto end = std::remove_if(nodes_.begin(), nodes_.end(), [this, &current](const Node & member) {
      auto node = member.node.lock();
      if (!node) { return true; }
      associate_new_groups(node);
      current.notifiers.push_back(member.notifier);
      return false;
    });
    nodes_.erase(end, nodes_.end());

    lock_alive(manual_groups_, current.groups);
    current.manual_groups = static_cast<std::ptrdiff_t>(current.groups.size());
    lock_alive(automatic_groups_, current.groups);
    for (const auto & group : current.groups) {
      if (auto notifier = group->get_notify_guard_condition()) { current.notifiers.push_back(std::move(notifier)); }
    }
    return current;
  }

private:
  using Groups = std::vector<CallbackGroup::WeakPtr>;

  /// Take the group out of the list and let it go; false if it is not there.
  static bool release(Groups & groups, const CallbackGroup::SharedPtr & group) {
    auto found = std::find_if(groups.begin(), groups.end(), [&group](const CallbackGroup::WeakPtr & other) {
      return !other.owner_before(group) && !group.owner_before(other);
    });
    if (found == groups.end()) { return false; }
    groups.erase(found);
    group->get_associated_with_executor_atomic().store(false);
    return true;
  }

  /// Remove what has expired and append the rest to `alive`.
  static void lock_alive(Groups & groups, std::vector<CallbackGroup::SharedPtr> & alive) {
    auto end = std::remove_if(groups.begin(), groups.end(), [&alive](const CallbackGroup::WeakPtr & weak_group) {
      auto group = weak_group.lock();
      if (group) { alive.push_back(group); }
      return !group;
    });
    groups.erase(end, groups.end());
  }

  static void throw_for(const NodePtr & node, const char * what) {
    throw std::runtime_error(std::string("Node '") + node->get_fully_qualified_name() + "' " + what);
  }

  struct Node {
    node_interfaces::NodeBaseInterface::WeakPtr node;
    GuardCondition::SharedPtr notifier;
  };

  void associate_new_groups(const NodePtr & node) {
    node->for_each_callback_group([this](CallbackGroup::SharedPtr group) {
      if (group->automatically_add_to_executor_with_node() &&
          !group->get_associated_with_executor_atomic().exchange(true)) {
        automatic_groups_.push_back(group);
      }
    });
  }

  std::mutex mutex_;
  std::vector<Node> nodes_;
  Groups manual_groups_;
  Groups automatic_groups_;
};

}  // namespace rclcpp::detail
