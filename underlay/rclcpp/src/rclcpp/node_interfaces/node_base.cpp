// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node_interfaces/node_base.hpp"

#include <algorithm>

#include "../logging_mutex.hpp"
#include "../rcl_check.hpp"
#include "rcl/logging.h"
#include "rcl/logging_rosout.h"
#include "rclcpp/expand_topic_or_service_name.hpp"

namespace rclcpp::node_interfaces {

NodeBase::NodeBase(const std::string & node_name, const std::string & namespace_, Context::SharedPtr context,
  const rcl_node_options_t & rcl_node_options, bool use_intra_process_default, bool enable_topic_statistics_default,
  CallbackGroup::SharedPtr default_callback_group)
: context_(context),
  use_intra_process_default_(use_intra_process_default),
  enable_topic_statistics_default_(enable_topic_statistics_default),
  default_callback_group_(default_callback_group),
  notify_guard_condition_(std::make_shared<GuardCondition>(context)) {
  auto logging_mutex = rclcpp::detail::get_global_logging_mutex();
  auto rcl_context = context_->get_rcl_context();
  auto rcl_node = std::make_unique<rcl_node_t>(rcl_get_zero_initialized_node());
  rcl_ret_t ret;
  {
    std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
    ret = rcl_node_init(rcl_node.get(), node_name.c_str(), namespace_.c_str(), rcl_context.get(), &rcl_node_options);
  }
  if (ret == RCL_RET_NODE_INVALID_NAME || ret == RCL_RET_NODE_INVALID_NAMESPACE) {
    rcl_reset_error();
    // Throws an exception that shows where the name is wrong.
    expand_topic_or_service_name("any", node_name, namespace_.empty() ? "/" : namespace_);
  }
  rclcpp::detail::check(ret, "failed to initialize rcl node");
  const bool has_rosout = rcl_node_options.enable_rosout && rcl_logging_rosout_enabled();
  // The rcl context must outlive the node.
  node_handle_.reset(rcl_node.release(), [logging_mutex, has_rosout, rcl_context](rcl_node_t * node) {
    std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
    if (has_rosout) {
      rclcpp::detail::log_failure(
        rcl_logging_rosout_fini_publisher_for_node(node), "Error in destruction of rosout publisher");
    }
    rclcpp::detail::log_failure(rcl_node_fini(node), "Error in destruction of rcl node handle");
    delete node;
  });
  if (has_rosout) {
    // rcl keeps these publishers in a table that is not thread safe.
    std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
    rclcpp::detail::check(
      rcl_logging_rosout_init_publisher_for_node(node_handle_.get()), "failed to initialize rosout publisher");
  }
  if (default_callback_group_) {
    callback_groups_.push_back(default_callback_group_);
  } else {
    default_callback_group_ = NodeBase::create_callback_group(CallbackGroupType::MutuallyExclusive);
  }
  notify_guard_condition_is_valid_ = true;
}

NodeBase::~NodeBase() {
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  notify_guard_condition_is_valid_ = false;
}

CallbackGroup::SharedPtr NodeBase::create_callback_group(
  CallbackGroupType group_type, bool automatically_add_to_executor_with_node) {
  auto group = std::make_shared<CallbackGroup>(
    group_type, [weak = context_->weak_from_this()]() { return weak.lock(); }, automatically_add_to_executor_with_node);
  std::lock_guard<std::mutex> lock(callback_groups_mutex_);
  callback_groups_.push_back(group);
  return group;
}

bool NodeBase::callback_group_in_node(CallbackGroup::SharedPtr group) {
  std::lock_guard<std::mutex> lock(callback_groups_mutex_);
  return std::any_of(callback_groups_.begin(), callback_groups_.end(),
    [&group](const CallbackGroup::WeakPtr & weak) { return weak.lock() == group; });
}

void NodeBase::for_each_callback_group(const CallbackGroupFunction & func) {
  std::vector<CallbackGroup::SharedPtr> groups;
  {
    std::lock_guard<std::mutex> lock(callback_groups_mutex_);
    for (const auto & weak : callback_groups_) {
      if (auto group = weak.lock()) { groups.push_back(group); }
    }
  }
  std::for_each(groups.begin(), groups.end(), func);
}

GuardCondition & NodeBase::get_notify_guard_condition() {
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  if (!notify_guard_condition_is_valid_) {
    throw std::runtime_error("failed to get notify guard condition because it is invalid");
  }
  return *notify_guard_condition_;
}

GuardCondition::SharedPtr NodeBase::get_shared_notify_guard_condition() {
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  return notify_guard_condition_is_valid_ ? notify_guard_condition_ : nullptr;
}

void NodeBase::trigger_notify_guard_condition() {
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  get_notify_guard_condition().trigger();
}

std::string NodeBase::resolve_topic_or_service_name(const std::string & name, bool is_service, bool only_expand) const {
  char * resolved = nullptr;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rclcpp::detail::check(
    rcl_node_resolve_name(node_handle_.get(), name.c_str(), allocator, is_service, only_expand, &resolved),
    "failed to resolve name");
  std::string result(resolved);
  allocator.deallocate(resolved, allocator.state);
  return result;
}

}  // namespace rclcpp::node_interfaces
