#include "./executor_members.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rclcpp::detail {

namespace {

void dissociate(const std::vector<CallbackGroup::WeakPtr> & groups) {
  for (const auto & weak_group : groups) {
    if (auto group = weak_group.lock()) { group->get_associated_with_executor_atomic().store(false); }
  }
}

auto find(std::vector<CallbackGroup::WeakPtr> & groups, const CallbackGroup::SharedPtr & group) {
  return std::find_if(groups.begin(), groups.end(), [&group](const CallbackGroup::WeakPtr & other) {
    return !other.owner_before(group) && !group.owner_before(other);
  });
}

void lock_alive(std::vector<CallbackGroup::WeakPtr> & groups, std::vector<CallbackGroup::SharedPtr> & alive) {
  auto end = std::remove_if(groups.begin(), groups.end(), [&alive](const CallbackGroup::WeakPtr & weak_group) {
    auto group = weak_group.lock();
    if (!group) { return true; }
    alive.push_back(std::move(group));
    return false;
  });
  groups.erase(end, groups.end());
}

std::string quoted_name(const ExecutorMembers::NodePtr & node) {
  return std::string("'") + node->get_fully_qualified_name() + "'";
}

}  // namespace

ExecutorMembers::~ExecutorMembers() {
  dissociate(manual_groups_);
  dissociate(automatic_groups_);
  for (const auto & member : nodes_) {
    if (auto node = member.node.lock()) { node->get_associated_with_executor_atomic().store(false); }
  }
}

void ExecutorMembers::add_node(const NodePtr & node) {
  if (node->get_associated_with_executor_atomic().exchange(true)) {
    throw std::runtime_error("Node " + quoted_name(node) + " has already been added to an executor.");
  }
  std::lock_guard<std::mutex> lock(mutex_);
  nodes_.push_back({node, node->get_shared_notify_guard_condition()});
  associate_new_groups(node);
}

void ExecutorMembers::remove_node(const NodePtr & node) {
  if (!node->get_associated_with_executor_atomic().load()) {
    throw std::runtime_error("Node " + quoted_name(node) + " needs to be associated with an executor.");
  }
  std::lock_guard<std::mutex> lock(mutex_);
  auto member =
    std::find_if(nodes_.begin(), nodes_.end(), [&node](const Node & other) { return other.node.lock() == node; });
  if (member == nodes_.end()) {
    throw std::runtime_error("Node " + quoted_name(node) + " needs to be associated with this executor.");
  }
  nodes_.erase(member);
  node->for_each_callback_group([this](CallbackGroup::SharedPtr group) {
    auto found = find(automatic_groups_, group);
    if (found != automatic_groups_.end()) {
      automatic_groups_.erase(found);
      group->get_associated_with_executor_atomic().store(false);
    }
  });
  node->get_associated_with_executor_atomic().store(false);
}

void ExecutorMembers::add_group(const CallbackGroup::SharedPtr & group) {
  if (group->get_associated_with_executor_atomic().exchange(true)) {
    throw std::runtime_error("Callback group has already been added to an executor.");
  }
  std::lock_guard<std::mutex> lock(mutex_);
  manual_groups_.push_back(group);
}

void ExecutorMembers::remove_group(const CallbackGroup::SharedPtr & group) {
  if (!group->get_associated_with_executor_atomic().load()) {
    throw std::runtime_error("Callback group needs to be associated with an executor.");
  }
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = find(manual_groups_, group);
  if (found == manual_groups_.end()) {
    throw std::runtime_error("Callback group needs to be associated with this executor.");
  }
  manual_groups_.erase(found);
  group->get_associated_with_executor_atomic().store(false);
}

std::vector<CallbackGroup::WeakPtr> ExecutorMembers::manual_groups() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return manual_groups_;
}

std::vector<CallbackGroup::WeakPtr> ExecutorMembers::automatic_groups() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return automatic_groups_;
}

void ExecutorMembers::associate_new_groups(const NodePtr & node) {
  node->for_each_callback_group([this](CallbackGroup::SharedPtr group) {
    if (group->automatically_add_to_executor_with_node() &&
        !group->get_associated_with_executor_atomic().exchange(true)) {
      automatic_groups_.push_back(group);
    }
  });
}

ExecutorMembers::Current ExecutorMembers::refresh() {
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
  lock_alive(automatic_groups_, current.groups);
  for (const auto & group : current.groups) {
    if (auto notifier = group->get_notify_guard_condition()) { current.notifiers.push_back(std::move(notifier)); }
  }
  return current;
}

}  // namespace rclcpp::detail
