// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node.hpp"

#include "rcl_check.hpp"
#include "rclcpp/node_interfaces/node_base.hpp"
#include "rclcpp/node_interfaces/node_clock.hpp"
#include "rclcpp/node_interfaces/node_graph.hpp"
#include "rclcpp/node_interfaces/node_logging.hpp"
#include "rclcpp/node_interfaces/node_parameters.hpp"
#include "rclcpp/node_interfaces/node_services.hpp"
#include "rclcpp/node_interfaces/node_time_source.hpp"
#include "rclcpp/node_interfaces/node_timers.hpp"
#include "rclcpp/node_interfaces/node_topics.hpp"
#include "rclcpp/node_interfaces/node_type_descriptions.hpp"
#include "rclcpp/node_interfaces/node_waitables.hpp"
#include "ros_arguments.hpp"

namespace rclcpp {

const rcl_node_options_t * NodeOptions::get_rcl_node_options() const {
  if (!node_options_) {
    std::shared_ptr<rcl_node_options_t> options(
      new rcl_node_options_t(rcl_node_get_default_options()), [](rcl_node_options_t * old) {
        detail::log_failure(rcl_node_options_fini(old), "failed to finalize rcl node options");
        delete old;
      });
    options->allocator = allocator_;
    options->use_global_arguments = use_global_arguments_;
    options->enable_rosout = enable_rosout_;
    options->rosout_qos = rosout_qos_.get_rmw_qos_profile();

    std::vector<const char *> arguments;
    for (const auto & argument : arguments_) { arguments.push_back(argument.c_str()); }
    detail::check(rcl_parse_arguments(static_cast<int>(arguments.size()),
                    arguments.empty() ? nullptr : arguments.data(), allocator_, &options->arguments),
      "failed to parse arguments");
    detail::refuse_unknown_ros_arguments(arguments.data(), options->arguments);
    node_options_ = options;
  }
  return node_options_.get();
}

static std::string extend_sub_namespace(const std::string & existing, const std::string & extension) {
  if (extension.empty() || extension.front() == '/') {
    throw exceptions::NameValidationError("sub_namespace", extension.c_str(),
      extension.empty() ? "sub-nodes should not extend nodes by an empty sub-namespace"
                        : "a sub-namespace should not have a leading /",
      0);
  }
  std::string extended = existing.empty() ? extension : existing + "/" + extension;
  if (extended.back() == '/') { extended.pop_back(); }
  return extended;
}

using namespace node_interfaces;  // NOLINT(build/namespaces)

Node::Node(const std::string & node_name, const std::string & namespace_, const NodeOptions & options)
: node_options_(options),
  node_base_(new NodeBase(node_name, namespace_, options.context(), *options.get_rcl_node_options(),
    options.use_intra_process_comms(), options.enable_topic_statistics())),
  node_graph_(new NodeGraph(node_base_.get())),
  node_logging_(new NodeLogging(node_base_.get())),
  node_timers_(new NodeTimers(node_base_.get())),
  node_topics_(new NodeTopics(node_base_.get(), node_timers_.get())),
  node_services_(new NodeServices(node_base_.get())),
  node_clock_(
    new NodeClock(node_base_, node_topics_, node_graph_, node_services_, node_logging_, options.clock_type())),
  node_parameters_(new NodeParameters(node_base_, node_logging_, node_topics_, node_services_, node_clock_,
    options.parameter_overrides(), options.start_parameter_services(), options.start_parameter_event_publisher(),
    options.parameter_event_qos(), options.parameter_event_publisher_options(), options.allow_undeclared_parameters(),
    options.automatically_declare_parameters_from_overrides())),
  node_time_source_([&] {
    // Makes the overrides, which have been used already, visible as parameters; before the time source
    // listens, so that a node does not wake up for its own declarations.
    rclcpp::detail::declare_qos_parameters(rclcpp::detail::parameter_events_overriding(), *node_parameters_,
      node_topics_->resolve_topic_name("/parameter_events"), options.parameter_event_qos(), "publisher");
    return new NodeTimeSource(node_base_, node_topics_, node_graph_, node_services_, node_logging_, node_clock_,
      node_parameters_, options.clock_qos(), options.use_clock_thread());
  }()),
  node_type_descriptions_(new NodeTypeDescriptions(node_base_, node_logging_, node_parameters_, node_services_)),
  node_waitables_(new NodeWaitables(node_base_.get())),
  effective_namespace_(node_base_->get_namespace()) {
  if (options.enable_logger_service()) { node_logging_->create_logger_services(node_services_); }
  if (options.enable_topic_statistics()) {
    RCLCPP_WARN(get_logger(), "topic statistics are not supported, none will be published");
  }
}

Node::Node(const Node & other, const std::string & sub_namespace)
: std::enable_shared_from_this<Node>(),
  node_options_(other.node_options_),
  node_base_(other.node_base_),
  node_graph_(other.node_graph_),
  node_logging_(other.node_logging_),
  node_timers_(other.node_timers_),
  node_topics_(other.node_topics_),
  node_services_(other.node_services_),
  node_clock_(other.node_clock_),
  node_parameters_(other.node_parameters_),
  node_time_source_(other.node_time_source_),
  node_type_descriptions_(other.node_type_descriptions_),
  node_waitables_(other.node_waitables_),
  sub_namespace_(extend_sub_namespace(other.get_sub_namespace(), sub_namespace)),
  effective_namespace_(
    (std::string(other.get_namespace()) == "/" ? "/" : other.get_namespace() + std::string("/")) + sub_namespace_) {
  // Throws an exception that shows where the name is wrong.
  expand_topic_or_service_name("any", get_name(), effective_namespace_);
}

std::string Node::extend_name_(const std::string & name) const {
  const bool relative = !name.empty() && name.front() != '/' && name.front() != '~';
  return sub_namespace_.empty() || !relative ? name : sub_namespace_ + "/" + name;
}

rcl_interfaces::msg::ParameterDescriptor Node::describe_parameter(const std::string & name) const {
  const auto result = node_parameters_->describe_parameters({name});
  if (result.empty()) { throw exceptions::ParameterNotDeclaredException(name); }
  return result.front();
}

}  // namespace rclcpp
