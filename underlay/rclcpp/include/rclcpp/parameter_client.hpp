// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/parameter_map.hpp"

namespace rclcpp {

namespace detail {

// Any duration; a negative one waits without end.
struct Timeout {
  Timeout() = default;

  template <typename RepT, typename RatioT>
  Timeout(std::chrono::duration<RepT, RatioT> timeout)  // NOLINT: meant to convert
  : value(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout)) {}

  std::chrono::nanoseconds value{-1};
};

}  // namespace detail

/// Reaches the parameters of a node by its services; answers come as futures.
class AsyncParametersClient {
  using Names = std::vector<std::string>;
  using Parameters = std::vector<Parameter>;
  using Descriptors = std::vector<rcl_interfaces::msg::ParameterDescriptor>;
  using SetResult = rcl_interfaces::msg::SetParametersResult;
  using ListResult = rcl_interfaces::msg::ListParametersResult;
  using ParameterEvent = rcl_interfaces::msg::ParameterEvent;
  template <typename ResultT> using Callback = std::function<void(std::shared_future<ResultT>)>;

public:
  RCLCPP_SMART_PTR_DEFINITIONS(AsyncParametersClient)

  /// \param remote_node_name the node to talk to; empty is the node itself.
  AsyncParametersClient(const node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    const node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
    const node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    const node_interfaces::NodeServicesInterface::SharedPtr node_services_interface,
    const std::string & remote_node_name = "", const QoS & qos_profile = ParametersQoS(),
    CallbackGroup::SharedPtr group = nullptr);

  /// \param node any pointer to a node.
  template <typename NodeT> explicit AsyncParametersClient(NodeT node, const std::string & remote_node_name = "",
    const QoS & qos_profile = ParametersQoS(), CallbackGroup::SharedPtr group = nullptr)
  : AsyncParametersClient(node->get_node_base_interface(), node->get_node_topics_interface(),
      node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name, qos_profile, group) {}

  std::shared_future<Parameters> get_parameters(const Names & names, Callback<Parameters> callback = nullptr);
  std::shared_future<Descriptors> describe_parameters(const Names & names, Callback<Descriptors> callback = nullptr);
  std::shared_future<std::vector<ParameterType>> get_parameter_types(
    const Names & names, Callback<std::vector<ParameterType>> callback = nullptr);
  std::shared_future<std::vector<SetResult>> set_parameters(
    const Parameters & parameters, Callback<std::vector<SetResult>> callback = nullptr);
  std::shared_future<SetResult> set_parameters_atomically(
    const Parameters & parameters, Callback<SetResult> callback = nullptr);
  /// Sets the parameters to "not set", which removes those that are dynamically typed.
  std::shared_future<std::vector<SetResult>> delete_parameters(const Names & parameters_names) {
    return set_parameters(Parameters(parameters_names.begin(), parameters_names.end()));
  }
  std::shared_future<std::vector<SetResult>> load_parameters(const std::string & yaml_filename) {
    return load_parameters(parameter_map_from_yaml_file(yaml_filename, remote_node_name_.c_str()));
  }
  /// \throws exceptions::InvalidParametersException if the map holds nothing for the remote node.
  std::shared_future<std::vector<SetResult>> load_parameters(const ParameterMap & parameter_map);
  std::shared_future<ListResult> list_parameters(
    const Names & prefixes, uint64_t depth, Callback<ListResult> callback = nullptr);

  template <typename CallbackT, typename AllocatorT = std::allocator<void>>
  Subscription<ParameterEvent>::SharedPtr on_parameter_event(CallbackT && callback,
    const QoS & qos = ParameterEventsQoS(), SubscriptionOptionsWithAllocator<AllocatorT> options = {}) {
    // Without the parameters interface there is nothing that could override the QoS.
    options.qos_overriding_options = QosOverridingOptions();
    return create_subscription<ParameterEvent, CallbackT, AllocatorT, Subscription<ParameterEvent>>(
      node_interfaces::NodeParametersInterface::SharedPtr(), node_topics_interface_, "/parameter_events", qos,
      std::forward<CallbackT>(callback), options);
  }

  template <typename CallbackT, typename NodeT, typename AllocatorT = std::allocator<void>>
  static Subscription<ParameterEvent>::SharedPtr on_parameter_event(NodeT && node, CallbackT && callback,
    const QoS & qos = ParameterEventsQoS(), const SubscriptionOptionsWithAllocator<AllocatorT> & options = {}) {
    return create_subscription<ParameterEvent>(
      node, "/parameter_events", qos, std::forward<CallbackT>(callback), options);
  }

  /// Whether all six services of the remote node are there.
  bool service_is_ready() const;

  bool wait_for_service(detail::Timeout timeout = {}) { return wait_for_service_nanoseconds(timeout.value); }

protected:
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

private:
  std::vector<ClientBase::SharedPtr> clients() const;

  node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface_;
  Client<rcl_interfaces::srv::GetParameters>::SharedPtr get_parameters_client_;
  Client<rcl_interfaces::srv::GetParameterTypes>::SharedPtr get_parameter_types_client_;
  Client<rcl_interfaces::srv::SetParameters>::SharedPtr set_parameters_client_;
  Client<rcl_interfaces::srv::SetParametersAtomically>::SharedPtr set_parameters_atomically_client_;
  Client<rcl_interfaces::srv::ListParameters>::SharedPtr list_parameters_client_;
  Client<rcl_interfaces::srv::DescribeParameters>::SharedPtr describe_parameters_client_;
  std::string remote_node_name_;
};

/// Reaches the parameters of a node and spins its own node until the answer is there.
/**
 * Every call takes a timeout (-1 waits for ever) and answers with an empty result when it passes.
 */
class SyncParametersClient {
  using Names = std::vector<std::string>;

public:
  RCLCPP_SMART_PTR_DEFINITIONS(SyncParametersClient)

  /// \param node any pointer to a node.
  template <typename NodeT> explicit SyncParametersClient(
    NodeT node, const std::string & remote_node_name = "", const QoS & qos_profile = ParametersQoS())
  : SyncParametersClient(std::make_shared<executors::SingleThreadedExecutor>(), node, remote_node_name, qos_profile) {}

  template <typename NodeT> SyncParametersClient(Executor::SharedPtr executor, NodeT node,
    const std::string & remote_node_name = "", const QoS & qos_profile = ParametersQoS())
  : SyncParametersClient(executor, node->get_node_base_interface(), node->get_node_topics_interface(),
      node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name, qos_profile) {}

  SyncParametersClient(Executor::SharedPtr executor,
    const node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    const node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
    const node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    const node_interfaces::NodeServicesInterface::SharedPtr node_services_interface,
    const std::string & remote_node_name = "", const QoS & qos_profile = ParametersQoS())
  : executor_(executor),
    node_base_interface_(node_base_interface),
    async_parameters_client_(std::make_shared<AsyncParametersClient>(node_base_interface, node_topics_interface,
      node_graph_interface, node_services_interface, remote_node_name, qos_profile)) {}

  auto get_parameters(const Names & parameter_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->get_parameters(parameter_names), timeout);
  }
  bool has_parameter(const std::string & parameter_name);

  /// The value, or what parameter_not_found_handler answers if it is not set.
  template <typename T>
  T get_parameter_impl(const std::string & parameter_name, std::function<T()> parameter_not_found_handler) {
    const std::vector<Parameter> found = get_parameters({parameter_name});
    if (found.size() != 1 || found.front().get_type() == PARAMETER_NOT_SET) { return parameter_not_found_handler(); }
    return static_cast<T>(found.front().get_value<T>());
  }

  template <typename T> T get_parameter(const std::string & parameter_name, const T & default_value) {
    return get_parameter_impl<T>(parameter_name, [&default_value]() { return default_value; });
  }

  /// \throws std::runtime_error if the parameter is not set.
  template <typename T> T get_parameter(const std::string & parameter_name) {
    return get_parameter_impl<T>(parameter_name,
      [&parameter_name]() -> T { throw std::runtime_error("Parameter '" + parameter_name + "' is not set"); });
  }

  auto describe_parameters(const Names & parameter_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->describe_parameters(parameter_names), timeout);
  }
  auto get_parameter_types(const Names & parameter_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->get_parameter_types(parameter_names), timeout);
  }
  auto set_parameters(const std::vector<Parameter> & parameters, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->set_parameters(parameters), timeout);
  }
  auto delete_parameters(const Names & parameters_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->delete_parameters(parameters_names), timeout);
  }
  auto load_parameters(const std::string & yaml_filename, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->load_parameters(yaml_filename), timeout);
  }
  auto set_parameters_atomically(const std::vector<Parameter> & parameters, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->set_parameters_atomically(parameters), timeout, "set");
  }
  auto list_parameters(const Names & parameter_prefixes, uint64_t depth, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->list_parameters(parameter_prefixes, depth), timeout, "list");
  }

  template <typename CallbackT> auto on_parameter_event(CallbackT && callback) {
    return async_parameters_client_->on_parameter_event(std::forward<CallbackT>(callback));
  }
  template <typename CallbackT, typename NodeT> static auto on_parameter_event(NodeT && node, CallbackT && callback) {
    return AsyncParametersClient::on_parameter_event(node, std::forward<CallbackT>(callback));
  }

  bool service_is_ready() const { return async_parameters_client_->service_is_ready(); }
  bool wait_for_service(detail::Timeout timeout = {}) {
    return async_parameters_client_->wait_for_service(timeout.value);
  }

private:
  /// \param must_answer what was called, if no answer is an error and not an empty result
  template <typename ResultT> ResultT wait(
    const std::shared_future<ResultT> & future, detail::Timeout timeout, const char * must_answer = nullptr) {
    if (executors::spin_node_until_future_complete(*executor_, node_base_interface_, future, timeout.value) ==
        FutureReturnCode::SUCCESS) {
      return future.get();
    }
    if (!must_answer) { return ResultT(); }
    throw std::runtime_error(std::string("Unable to get result of ") + must_answer + " parameters service call.");
  }

  Executor::SharedPtr executor_;
  const node_interfaces::NodeBaseInterface::SharedPtr node_base_interface_;
  AsyncParametersClient::SharedPtr async_parameters_client_;
};

}  // namespace rclcpp
