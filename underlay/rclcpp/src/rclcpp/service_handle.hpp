// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "rcl_check.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/qos.hpp"

// What clients and services do alike with their rcl handles.
namespace rclcpp::detail {

/// Make the handle; throws with the place of the mistake where the name is invalid.
template <typename HandleT, typename InitT, typename FiniT, typename OptionsT>
std::shared_ptr<HandleT> make_service_handle(HandleT zero, InitT init, FiniT fini,
  const std::shared_ptr<rcl_node_t> & node, const rosidl_service_type_support_t * type_support,
  const std::string & name, const OptionsT & options, const std::string & kind) {
  auto handle = std::make_unique<HandleT>(zero);
  const rcl_ret_t ret = init(handle.get(), node.get(), type_support, name.c_str(), &options);
  if (ret == RCL_RET_SERVICE_NAME_INVALID) {
    rcl_reset_error();
    expand_topic_or_service_name(name, rcl_node_get_name(node.get()), rcl_node_get_namespace(node.get()), true);
  }
  check(ret, ("could not create " + kind).c_str());
  return std::shared_ptr<HandleT>(handle.release(), [node, fini, kind](HandleT * made) {
    log_failure(fini(made, node.get()), ("Error in destruction of rcl " + kind + " handle").c_str());
    delete made;
  });
}

/// Whether something was taken; `nothing` is what rcl answers where there was nothing to take.
inline bool was_taken(rcl_ret_t ret, rcl_ret_t nothing) {
  ret == nothing ? rcl_reset_error() : check(ret, "");
  return ret != nothing;
}

inline rcl_publisher_options_t introspection_options(const QoS & qos) {
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos.get_rmw_qos_profile();
  return options;
}

}  // namespace rclcpp::detail
