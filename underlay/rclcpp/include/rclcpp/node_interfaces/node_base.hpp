// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <vector>

#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeBase : public NodeBaseInterface, public std::enable_shared_from_this<NodeBase> {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeBase)

  /// \throws InvalidNodeNameError, InvalidNamespaceError and what rcl_node_init() reports
  NodeBase(const std::string & node_name, const std::string & namespace_, Context::SharedPtr context,
    const rcl_node_options_t & rcl_node_options, bool use_intra_process_default, bool enable_topic_statistics_default,
    CallbackGroup::SharedPtr default_callback_group = nullptr);
  virtual ~NodeBase();

  const char * get_name() const override { return rcl_node_get_name(node_handle_.get()); }
  const char * get_namespace() const override { return rcl_node_get_namespace(node_handle_.get()); }
  const char * get_fully_qualified_name() const override {
    return rcl_node_get_fully_qualified_name(node_handle_.get());
  }
  Context::SharedPtr get_context() override { return context_; }
  rcl_node_t * get_rcl_node_handle() override { return node_handle_.get(); }
  const rcl_node_t * get_rcl_node_handle() const override { return node_handle_.get(); }
  std::shared_ptr<rcl_node_t> get_shared_rcl_node_handle() override { return node_handle_; }
  std::shared_ptr<const rcl_node_t> get_shared_rcl_node_handle() const override { return node_handle_; }
  CallbackGroup::SharedPtr create_callback_group(
    CallbackGroupType group_type, bool automatically_add_to_executor_with_node = true) override;
  CallbackGroup::SharedPtr get_default_callback_group() override { return default_callback_group_; }
  bool callback_group_in_node(CallbackGroup::SharedPtr group) override;
  void for_each_callback_group(const CallbackGroupFunction & func) override;
  std::atomic_bool & get_associated_with_executor_atomic() override { return associated_with_executor_; }
  GuardCondition & get_notify_guard_condition() override;
  GuardCondition::SharedPtr get_shared_notify_guard_condition() override;
  void trigger_notify_guard_condition() override;
  bool get_use_intra_process_default() const override { return use_intra_process_default_; }
  bool get_enable_topic_statistics_default() const override { return enable_topic_statistics_default_; }
  std::string resolve_topic_or_service_name(
    const std::string & name, bool is_service, bool only_expand = false) const override;

private:
  Context::SharedPtr context_;
  bool use_intra_process_default_;
  bool enable_topic_statistics_default_;
  std::shared_ptr<rcl_node_t> node_handle_;

  CallbackGroup::SharedPtr default_callback_group_;
  std::mutex callback_groups_mutex_;
  std::vector<rclcpp::CallbackGroup::WeakPtr> callback_groups_;

  std::atomic_bool associated_with_executor_{false};

  mutable std::recursive_mutex notify_guard_condition_mutex_;
  std::shared_ptr<rclcpp::GuardCondition> notify_guard_condition_;
  bool notify_guard_condition_is_valid_{false};
};

}  // namespace rclcpp::node_interfaces
