#include "rclcpp/node_interfaces/node_base.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../logging_mutex.hpp"
#include "rcl/arguments.h"
#include "rcl/logging.h"
#include "rcl/logging_rosout.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"

namespace rclcpp
{
namespace node_interfaces
{

namespace
{

[[noreturn]] void throw_node_error(
  rcl_ret_t ret, const std::string & node_name, const std::string & namespace_)
{
  int validation_result = 0;
  size_t invalid_index = 0;
  if (ret == RCL_RET_NODE_INVALID_NAME) {
    rcl_reset_error();
    const rmw_ret_t rmw_ret = rmw_validate_node_name(
      node_name.c_str(), &validation_result, &invalid_index);
    if (rmw_ret != RMW_RET_OK) {
      exceptions::throw_from_rcl_error(RCL_RET_ERROR, "failed to validate node name");
    }
    if (validation_result != RMW_NODE_NAME_VALID) {
      throw exceptions::InvalidNodeNameError(
              node_name.c_str(), rmw_node_name_validation_result_string(validation_result),
              invalid_index);
    }
    throw std::runtime_error("valid rmw node name but invalid rcl node name");
  }
  if (ret == RCL_RET_NODE_INVALID_NAMESPACE) {
    rcl_reset_error();
    // rcl adds a missing leading slash before it validates.
    const std::string full =
      namespace_.empty() || namespace_.front() == '/' ? namespace_ : "/" + namespace_;
    const rmw_ret_t rmw_ret = rmw_validate_namespace(
      full.c_str(), &validation_result, &invalid_index);
    if (rmw_ret != RMW_RET_OK) {
      exceptions::throw_from_rcl_error(RCL_RET_ERROR, "failed to validate namespace");
    }
    if (validation_result != RMW_NAMESPACE_VALID) {
      throw exceptions::InvalidNamespaceError(
              full.c_str(), rmw_namespace_validation_result_string(validation_result),
              invalid_index);
    }
    throw std::runtime_error("valid rmw node namespace but invalid rcl node namespace");
  }
  exceptions::throw_from_rcl_error(ret, "failed to initialize rcl node");
}

}  // namespace

NodeBase::NodeBase(
  const std::string & node_name, const std::string & namespace_,
  rclcpp::Context::SharedPtr context, const rcl_node_options_t & rcl_node_options,
  bool use_intra_process_default, bool enable_topic_statistics_default,
  rclcpp::CallbackGroup::SharedPtr default_callback_group)
: context_(context),
  use_intra_process_default_(use_intra_process_default),
  enable_topic_statistics_default_(enable_topic_statistics_default),
  default_callback_group_(default_callback_group),
  notify_guard_condition_(std::make_shared<rclcpp::GuardCondition>(context))
{
  auto rcl_node = std::make_unique<rcl_node_t>(rcl_get_zero_initialized_node());
  auto logging_mutex = rclcpp::detail::get_global_logging_mutex();
  rcl_ret_t ret;
  {
    std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
    ret = rcl_node_init(
      rcl_node.get(), node_name.c_str(), namespace_.c_str(), context_->get_rcl_context().get(),
      &rcl_node_options);
  }
  if (ret != RCL_RET_OK) {
    throw_node_error(ret, node_name, namespace_);
  }
  const bool has_rosout = rcl_node_options.enable_rosout && rcl_logging_rosout_enabled();
  // The rcl context must outlive the node.
  node_handle_.reset(
    rcl_node.release(),
    [logging_mutex, has_rosout, rcl_context = context_->get_rcl_context()](rcl_node_t * node) {
      std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
      if (has_rosout && rcl_logging_rosout_fini_publisher_for_node(node) != RCL_RET_OK) {
        RCUTILS_LOG_ERROR_NAMED(
          "rclcpp", "Error in destruction of rosout publisher: %s", rcl_get_error_string().str);
        rcl_reset_error();
      }
      if (rcl_node_fini(node) != RCL_RET_OK) {
        RCUTILS_LOG_ERROR_NAMED(
          "rclcpp", "Error in destruction of rcl node handle: %s", rcl_get_error_string().str);
        rcl_reset_error();
      }
      delete node;
    });

  if (has_rosout) {
    // rcl keeps these publishers in a table that is not thread safe.
    std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
    ret = rcl_logging_rosout_init_publisher_for_node(node_handle_.get());
    if (ret != RCL_RET_OK) {
      exceptions::throw_from_rcl_error(ret, "failed to initialize rosout publisher");
    }
  }

  if (!default_callback_group_) {
    default_callback_group_ = NodeBase::create_callback_group(
      CallbackGroupType::MutuallyExclusive);
  } else {
    callback_groups_.push_back(default_callback_group_);
  }
  notify_guard_condition_is_valid_ = true;
}

NodeBase::~NodeBase()
{
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  notify_guard_condition_is_valid_ = false;
}

const char * NodeBase::get_name() const
{
  return rcl_node_get_name(node_handle_.get());
}

const char * NodeBase::get_namespace() const
{
  return rcl_node_get_namespace(node_handle_.get());
}

const char * NodeBase::get_fully_qualified_name() const
{
  return rcl_node_get_fully_qualified_name(node_handle_.get());
}

rclcpp::Context::SharedPtr NodeBase::get_context()
{
  return context_;
}

rcl_node_t * NodeBase::get_rcl_node_handle()
{
  return node_handle_.get();
}

const rcl_node_t * NodeBase::get_rcl_node_handle() const
{
  return node_handle_.get();
}

std::shared_ptr<rcl_node_t> NodeBase::get_shared_rcl_node_handle()
{
  return node_handle_;
}

std::shared_ptr<const rcl_node_t> NodeBase::get_shared_rcl_node_handle() const
{
  return node_handle_;
}

rclcpp::CallbackGroup::SharedPtr NodeBase::create_callback_group(
  rclcpp::CallbackGroupType group_type, bool automatically_add_to_executor_with_node)
{
  auto weak_context = context_->weak_from_this();
  auto group = std::make_shared<rclcpp::CallbackGroup>(
    group_type, [weak_context]() {return weak_context.lock();},
    automatically_add_to_executor_with_node);
  std::lock_guard<std::mutex> lock(callback_groups_mutex_);
  callback_groups_.push_back(group);
  return group;
}

rclcpp::CallbackGroup::SharedPtr NodeBase::get_default_callback_group()
{
  return default_callback_group_;
}

bool NodeBase::callback_group_in_node(rclcpp::CallbackGroup::SharedPtr group)
{
  std::lock_guard<std::mutex> lock(callback_groups_mutex_);
  return std::any_of(
    callback_groups_.begin(), callback_groups_.end(),
    [&group](const rclcpp::CallbackGroup::WeakPtr & weak) {return weak.lock() == group;});
}

void NodeBase::for_each_callback_group(const CallbackGroupFunction & func)
{
  std::vector<rclcpp::CallbackGroup::SharedPtr> groups;
  {
    std::lock_guard<std::mutex> lock(callback_groups_mutex_);
    for (const auto & weak : callback_groups_) {
      if (auto group = weak.lock()) {
        groups.push_back(group);
      }
    }
  }
  for (const auto & group : groups) {
    func(group);
  }
}

std::atomic_bool & NodeBase::get_associated_with_executor_atomic()
{
  return associated_with_executor_;
}

rclcpp::GuardCondition & NodeBase::get_notify_guard_condition()
{
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  if (!notify_guard_condition_is_valid_) {
    throw std::runtime_error(
            "failed to get notify guard condition because it is invalid");
  }
  return *notify_guard_condition_;
}

rclcpp::GuardCondition::SharedPtr NodeBase::get_shared_notify_guard_condition()
{
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  return notify_guard_condition_is_valid_ ? notify_guard_condition_ : nullptr;
}

void NodeBase::trigger_notify_guard_condition()
{
  std::lock_guard<std::recursive_mutex> guard(notify_guard_condition_mutex_);
  if (!notify_guard_condition_is_valid_) {
    throw std::runtime_error(
            "failed to trigger notify guard condition because it is invalid");
  }
  notify_guard_condition_->trigger();
}

bool NodeBase::get_use_intra_process_default() const
{
  return use_intra_process_default_;
}

bool NodeBase::get_enable_topic_statistics_default() const
{
  return enable_topic_statistics_default_;
}

std::string NodeBase::resolve_topic_or_service_name(
  const std::string & name, bool is_service, bool only_expand) const
{
  char * resolved = nullptr;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  const rcl_ret_t ret = rcl_node_resolve_name(
    node_handle_.get(), name.c_str(), allocator, is_service, only_expand, &resolved);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to resolve name");
  }
  std::string result(resolved);
  allocator.deallocate(resolved, allocator.state);
  return result;
}

}  // namespace node_interfaces
}  // namespace rclcpp
