// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/expand_topic_or_service_name.hpp"

#include "rcl/expand_topic_name.h"
#include "rcl/validate_topic_name.h"
#include "rcl_check.hpp"
#include "rcpputils/scope_exit.hpp"
#include "rmw/validate_full_topic_name.h"
#include "rmw/validate_namespace.h"
#include "rmw/validate_node_name.h"

namespace rclcpp {

namespace {

/// Validate with a function of rcl or rmw and throw an exception that shows the place.
template <typename ErrorT, typename ValidateT, typename ToStringT>
void validate(const std::string & name, ValidateT validate_name, ToStringT to_string) {
  int result = 0;
  size_t index = 0;
  detail::check(validate_name(name.c_str(), &result, &index), "failed to validate a name");
  if (result != 0) { throw ErrorT(name.c_str(), to_string(result), index); }
}

template <typename ErrorT>
std::string expand(const std::string & name, const std::string & node_name, const std::string & namespace_) {
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcutils_string_map_t substitutions = rcutils_get_zero_initialized_string_map();
  detail::check(rcutils_string_map_init(&substitutions, 0, allocator), "no memory");
  RCPPUTILS_SCOPE_EXIT({ detail::log_failure(rcutils_string_map_fini(&substitutions), "map"); });
  detail::check(rcl_get_default_topic_name_substitutions(&substitutions), "no substitutions");

  char * expanded = nullptr;
  const rcl_ret_t ret =
    rcl_expand_topic_name(name.c_str(), node_name.c_str(), namespace_.c_str(), &substitutions, allocator, &expanded);
  if (ret == RCL_RET_OK) {
    const std::string full = expanded;
    allocator.deallocate(expanded, allocator.state);
    validate<ErrorT>(full, rmw_validate_full_topic_name, rmw_full_topic_name_validation_result_string);
    return full;
  }
  rcl_reset_error();
  validate<ErrorT>(name, rcl_validate_topic_name, rcl_topic_name_validation_result_string);
  validate<exceptions::InvalidNodeNameError>(node_name, rmw_validate_node_name, rmw_node_name_validation_result_string);
  validate<exceptions::InvalidNamespaceError>(
    namespace_, rmw_validate_namespace, rmw_namespace_validation_result_string);
  // What is left is an unknown substitution, for which stock has these words.
  throw std::runtime_error("topic name unexpectedly valid");
}

}  // namespace

std::string expand_topic_or_service_name(
  const std::string & name, const std::string & node_name, const std::string & namespace_, bool is_service) {
  return is_service ? expand<exceptions::InvalidServiceNameError>(name, node_name, namespace_)
                    : expand<exceptions::InvalidTopicNameError>(name, node_name, namespace_);
}

}  // namespace rclcpp
