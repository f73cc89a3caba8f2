// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/create_client.hpp"
#include "rclcpp/create_generic_publisher.hpp"
#include "rclcpp/create_generic_subscription.hpp"
#include "rclcpp/create_publisher.hpp"
#include "rclcpp/create_service.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/create_timer.hpp"
#include "rclcpp/node_interfaces/node_interfaces.hpp"
#include "rclcpp/node_options.hpp"

namespace rclcpp {

/// The one place to make publishers, subscriptions, services, timers and parameters.
class Node : public std::enable_shared_from_this<Node> {
  // With underscores: names here hide those around the classes that derive from Node.
  using Descriptor_ = rcl_interfaces::msg::ParameterDescriptor;
  using Result_ = rcl_interfaces::msg::SetParametersResult;
  using NamesAndTypes_ = node_interfaces::NodeGraphInterface::NamesAndTypes;
  using Names_ = std::vector<std::string>;

public:
  RCLCPP_SMART_PTR_DEFINITIONS(Node)

  explicit Node(const std::string & node_name, const NodeOptions & options = NodeOptions())
  : Node(node_name, "", options) {}
  explicit Node(
    const std::string & node_name, const std::string & namespace_, const NodeOptions & options = NodeOptions());
  virtual ~Node() = default;

  const char * get_name() const { return node_base_->get_name(); }
  const char * get_namespace() const { return node_base_->get_namespace(); }
  const char * get_fully_qualified_name() const { return node_base_->get_fully_qualified_name(); }
  Logger get_logger() const { return node_logging_->get_logger(); }

  CallbackGroup::SharedPtr create_callback_group(
    CallbackGroupType group_type, bool automatically_add_to_executor_with_node = true) {
    return node_base_->create_callback_group(group_type, automatically_add_to_executor_with_node);
  }
  void for_each_callback_group(const node_interfaces::NodeBaseInterface::CallbackGroupFunction & func) {
    node_base_->for_each_callback_group(func);
  }

  template <typename MessageT, typename AllocatorT = std::allocator<void>,
    typename PublisherT = Publisher<MessageT, AllocatorT>>
  std::shared_ptr<PublisherT> create_publisher(const std::string & topic_name, const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_publisher<MessageT, AllocatorT, PublisherT>(
      node_parameters_, node_topics_, extend_name_(topic_name), qos, options);
  }

  template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
    typename SubscriptionT = Subscription<MessageT, AllocatorT>,
    typename MessageMemoryStrategyT = typename SubscriptionT::MessageMemoryStrategyType>
  std::shared_ptr<SubscriptionT> create_subscription(const std::string & topic_name, const QoS & qos,
    CallbackT && callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>(),
    typename MessageMemoryStrategyT::SharedPtr msg_mem_strat = MessageMemoryStrategyT::create_default()) {
    return rclcpp::create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(node_parameters_, node_topics_,
      extend_name_(topic_name), qos, std::forward<CallbackT>(callback), options, msg_mem_strat);
  }

  template <typename DurationRepT = int64_t, typename DurationT = std::milli, typename CallbackT>
  typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
    CallbackT callback, CallbackGroup::SharedPtr group = nullptr, bool autostart = true) {
    return rclcpp::create_wall_timer(
      period, std::move(callback), group, node_base_.get(), node_timers_.get(), autostart);
  }

  /// A timer that follows the node's clock.
  template <typename DurationRepT = int64_t, typename DurationT = std::milli, typename CallbackT>
  typename GenericTimer<CallbackT>::SharedPtr create_timer(std::chrono::duration<DurationRepT, DurationT> period,
    CallbackT callback, CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_timer(get_clock(), period, std::move(callback), group, node_base_.get(), node_timers_.get());
  }

  template <typename ServiceT> typename Client<ServiceT>::SharedPtr create_client(
    const std::string & service_name, const QoS & qos = ServicesQoS(), CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_client<ServiceT>(
      node_base_, node_graph_, node_services_, extend_name_(service_name), qos, group);
  }
  template <typename ServiceT>
  [[deprecated("use rclcpp::QoS instead of rmw_qos_profile_t")]] typename Client<ServiceT>::SharedPtr create_client(
    const std::string & service_name, const rmw_qos_profile_t & qos_profile, CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_client<ServiceT>(
      node_base_, node_graph_, node_services_, extend_name_(service_name), qos_profile, group);
  }

  template <typename ServiceT, typename CallbackT>
  typename Service<ServiceT>::SharedPtr create_service(const std::string & service_name, CallbackT && callback,
    const QoS & qos = ServicesQoS(), CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_service<ServiceT, CallbackT>(
      node_base_, node_services_, extend_name_(service_name), std::forward<CallbackT>(callback), qos, group);
  }
  template <typename ServiceT, typename CallbackT>
  [[deprecated("use rclcpp::QoS instead of rmw_qos_profile_t")]] typename Service<ServiceT>::SharedPtr create_service(
    const std::string & service_name, CallbackT && callback, const rmw_qos_profile_t & qos_profile,
    CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_service<ServiceT, CallbackT>(
      node_base_, node_services_, extend_name_(service_name), std::forward<CallbackT>(callback), qos_profile, group);
  }

  template <typename AllocatorT = std::allocator<void>> std::shared_ptr<GenericPublisher> create_generic_publisher(
    const std::string & topic_name, const std::string & topic_type, const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_generic_publisher(node_topics_, extend_name_(topic_name), topic_type, qos, options);
  }

  template <typename CallbackT, typename AllocatorT = std::allocator<void>>
  std::shared_ptr<GenericSubscription> create_generic_subscription(const std::string & topic_name,
    const std::string & topic_type, const QoS & qos, CallbackT && callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_generic_subscription(
      node_topics_, extend_name_(topic_name), topic_type, qos, std::forward<CallbackT>(callback), options);
  }

  const ParameterValue & declare_parameter(const std::string & name, const ParameterValue & default_value,
    const Descriptor_ & parameter_descriptor = Descriptor_(), bool ignore_override = false) {
    return node_parameters_->declare_parameter(name, default_value, parameter_descriptor, ignore_override);
  }
  const ParameterValue & declare_parameter(const std::string & name, ParameterType type,
    const Descriptor_ & parameter_descriptor = Descriptor_(), bool ignore_override = false) {
    return node_parameters_->declare_parameter(name, type, parameter_descriptor, ignore_override);
  }
  template <typename ParameterT> auto declare_parameter(const std::string & name, const ParameterT & default_value,
    const Descriptor_ & parameter_descriptor = Descriptor_(), bool ignore_override = false) {
    try {
      return this->declare_parameter(name, ParameterValue(default_value), parameter_descriptor, ignore_override)
        .get<ParameterT>();
    } catch (const ParameterTypeException & ex) { throw exceptions::InvalidParameterTypeException(name, ex.what()); }
  }
  /// Without a default: an override must give the value.
  template <typename ParameterT> auto declare_parameter(
    const std::string & name, const Descriptor_ & parameter_descriptor = Descriptor_(), bool ignore_override = false) {
    // The type is all that is needed of the value.
    const ParameterValue value{ParameterT{}};
    try {
      return this->declare_parameter(name, value.get_type(), parameter_descriptor, ignore_override).get<ParameterT>();
    } catch (const ParameterTypeException &) { throw exceptions::UninitializedStaticallyTypedParameterException(name); }
  }
  /// Declare "<namespace>.<key>" for every entry of the map.
  template <typename ParameterT> std::vector<ParameterT> declare_parameters(const std::string & namespace_,
    const std::map<std::string, ParameterT> & parameters, bool ignore_overrides = false) {
    std::map<std::string, std::pair<ParameterT, Descriptor_>> described;
    for (const auto & [name, value] : parameters) { described[name].first = value; }
    return declare_parameters(namespace_, described, ignore_overrides);
  }
  template <typename ParameterT> std::vector<ParameterT> declare_parameters(const std::string & namespace_,
    const std::map<std::string, std::pair<ParameterT, Descriptor_>> & parameters, bool ignore_overrides = false) {
    const std::string prefix = namespace_.empty() ? "" : namespace_ + ".";
    std::vector<ParameterT> result;
    for (const auto & [name, value] : parameters) {
      result.push_back(
        static_cast<ParameterT>(this->declare_parameter(prefix + name, value.first, value.second, ignore_overrides)));
    }
    return result;
  }
  void undeclare_parameter(const std::string & name) { node_parameters_->undeclare_parameter(name); }
  bool has_parameter(const std::string & name) const { return node_parameters_->has_parameter(name); }
  Result_ set_parameter(const Parameter & parameter) { return this->set_parameters_atomically({parameter}); }
  std::vector<Result_> set_parameters(const std::vector<Parameter> & parameters) {
    return node_parameters_->set_parameters(parameters);
  }
  Result_ set_parameters_atomically(const std::vector<Parameter> & parameters) {
    return node_parameters_->set_parameters_atomically(parameters);
  }
  Parameter get_parameter(const std::string & name) const { return node_parameters_->get_parameter(name); }
  bool get_parameter(const std::string & name, Parameter & parameter) const {
    return node_parameters_->get_parameter(name, parameter);
  }
  template <typename ParameterT> bool get_parameter(const std::string & name, ParameterT & parameter) const {
    Parameter found;
    const bool result = get_parameter(extend_name_(name), found);
    if (result) { parameter = static_cast<ParameterT>(found.get_value<ParameterT>()); }
    return result;
  }
  template <typename ParameterT>
  bool get_parameter_or(const std::string & name, ParameterT & parameter, const ParameterT & alternative) const {
    return get_parameter(name, parameter) || (parameter = alternative, false);
  }
  template <typename ParameterT>
  ParameterT get_parameter_or(const std::string & name, const ParameterT & alternative_value) const {
    ParameterT parameter = alternative_value;
    get_parameter(name, parameter);
    return parameter;
  }
  std::vector<Parameter> get_parameters(const Names_ & names) const { return node_parameters_->get_parameters(names); }
  /// All parameters "<prefix>.<name>", by name.
  template <typename ParameterT>
  bool get_parameters(const std::string & prefix, std::map<std::string, ParameterT> & values) const {
    std::map<std::string, Parameter> params;
    const bool result = node_parameters_->get_parameters_by_prefix(prefix, params);
    for (const auto & [name, param] : params) { values[name] = param.template get_value<ParameterT>(); }
    return result;
  }
  Descriptor_ describe_parameter(const std::string & name) const;
  std::vector<Descriptor_> describe_parameters(const Names_ & names) const {
    return node_parameters_->describe_parameters(names);
  }
  std::vector<uint8_t> get_parameter_types(const Names_ & names) const {
    return node_parameters_->get_parameter_types(names);
  }
  rcl_interfaces::msg::ListParametersResult list_parameters(const Names_ & prefixes, uint64_t depth) const {
    return node_parameters_->list_parameters(prefixes, depth);
  }

// A callback of each kind stays registered while the returned handle lives.
#define RCLCPP_DETAIL_PARAMETER_CALLBACK(Kind, kind)                                                                  \
  using Kind##ParametersCallbackHandle = node_interfaces::Kind##ParametersCallbackHandle;                             \
  using Kind##ParametersCallbackType = node_interfaces::NodeParametersInterface::Kind##ParametersCallbackType;        \
  RCUTILS_WARN_UNUSED                                                                                                 \
  Kind##ParametersCallbackHandle::SharedPtr add_##kind##_parameters_callback(Kind##ParametersCallbackType callback) { \
    return node_parameters_->add_##kind##_parameters_callback(callback);                                              \
  }                                                                                                                   \
  void remove_##kind##_parameters_callback(const Kind##ParametersCallbackHandle * const handler) {                    \
    node_parameters_->remove_##kind##_parameters_callback(handler);                                                   \
  }

  RCLCPP_DETAIL_PARAMETER_CALLBACK(PreSet, pre_set)
  RCLCPP_DETAIL_PARAMETER_CALLBACK(OnSet, on_set)
  RCLCPP_DETAIL_PARAMETER_CALLBACK(PostSet, post_set)
#undef RCLCPP_DETAIL_PARAMETER_CALLBACK

  std::vector<std::string> get_node_names() const { return node_graph_->get_node_names(); }
  NamesAndTypes_ get_topic_names_and_types() const { return node_graph_->get_topic_names_and_types(); }
  NamesAndTypes_ get_service_names_and_types() const { return node_graph_->get_service_names_and_types(); }
  NamesAndTypes_ get_service_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_) const {
    return node_graph_->get_service_names_and_types_by_node(node_name, namespace_);
  }
  size_t count_publishers(const std::string & topic_name) const { return node_graph_->count_publishers(topic_name); }
  size_t count_subscribers(const std::string & topic_name) const { return node_graph_->count_subscribers(topic_name); }
  size_t count_clients(const std::string & service_name) const { return node_graph_->count_clients(service_name); }
  size_t count_services(const std::string & service_name) const { return node_graph_->count_services(service_name); }
  std::vector<TopicEndpointInfo> get_publishers_info_by_topic(
    const std::string & topic_name, bool no_mangle = false) const {
    return node_graph_->get_publishers_info_by_topic(topic_name, no_mangle);
  }
  std::vector<TopicEndpointInfo> get_subscriptions_info_by_topic(
    const std::string & topic_name, bool no_mangle = false) const {
    return node_graph_->get_subscriptions_info_by_topic(topic_name, no_mangle);
  }
  /// An event that is set at the next change of the graph. Drop it when no longer needed.
  Event::SharedPtr get_graph_event() { return node_graph_->get_graph_event(); }
  void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) {
    node_graph_->wait_for_graph_change(event, timeout);
  }

  Clock::SharedPtr get_clock() { return node_clock_->get_clock(); }
  Clock::ConstSharedPtr get_clock() const { return node_clock_->get_clock(); }
  Time now() const { return node_clock_->get_clock()->now(); }

  /// The part added by create_sub_node(), without leading slash; empty for a normal node.
  const std::string & get_sub_namespace() const { return sub_namespace_; }
  /// Namespace of the node and sub-namespace together.
  const std::string & get_effective_namespace() const { return effective_namespace_; }
  /// The same node, whose relative names get a prefix.
  Node::SharedPtr create_sub_node(const std::string & sub_namespace) {
    // make_shared cannot reach the protected constructor.
    return std::shared_ptr<Node>(new Node(*this, sub_namespace));
  }
  const NodeOptions & get_node_options() const { return node_options_; }

protected:
  /// For create_sub_node().
  Node(const Node & other, const std::string & sub_namespace);

private:
  RCLCPP_DISABLE_COPY(Node)

  /// Names_ that are neither absolute nor private get the prefix of the sub-node.
  std::string extend_name_(const std::string & name) const;

  const NodeOptions node_options_;

  // The interfaces and their getters, in the order in which they are made of one another.
#define RCLCPP_DETAIL_INTERFACE(Name, name)                                                                  \
public:                                                                                                      \
  node_interfaces::Node##Name##Interface::SharedPtr get_node_##name##_interface() { return node_##name##_; } \
                                                                                                             \
private:                                                                                                     \
  node_interfaces::Node##Name##Interface::SharedPtr node_##name##_;
  RCLCPP_DETAIL_INTERFACE(Base, base)
  RCLCPP_DETAIL_INTERFACE(Graph, graph)
  RCLCPP_DETAIL_INTERFACE(Logging, logging)
  RCLCPP_DETAIL_INTERFACE(Timers, timers)
  RCLCPP_DETAIL_INTERFACE(Topics, topics)
  RCLCPP_DETAIL_INTERFACE(Services, services)
  RCLCPP_DETAIL_INTERFACE(Clock, clock)
  RCLCPP_DETAIL_INTERFACE(Parameters, parameters)
  RCLCPP_DETAIL_INTERFACE(TimeSource, time_source)
  RCLCPP_DETAIL_INTERFACE(TypeDescriptions, type_descriptions)
  RCLCPP_DETAIL_INTERFACE(Waitables, waitables)
#undef RCLCPP_DETAIL_INTERFACE

  const std::string sub_namespace_;
  const std::string effective_namespace_;
};

}  // namespace rclcpp
