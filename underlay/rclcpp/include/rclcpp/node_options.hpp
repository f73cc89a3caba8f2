// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/node_options.h"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher_options.hpp"

namespace rclcpp {

/// Everything about a node but its name; setters return *this for chaining.
class NodeOptions {
public:
  explicit NodeOptions(rcl_allocator_t allocator = rcl_get_default_allocator()) : allocator_(allocator) {}
  virtual ~NodeOptions() = default;
  NodeOptions(const NodeOptions &) = default;
  NodeOptions & operator=(const NodeOptions &) = default;

  /// Made of the other options, valid until one of them changes.
  const rcl_node_options_t * get_rcl_node_options() const;

  template <typename ParameterT>
  NodeOptions & append_parameter_override(const std::string & name, const ParameterT & value) {
    parameter_overrides_.emplace_back(name, ParameterValue(value));
    return *this;
  }
  std::vector<Parameter> & parameter_overrides() { return parameter_overrides_; }

  // Each option: a getter, a setter and the value with its default.
#define RCLCPP_DETAIL_NODE_OPTION(ReturnT, ArgumentT, type, name, ...) \
public:                                                                \
  ReturnT name() const { return name##_; }                             \
  NodeOptions & name(ArgumentT value) {                                \
    name##_ = value;                                                   \
    node_options_.reset();                                             \
    return *this;                                                      \
  }                                                                    \
                                                                       \
private:                                                               \
  type name##_{__VA_ARGS__};
#define RCLCPP_DETAIL_NODE_FLAG(name, value) RCLCPP_DETAIL_NODE_OPTION(bool, bool, bool, name, value)
#define RCLCPP_DETAIL_NODE_VALUE(type, name, ...) \
  RCLCPP_DETAIL_NODE_OPTION(const type &, const type &, type, name, __VA_ARGS__)

  RCLCPP_DETAIL_NODE_OPTION(
    Context::SharedPtr, Context::SharedPtr, Context::SharedPtr, context, contexts::get_global_default_context())
  RCLCPP_DETAIL_NODE_VALUE(std::vector<std::string>, arguments, )
  RCLCPP_DETAIL_NODE_VALUE(std::vector<Parameter>, parameter_overrides, )
  RCLCPP_DETAIL_NODE_FLAG(use_global_arguments, true)
  RCLCPP_DETAIL_NODE_FLAG(enable_rosout, true)
  RCLCPP_DETAIL_NODE_FLAG(use_intra_process_comms, false)
  /// Topic statistics are not supported: a node that asks for them says so in a warning.
  RCLCPP_DETAIL_NODE_FLAG(enable_topic_statistics, false)
  RCLCPP_DETAIL_NODE_FLAG(start_parameter_services, true)
  RCLCPP_DETAIL_NODE_FLAG(enable_logger_service, false)
  RCLCPP_DETAIL_NODE_FLAG(start_parameter_event_publisher, true)
  RCLCPP_DETAIL_NODE_VALUE(rcl_clock_type_t, clock_type, RCL_ROS_TIME)
  RCLCPP_DETAIL_NODE_VALUE(QoS, clock_qos, ClockQoS())
  RCLCPP_DETAIL_NODE_FLAG(use_clock_thread, true)
  RCLCPP_DETAIL_NODE_VALUE(QoS, parameter_event_qos, ParameterEventsQoS())
  RCLCPP_DETAIL_NODE_VALUE(QoS, rosout_qos, RosoutQoS())
  RCLCPP_DETAIL_NODE_VALUE(PublisherOptionsBase, parameter_event_publisher_options, )
  RCLCPP_DETAIL_NODE_FLAG(allow_undeclared_parameters, false)
  RCLCPP_DETAIL_NODE_FLAG(automatically_declare_parameters_from_overrides, false)
  RCLCPP_DETAIL_NODE_OPTION(const rcl_allocator_t &, rcl_allocator_t, rcl_allocator_t, allocator, )

#undef RCLCPP_DETAIL_NODE_OPTION
#undef RCLCPP_DETAIL_NODE_FLAG
#undef RCLCPP_DETAIL_NODE_VALUE

  // Immutable once made, hence copies of this object may share it.
  mutable std::shared_ptr<rcl_node_options_t> node_options_;
};

}  // namespace rclcpp
