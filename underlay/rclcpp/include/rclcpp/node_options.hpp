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

// A getter and a setter of each option.
#define RCLCPP_DETAIL_NODE_OPTION(ReturnT, ArgumentT, name) \
  ReturnT name() const { return name##_; }                  \
  NodeOptions & name(ArgumentT value) {                     \
    name##_ = value;                                        \
    node_options_.reset();                                  \
    return *this;                                           \
  }
#define RCLCPP_DETAIL_NODE_FLAG(name) RCLCPP_DETAIL_NODE_OPTION(bool, bool, name)
#define RCLCPP_DETAIL_NODE_VALUE(type, name) RCLCPP_DETAIL_NODE_OPTION(const type &, const type &, name)

  RCLCPP_DETAIL_NODE_OPTION(Context::SharedPtr, Context::SharedPtr, context)
  RCLCPP_DETAIL_NODE_VALUE(std::vector<std::string>, arguments)
  RCLCPP_DETAIL_NODE_VALUE(std::vector<Parameter>, parameter_overrides)
  RCLCPP_DETAIL_NODE_FLAG(use_global_arguments)
  RCLCPP_DETAIL_NODE_FLAG(enable_rosout)
  RCLCPP_DETAIL_NODE_FLAG(use_intra_process_comms)
  /// Topic statistics are not supported: a node that asks for them says so in a warning.
  RCLCPP_DETAIL_NODE_FLAG(enable_topic_statistics)
  RCLCPP_DETAIL_NODE_FLAG(start_parameter_services)
  RCLCPP_DETAIL_NODE_FLAG(enable_logger_service)
  RCLCPP_DETAIL_NODE_FLAG(start_parameter_event_publisher)
  RCLCPP_DETAIL_NODE_VALUE(rcl_clock_type_t, clock_type)
  RCLCPP_DETAIL_NODE_VALUE(QoS, clock_qos)
  RCLCPP_DETAIL_NODE_FLAG(use_clock_thread)
  RCLCPP_DETAIL_NODE_VALUE(QoS, parameter_event_qos)
  RCLCPP_DETAIL_NODE_VALUE(QoS, rosout_qos)
  RCLCPP_DETAIL_NODE_VALUE(PublisherOptionsBase, parameter_event_publisher_options)
  RCLCPP_DETAIL_NODE_FLAG(allow_undeclared_parameters)
  RCLCPP_DETAIL_NODE_FLAG(automatically_declare_parameters_from_overrides)
  RCLCPP_DETAIL_NODE_OPTION(const rcl_allocator_t &, rcl_allocator_t, allocator)

#undef RCLCPP_DETAIL_NODE_OPTION
#undef RCLCPP_DETAIL_NODE_FLAG
#undef RCLCPP_DETAIL_NODE_VALUE

private:
  // Immutable once made, hence copies of this object may share it.
  mutable std::shared_ptr<rcl_node_options_t> node_options_;
  Context::SharedPtr context_{contexts::get_global_default_context()};
  std::vector<std::string> arguments_;
  std::vector<Parameter> parameter_overrides_;
  bool use_global_arguments_{true};
  bool enable_rosout_{true};
  bool use_intra_process_comms_{false};
  bool enable_topic_statistics_{false};
  bool start_parameter_services_{true};
  bool enable_logger_service_{false};
  bool start_parameter_event_publisher_{true};
  rcl_clock_type_t clock_type_{RCL_ROS_TIME};
  QoS clock_qos_ = ClockQoS();
  bool use_clock_thread_{true};
  QoS parameter_event_qos_ = ParameterEventsQoS();
  QoS rosout_qos_ = RosoutQoS();
  PublisherOptionsBase parameter_event_publisher_options_;
  bool allow_undeclared_parameters_{false};
  bool automatically_declare_parameters_from_overrides_{false};
  rcl_allocator_t allocator_;
};

}  // namespace rclcpp
