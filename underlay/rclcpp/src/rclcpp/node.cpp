#include "rclcpp/node.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "detail/qos_overrides.hpp"
#include "node_interfaces/parameter_overrides.hpp"
#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/exceptions.hpp"
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
#include "rmw/validate_namespace.h"

namespace rclcpp
{

namespace
{

std::string extend_sub_namespace(
  const std::string & existing_sub_namespace, const std::string & extension)
{
  if (extension.empty()) {
    throw exceptions::NameValidationError(
            "sub_namespace", extension.c_str(),
            "sub-nodes should not extend nodes by an empty sub-namespace", 0);
  }
  if (extension.front() == '/') {
    throw exceptions::NameValidationError(
            "sub_namespace", extension.c_str(),
            "a sub-namespace should not have a leading /", 0);
  }
  std::string extended =
    existing_sub_namespace.empty() ? extension : existing_sub_namespace + "/" + extension;
  if (extended.back() == '/') {
    extended.pop_back();
  }
  return extended;
}

std::string make_effective_namespace(
  const std::string & node_namespace, const std::string & sub_namespace)
{
  if (sub_namespace.empty()) {
    return node_namespace;
  }
  return node_namespace.back() == '/' ?
         node_namespace + sub_namespace : node_namespace + "/" + sub_namespace;
}

QosOverridingOptions parameter_events_overriding()
{
  return QosOverridingOptions{
    QosPolicyKind::Depth, QosPolicyKind::Durability, QosPolicyKind::History,
    QosPolicyKind::Reliability};
}

/// Parameters need this publisher, so its overrides are read before there are parameters.
rclcpp::QoS parameter_events_qos(
  node_interfaces::NodeBaseInterface & node_base, const NodeOptions & options)
{
  return detail::apply_publisher_qos_overrides(
    detail::resolve_parameter_overrides(node_base, options.parameter_overrides()),
    node_base.resolve_topic_or_service_name("/parameter_events", false),
    parameter_events_overriding().get_policy_kinds(), options.parameter_event_qos());
}

}  // namespace

Node::Node(const std::string & node_name, const NodeOptions & options)
: Node(node_name, "", options)
{}

Node::Node(
  const std::string & node_name, const std::string & namespace_, const NodeOptions & options)
: node_options_(options),
  node_base_(new node_interfaces::NodeBase(
      node_name, namespace_, options.context(), *options.get_rcl_node_options(),
      options.use_intra_process_comms(), options.enable_topic_statistics())),
  node_graph_(new node_interfaces::NodeGraph(node_base_.get())),
  node_logging_(new node_interfaces::NodeLogging(node_base_.get())),
  node_timers_(new node_interfaces::NodeTimers(node_base_.get())),
  node_topics_(new node_interfaces::NodeTopics(node_base_.get(), node_timers_.get())),
  node_services_(new node_interfaces::NodeServices(node_base_.get())),
  node_clock_(new node_interfaces::NodeClock(
      node_base_, node_topics_, node_graph_, node_services_, node_logging_,
      options.clock_type())),
  node_parameters_(new node_interfaces::NodeParameters(
      node_base_, node_logging_, node_topics_, node_services_, node_clock_,
      options.parameter_overrides(), options.start_parameter_services(),
      options.start_parameter_event_publisher(),
      parameter_events_qos(*node_base_, options), options.parameter_event_publisher_options(),
      options.allow_undeclared_parameters(),
      options.automatically_declare_parameters_from_overrides())),
  node_time_source_(new node_interfaces::NodeTimeSource(
      node_base_, node_topics_, node_graph_, node_services_, node_logging_, node_clock_,
      node_parameters_, options.clock_qos(), options.use_clock_thread())),
  node_type_descriptions_(new node_interfaces::NodeTypeDescriptions(
      node_base_, node_logging_, node_parameters_, node_services_)),
  node_waitables_(new node_interfaces::NodeWaitables(node_base_.get())),
  sub_namespace_(""),
  effective_namespace_(make_effective_namespace(node_base_->get_namespace(), sub_namespace_))
{
  // The overrides have been used already; this makes them visible as parameters.
  detail::declare_qos_parameters(
    parameter_events_overriding(), node_parameters_,
    node_topics_->resolve_topic_name("/parameter_events"), options.parameter_event_qos(),
    detail::PublisherQosParametersTraits{});
  if (options.enable_logger_service()) {
    node_logging_->create_logger_services(node_services_);
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
  effective_namespace_(make_effective_namespace(other.get_namespace(), sub_namespace_))
{
  int validation_result = RMW_NAMESPACE_VALID;
  size_t invalid_index = 0;
  const rmw_ret_t ret = rmw_validate_namespace(
    effective_namespace_.c_str(), &validation_result, &invalid_index);
  if (ret != RMW_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to validate namespace");
  }
  if (validation_result != RMW_NAMESPACE_VALID) {
    throw exceptions::InvalidNamespaceError(
            effective_namespace_.c_str(),
            rmw_namespace_validation_result_string(validation_result), invalid_index);
  }
}

Node::~Node()
{
  // Whatever refers to the node's interfaces goes before them.
  node_waitables_.reset();
  node_type_descriptions_.reset();
  node_time_source_.reset();
  node_parameters_.reset();
  node_clock_.reset();
  node_services_.reset();
  node_topics_.reset();
  node_timers_.reset();
  node_logging_.reset();
  node_graph_.reset();
}

const char * Node::get_name() const
{
  return node_base_->get_name();
}

const char * Node::get_namespace() const
{
  return node_base_->get_namespace();
}

const char * Node::get_fully_qualified_name() const
{
  return node_base_->get_fully_qualified_name();
}

rclcpp::Logger Node::get_logger() const
{
  return node_logging_->get_logger();
}

rclcpp::CallbackGroup::SharedPtr Node::create_callback_group(
  rclcpp::CallbackGroupType group_type, bool automatically_add_to_executor_with_node)
{
  return node_base_->create_callback_group(group_type, automatically_add_to_executor_with_node);
}

void Node::for_each_callback_group(
  const node_interfaces::NodeBaseInterface::CallbackGroupFunction & func)
{
  node_base_->for_each_callback_group(func);
}

const rclcpp::ParameterValue & Node::declare_parameter(
  const std::string & name, const rclcpp::ParameterValue & default_value,
  const rcl_interfaces::msg::ParameterDescriptor & parameter_descriptor, bool ignore_override)
{
  return node_parameters_->declare_parameter(
    name, default_value, parameter_descriptor, ignore_override);
}

const rclcpp::ParameterValue & Node::declare_parameter(
  const std::string & name, rclcpp::ParameterType type,
  const rcl_interfaces::msg::ParameterDescriptor & parameter_descriptor, bool ignore_override)
{
  return node_parameters_->declare_parameter(name, type, parameter_descriptor, ignore_override);
}

void Node::undeclare_parameter(const std::string & name)
{
  node_parameters_->undeclare_parameter(name);
}

bool Node::has_parameter(const std::string & name) const
{
  return node_parameters_->has_parameter(name);
}

rcl_interfaces::msg::SetParametersResult Node::set_parameter(const rclcpp::Parameter & parameter)
{
  return this->set_parameters_atomically({parameter});
}

std::vector<rcl_interfaces::msg::SetParametersResult> Node::set_parameters(
  const std::vector<rclcpp::Parameter> & parameters)
{
  return node_parameters_->set_parameters(parameters);
}

rcl_interfaces::msg::SetParametersResult Node::set_parameters_atomically(
  const std::vector<rclcpp::Parameter> & parameters)
{
  return node_parameters_->set_parameters_atomically(parameters);
}

rclcpp::Parameter Node::get_parameter(const std::string & name) const
{
  return node_parameters_->get_parameter(name);
}

bool Node::get_parameter(const std::string & name, rclcpp::Parameter & parameter) const
{
  return node_parameters_->get_parameter(name, parameter);
}

std::vector<rclcpp::Parameter> Node::get_parameters(const std::vector<std::string> & names) const
{
  return node_parameters_->get_parameters(names);
}

rcl_interfaces::msg::ParameterDescriptor Node::describe_parameter(const std::string & name) const
{
  const auto result = node_parameters_->describe_parameters({name});
  if (result.empty()) {
    throw exceptions::ParameterNotDeclaredException(name);
  }
  if (result.size() > 1) {
    throw std::runtime_error("number of described parameters unexpectedly more than one");
  }
  return result.front();
}

std::vector<rcl_interfaces::msg::ParameterDescriptor> Node::describe_parameters(
  const std::vector<std::string> & names) const
{
  return node_parameters_->describe_parameters(names);
}

std::vector<uint8_t> Node::get_parameter_types(const std::vector<std::string> & names) const
{
  return node_parameters_->get_parameter_types(names);
}

rcl_interfaces::msg::ListParametersResult Node::list_parameters(
  const std::vector<std::string> & prefixes, uint64_t depth) const
{
  return node_parameters_->list_parameters(prefixes, depth);
}

Node::PreSetParametersCallbackHandle::SharedPtr Node::add_pre_set_parameters_callback(
  PreSetParametersCallbackType callback)
{
  return node_parameters_->add_pre_set_parameters_callback(callback);
}

Node::OnSetParametersCallbackHandle::SharedPtr Node::add_on_set_parameters_callback(
  OnSetParametersCallbackType callback)
{
  return node_parameters_->add_on_set_parameters_callback(callback);
}

Node::PostSetParametersCallbackHandle::SharedPtr Node::add_post_set_parameters_callback(
  PostSetParametersCallbackType callback)
{
  return node_parameters_->add_post_set_parameters_callback(callback);
}

void Node::remove_pre_set_parameters_callback(
  const PreSetParametersCallbackHandle * const handler)
{
  node_parameters_->remove_pre_set_parameters_callback(handler);
}

void Node::remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * const handler)
{
  node_parameters_->remove_on_set_parameters_callback(handler);
}

void Node::remove_post_set_parameters_callback(
  const PostSetParametersCallbackHandle * const handler)
{
  node_parameters_->remove_post_set_parameters_callback(handler);
}

std::vector<std::string> Node::get_node_names() const
{
  return node_graph_->get_node_names();
}

std::map<std::string, std::vector<std::string>> Node::get_topic_names_and_types() const
{
  return node_graph_->get_topic_names_and_types();
}

std::map<std::string, std::vector<std::string>> Node::get_service_names_and_types() const
{
  return node_graph_->get_service_names_and_types();
}

std::map<std::string, std::vector<std::string>> Node::get_service_names_and_types_by_node(
  const std::string & node_name, const std::string & namespace_) const
{
  return node_graph_->get_service_names_and_types_by_node(node_name, namespace_);
}

size_t Node::count_publishers(const std::string & topic_name) const
{
  return node_graph_->count_publishers(topic_name);
}

size_t Node::count_subscribers(const std::string & topic_name) const
{
  return node_graph_->count_subscribers(topic_name);
}

size_t Node::count_clients(const std::string & service_name) const
{
  return node_graph_->count_clients(service_name);
}

size_t Node::count_services(const std::string & service_name) const
{
  return node_graph_->count_services(service_name);
}

std::vector<rclcpp::TopicEndpointInfo> Node::get_publishers_info_by_topic(
  const std::string & topic_name, bool no_mangle) const
{
  return node_graph_->get_publishers_info_by_topic(topic_name, no_mangle);
}

std::vector<rclcpp::TopicEndpointInfo> Node::get_subscriptions_info_by_topic(
  const std::string & topic_name, bool no_mangle) const
{
  return node_graph_->get_subscriptions_info_by_topic(topic_name, no_mangle);
}

rclcpp::Event::SharedPtr Node::get_graph_event()
{
  return node_graph_->get_graph_event();
}

void Node::wait_for_graph_change(
  rclcpp::Event::SharedPtr event, std::chrono::nanoseconds timeout)
{
  node_graph_->wait_for_graph_change(event, timeout);
}

rclcpp::Clock::SharedPtr Node::get_clock()
{
  return node_clock_->get_clock();
}

rclcpp::Clock::ConstSharedPtr Node::get_clock() const
{
  // Through a constant reference, to get the constant clock.
  const node_interfaces::NodeClockInterface & node_clock = *node_clock_;
  return node_clock.get_clock();
}

rclcpp::Time Node::now() const
{
  return node_clock_->get_clock()->now();
}

node_interfaces::NodeBaseInterface::SharedPtr Node::get_node_base_interface()
{
  return node_base_;
}

node_interfaces::NodeClockInterface::SharedPtr Node::get_node_clock_interface()
{
  return node_clock_;
}

node_interfaces::NodeGraphInterface::SharedPtr Node::get_node_graph_interface()
{
  return node_graph_;
}

node_interfaces::NodeLoggingInterface::SharedPtr Node::get_node_logging_interface()
{
  return node_logging_;
}

node_interfaces::NodeTimersInterface::SharedPtr Node::get_node_timers_interface()
{
  return node_timers_;
}

node_interfaces::NodeTopicsInterface::SharedPtr Node::get_node_topics_interface()
{
  return node_topics_;
}

node_interfaces::NodeServicesInterface::SharedPtr Node::get_node_services_interface()
{
  return node_services_;
}

node_interfaces::NodeWaitablesInterface::SharedPtr Node::get_node_waitables_interface()
{
  return node_waitables_;
}

node_interfaces::NodeParametersInterface::SharedPtr Node::get_node_parameters_interface()
{
  return node_parameters_;
}

node_interfaces::NodeTimeSourceInterface::SharedPtr Node::get_node_time_source_interface()
{
  return node_time_source_;
}

node_interfaces::NodeTypeDescriptionsInterface::SharedPtr
Node::get_node_type_descriptions_interface()
{
  return node_type_descriptions_;
}

const std::string & Node::get_sub_namespace() const
{
  return sub_namespace_;
}

const std::string & Node::get_effective_namespace() const
{
  return effective_namespace_;
}

Node::SharedPtr Node::create_sub_node(const std::string & sub_namespace)
{
  // make_shared cannot reach the protected constructor.
  return std::shared_ptr<Node>(new Node(*this, sub_namespace));
}

const rclcpp::NodeOptions & Node::get_node_options() const
{
  return node_options_;
}

}  // namespace rclcpp
