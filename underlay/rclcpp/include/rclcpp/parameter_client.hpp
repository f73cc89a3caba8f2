#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/list_parameters_result.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/executor.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/parameter_map.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/subscription.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/visibility_control.hpp"

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
public:
  RCLCPP_SMART_PTR_DEFINITIONS(AsyncParametersClient)

  /// \param remote_node_name the node to talk to; empty is the node itself.
  AsyncParametersClient(const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    const rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
    const rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    const rclcpp::node_interfaces::NodeServicesInterface::SharedPtr node_services_interface,
    const std::string & remote_node_name = "", const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS(),
    rclcpp::CallbackGroup::SharedPtr group = nullptr);

  template <typename NodeT>
  explicit AsyncParametersClient(const std::shared_ptr<NodeT> node, const std::string & remote_node_name = "",
    const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS(), rclcpp::CallbackGroup::SharedPtr group = nullptr)
  : AsyncParametersClient(node.get(), remote_node_name, qos_profile, group) {}

  template <typename NodeT>
  explicit AsyncParametersClient(NodeT * node, const std::string & remote_node_name = "",
    const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS(), rclcpp::CallbackGroup::SharedPtr group = nullptr)
  : AsyncParametersClient(node->get_node_base_interface(), node->get_node_topics_interface(),
      node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name, qos_profile, group) {}

  std::shared_future<std::vector<rclcpp::Parameter>> get_parameters(const std::vector<std::string> & names,
    std::function<void(std::shared_future<std::vector<rclcpp::Parameter>>)> callback = nullptr);

  std::shared_future<std::vector<rcl_interfaces::msg::ParameterDescriptor>> describe_parameters(
    const std::vector<std::string> & names,
    std::function<void(std::shared_future<std::vector<rcl_interfaces::msg::ParameterDescriptor>>)> callback = nullptr);

  std::shared_future<std::vector<rclcpp::ParameterType>> get_parameter_types(const std::vector<std::string> & names,
    std::function<void(std::shared_future<std::vector<rclcpp::ParameterType>>)> callback = nullptr);

  std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>> set_parameters(
    const std::vector<rclcpp::Parameter> & parameters,
    std::function<void(std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>>)> callback = nullptr);

  std::shared_future<rcl_interfaces::msg::SetParametersResult> set_parameters_atomically(
    const std::vector<rclcpp::Parameter> & parameters,
    std::function<void(std::shared_future<rcl_interfaces::msg::SetParametersResult>)> callback = nullptr);

  /// Sets the parameters to "not set", which removes those that are dynamically typed.
  std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>> delete_parameters(
    const std::vector<std::string> & parameters_names);

  std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>> load_parameters(
    const std::string & yaml_filename);

  /// \throws exceptions::InvalidParametersException if the map holds nothing for the remote node.
  std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>> load_parameters(
    const rclcpp::ParameterMap & parameter_map);

  std::shared_future<rcl_interfaces::msg::ListParametersResult> list_parameters(
    const std::vector<std::string> & prefixes, uint64_t depth,
    std::function<void(std::shared_future<rcl_interfaces::msg::ListParametersResult>)> callback = nullptr);

  template <typename CallbackT, typename AllocatorT = std::allocator<void>>
  typename rclcpp::Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr on_parameter_event(
    CallbackT && callback, const rclcpp::QoS & qos = rclcpp::ParameterEventsQoS(),
    const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options =
      (rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>())) {
    using MessageT = rcl_interfaces::msg::ParameterEvent;
    using SubscriptionT = rclcpp::Subscription<MessageT>;
    auto plain_options = options;
    // Without the parameters interface there is nothing that could override the QoS.
    plain_options.qos_overriding_options = rclcpp::QosOverridingOptions();
    return rclcpp::create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
      node_interfaces::NodeParametersInterface::SharedPtr(), node_topics_interface_, "/parameter_events", qos,
      std::forward<CallbackT>(callback), plain_options);
  }

  template <typename CallbackT, typename NodeT, typename AllocatorT = std::allocator<void>>
  static typename rclcpp::Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr on_parameter_event(NodeT && node,
    CallbackT && callback, const rclcpp::QoS & qos = rclcpp::ParameterEventsQoS(),
    const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options =
      (rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>())) {
    return rclcpp::create_subscription<rcl_interfaces::msg::ParameterEvent>(
      node, "/parameter_events", qos, std::forward<CallbackT>(callback), options);
  }

  /// Whether all six services of the remote node are there.
  bool service_is_ready() const;

  bool wait_for_service(detail::Timeout timeout = {}) { return wait_for_service_nanoseconds(timeout.value); }

protected:
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

private:
  std::vector<rclcpp::ClientBase::SharedPtr> clients() const;

  rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface_;
  rclcpp::Client<rcl_interfaces::srv::GetParameters>::SharedPtr get_parameters_client_;
  rclcpp::Client<rcl_interfaces::srv::GetParameterTypes>::SharedPtr get_parameter_types_client_;
  rclcpp::Client<rcl_interfaces::srv::SetParameters>::SharedPtr set_parameters_client_;
  rclcpp::Client<rcl_interfaces::srv::SetParametersAtomically>::SharedPtr set_parameters_atomically_client_;
  rclcpp::Client<rcl_interfaces::srv::ListParameters>::SharedPtr list_parameters_client_;
  rclcpp::Client<rcl_interfaces::srv::DescribeParameters>::SharedPtr describe_parameters_client_;
  std::string remote_node_name_;
};

/// Reaches the parameters of a node and spins its own node until the answer is there.
/**
 * Every call takes a timeout (-1 waits for ever) and answers with an empty result when it passes.
 */
class SyncParametersClient {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(SyncParametersClient)

  template <typename NodeT>
  explicit SyncParametersClient(std::shared_ptr<NodeT> node, const std::string & remote_node_name = "",
    const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS())
  : SyncParametersClient(
      std::make_shared<rclcpp::executors::SingleThreadedExecutor>(), node, remote_node_name, qos_profile) {}

  template <typename NodeT>
  SyncParametersClient(rclcpp::Executor::SharedPtr executor, std::shared_ptr<NodeT> node,
    const std::string & remote_node_name = "", const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS())
  : SyncParametersClient(executor, node.get(), remote_node_name, qos_profile) {}

  template <typename NodeT>
  explicit SyncParametersClient(
    NodeT * node, const std::string & remote_node_name = "", const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS())
  : SyncParametersClient(
      std::make_shared<rclcpp::executors::SingleThreadedExecutor>(), node, remote_node_name, qos_profile) {}

  template <typename NodeT>
  SyncParametersClient(rclcpp::Executor::SharedPtr executor, NodeT * node, const std::string & remote_node_name = "",
    const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS())
  : SyncParametersClient(executor, node->get_node_base_interface(), node->get_node_topics_interface(),
      node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name, qos_profile) {}

  SyncParametersClient(rclcpp::Executor::SharedPtr executor,
    const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    const rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
    const rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    const rclcpp::node_interfaces::NodeServicesInterface::SharedPtr node_services_interface,
    const std::string & remote_node_name = "", const rclcpp::QoS & qos_profile = rclcpp::ParametersQoS())
  : executor_(executor),
    node_base_interface_(node_base_interface),
    async_parameters_client_(std::make_shared<AsyncParametersClient>(node_base_interface, node_topics_interface,
      node_graph_interface, node_services_interface, remote_node_name, qos_profile)) {}

  std::vector<rclcpp::Parameter> get_parameters(
    const std::vector<std::string> & parameter_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->get_parameters(parameter_names), timeout);
  }

  bool has_parameter(const std::string & parameter_name);

  /// The value, or what parameter_not_found_handler answers if it is not set.
  template <typename T>
  T get_parameter_impl(const std::string & parameter_name, std::function<T()> parameter_not_found_handler) {
    const std::vector<rclcpp::Parameter> found = get_parameters({parameter_name});
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

  std::vector<rcl_interfaces::msg::ParameterDescriptor> describe_parameters(
    const std::vector<std::string> & parameter_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->describe_parameters(parameter_names), timeout);
  }

  std::vector<rclcpp::ParameterType> get_parameter_types(
    const std::vector<std::string> & parameter_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->get_parameter_types(parameter_names), timeout);
  }

  std::vector<rcl_interfaces::msg::SetParametersResult> set_parameters(
    const std::vector<rclcpp::Parameter> & parameters, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->set_parameters(parameters), timeout);
  }

  std::vector<rcl_interfaces::msg::SetParametersResult> delete_parameters(
    const std::vector<std::string> & parameters_names, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->delete_parameters(parameters_names), timeout);
  }

  std::vector<rcl_interfaces::msg::SetParametersResult> load_parameters(
    const std::string & yaml_filename, detail::Timeout timeout = {}) {
    return wait(async_parameters_client_->load_parameters(yaml_filename), timeout);
  }

  rcl_interfaces::msg::SetParametersResult set_parameters_atomically(
    const std::vector<rclcpp::Parameter> & parameters, detail::Timeout timeout = {}) {
    auto future = async_parameters_client_->set_parameters_atomically(parameters);
    if (!answered(future, timeout)) {
      throw std::runtime_error("Unable to get result of set parameters service call.");
    }
    return future.get();
  }

  rcl_interfaces::msg::ListParametersResult list_parameters(
    const std::vector<std::string> & parameter_prefixes, uint64_t depth, detail::Timeout timeout = {}) {
    auto future = async_parameters_client_->list_parameters(parameter_prefixes, depth);
    if (!answered(future, timeout)) {
      throw std::runtime_error("Unable to get result of list parameters service call.");
    }
    return future.get();
  }

  template <typename CallbackT>
  typename rclcpp::Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr on_parameter_event(
    CallbackT && callback) {
    return async_parameters_client_->on_parameter_event(std::forward<CallbackT>(callback));
  }

  template <typename CallbackT, typename NodeT>
  static typename rclcpp::Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr on_parameter_event(
    NodeT && node, CallbackT && callback) {
    return AsyncParametersClient::on_parameter_event(node, std::forward<CallbackT>(callback));
  }

  bool service_is_ready() const;

  bool wait_for_service(detail::Timeout timeout = {}) {
    return async_parameters_client_->wait_for_service(timeout.value);
  }

private:
  template <typename FutureT> bool answered(const FutureT & future, detail::Timeout timeout) {
    return rclcpp::executors::spin_node_until_future_complete(
             *executor_, node_base_interface_, future, timeout.value) == rclcpp::FutureReturnCode::SUCCESS;
  }

  template <typename ResultT> ResultT wait(const std::shared_future<ResultT> & future, detail::Timeout timeout) {
    return answered(future, timeout) ? future.get() : ResultT();
  }

  rclcpp::Executor::SharedPtr executor_;
  const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface_;
  AsyncParametersClient::SharedPtr async_parameters_client_;
};

}  // namespace rclcpp
