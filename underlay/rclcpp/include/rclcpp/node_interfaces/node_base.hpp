#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rcl/node.h"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace node_interfaces
{

class NodeBase : public NodeBaseInterface, public std::enable_shared_from_this<NodeBase>
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeBase)

  /// \throws InvalidNodeNameError, InvalidNamespaceError and what rcl_node_init() reports
  RCLCPP_PUBLIC
  NodeBase(
    const std::string & node_name, const std::string & namespace_,
    rclcpp::Context::SharedPtr context, const rcl_node_options_t & rcl_node_options,
    bool use_intra_process_default, bool enable_topic_statistics_default,
    rclcpp::CallbackGroup::SharedPtr default_callback_group = nullptr);
  RCLCPP_PUBLIC
  virtual ~NodeBase();

  RCLCPP_PUBLIC
  const char * get_name() const override;
  RCLCPP_PUBLIC
  const char * get_namespace() const override;
  RCLCPP_PUBLIC
  const char * get_fully_qualified_name() const override;
  RCLCPP_PUBLIC
  rclcpp::Context::SharedPtr get_context() override;
  RCLCPP_PUBLIC
  rcl_node_t * get_rcl_node_handle() override;
  RCLCPP_PUBLIC
  const rcl_node_t * get_rcl_node_handle() const override;
  RCLCPP_PUBLIC
  std::shared_ptr<rcl_node_t> get_shared_rcl_node_handle() override;
  RCLCPP_PUBLIC
  std::shared_ptr<const rcl_node_t> get_shared_rcl_node_handle() const override;
  RCLCPP_PUBLIC
  rclcpp::CallbackGroup::SharedPtr create_callback_group(
    rclcpp::CallbackGroupType group_type,
    bool automatically_add_to_executor_with_node = true) override;
  RCLCPP_PUBLIC
  rclcpp::CallbackGroup::SharedPtr get_default_callback_group() override;
  RCLCPP_PUBLIC
  bool callback_group_in_node(rclcpp::CallbackGroup::SharedPtr group) override;
  RCLCPP_PUBLIC
  void for_each_callback_group(const CallbackGroupFunction & func) override;
  RCLCPP_PUBLIC
  std::atomic_bool & get_associated_with_executor_atomic() override;
  RCLCPP_PUBLIC
  rclcpp::GuardCondition & get_notify_guard_condition() override;
  RCLCPP_PUBLIC
  rclcpp::GuardCondition::SharedPtr get_shared_notify_guard_condition() override;
  RCLCPP_PUBLIC
  void trigger_notify_guard_condition() override;
  RCLCPP_PUBLIC
  bool get_use_intra_process_default() const override;
  RCLCPP_PUBLIC
  bool get_enable_topic_statistics_default() const override;
  RCLCPP_PUBLIC
  std::string resolve_topic_or_service_name(
    const std::string & name, bool is_service, bool only_expand = false) const override;

private:
  RCLCPP_DISABLE_COPY(NodeBase)

  rclcpp::Context::SharedPtr context_;
  bool use_intra_process_default_;
  bool enable_topic_statistics_default_;
  std::shared_ptr<rcl_node_t> node_handle_;

  rclcpp::CallbackGroup::SharedPtr default_callback_group_;
  std::mutex callback_groups_mutex_;
  std::vector<rclcpp::CallbackGroup::WeakPtr> callback_groups_;

  std::atomic_bool associated_with_executor_{false};

  mutable std::recursive_mutex notify_guard_condition_mutex_;
  std::shared_ptr<rclcpp::GuardCondition> notify_guard_condition_;
  bool notify_guard_condition_is_valid_{false};
};

}  // namespace node_interfaces
}  // namespace rclcpp
