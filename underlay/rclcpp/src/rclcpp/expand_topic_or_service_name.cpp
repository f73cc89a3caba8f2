#include "rclcpp/expand_topic_or_service_name.hpp"

#include <string>

#include "rcl/expand_topic_name.h"
#include "rcl/validate_topic_name.h"
#include "rclcpp/exceptions.hpp"
#include "rcpputils/scope_exit.hpp"
#include "rcutils/types/string_map.h"
#include "rmw/error_handling.h"
#include "rmw/names_and_types.h"
#include "rmw/validate_full_topic_name.h"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"

namespace rclcpp
{

namespace
{

[[noreturn]] void throw_name_error(
  const std::string & name, const char * error, size_t index, bool is_service)
{
  if (is_service) {
    throw exceptions::InvalidServiceNameError(name.c_str(), error, index);
  }
  throw exceptions::InvalidTopicNameError(name.c_str(), error, index);
}

/// Each throws when the name is invalid.
void check_relative(const std::string & name, bool is_service)
{
  int result = RCL_TOPIC_NAME_VALID;
  size_t index = 0;
  const rcl_ret_t ret = rcl_validate_topic_name(name.c_str(), &result, &index);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret);
  }
  if (result != RCL_TOPIC_NAME_VALID) {
    throw_name_error(name, rcl_topic_name_validation_result_string(result), index, is_service);
  }
}

void check_node(const std::string & node_name, const std::string & namespace_)
{
  int result = RMW_NODE_NAME_VALID;
  size_t index = 0;
  rmw_ret_t ret = rmw_validate_node_name(node_name.c_str(), &result, &index);
  if (ret != RMW_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to validate node name");
  }
  if (result != RMW_NODE_NAME_VALID) {
    throw exceptions::InvalidNodeNameError(
            node_name.c_str(), rmw_node_name_validation_result_string(result), index);
  }
  ret = rmw_validate_namespace(namespace_.c_str(), &result, &index);
  if (ret != RMW_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to validate namespace");
  }
  if (result != RMW_NAMESPACE_VALID) {
    throw exceptions::InvalidNamespaceError(
            namespace_.c_str(), rmw_namespace_validation_result_string(result), index);
  }
}

}  // namespace

std::string expand_topic_or_service_name(
  const std::string & name, const std::string & node_name, const std::string & namespace_,
  bool is_service)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcutils_string_map_t substitutions = rcutils_get_zero_initialized_string_map();
  if (rcutils_string_map_init(&substitutions, 0, allocator) != RCUTILS_RET_OK) {
    exceptions::throw_from_rcl_error(RCL_RET_ERROR, "", rcutils_get_error_state(),
      rcutils_reset_error);
  }
  RCPPUTILS_SCOPE_EXIT(
  {
    if (rcutils_string_map_fini(&substitutions) != RCUTILS_RET_OK) {
      rcutils_reset_error();
    }
  });
  rcl_ret_t ret = rcl_get_default_topic_name_substitutions(&substitutions);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret);
  }

  char * expanded = nullptr;
  ret = rcl_expand_topic_name(
    name.c_str(), node_name.c_str(), namespace_.c_str(), &substitutions, allocator, &expanded);
  std::string result;
  if (ret == RCL_RET_OK) {
    result = expanded;
    allocator.deallocate(expanded, allocator.state);
  } else {
    if (ret == RCL_RET_TOPIC_NAME_INVALID || ret == RCL_RET_UNKNOWN_SUBSTITUTION) {
      rcl_reset_error();
      check_relative(name, is_service);
      throw std::runtime_error("topic name unexpectedly valid");
    }
    if (ret == RCL_RET_NODE_INVALID_NAME || ret == RCL_RET_NODE_INVALID_NAMESPACE) {
      rcl_reset_error();
      check_node(node_name, namespace_);
      throw std::runtime_error("invalid rcl node name or namespace, but it passes validation");
    }
    exceptions::throw_from_rcl_error(ret);
  }

  int validation_result = RMW_TOPIC_VALID;
  size_t invalid_index = 0;
  const rmw_ret_t rmw_ret = rmw_validate_full_topic_name(
    result.c_str(), &validation_result, &invalid_index);
  if (rmw_ret != RMW_RET_OK) {
    exceptions::throw_from_rcl_error(rmw_ret, "failed to validate full topic name",
      rmw_get_error_state(), rmw_reset_error);
  }
  if (validation_result != RMW_TOPIC_VALID) {
    throw_name_error(
      result, rmw_full_topic_name_validation_result_string(validation_result), invalid_index,
      is_service);
  }
  return result;
}

}  // namespace rclcpp
